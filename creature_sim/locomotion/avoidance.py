"""Creatures that are driven go around each other: their commands lead to velocities that avoid."""

from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import PlanRecord, Records, ShapeRecord
from creature_sim.locomotion.orca import (
    Half,
    Pair,
    choose_velocity,
    excess,
    half_plane,
    put_half,
)
from creature_sim.maths import Floats, Vec, atan2, clamp, dot, norm, sin_cos, sub, vec
from creature_sim.maths.jit import kernel

HORIZON = 2.25
"""Nobody is met within this time [s]..."""
SHORTEST = 0.5
"""...or before a goal is reached that is nearer, but at least within this one [s]."""
ROOM = 0.16
"""Gap that is kept between the grounds that feet need, so that their legs seldom meet [m]."""
MOST = 8
"""So many others are avoided, the nearest ones."""
EARLY = 0.55
"""Who must give way goes at least so far to the right of where it wants to go [rad]..."""
RIGHT, WAYS = 0.3, 5
"""...and tries so many ways, each so much farther to the right [rad], or to either side where
only those are in the way who rest. The best one has the largest speed in the wished direction,"""
STEADY = 0.1
"""plus this fraction of its speed in the present direction, so that none dithers."""
PRIORITY = 0.2
"""Who comes from the right has the right of way: its share of giving way, half between two who are
equal, is less by this."""
BEND = 0.15
"""Others go where their curves lead after this time [s]."""
TURN_AHEAD = 0.5
"""A command to turn counts as the direction that it leads to within this time [s]."""
RESTS = 0.05
"""Who is slower than this fraction of the own speed does no share of giving way."""
STEEP = 0.7
"""Others that are higher or lower by more than this fraction of the way are on another level."""
EAGER = 0.45
"""Turn per angle to where it shall go [1/rad]."""


@kernel
def go_around(
    plan: Records[PlanRecord],
    shapes: Records[ShapeRecord],
    begin: int,
    segment_count: int,
    first: NDArray[np.int64],
    others: NDArray[np.int64],
    axes: Floats,
    paths: Floats,
) -> None:
    """Change the commands of a herd's creatures where they would meet others.

    A creature that cannot step aside turns towards the velocity that it should have, and waits
    until it faces that way. Otherwise it avoids like one that can, with a larger radius
    (Alonso-Mora et al. 2010, "Optimal reciprocal collision avoidance for multiple non-holonomic
    robots").

    Args:
        plan: (1,).
        shapes: (M,) segments of the whole world.
        begin: of the herd's.
        segment_count: of each creature.
        first: (M + 1,) where the neighbours of each segment begin.
        others: (E,) their indices.
        axes: (N, 3) forward, turn and strafe of each creature, -1 to 1; changed.
        paths: (N, 3) where each shall go [m, world]; zero: where its command leads.
    """
    halves, nearest = np.empty((MOST, 4)), np.empty(MOST)
    indices = np.empty(MOST, np.int64)
    for n in range(axes.shape[0]):
        m = begin + n * segment_count
        for s in range(segment_count):
            if shapes[m + s].is_leader:
                m += s
                break
        path = vec(paths[n])
        has_path = dot(path, path) > 0.0
        wished = wished_velocity(plan[0], axes[n])
        if has_path:
            wished = velocity_along(plan[0], shapes[m], path)
        speed = sqrt(wished[0] * wished[0] + wished[1] * wished[1])
        if speed == 0.0 or first[m] == first[m + 1]:
            continue
        count = 0
        for e in range(first[m], first[m + 1]):
            count = keep_nearest(shapes[m], shapes[others[e]], others[e], nearest, indices, count)
        horizon = HORIZON
        if has_path:  # who will stand by then meets nobody beyond
            horizon = clamp(norm(path) / plan[0].speed, SHORTEST, HORIZON)
        is_near = has_path and norm(path) < shapes[m].radius
        seen = shapes[indices[:count]]
        is_free, best = choose_way(plan[0], shapes[m], seen, halves, wished, horizon, is_near)
        if not is_free or (has_path and count > 0):  # on the path without stopping to turn
            lead_to(plan[0], best, axes[n])


@kernel
def choose_way(
    plan: PlanRecord,
    own: ShapeRecord,
    others: Records[ShapeRecord],
    halves: Floats,
    wished: Pair,
    horizon: float,
    is_near: bool,
) -> tuple[bool, Pair]:
    """Whether a wished velocity meets nobody, and it, or the best one that does not.

    Args:
        plan: of the creature.
        own: segment that leads it.
        others: (K,) segments in its way perhaps.
        halves: (MOST, 4) to compute in.
        wished: where to go [m/s, segment].
        horizon: nobody shall be met for so long [s].
        is_near: whether it is at its goal: no way around.
    """
    count = len(others)
    is_free = is_fixed = True
    for k in range(count):
        put_half(halves, k, half_of(plan, own, others[k], horizon))
        if excess(halves, k, wished) > 0.0:
            is_free, is_fixed = False, is_fixed and is_resting(plan, others[k])
    if is_free:
        return True, wished
    if is_near:
        return False, choose_velocity(halves, count, plan.speed, wished)
    velocity = vec(own.velocity)
    now = dot(velocity, vec(own.ahead)), dot(velocity, vec(own.aside))
    return False, best_way(halves, count, plan.speed, wished, now, is_fixed)


