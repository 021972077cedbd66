"""FABRIK in a plane, under the limits of hinges: how a leg bends once it is known which way.

Coordinates and angles are those of `hinges`. The limits hold after every pass (Aristidou and
Lasenby 2011, section 5, in the half of a pass that goes from root to tip; in both halves, tight
limits make it oscillate).

Passes converge linearly, and slowly near the stretched leg. So the pose that they begin from is
stretched to the distance of its target first, and each is the input of a secant step for the next
(Anderson 1965, depth 1): mostly one is enough.
"""

from math import sqrt

import numpy as np

from creature_sim.ik.bones import reach_of
from creature_sim.ik.hinges import (
    COS_HALF,
    COS_HI,
    COS_LO,
    COS_MIDDLE,
    EXACT,
    MAX_TURN,
    SIN_HI,
    SIN_LO,
    SIN_MIDDLE,
    Bends,
    Hinges,
    distance_of,
    face,
    read_angles,
    small_turn,
)
from creature_sim.ik.nearest import bend_nearest
from creature_sim.maths import Floats, clamp
from creature_sim.maths.jit import kernel

MAX_PASSES = 12
"""After so many passes, or where one no longer helps, a chain is laid instead."""
NEWTON_STEPS = 2
"""So often a pose is stretched before the passes: then one or two of them do."""
SLOW = 0.7
"""A pass that leaves more than this fraction of the error does not help."""


@kernel
def stretch(pose: Bends, count: int, distance: float) -> None:
    """Turn all hinges but the first alike, so that the tip is about so far from the root [m].

    By steps of Newton's method: from a pose near it the passes then have hardly anything to do.
    """
    points = pose.points
    for _ in range(NEWTON_STEPS):
        px, pz = points[count, 0], points[count, 1]
        slope = 0.0  # of half of the squared distance, per radian
        for i in range(1, count):
            slope += pz * points[i, 0] - px * points[i, 1]
        square = px * px + pz * pz
        off = 0.5 * (distance * distance - square)
        if abs(off) > MAX_TURN * abs(slope):
            return
        if abs(off) <= EXACT * square:
            return
        c, s = small_turn(off / slope)
        cosine, sine = c, s
        x, z = points[1, 0], points[1, 1]
        ox, oz = x, z
        for i in range(2, count + 1):
            dx, dz = points[i, 0] - ox, points[i, 1] - oz
            ox, oz = points[i, 0], points[i, 1]
            x, z = x + cosine * dx + sine * dz, z + cosine * dz - sine * dx
            points[i, 0], points[i, 1] = x, z
            cosine, sine = cosine * c - sine * s, sine * c + cosine * s


@kernel
def _reach_back(hinges: Hinges, pose: Bends, count: int, x: float, z: float) -> None:
    """FABRIK from the tip, which is put on (x, z), to the first joint but one."""
    points = pose.points
    points[count, 0], points[count, 1] = x, z
    for i in range(count - 1, 0, -1):
        dx, dz = points[i, 0] - points[i + 1, 0], points[i, 1] - points[i + 1, 1]
        size = sqrt(dx * dx + dz * dz)
        if size > 0.0:
            factor = hinges.lengths[i] / size
            points[i, 0], points[i, 1] = (
                points[i + 1, 0] + dx * factor,
                points[i + 1, 1] + dz * factor,
            )


