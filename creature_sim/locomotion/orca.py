"""Velocities that avoid each other: optimal reciprocal collision avoidance.

J. van den Berg, S. J. Guy, M. Lin, D. Manocha 2011, "Reciprocal n-body collision avoidance".
All is in the plane of the creature that chooses. Every other creature leaves it a half-plane of
velocities. Of the velocities that all of them allow it takes the one nearest to its own wish.
"""

from math import sqrt
from typing import NamedTuple, TypeAlias

from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel

Pair: TypeAlias = tuple[float, float]

APART = 0.8
"""Where two overlap, they shall be apart after this time [s]."""
PARALLEL = 1e-9
"""Lines whose directions differ by a smaller sine are parallel."""


class Half(NamedTuple):
    """A half-plane of velocities: those on the side of its normal.

    Attributes:
        point: on its edge [m/s].
        normal: unit, into it.
    """

    point: Pair
    normal: Pair


@kernel
def half_plane(
    gap: Pair, velocity: Pair, other: Pair, radius: float, share: float, horizon: float
) -> Half:
    """Velocities that leave an other one alone, who does its share too (section 4.1, equation 5).

    The velocity obstacle is a cone cut off by a disc. The change `u` leads from the relative
    velocity to its nearest border; where both overlap now, the disc is that of APART.

    Args:
        gap: position of the other one against the own [m].
        velocity: own [m/s].
        other: that of the other one [m/s].
        radius: both radii together [m].
        share: fraction of `u` that is the own part, 1/2 where the other one avoids too.
        horizon: for which to be free of collisions [s].
    """
    vx, vy = velocity[0] - other[0], velocity[1] - other[1]
    square = gap[0] * gap[0] + gap[1] * gap[1]
    if square <= radius * radius:
        horizon = min(horizon, APART)
    wx, wy = vx - gap[0] / horizon, vy - gap[1] / horizon
    size = sqrt(wx * wx + wy * wy)
    towards = wx * gap[0] + wy * gap[1]
    if square <= radius * radius or (
        towards < 0.0 and towards * towards > radius * radius * size * size
    ):
        if size < 1e-9:  # exactly at its centre: any way out is as good
            length = sqrt(square)
            nx, ny = (-gap[0] / length, -gap[1] / length) if length > 1e-9 else (0.0, 1.0)
        else:
            nx, ny = wx / size, wy / size
        change = radius / horizon - size
    else:
        leg = sqrt(square - radius * radius)
        if gap[0] * wy - gap[1] * wx > 0.0:  # the left leg of the cone is nearer
            nx = -(gap[0] * radius + gap[1] * leg) / square
            ny = (gap[0] * leg - gap[1] * radius) / square
        else:
            nx = -(gap[0] * radius - gap[1] * leg) / square
            ny = -(gap[0] * leg + gap[1] * radius) / square
        change = -(vx * nx + vy * ny)
    point = (velocity[0] + share * change * nx, velocity[1] + share * change * ny)
    return Half(point, (nx, ny))


@kernel
def put_half(halves: Floats, k: int, half: Half) -> None:
    """Write a half-plane into row `k` of an array (K, 4): its point, then its normal."""
    halves[k, 0], halves[k, 1] = half.point
    halves[k, 2], halves[k, 3] = half.normal


@kernel
def excess(halves: Floats, k: int, velocity: Pair) -> float:
    """How far a velocity is outside of half-plane `k` [m/s]; negative inside."""
    x, y = velocity[0] - halves[k, 0], velocity[1] - halves[k, 1]
    return float(-(x * halves[k, 2] + y * halves[k, 3]))