@kernel
def best_way(
    halves: Floats, count: int, fastest: float, wished: Pair, own: Pair, is_fixed: bool
) -> Pair:
    """Best of the allowed velocities nearest to wished ones farther and farther right [m/s].

    Args:
        halves: (K, 4) half-planes of velocities.
        count: K of them.
        fastest: the largest speed [m/s].
        wished: where to go [m/s].
        own: velocity now [m/s].
        is_fixed: whether only those are in the way who rest: on whichever side then.
    """
    size = sqrt(wished[0] * wished[0] + wished[1] * wished[1])
    gx, gy = wished[0] / size, wished[1] / size
    best, score = (0.0, 0.0), -inf
    for k in range(-WAYS if is_fixed else 1, WAYS + 1):
        turn = RIGHT * abs(k) + (EARLY - RIGHT if k != 0 else 0.0)
        sine, cosine = sin_cos(-turn if k > 0 else turn)
        x, y = wished
        turned = (x * cosine - y * sine, x * sine + y * cosine)
        found = choose_velocity(halves, count, fastest, turned)
        value = (
            found[0] * gx
            + found[1] * gy
            + STEADY * (found[0] * own[0] + found[1] * own[1]) / fastest
        )
        if value > score + 1e-3:
            best, score = found, value
    return best


@kernel
def wished_velocity(plan: PlanRecord, axes: Floats) -> Pair:
    """Velocity that a command (3,) leads to a little later [m/s, segment]."""
    along, aside = axes[0] * plan.speed, axes[2] * plan.strafe_speed
    x = along * plan.ahead[0] - aside * plan.ahead[1]
    y = along * plan.ahead[1] + aside * plan.ahead[0]
    sine, cosine = sin_cos(axes[1] * plan.turn_rate * TURN_AHEAD)
    return x * cosine - y * sine, x * sine + y * cosine


@kernel
def velocity_along(plan: PlanRecord, own: ShapeRecord, path: Vec) -> Pair:
    """Velocity along a path [m, world], slower near its end [m/s, segment]."""
    x, y = dot(path, vec(own.ahead)), dot(path, vec(own.aside))
    far = sqrt(x * x + y * y)
    speed = plan.speed * clamp(2.0 * far, 0.2, 1.0)
    return (x * speed / far, y * speed / far) if far > 1e-9 else (0.0, 0.0)


@kernel
def lead_to(plan: PlanRecord, velocity: Pair, axes: Floats) -> None:
    """Write the command (3,) that leads to a velocity [m/s, segment]."""
    along = velocity[0] * plan.ahead[0] + velocity[1] * plan.ahead[1]
    aside = velocity[1] * plan.ahead[0] - velocity[0] * plan.ahead[1]
    axes[0] = clamp(along / plan.speed, -1.0, 1.0)
    axes[2] = 0.0
    if plan.strafe_speed > 0.0:
        axes[2] = clamp(aside / plan.strafe_speed, -1.0, 1.0)
    if along > abs(aside) * 0.1 + RESTS * plan.speed:
        axes[1] = clamp(EAGER * atan2(aside, along), -1.0, 1.0)


@kernel
def keep_nearest(
    own: ShapeRecord,
    other: ShapeRecord,
    index: int,
    nearest: Floats,
    indices: NDArray[np.int64],
    count: int,
) -> int:
    """Keep an other segment if it is on the own level, and among the `MOST` nearest ones.

    Args:
        own: that looks.
        other: that it looks at.
        index: of the other.
        nearest: (MOST,) gaps of those that are kept, in order [m]; written.
        indices: (MOST,) of those; written.
        count: how many they are.

    Returns:
        How many they are now.
    """
    between = sub(vec(other.position), vec(own.position))
    rise = dot(between, vec(own.up))
    x, y = dot(between, vec(own.ahead)), dot(between, vec(own.aside))
    far = sqrt(x * x + y * y)
    if abs(rise) > max(own.low + other.top, own.top + other.low) + STEEP * far:
        return count
    gap = far - other.radius
    last = nearest[count - 1] if count == MOST else inf
    if gap >= last:
        return count
    at = count if count < MOST else MOST - 1
    while at > 0 and gap < nearest[at - 1]:
        nearest[at], indices[at] = nearest[at - 1], indices[at - 1]
        at -= 1
    nearest[at], indices[at] = gap, index
    return min(count + 1, MOST)


@kernel
def is_resting(plan: PlanRecord, other: ShapeRecord) -> bool:
    """Whether another one is too slow to give way, or pulled along."""
    return bool(other.is_leader == 0 or norm(vec(other.velocity)) <= RESTS * plan.speed)


@kernel
def half_of(plan: PlanRecord, own: ShapeRecord, other: ShapeRecord, horizon: float) -> Half:
    """Velocities of the own segment that leave another one alone [m/s, segment].

    What is pulled along, and who rests, cannot give way: the change is all its own then. Who comes
    from the right does less than half of it (rules of the road).

    Args:
        plan: of the own creature.
        own: segment that leads it.
        other: segment that it shall leave alone.
        horizon: for so long [s].
    """
    ahead, aside = vec(own.ahead), vec(own.aside)
    between = sub(vec(other.position), vec(own.position))
    own_velocity, velocity = vec(own.velocity), vec(other.velocity)
    x, y = dot(between, ahead), dot(between, aside)
    share = 1.0
    if not is_resting(plan, other):
        left = (y * plan.ahead[0] - x * plan.ahead[1]) / max(sqrt(x * x + y * y), 1e-9)
        share = 0.5 - PRIORITY * left
    sine, cosine = sin_cos(other.yaw_rate * BEND)
    vx, vy = dot(velocity, ahead), dot(velocity, aside)
    return half_plane(
        (x, y),
        (dot(own_velocity, ahead), dot(own_velocity, aside)),
        (vx * cosine - vy * sine, vx * sine + vy * cosine),
        own.radius + other.radius + ROOM,
        share,
        horizon,
    )
