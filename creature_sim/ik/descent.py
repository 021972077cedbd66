"""Damped least squares in joint angles under limits: the polish after FABRIK.

FABRIK with limits oscillates or crawls where several bones stand at their limits. In joint angles
a limit is an interval or an ellipse, and the tip moves by the columns of its Jacobian. A step
solves (J J' + damping) y = error for the three unknowns y and turns each joint by J' y (Wampler
1986), with the damping that follows the error (Sugihara 2011); joints at a limit that the step
would push out of it are left out, and the step solved again (an active set).
"""

from math import sqrt

import numpy as np

from creature_sim.ik.angles import HINGE, Model, clamp_angles, copy_angles, is_endless, place_chain
from creature_sim.ik.fabrik import tip_error
from creature_sim.maths import (
    PI,
    Floats,
    Vec,
    along,
    cross,
    dot,
    put,
    quat,
    rotate,
    scale,
    sub,
    vec,
)
from creature_sim.maths.jit import kernel

AT_LIMIT = 1e-9
"""Share of its range within which an angle counts as at its limit."""

STEP_MOST = 0.8
"""Largest turn of a joint in one step [rad]."""


@kernel
def tip_columns(
    model: Model, angles: Floats, joints: Floats, turns: Floats, columns: Floats, outward: Floats
) -> None:
    """How the tip moves with each angle of each bone, and which way limits lie.

    Writes columns (B, 3, 3) [m/rad], for balls along the two directions of the swing plane that
    `outward` (B, 2) names: at the limit's ellipse its outward normal and its tangent.
    """
    tip = vec(joints[joints.shape[0] - 1])
    for i in range(model.lengths.shape[0]):
        parent = quat(turns[i - 1]) if i > 0 else (0.0, 0.0, 0.0, 1.0)
        arm = sub(tip, vec(joints[i]))
        first = rotate(parent, vec(model.axes[i, 1]))
        outward[i, 0] = 1.0
        outward[i, 1] = 0.0
        if model.kinds[i] == HINGE:
            put(columns[i, 0], cross(first, arm))
            put(columns[i, 1], (0.0, 0.0, 0.0))
            put(columns[i, 2], (0.0, 0.0, 0.0))
            continue
        second = rotate(parent, vec(model.axes[i, 2]))
        bone = scale(sub(vec(joints[i + 1]), vec(joints[i])), 1.0)
        length = sqrt(dot(bone, bone))
        straight = rotate(parent, vec(model.axes[i, 0]))
        bone = scale(bone, 1.0 / length) if length > 0.0 else straight
        x = angles[i, 0]
        y = angles[i, 1]
        angle = sqrt(x * x + y * y)
        about_x = first
        about_y = second
        if angle > 1e-7:
            # More swing turns about its axis; another azimuth about the parent, and back about
            # the bone, so that the twist stays.
            x /= angle
            y /= angle
            more = along(scale(first, x), second, y)
            around = scale(sub(straight, bone), 1.0 / angle)
            about_x = along(scale(more, x), around, -y)
            about_y = along(scale(more, y), around, x)
            a = model.bounds[i, 0]
            b = model.bounds[i, 1]
            if a > 0.0 and b > 0.0:
                x /= a * a
                y /= b * b
                size = sqrt(x * x + y * y)
                outward[i, 0] = x / size
                outward[i, 1] = y / size
        x = outward[i, 0]
        y = outward[i, 1]
        put(columns[i, 0], cross(along(scale(about_x, x), about_y, y), arm))
        put(columns[i, 1], cross(along(scale(about_x, -y), about_y, x), arm))
        put(columns[i, 2], cross(bone, arm))


@kernel
def _is_held(model: Model, angles: Floats, i: int, k: int, change: float) -> bool:
    """Whether angle k of bone i is at a limit that a change of this sign would cross."""
    low = model.bounds[i, 2]
    high = model.bounds[i, 3]
    if model.kinds[i] == HINGE or k == 2:
        if is_endless(low, high):
            return False
        near = AT_LIMIT * (1.0 + high - low)
        value = angles[i, k]
        return (change > 0.0 and value >= high - near) or (change < 0.0 and value <= low + near)
    a = model.bounds[i, 0]
    b = model.bounds[i, 1]
    if a >= PI and b >= PI:
        return False
    if a <= 0.0 or b <= 0.0:
        # A cone flattened to a line, or to a point.
        if a <= 0.0 and b <= 0.0:
            return True
        flat = 0 if a <= 0.0 else 1
        if k == flat:
            return True
        bound = b if a <= 0.0 else a
        value = angles[i, k]
        near = bound * AT_LIMIT
        return (change > 0.0 and value >= bound - near) or (change < 0.0 and value <= near - bound)
    x = angles[i, 0] / a
    y = angles[i, 1] / b
    return k == 0 and change > 0.0 and x * x + y * y >= 1.0 - 2.0 * AT_LIMIT


