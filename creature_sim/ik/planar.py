"""FABRIK in a plane, under the limits of hinges: how a leg bends once it is known which way.

Coordinates are those of the plane: x and z, from the first joint of the chain. A hinge's angle is
0 straight on from the bone before, and positive turns from z to x: with x ahead and z up, bones
bend down. The limits hold after every pass (Aristidou and Lasenby 2011, section 5, in the half
of a pass that goes from root to tip; in both halves, tight limits make it oscillate).

Passes converge linearly, and slowly near the stretched leg. Each is the input of a secant step
for the next (Anderson 1965, depth 1), so that few are needed.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from creature_sim.ik.bones import reach_of
from creature_sim.maths import PI, TAU, Floats, atan2, clamp, sin_cos
from creature_sim.maths.jit import kernel

COS_MIDDLE, SIN_MIDDLE, COS_HALF, COS_LO, SIN_LO, COS_HI, SIN_HI = 0, 1, 2, 3, 4, 5, 6
"""Columns of `Hinges.arcs`: the middle and the half width of the limits, and their ends."""

EXACT = 1e-9
"""Tip error, as a fraction of the reach, that ends the passes."""
MAX_PASSES = 12
"""After so many passes, or where one no longer helps, a chain is laid instead."""
SLOW = 0.7
"""A pass that leaves more than this fraction of the error does not help."""
STEPS = 60
"""Damped steps at most, in search of the nearest pose to what the limits forbid."""
DAMPING = 1e-3
"""Of the first step, as a fraction of the squared reach."""
MAX_TURN = 0.5
"""A hinge turns no farther in one step [rad]."""
SETTLED = 1e-13
"""Part of the reach by which a step must come nearer, or the pose is the nearest."""
ROUNDING = 1e-15
"""Error of a distance, as a fraction of it, that is not worth another try."""
FOLDINGS = 60
"""Poses between the straight and the folded one that are tried at most; 7 to 10 are enough."""


class Hinges(NamedTuple):
    """The bones of a chain in a plane.

    lengths: (B,) [m]. limits: (B, 2) smallest and largest angle [rad]. arcs: (B, 7) the same as
    sines and cosines, see `COS_MIDDLE`.
    """

    lengths: Floats
    limits: Floats
    arcs: Floats


class Bends(NamedTuple):
    """A pose of such a chain, and room to compute in.

    points: (B + 1, 2) joints [m]. heading: (B, 2) directions of the bones. before, after, change:
    (B + 1, 2) joints before and after the last pass, and what that changed.
    """

    points: Floats
    heading: Floats
    before: Floats
    after: Floats
    change: Floats


@kernel
def bends(bone_count: int) -> Bends:
    """Room for the poses of chains of so many bones at most."""
    return Bends(
        np.zeros((bone_count + 1, 2)),
        np.zeros((bone_count + 1, 2)),
        np.zeros((bone_count + 1, 2)),
        np.zeros((bone_count + 1, 2)),
        np.zeros((bone_count + 1, 2)),
    )


@kernel
def write_arc(arc: Floats, lo: float, hi: float) -> None:
    """Write the limits [rad] of one hinge as a row (7,) of `Hinges.arcs`; a turn at most."""
    half = min(0.5 * (hi - lo), PI)
    arc[SIN_MIDDLE], arc[COS_MIDDLE] = sin_cos(0.5 * (lo + hi))
    arc[COS_HALF] = sin_cos(half)[1] if half < PI else -2.0
    arc[SIN_LO], arc[COS_LO] = sin_cos(lo)
    arc[SIN_HI], arc[COS_HI] = sin_cos(hi)


@kernel
def lay(hinges: Hinges, pose: Bends, angles: Floats, count: int) -> None:
    """Lay the first `count` bones by their angles (B,) [rad], each within its limits."""
    x = z = 0.0
    cosine, sine = 1.0, 0.0
    for i in range(count):
        s, c = sin_cos(clamp(angles[i], hinges.limits[i, 0], hinges.limits[i, 1]))
        cosine, sine = cosine * c + sine * s, sine * c - cosine * s
        x, z = x + hinges.lengths[i] * cosine, z + hinges.lengths[i] * sine
        pose.heading[i, 0], pose.heading[i, 1] = cosine, sine
        pose.points[i + 1, 0], pose.points[i + 1, 1] = x, z


@kernel
def face(pose: Bends, count: int, x: float, z: float) -> None:
    """Turn a whole pose about its root, so that its tip is on the line to (x, z) [m]."""
    px, pz = pose.points[count, 0], pose.points[count, 1]
    size = sqrt((px * px + pz * pz) * (x * x + z * z))
    if size <= 0.0:
        return
    c, s = (px * x + pz * z) / size, (px * z - pz * x) / size
    for i in range(1, count + 1):
        px, pz = pose.points[i, 0], pose.points[i, 1]
        pose.points[i, 0], pose.points[i, 1] = c * px - s * pz, s * px + c * pz


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
def distance_of(pose: Bends, count: int, x: float, z: float) -> float:
    """Distance of the tip from (x, z) [m]."""
    dx, dz = pose.points[count, 0] - x, pose.points[count, 1] - z
    return sqrt(dx * dx + dz * dz)


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
def _bring_within(angle: float, limits: Floats) -> float:
    """The angle [rad], or that of the same direction nearest to the middle, within limits (2,)."""
    middle = 0.5 * (limits[0] + limits[1])
    angle -= TAU if angle - middle > PI else 0.0
    angle += TAU if angle - middle < -PI else 0.0
    return clamp(angle, limits[0], limits[1])


@kernel
def read_angles(hinges: Hinges, pose: Bends, angles: Floats, count: int) -> None:
    """Write the angles (B,) [rad] of a pose; rounding takes none of them out of its limits."""
    cosine, sine = 1.0, 0.0
    for i in range(count):
        dx, dz = pose.heading[i, 0], pose.heading[i, 1]
        angle = atan2(sine * dx - cosine * dz, cosine * dx + sine * dz)
        angles[i] = _bring_within(angle, hinges.limits[i])
        cosine, sine = dx, dz


@kernel
def _fold(hinges: Hinges, pose: Bends, angles: Floats, count: int, distance: float) -> None:
    """Fold or straighten all hinges but the first, alike, until the tip is so far from the root.

    As far as their limits let them. The angles go along the line from where they are to all
    straight, or to all bent as far as they can; the distance is found by the Illinois method
    (Dowell and Jarratt 1971).
    """
    start, end = pose.before[:, 0], pose.before[:, 1]
    lay(hinges, pose, angles, count)
    low, below = 0.0, distance_of(pose, count, 0.0, 0.0) - distance
    for i in range(1, count):
        lo, hi = hinges.limits[i, 0], hinges.limits[i, 1]
        start[i], end[i] = angles[i], clamp(0.0, lo, hi)
        if below > 0.0:
            end[i] = hi if abs(hi) > abs(lo) else lo
        angles[i] = end[i]
    lay(hinges, pose, angles, count)
    high, above = 1.0, distance_of(pose, count, 0.0, 0.0) - distance
    if (above > 0.0) == (below > 0.0):
        return
    for _ in range(FOLDINGS):
        fraction = clamp(
            high - above * (high - low) / (above - below), min(low, high), max(low, high)
        )
        for i in range(1, count):
            angles[i] = start[i] + fraction * (end[i] - start[i])
        lay(hinges, pose, angles, count)
        off = distance_of(pose, count, 0.0, 0.0) - distance
        if abs(off) <= ROUNDING * distance:
            break
        if (off > 0.0) == (above > 0.0):
            below *= 0.5
        else:
            low, below = high, above
        high, above = fraction, off


@kernel
def _descend(
    hinges: Hinges, pose: Bends, angles: Floats, count: int, x: float, z: float, damping: float
) -> None:
    """Turn the hinges that are free to by a damped Gauss-Newton step towards (x, z) [m].

    With the columns c_i of the Jacobian: by c_i . (sum c_i c_i^T + damping)^-1 e (Wampler 1986).
    A hinge at its limit that would turn beyond it is left out.
    """
    points = pose.points
    ex, ez = x - points[count, 0], z - points[count, 1]
    xx, xz, zz = damping, 0.0, damping
    for i in range(count):
        cx, cz = points[count, 1] - points[i, 1], points[i, 0] - points[count, 0]
        gradient = cx * ex + cz * ez
        is_low = angles[i] <= hinges.limits[i, 0] and gradient < 0.0
        is_high = angles[i] >= hinges.limits[i, 1] and gradient > 0.0
        if is_low or is_high:
            cx = cz = 0.0
        pose.change[i, 0], pose.change[i, 1] = cx, cz
        xx, xz, zz = xx + cx * cx, xz + cx * cz, zz + cz * cz
    determinant = xx * zz - xz * xz
    yx, yz = (zz * ex - xz * ez) / determinant, (xx * ez - xz * ex) / determinant
    for i in range(count):
        turn = clamp(pose.change[i, 0] * yx + pose.change[i, 1] * yz, -MAX_TURN, MAX_TURN)
        angles[i] = clamp(angles[i] + turn, hinges.limits[i, 0], hinges.limits[i, 1])
    lay(hinges, pose, angles, count)


@kernel
def bend_nearest(
    hinges: Hinges, pose: Bends, angles: Floats, count: int, x: float, z: float
) -> float:
    """Bring the tip as near to (x, z) [m] as the limits let it; returns how near.

    First all hinges fold or straighten alike, and the first one turns to the target: that is exact
    where the limits allow it. Else damped steps lead on, until none leads nearer.

    Args:
        hinges: the bones.
        pose: written.
        angles: (B,) [rad] to begin from; written.
        count: bones of the chain.
        x: of the target, from the root [m].
        z: of the target [m].
    """
    reach = reach_of(hinges.lengths[:count])
    for i in range(count):
        angles[i] = clamp(angles[i], hinges.limits[i, 0], hinges.limits[i, 1])
    _fold(hinges, pose, angles, count, sqrt(x * x + z * z))
    px, pz = pose.points[count, 0], pose.points[count, 1]
    angles[0] = _bring_within(angles[0] + atan2(pz * x - px * z, px * x + pz * z), hinges.limits[0])
    lay(hinges, pose, angles, count)
    error = distance_of(pose, count, x, z)
    damping = DAMPING * reach * reach
    kept = pose.after[:, 0]
    for _ in range(STEPS):
        if error <= EXACT * reach:
            break
        for i in range(count):
            kept[i] = angles[i]
        _descend(hinges, pose, angles, count, x, z, damping)
        now = distance_of(pose, count, x, z)
        if now < error:
            damping *= 0.2
            if error - now <= SETTLED * reach:
                return now
            error = now
            continue
        for i in range(count):
            angles[i] = kept[i]
        lay(hinges, pose, angles, count)
        damping *= 8.0
        if damping > 1e3 * reach * reach:
            break
    return error


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
    face(pose, count, x, z)
    passes, error = fabrik_in_plane(hinges, pose, count, x, z)
    reach = reach_of(hinges.lengths[:count])
    if error <= EXACT * reach:
        read_angles(hinges, pose, angles, count)
        return passes, False, error
    return passes, True, bend_nearest(hinges, pose, angles, count, x, z)


@kernel
def bend_in_plane(
    hinges: Hinges, pose: Bends, angles: Floats, count: int, x: float, z: float
) -> tuple[int, bool, float]:
    """The same as `bend_from`, from the pose of the angles."""
    lay(hinges, pose, angles, count)
    return bend_from(hinges, pose, angles, count, x, z)