@kernel
def on_edge(
    halves: Floats, k: int, fastest: float, wished: Pair, is_way: bool
) -> tuple[bool, Pair]:
    """Best velocity on the edge of half-plane `k` that those before it and the disc allow.

    Args:
        halves: (K, 4).
        k: which edge.
        fastest: radius of the disc [m/s].
        wished: to be near to [m/s]; or a direction to go as far as possible in.
        is_way: whether it is a direction.

    Returns:
        Whether there is any, and it.
    """
    x, y = halves[k, 0], halves[k, 1]
    dx, dy = halves[k, 3], -halves[k, 2]
    middle = x * dx + y * dy
    room = middle * middle + fastest * fastest - x * x - y * y
    if room < 0.0:
        return False, wished
    first, last = -middle - sqrt(room), -middle + sqrt(room)
    for i in range(k):
        slope = dx * halves[i, 2] + dy * halves[i, 3]
        over = excess(halves, i, (x, y))
        if abs(slope) <= PARALLEL:
            if over > 0.0:
                return False, wished
        elif slope > 0.0:
            first = max(first, over / slope)
        else:
            last = min(last, over / slope)
        if first > last:
            return False, wished
    if is_way:
        at = last if dx * wished[0] + dy * wished[1] > 0.0 else first
    else:
        at = min(last, max(first, dx * (wished[0] - x) + dy * (wished[1] - y)))
    return True, (x + at * dx, y + at * dy)


@kernel
def nearest_allowed(
    halves: Floats, count: int, fastest: float, wished: Pair, is_way: bool
) -> tuple[int, Pair]:
    """Velocity of a disc nearest to a wished one that all half-planes allow (section 5.3).

    One half-plane is added after the other; where one forbids the best so far, the best with it is
    on its edge (de Berg et al. 2008, Computational Geometry, chapter 4).

    Returns:
        The first half-plane that leaves nothing, `count` where none does, and the best before it.
    """
    size = sqrt(wished[0] * wished[0] + wished[1] * wished[1])
    best = wished
    if size > fastest or (is_way and size > 0.0):
        best = (wished[0] * fastest / size, wished[1] * fastest / size)
    for k in range(count):
        if excess(halves, k, best) > 0.0:
            is_left, found = on_edge(halves, k, fastest, wished, is_way)
            if not is_left:
                return k, best
            best = found
    return count, best


@kernel
def safest(halves: Floats, count: int, begin: int, fastest: float, best: Pair) -> Pair:
    """Velocity whose worst excess over any half-plane is least (section 5.4: crowds).

    All edges move outwards at the same speed until they leave a point: where one is worse than the
    worst so far, it is as bad as another one on a line between both edges.

    Args:
        halves: (K, 4).
        count: K of them.
        begin: the first one that left nothing.
        fastest: radius of the disc [m/s].
        best: velocity that those before it allow [m/s].
    """
    worst = 0.0
    for k in range(begin, count):
        if excess(halves, k, best) <= worst:
            continue
        between = halves[:count].copy()
        found = 0
        for i in range(k):
            nx, ny = halves[i, 2] - halves[k, 2], halves[i, 3] - halves[k, 3]
            size = sqrt(nx * nx + ny * ny)
            if size <= PARALLEL:
                continue  # they look the same way: the excess over the worse one counts
            bound = halves[i, 0] * halves[i, 2] + halves[i, 1] * halves[i, 3]
            bound -= halves[k, 0] * halves[k, 2] + halves[k, 1] * halves[k, 3]
            nx, ny, bound = nx / size, ny / size, bound / size
            put_half(between, found, Half((nx * bound, ny * bound), (nx, ny)))
            found += 1
        normal = (halves[k, 2], halves[k, 3])
        left, better = nearest_allowed(between, found, fastest, normal, True)
        if left == found:
            best = better
        worst = excess(halves, k, best)
    return best


@kernel
def choose_velocity(halves: Floats, count: int, fastest: float, wished: Pair) -> Pair:
    """Velocity nearest to the wished one that all allow, or the one that offends least [m/s]."""
    left, best = nearest_allowed(halves, count, fastest, wished, False)
    if left < count:
        best = safest(halves, count, left, fastest, best)
    return best
