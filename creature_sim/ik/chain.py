"""One chain without pole or limits: FABRIK where it is quick, an arc where it would crawl.

FABRIK stays near the pose it starts from, and most targets take two to five passes. Each pass
leaves about the same fraction of the error, so from the second one on the passes aim beyond the
target by what they would fall short (Aitken's extrapolation, 1926). Long chains then need a third
fewer passes.

FABRIK crawls near full stretch and where a leg folds at its hip, and it stands still where chain
and target lie on one line. Two passes tell at which rate the error falls, and so whether ten will
do. If not, the chain is laid on the arc that bends to the side it bends to now (see `arc`).
"""

import numpy as np

from creature_sim.ik.arc import Plane, lay_arc, lay_folded, lay_straight, span
from creature_sim.ik.fabrik import fabrik_pass, tip_error
from creature_sim.ik.leg import ON_THE_ROOT, last_bend
from creature_sim.maths import Floats, Vec, norm, scale, sub, vec
from creature_sim.maths.jit import kernel

PASSES = 10
"""FABRIK passes that a target may take before the chain is laid on an arc."""

ARC_STEPS = 7
"""Iterations kept for the arc where the caller allows few."""

MAX_RATE = 0.5
"""Fraction of the error that a pass may seem to leave: aims go no farther than twice as far."""


@kernel
def line_to(joints: Floats, target: Vec, reach: float) -> tuple[Vec, float]:
    """Direction and distance [m] of the target from joint 0, the root.

    Where the target is on the root, the direction of the tip; where the tip is there too, X.
    """
    root = vec(joints[0])
    line = sub(target, root)
    d = norm(line)
    if d > ON_THE_ROOT * reach:
        return (scale(line, 1.0 / d), d)
    line = sub(vec(joints[joints.shape[0] - 1]), root)
    length = norm(line)
    if length > ON_THE_ROOT * reach:
        return (scale(line, 1.0 / length), d)
    return ((1.0, 0.0, 0.0), d)


@kernel
def will_do(error: float, last: float, tolerance: float, passes: int) -> bool:
    """Whether an error that fell from `last` comes below the tolerance at this rate in `passes`."""
    rate = error / last
    for _ in range(passes):
        error *= rate
    return error <= tolerance


@kernel
def _beyond(joints: Floats, target: Vec, rate: float) -> Vec:
    """Point beyond the target by what a pass that leaves this fraction of the error falls short."""
    rate = min(rate, MAX_RATE)
    factor = rate / (1.0 - rate)
    last = joints.shape[0] - 1
    return (
        target[0] + (target[0] - joints[last, 0]) * factor,
        target[1] + (target[1] - joints[last, 1]) * factor,
        target[2] + (target[2] - joints[last, 2]) * factor,
    )


@kernel
def _lay_unreachable(joints: Floats, lengths: Floats, target: Vec, reach: float) -> None:
    """Stretch or fold the chain towards a target too far or too near."""
    axis, d = line_to(joints, target, reach)
    if d >= reach:
        lay_straight(joints, lengths, vec(joints[0]), axis)
    else:
        lay_folded(joints, lengths, vec(joints[0]), axis)


@kernel
def _lay_bent(joints: Floats, lengths: Floats, target: Vec, reach: float, max_steps: int) -> int:
    """Lay the chain on the arc to the target, bent as it is; returns Newton steps, at least 1."""
    axis, d = line_to(joints, target, reach)
    bend = last_bend(joints, axis, reach)
    plane = Plane(vec(joints[0]), axis, bend)
    return max(1, lay_arc(joints, lengths, plane, d, max_steps))


@kernel
def bend_chain(
    joints: Floats, lengths: Floats, target: Vec, tolerance: float, max_iterations: int
) -> tuple[int, float]:
    """Bring the tip of a chain onto a target, as `solve_chain`: iterations and tip error [m]."""
    reach = 0.0
    longest = 0.0
    for i in range(lengths.shape[0]):
        reach += lengths[i]
        longest = max(longest, lengths[i])
    x = target[0] - joints[0, 0]
    y = target[1] - joints[0, 1]
    z = target[2] - joints[0, 2]
    square = x * x + y * y + z * z
    min_reach = max(0.0, 2.0 * longest - reach)
    if square >= reach * reach or square < min_reach * min_reach:
        _lay_unreachable(joints, lengths, target, reach)
        return (0, tip_error(joints, target))
    error = tip_error(joints, target)
    passes = min(PASSES, max(1, max_iterations - ARC_STEPS))
    iteration = 0
    aim = target
    while error > tolerance and iteration < max_iterations:
        fabrik_pass(joints, lengths, aim)
        iteration += 1
        last = error
        error = tip_error(joints, target)
        if error <= tolerance:
            break
        if (
            2 <= iteration <= passes
            and iteration < max_iterations
            and not will_do(error, last, tolerance, passes - iteration)
        ):
            iteration += _lay_bent(joints, lengths, target, reach, max_iterations - iteration)
            error = tip_error(joints, target)
            last = np.inf
        aim = _beyond(joints, target, error / last)
    return (iteration, error)


@kernel
def solve_chain(
    joints: Floats, lengths: Floats, target: Floats, tolerance: float, max_iterations: int
) -> int:
    """Bring the tip of a chain onto a target, in the caller's array, without allocating.

    Args:
        joints: (J, 3) [m], C-contiguous, the start pose, with exactly these lengths; moved in
            place. Joint 0, the root, stays.
        lengths: (J - 1,) [m], none negative, their sum positive.
        target: (3,) [m].
        tolerance: Distance of the tip from the target [m] that counts as there.
        max_iterations: Passes at most.

    Returns:
        Iterations: FABRIK passes and Newton steps of the arc. 0 where the start is good enough,
        and where the target is too far or too near, so that the chain is stretched or folded.
        `tip_error` tells the rest.

    Nothing is validated: that is `solve`'s part.
    """
    goal = (target[0], target[1], target[2])
    return bend_chain(joints, lengths, goal, tolerance, max_iterations)[0]


@kernel
def solve_plain(
    joints: Floats, lengths: Floats, target: Vec, tolerance: float, max_iterations: int
) -> int:
    """FABRIK as in the textbook, to compare with: it may crawl, and stand still on a line.

    Arguments and result as for `solve_chain`.
    """
    reach = span(lengths)[1]
    axis, d = line_to(joints, target, reach)
    if d >= reach:
        lay_straight(joints, lengths, vec(joints[0]), axis)
        return 0
    iteration = 0
    while iteration < max_iterations and tip_error(joints, target) > tolerance:
        fabrik_pass(joints, lengths, target)
        iteration += 1
    return iteration
