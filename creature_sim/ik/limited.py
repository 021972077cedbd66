"""One chain under limits: FABRIK, then a polish in joint angles, then other starts."""

import numpy as np

from creature_sim.ik.angles import (
    HINGE,
    Model,
    clamp_angles,
    copy_angles,
    place_chain,
    reach_forward,
)
from creature_sim.ik.arc import STEPS as ARC_STEPS
from creature_sim.ik.arc import Plane, lay_arc, lay_folded, lay_straight, span
from creature_sim.ik.chain import line_to
from creature_sim.ik.descent import descend
from creature_sim.ik.fabrik import reach_backward, tip_error
from creature_sim.ik.leg import last_bend
from creature_sim.maths import Floats, Vec, along, cross, random_unit, scale, sin_cos, vec
from creature_sim.maths.jit import kernel

PASSES = 5
"""FABRIK passes from one start at most, while they are quick."""

QUICK = 0.5
"""Fraction of the error that a quick pass leaves at most."""

STEPS = 16
"""Steps of the polish from one start at most."""

BETTER = 0.99
"""Fraction of the least error that another start must come below: a chain that follows a path
would jump about between poses that are equally near."""

GOLDEN_ANGLE = 2.399963229728653
"""Turn [rad] between bends that spreads any number of them well."""


@kernel
def _lay_start(joints: Floats, lengths: Floats, target: Vec, attempt: int, is_flat: bool) -> None:
    """Lay the chain towards the target on an arc, bent elsewhere each attempt; limits aside."""
    min_reach, reach = span(lengths)
    axis, d = line_to(joints, target, reach)
    root = vec(joints[0])
    if d >= reach:
        lay_straight(joints, lengths, root, axis)
    elif d <= min_reach and min_reach > 0.0:
        lay_folded(joints, lengths, root, axis)
    else:
        bend = last_bend(joints, axis, reach)
        if is_flat:
            side = scale(bend, -1.0)
        else:
            s, c = sin_cos(GOLDEN_ANGLE * attempt)
            side = along(scale(bend, c), cross(axis, bend), s)
        lay_arc(joints, lengths, Plane(root, axis, side), d, ARC_STEPS)


@kernel
def _scatter(model: Model, angles: Floats, attempt: int, is_flat: bool) -> None:
    """Spread angles over the limits: others at every attempt, the same in every run."""
    for i in range(model.lengths.shape[0]):
        low = model.bounds[i, 2]
        high = model.bounds[i, 3]
        last = low + (high - low) * random_unit(attempt, i, 2)
        if model.kinds[i] == HINGE:
            angles[i, 0] = last
            continue
        first = 2.0 * random_unit(attempt, i, 0) - 1.0
        second = 2.0 * random_unit(attempt, i, 1) - 1.0
        angles[i, 0] = 0.0 if is_flat else first * model.bounds[i, 0]
        angles[i, 1] = second * model.bounds[i, 1]
        angles[i, 2] = 0.0 if is_flat else last
        clamp_angles(model, angles, i)


@kernel
def _pass_while_quick(
    model: Model,
    angles: Floats,
    joints: Floats,
    turns: Floats,
    target: Vec,
    tolerance: float,
    max_passes: int,
) -> int:
    """FABRIK passes whose forward half keeps the limits, while they are quick; returns how many.

    Args:
        model: The bones and their limits.
        angles: (B, 3) [rad], of which the twists are the start; written.
        joints: (B + 1, 3) [m], the start pose, legal or not; written.
        turns: (B, 4), written.
        target: [m].
        tolerance: Tip error to stop at [m].
        max_passes: Passes at most.
    """
    reach_forward(model, angles, joints, turns)
    error = tip_error(joints, target)
    last = np.inf
    passes = 0
    while tolerance < error < QUICK * last and passes < max_passes:
        last = error
        reach_backward(joints, model.lengths, target)
        reach_forward(model, angles, joints, turns)
        error = tip_error(joints, target)
        passes += 1
    return passes


@kernel
def _start_anew(
    model: Model,
    angles: Floats,
    joints: Floats,
    turns: Floats,
    target: Vec,
    attempt: int,
    is_flat: bool,
) -> None:
    """Lay the chain on an arc bent elsewhere, or by scattered angles: another start each attempt.

    Args:
        model: The bones and their limits.
        angles: (B, 3) [rad], changed.
        joints: (B + 1, 3) [m], written but for the root.
        turns: (B, 4), written.
        target: [m].
        attempt: Number of the start, from 1.
        is_flat: Whether the chain stays in the XY plane.
    """
    if attempt % 3 == 1:
        _lay_start(joints, model.lengths, target, attempt, is_flat)
    else:
        _scatter(model, angles, attempt, is_flat)
        place_chain(model, angles, joints, turns)


@kernel
def solve_limited(
    model: Model,
    angles: Floats,
    joints: Floats,
    turns: Floats,
    target: Vec,
    tolerance: float,
    max_iterations: int,
    is_flat: bool,
) -> tuple[int, bool]:
    """Bring a chain's tip as near to a target as its limits let it; the limits always hold.

    1. From the pose in `joints`, FABRIK passes whose forward half keeps the limits.
    2. The polish (see `descent`), to the tolerance or to where no step leads nearer.
    3. If not there, again from an arc bent elsewhere, or from scattered angles; the best is kept,
       of near equals the first.

    Args:
        model: The bones and their limits.
        angles: (B, 3) [rad], of which the twists are the start; written.
        joints: (B + 1, 3) [m], the start pose, legal or not; written.
        turns: (B, 4), written: rotation of each bone against the start pose of the model.
        target: [m].
        tolerance: Tip error that counts as there [m].
        max_iterations: Passes and steps at most, over all starts.
        is_flat: Whether chain and target lie in the XY plane, and shall stay there.

    Returns:
        Iterations, and whether some descent came to its end: no step led nearer.
    """
    best = np.empty((model.lengths.shape[0], 3))
    least = np.inf
    iteration = 0
    has_settled = False
    attempt = 0
    while True:
        iteration += _pass_while_quick(
            model, angles, joints, turns, target, tolerance, min(PASSES, max_iterations - iteration)
        )
        steps, is_settled = descend(
            model, angles, joints, turns, target, tolerance, min(STEPS, max_iterations - iteration)
        )
        iteration += steps
        has_settled = has_settled or is_settled
        error = tip_error(joints, target)
        if error <= tolerance or error < BETTER * least:
            least = error
            copy_angles(angles, best)
        if error <= tolerance or iteration >= max_iterations:
            break
        attempt += 1
        _start_anew(model, angles, joints, turns, target, attempt, is_flat)
    copy_angles(best, angles)
    place_chain(model, angles, joints, turns)
    return (iteration, has_settled)