@kernel
def _reach_out(hinges: Hinges, pose: Bends, count: int) -> None:
    """FABRIK from the root to the tip: each bone turns to its joint as far as its hinge lets it."""
    points, arcs = pose.points, hinges.arcs
    x = z = 0.0
    cosine, sine = 1.0, 0.0
    for i in range(count):
        dx, dz = points[i + 1, 0] - x, points[i + 1, 1] - z
        size = sqrt(dx * dx + dz * dz)
        if size > 0.0:
            dx, dz = dx / size, dz / size
        else:
            dx, dz = cosine, sine
        c, s = dx * cosine + dz * sine, sine * dx - cosine * dz
        if c * arcs[i, COS_MIDDLE] + s * arcs[i, SIN_MIDDLE] < arcs[i, COS_HALF]:
            is_high = s * arcs[i, COS_MIDDLE] - c * arcs[i, SIN_MIDDLE] > 0.0
            c = arcs[i, COS_HI] if is_high else arcs[i, COS_LO]
            s = arcs[i, SIN_HI] if is_high else arcs[i, SIN_LO]
            dx, dz = cosine * c + sine * s, sine * c - cosine * s
        cosine, sine = dx, dz
        x, z = x + hinges.lengths[i] * dx, z + hinges.lengths[i] * dz
        pose.heading[i, 0], pose.heading[i, 1] = dx, dz
        points[i + 1, 0], points[i + 1, 1] = x, z


@kernel
def _leap(pose: Bends, count: int, is_first: bool) -> None:
    """Move the inner joints on from a pass, along the secant of it and the one before.

    With g the result of a pass on x, and f = g - x: to g - ((f - f') . f / |f - f'|^2) (g - g'),
    where primes mean the pass before (Anderson 1965, equation 4.2; Walker and Ni 2011).
    """
    points, before, after, change = pose.points, pose.before, pose.after, pose.change
    along = square = 0.0
    for i in range(1, count):
        for k in range(2):
            now = points[i, k] - before[i, k]
            turn = now - change[i, k]
            along += turn * now
            square += turn * turn
            change[i, k] = now
    factor = 0.0 if is_first or square <= 0.0 else clamp(along / square, -1.0, 1.0)
    for i in range(1, count):
        for k in range(2):
            now = points[i, k]
            points[i, k] -= factor * (now - after[i, k])
            after[i, k] = now


@kernel
def fabrik_in_plane(
    hinges: Hinges, pose: Bends, count: int, x: float, z: float
) -> tuple[int, float]:
    """FABRIK passes from a pose, towards a target at (x, z) [m], while they help.

    Args:
        hinges: the bones.
        pose: where the passes begin; written.
        count: bones of the chain.
        x: of the target, from the root [m].
        z: of the target [m].

    Returns:
        Passes, and the distance of the tip from the target [m].
    """
    reach = reach_of(hinges.lengths[:count])
    error, passes, slow = np.inf, 0, 0
    while passes < MAX_PASSES:
        for i in range(1, count):
            pose.before[i, 0], pose.before[i, 1] = pose.points[i, 0], pose.points[i, 1]
        _reach_back(hinges, pose, count, x, z)
        _reach_out(hinges, pose, count)
        passes += 1
        last, error = error, distance_of(pose, count, x, z)
        slow += error > SLOW * last
        if error <= EXACT * reach or slow > 1 or passes == MAX_PASSES:
            break
        _leap(pose, count, passes == 1)
    return passes, error


@kernel
def bend_from(
    hinges: Hinges, pose: Bends, angles: Floats, count: int, x: float, z: float
) -> tuple[int, bool, float]:
    """Bring the tip of a chain to (x, z) [m], or as near as its limits let it, from a pose.

    FABRIK passes from the pose, turned towards the target. Where those crawl, near the stretched
    and the folded leg, or cannot arrive, the chain is laid by `bend_nearest`.

    Args:
        hinges: the bones.
        pose: to begin from, not quite of the bones' lengths perhaps; written.
        angles: (B,) [rad] for `bend_nearest` to begin from; written.
        count: bones of the chain.
        x: of the target, from the root [m].
        z: of the target [m].

    Returns:
        Passes, whether the chain was laid instead, and the tip's distance from the target [m].
    """
    stretch(pose, count, sqrt(x * x + z * z))
    face(pose, count, x, z)
    passes, error = fabrik_in_plane(hinges, pose, count, x, z)
    reach = reach_of(hinges.lengths[:count])
    if error <= EXACT * reach:
        read_angles(hinges, pose, angles, count)
        return passes, False, error
    return passes, True, bend_nearest(hinges, pose, angles, count, x, z)