@kernel
def solve_symmetric(m: Floats, e: Vec) -> Vec:
    """Solve m y = e for a symmetric positive definite m (3, 3), by its adjugate."""
    c00 = m[1, 1] * m[2, 2] - m[1, 2] * m[1, 2]
    c01 = m[0, 2] * m[1, 2] - m[0, 1] * m[2, 2]
    c02 = m[0, 1] * m[1, 2] - m[0, 2] * m[1, 1]
    c11 = m[0, 0] * m[2, 2] - m[0, 2] * m[0, 2]
    c12 = m[0, 1] * m[0, 2] - m[0, 0] * m[1, 2]
    c22 = m[0, 0] * m[1, 1] - m[0, 1] * m[0, 1]
    factor = 1.0 / (m[0, 0] * c00 + m[0, 1] * c01 + m[0, 2] * c02)
    return (
        (c00 * e[0] + c01 * e[1] + c02 * e[2]) * factor,
        (c01 * e[0] + c11 * e[1] + c12 * e[2]) * factor,
        (c02 * e[0] + c12 * e[1] + c22 * e[2]) * factor,
    )


@kernel
def _step(
    model: Model, angles: Floats, columns: Floats, changes: Floats, error: Vec, damping: float
) -> float:
    """Changes (B, 3) of the angles that bring the tip nearer; returns the largest [rad]."""
    bones = model.lengths.shape[0]
    free = np.ones((bones, 3), np.bool_)
    normal = np.empty((3, 3))
    for i in range(bones):
        for k in range(3):
            free[i, k] = not _is_held(model, angles, i, k, dot(vec(columns[i, k]), error))
    for _ in range(4):
        for a in range(3):
            for b in range(3):
                normal[a, b] = damping if a == b else 0.0
        for i in range(bones):
            for k in range(3):
                if free[i, k]:
                    for a in range(3):
                        for b in range(3):
                            normal[a, b] += columns[i, k, a] * columns[i, k, b]
        y = solve_symmetric(normal, error)
        has_left = False
        for i in range(bones):
            for k in range(3):
                changes[i, k] = dot(vec(columns[i, k]), y) if free[i, k] else 0.0
                if free[i, k] and _is_held(model, angles, i, k, changes[i, k]):
                    free[i, k] = False
                    changes[i, k] = 0.0
                    has_left = True
        if not has_left:
            break
    largest = 0.0
    for i in range(bones):
        for k in range(3):
            largest = max(largest, abs(changes[i, k]))
    return largest


@kernel
def apply_changes(model: Model, angles: Floats, changes: Floats, outward: Floats) -> None:
    """Add changes (B, 3) [rad] in the directions of `outward` to the angles, within the limits.

    The changes shrink together where one is larger than `STEP_MOST`.
    """
    largest = STEP_MOST
    for i in range(angles.shape[0]):
        for k in range(3):
            largest = max(largest, abs(changes[i, k]))
    factor = STEP_MOST / largest
    for i in range(angles.shape[0]):
        out = changes[i, 0] * factor
        side = changes[i, 1] * factor
        angles[i, 0] += out * outward[i, 0] - side * outward[i, 1]
        angles[i, 1] += out * outward[i, 1] + side * outward[i, 0]
        angles[i, 2] += changes[i, 2] * factor
        clamp_angles(model, angles, i)


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
    reach = 0.0
    for i in range(bones):
        reach += model.lengths[i]
    error = tip_error(joints, target)
    caution = 1.0
    step = 0
    slow = 0
    while step < max_steps and error > tolerance:
        step += 1
        tip_columns(model, angles, joints, turns, columns, outward)
        gap = sub(target, vec(joints[bones]))
        damping = caution * 0.02 * error * error + 1e-9 * reach * reach
        largest = _step(model, angles, columns, changes, gap, damping)
        if largest < 1e-9:
            return (step, True)
        copy_angles(angles, kept)
        apply_changes(model, angles, changes, outward)
        place_chain(model, angles, joints, turns)
        after = tip_error(joints, target)
        if after < error:
            slow = slow + 1 if after > 0.98 * error else 0
            error = after
            caution *= 0.2
        else:
            copy_angles(kept, angles)
            place_chain(model, angles, joints, turns)
            caution = max(1.0, caution * 8.0)
            slow += 1
        if slow >= 6:
            return (step, True)
    return (step, False)
