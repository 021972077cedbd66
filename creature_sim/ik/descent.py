"""Damped least squares in joint angles under limits: the polish after FABRIK.

FABRIK with limits oscillates or crawls where several bones stand at their limits. In joint angles
a limit is an interval or an ellipse, and the tip moves by the columns of its Jacobian. A step
solves (J J' + damping) y = error for the three unknowns y and turns each joint by J' y (Wampler
1986), with damping that follows the error (Sugihara 2011). Joints that the step would push beyond
a limit are left out, and the step is solved again (an active set).
"""

import numpy as np
from numpy.typing import NDArray

from creature_sim.ik.angles import HINGE, Model, copy_angles, is_endless, place_chain
from creature_sim.ik.bones import reach_of
from creature_sim.ik.damping import DAMPING, EASE, FLOOR, SLOW, TIGHTEN
from creature_sim.ik.fabrik import tip_error
from creature_sim.ik.jacobian import (
    apply_changes,
    largest_change,
    normal_matrix,
    solve_symmetric,
    tip_columns,
)
from creature_sim.maths import PI, Floats, Vec, dot, sub, vec
from creature_sim.maths.jit import kernel

AT_LIMIT = 1e-9
"""Fraction of its range within which an angle counts as at its limit."""

MIN_STEP = 1e-9
"""A step whose largest turn [rad] is below this leads nowhere."""

SLOW_STEPS = 6
"""Slow steps in a row after which no step is expected to lead nearer."""

ACTIVE_SETS = 4
"""Times that a step is solved at most while joints at their limits are left out."""


@kernel
def _leaves(value: float, low: float, high: float, near: float, change: float) -> bool:
    """Whether a change leads out of an interval at whose end the value is, within `near`."""
    return (change > 0.0 and value >= high - near) or (change < 0.0 and value <= low + near)


@kernel
def _is_held(model: Model, angles: Floats, i: int, k: int, change: float) -> bool:
    """Whether angle k of bone i is at a limit that a change of this sign would cross."""
    value = angles[i, k]
    if model.kinds[i] == HINGE or k == 2:
        low = model.bounds[i, 2]
        high = model.bounds[i, 3]
        near = AT_LIMIT * (1.0 + high - low)
        return not is_endless(low, high) and _leaves(value, low, high, near, change)
    a = model.bounds[i, 0]
    b = model.bounds[i, 1]
    if a >= PI and b >= PI:
        return False
    if a <= 0.0 and b <= 0.0:  # a cone flattened to a point
        return True
    if a <= 0.0 or b <= 0.0:  # or to a line
        bound = max(a, b)
        is_across = k == 0 if a <= 0.0 else k == 1
        return is_across or _leaves(value, -bound, bound, bound * AT_LIMIT, change)
    x = angles[i, 0] / a
    y = angles[i, 1] / b
    return k == 0 and change > 0.0 and x * x + y * y >= 1.0 - 2.0 * AT_LIMIT


@kernel
def _change_free(
    model: Model,
    angles: Floats,
    columns: Floats,
    y: Vec,
    free: NDArray[np.bool_],
    changes: Floats,
) -> bool:
    """Write the changes J' y of the free angles; returns whether some met a limit, now not free.

    Args:
        model: The bones and their limits.
        angles: (B, 3) [rad].
        columns: (B, 3, 3) [m/rad].
        y: Solution of the step's normal equations.
        free: (B, 3) changed.
        changes: (B, 3) [rad], written.
    """
    has_met = False
    for i in range(columns.shape[0]):
        for k in range(3):
            changes[i, k] = dot(vec(columns[i, k]), y) if free[i, k] else 0.0
            if free[i, k] and _is_held(model, angles, i, k, changes[i, k]):
                free[i, k] = False
                changes[i, k] = 0.0
                has_met = True
    return has_met


@kernel
def _step(
    model: Model, angles: Floats, columns: Floats, changes: Floats, error: Vec, damping: float
) -> float:
    """Changes of the angles that bring the tip nearer; returns the largest [rad].

    Args:
        model: The bones and their limits.
        angles: (B, 3) [rad].
        columns: (B, 3, 3) [m/rad], from `tip_columns`.
        changes: (B, 3) [rad], written.
        error: From the tip to the target [m].
        damping: [m^2].
    """
    bones = model.lengths.shape[0]
    free = np.ones((bones, 3), np.bool_)
    for i in range(bones):
        for k in range(3):
            free[i, k] = not _is_held(model, angles, i, k, dot(vec(columns[i, k]), error))
    for _ in range(ACTIVE_SETS):
        y = solve_symmetric(normal_matrix(columns, free, damping), error)
        if not _change_free(model, angles, columns, y, free, changes):
            break
    return largest_change(changes)


@kernel
def descend(
    model: Model,
    angles: Floats,
    joints: Floats,
    turns: Floats,
    target: Vec,
    tolerance: float,
    max_steps: int,
) -> tuple[int, bool]:
    """Bring the tip as near to a target as the limits let it come from here.

    Args:
        model: The bones and their limits.
        angles: (B, 3) [rad], legal; changed.
        joints: (B + 1, 3) [m], the pose of these angles; changed with them.
        turns: (B, 4), likewise.
        target: [m].
        tolerance: Tip error [m] to stop at.
        max_steps: Steps at most.

    Returns:
        Steps taken, and whether no step leads nearer any more.
    """
    bones = model.lengths.shape[0]
    columns = np.empty((bones, 3, 3))
    outward = np.empty((bones, 2))
    changes = np.empty((bones, 3))
    kept = np.empty((bones, 3))
    reach = reach_of(model.lengths)
    error = tip_error(joints, target)
    factor = 1.0
    step = 0
    slow = 0
    while step < max_steps and error > tolerance:
        step += 1
        tip_columns(model, angles, joints, turns, columns, outward)
        gap = sub(target, vec(joints[bones]))
        damping = factor * DAMPING * error * error + FLOOR * reach * reach
        largest = _step(model, angles, columns, changes, gap, damping)
        if largest < MIN_STEP:
            return (step, True)
        copy_angles(angles, kept)
        apply_changes(model, angles, changes, outward)
        place_chain(model, angles, joints, turns)
        after = tip_error(joints, target)
        is_nearer = after < error
        slow = 0 if is_nearer and after <= SLOW * error else slow + 1
        if is_nearer:
            error = after
            factor *= EASE
        else:
            factor = max(1.0, factor * TIGHTEN)
            copy_angles(kept, angles)
            place_chain(model, angles, joints, turns)
        if slow >= SLOW_STEPS:
            return (step, True)
    return (step, False)
