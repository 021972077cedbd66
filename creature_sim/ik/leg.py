"""The leg solver: any number of bones, a pole, no memory; what a creature calls each tick."""

from math import sqrt

from creature_sim.ik.arc import STEPS, Plane, lay_arc, lay_folded, lay_straight, span
from creature_sim.ik.fabrik import fabrik_pass, tip_error
from creature_sim.maths import Floats, Vec, along, norm, reject, scale, sub, vec
from creature_sim.maths.jit import kernel

ON_THE_LINE = 1e-6
"""Sine of the angle to the line from root to target below which a pole says nothing."""

ON_THE_ROOT = 1e-14
"""Distance of a target from the root, as a fraction of the reach, below which it has no direction.
"""

EXACT = 1e-10
"""Tip error, as a fraction of the reach, above which FABRIK passes follow the arc."""


@kernel
def side_of(axis: Vec) -> Vec:
    """Some unit vector at right angles to the unit vector `axis`; in the XY plane if that is."""
    width = sqrt(axis[0] * axis[0] + axis[1] * axis[1])
    if width < 1e-6:
        return (1.0, 0.0, 0.0) if width == 0.0 else _across(axis, (1.0, 0.0, 0.0))
    return (-axis[1] / width, axis[0] / width, 0.0)


@kernel
def _across(axis: Vec, v: Vec) -> Vec:
    """Direction of the part of `v` at right angles to `axis`; `v` must have one."""
    part = reject(v, axis)
    part = reject(scale(part, 1.0 / norm(part)), axis)  # again: exact also where v is near the axis
    return scale(part, 1.0 / norm(part))


@kernel
def last_bend(joints: Floats, axis: Vec, reach: float) -> Vec:
    """Side of the line through joint 0 along `axis` that the inner joints lie on, a unit vector.

    The sum of their offsets; where that cancels out (a zigzag) the first of the farthest joints;
    where all lie on the line, `side_of(axis)`.
    """
    root = vec(joints[0])
    total = (0.0, 0.0, 0.0)
    farthest = 0.0
    last = joints.shape[0] - 1
    for i in range(1, last):
        offset = reject(sub(vec(joints[i]), root), axis)
        total = along(total, offset, 1.0)
        farthest = max(farthest, norm(offset))
    if farthest <= 1e-9 * reach:
        return side_of(axis)
    if norm(total) > 1e-3 * farthest:
        return _across(axis, total)
    for i in range(1, last):
        offset = reject(sub(vec(joints[i]), root), axis)
        if norm(offset) >= 0.999 * farthest:
            return _across(axis, offset)
    return side_of(axis)


@kernel
def lay_in_plane(joints: Floats, lengths: Floats, plane: Plane, d: float, max_steps: int) -> int:
    """Lay a chain to the point at distance d [m] along the plane's axis, or as near as it gets.

    Straight where the target is too far, folded where it is too near, else on an arc. Returns
    Newton steps.
    """
    min_reach, reach = span(lengths)
    if d >= reach:
        lay_straight(joints, lengths, plane.root, plane.axis)
        return 0
    if d <= min_reach and min_reach > 0.0:
        lay_folded(joints, lengths, plane.root, plane.axis)
        return 0
    return lay_arc(joints, lengths, plane, d, max_steps)


@kernel
def bend_leg(
    joints: Floats, lengths: Floats, root: Vec, target: Vec, pole: Vec, max_iterations: int
) -> tuple[int, float]:
    """Bend a chain towards its pole, as `solve_leg`, in at most so many iterations.

    Args:
        joints: (J, 3) [m], the last pose; all overwritten.
        lengths: (J - 1,) [m].
        root: Where the chain begins [m].
        target: Where its tip shall be [m].
        pole: Direction from the root towards which the inner joints go, of any length.
        max_iterations: Newton steps and FABRIK passes at most.

    Returns:
        Iterations, and the tip's distance from the target [m].
    """
    min_reach, reach = span(lengths)
    line = sub(target, root)
    d = norm(line)
    strength = norm(pole)
    if d > ON_THE_ROOT * reach:
        axis = scale(line, 1.0 / d)
    elif strength > 0.0:  # on the root: any line at right angles to the pole
        axis = side_of(scale(pole, 1.0 / strength))
    else:
        axis = (1.0, 0.0, 0.0)
    if norm(reject(pole, axis)) > ON_THE_LINE * strength:
        bend = _across(axis, pole)
    else:
        bend = last_bend(joints, axis, reach)
    iterations = lay_in_plane(joints, lengths, Plane(root, axis, bend), d, max_iterations)
    error = tip_error(joints, target)
    while error > EXACT * reach and min_reach < d < reach and iterations < max_iterations:
        fabrik_pass(joints, lengths, target)
        iterations += 1
        error = tip_error(joints, target)
    return (iterations, error)


@kernel
def solve_leg(
    joints: Floats, lengths: Floats, root: Vec, target: Vec, pole: Vec
) -> tuple[int, float]:
    """Bend a chain of any number of bones from `root` to `target`, its joints towards `pole`.

    The pose depends on the arguments alone: the same target gives the same pose, whatever came
    before, and a target that moves a little moves the joints a little. Only where the pole lies on
    the line from root to target is the bend taken from the pose in `joints`. Every inner joint
    lies in the half-plane of root, target and pole. Nothing is allocated or validated.

    1. The arc (see `arc`) is the start, exact but for rounding.
    2. FABRIK passes take away what is left of the tip's error, if anything is.

    Args:
        joints: (J, 3) [m, world], the last pose; all overwritten.
        lengths: (J - 1,) [m], none negative, their sum positive.
        root: Where the chain begins [m, world].
        target: Where its tip shall be [m, world].
        pole: Direction from the root towards which the inner joints go, of any length.

    Returns:
        Iterations (Newton steps of the arc and FABRIK passes) and the tip's distance from the
        target [m]: above 1e-11 of the reach only if that is too far or too near.
    """
    return bend_leg(joints, lengths, root, target, pole, STEPS)
