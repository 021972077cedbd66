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

HORIZON = 2.5
"""Nobody is met within this time [s]."""
ROOM = 0.02
"""Gap that is kept between the grounds that feet need [m]."""
MOST = 8
"""So many others are avoided, the nearest ones."""
EARLY = 0.5
"""Who must give way goes at least so far to the right of where it wants to go [rad]..."""
RIGHT, WAYS = 0.4, 7
"""...and tries so many ways, each so much farther to the right [rad]. The best one has the largest
speed in the wished direction,"""
FLOW = 0.3
"""plus this fraction of its speed, so that a crowd flows around its middle,"""
STEADY = 0.1
"""plus this fraction of its speed in the present direction, so that none dithers."""
TURN_AHEAD = 0.5
"""A command to turn counts as the direction that it leads to within this time [s]."""
RESTS = 0.05
"""Who is slower than this fraction of the own speed does no share of giving way."""
STEEP = 0.7
"""Others that are higher or lower by more than this fraction of the way are on another level."""
EAGER = 2.0
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
    while it looks elsewhere: it avoids as one that can, within a larger radius (Alonso-Mora et
    al. 2010, "Optimal reciprocal collision avoidance for multiple non-holonomic robots").

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
        is_free = True
        for k in range(count):
            put_half(halves, k, half_of(plan[0], shapes[m], shapes[indices[k]]))
            is_free = is_free and excess(halves, k, wished) <= 0.0
        if not is_free:
            own = (
                dot(vec(shapes[m].velocity), vec(shapes[m].ahead)),
                dot(vec(shapes[m].velocity), vec(shapes[m].aside)),
            )
            best = best_way(halves, count, plan[0].speed, wished, own)
            if has_path and norm(path) < shapes[m].radius:  # it is there: no way around
                best = choose_velocity(halves, count, plan[0].speed, wished)
            lead_to(plan[0], best, axes[n])
        elif has_path and count > 0:  # back to the path without stopping to turn
            lead_to(plan[0], wished, axes[n])


@kernel
def best_way(halves: Floats, count: int, fastest: float, wished: Pair, own: Pair) -> Pair:
    """Best of the allowed velocities nearest to wished ones farther and farther right [m/s].

    Args:
        halves: (K, 4) half-planes of velocities.
        count: K of them.
        fastest: the largest speed [m/s].
        wished: where to go [m/s].
        own: velocity now [m/s].
    """
    size = sqrt(wished[0] * wished[0] + wished[1] * wished[1])
    gx, gy = wished[0] / size, wished[1] / size
    best, score = (0.0, 0.0), -inf
    for k in range(WAYS):
        sine, cosine = sin_cos(-EARLY - RIGHT * k)
        x, y = wished
        turned = (x * cosine - y * sine, x * sine + y * cosine)
        found = choose_velocity(halves, count, fastest, turned)
        speed = sqrt(found[0] * found[0] + found[1] * found[1])
        value = found[0] * gx + found[1] * gy + FLOW * speed
        value += STEADY * (found[0] * own[0] + found[1] * own[1]) / fastest
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
def half_of(plan: PlanRecord, own: ShapeRecord, other: ShapeRecord) -> Half:
    """Velocities of the own segment that leave another one alone [m/s, segment].

    What is pulled along, and who rests, cannot give way: the change is all its own then.
    """
    ahead, aside = vec(own.ahead), vec(own.aside)
    between = sub(vec(other.position), vec(own.position))
    own_velocity, velocity = vec(own.velocity), vec(other.velocity)
    size = sqrt(dot(velocity, velocity))
    gives_way = other.is_leader == 1 and size > RESTS * plan.speed
    return half_plane(
        (dot(between, ahead), dot(between, aside)),
        (dot(own_velocity, ahead), dot(own_velocity, aside)),
        (dot(velocity, ahead), dot(velocity, aside)),
        own.radius + other.radius + ROOM,
        0.5 if gives_way else 1.0,
        HORIZON,
    )
