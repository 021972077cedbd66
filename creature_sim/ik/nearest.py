"""Hinges in a plane that bring their tip as near to a point as their limits let them."""

from math import sqrt

from creature_sim.ik.bones import reach_of
from creature_sim.ik.hinges import (
    EXACT,
    MAX_TURN,
    Bends,
    Hinges,
    bring_within,
    distance_of,
    lay,
)
from creature_sim.maths import Floats, atan2, clamp
from creature_sim.maths.jit import kernel

STEPS = 60
"""Damped steps at most, in search of the nearest pose to what the limits forbid."""
DAMPING = 1e-3
"""Of the first step, as a fraction of the squared reach."""
SETTLED = 1e-13
"""Part of the reach by which a step must come nearer, or the pose is the nearest."""
ROUNDING = 1e-15
"""Error of a distance, as a fraction of it, that is not worth another try."""
FOLDINGS = 60
"""Poses between the straight and the folded one that are tried at most; 7 to 10 are enough."""


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
    angles[0] = bring_within(angles[0] + atan2(pz * x - px * z, px * x + pz * z), hinges.limits[0])
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
