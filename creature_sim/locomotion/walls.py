"""Bodies stop before what they cannot walk over, and go along it."""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    DYNAMIC,
    HitRecord,
    PlanRecord,
    Records,
    SegmentRecord,
    SolidRecord,
)
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.rays import ONCE
from creature_sim.maths import (
    GOLDEN,
    Floats,
    Vec,
    Z,
    add,
    along,
    dot,
    put,
    quat,
    reject,
    rotate,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

AHEAD_RAYS = 3
"""Rays ahead of every segment, of which one is cast in each tick, never at the same position."""
SOON = 0.2
"""The direction that a body turns to within this time is looked at [s]."""
STILL = 1e-3
"""Who goes slower than this looks at nothing new [m/s]."""
MARGIN = 0.16
"""A body keeps this fraction of its reach between a wall and its outermost foot: its knees are as
far out, and thicker."""
FORESIGHT = 0.1
"""Who climbs looks this fraction of its reach beyond its outermost foot."""
FACES = 0.3
"""What faces less along the ground than this (the cosine) is no wall beside who climbs."""
LEAVES_AT = 2.0
"""A body leaves a wall that is too near so fast that it would be far enough in .5 s..."""
LEAVES = 0.3
"""...but no faster than this fraction of its speed, or who climbs of the pace that is asked for; so
fast that goes aside, too."""
TALL = 0.65
"""A wall is higher than the body's centre, and than this fraction of its reach: feet climb that."""
STEEPEST = 0.7
"""Ground counts as such where its normal is within 45 degrees of the body's up (the cosine)."""


@kernel
def fastest_before(plan: PlanRecord, gap: float) -> float:
    """How fast a body may go that has so far left to stop [m/s]."""
    return sqrt(2.0 * plan.acceleration * max(0.0, gap))


@kernel
def fastest_towards(plan: PlanRecord, gap: float, leaves: float) -> float:
    """The same of who leaves what is too near, no faster than `leaves` [m/s]: less than 0 then."""
    return -min(-LEAVES_AT * gap, leaves) if gap < 0.0 else fastest_before(plan, gap)


@kernel
def extent(
    creature: Creature, segments: Records[SegmentRecord], s: int, x: float, y: float
) -> float:
    """How far a segment and its feet at home go out from its centre [m].

    Args:
        creature: whose segment it is.
        segments: (S,) of its plan.
        s: which segment.
        x: of the unit direction [segment].
        y: of the unit direction [segment].
    """
    segment, legs = segments[s], creature.legs
    farthest = abs(x) * segment.front + abs(y) * segment.side
    for i in range(legs.shape[0]):
        if legs[i].segment == s:
            farthest = max(farthest, legs[i].home[0] * x + legs[i].home[1] * y)
    return float(farthest)


@kernel
def motion_of(creature: Creature, leader: int, s: int) -> tuple[float, float]:
    """Velocity of a segment, as far as walls may stop it [m/s, segment].

    What is pulled along goes where the leader has gone; all go aside with it.
    """
    velocity = vec(creature.trunk[leader].velocity)
    x, y, _ = along(velocity, vec(creature.gait.acceleration), SOON)
    if s != leader:
        aside = rotate(quat(creature.trunk[leader].orientation), (0.0, y, 0.0))
        x, y, _ = unrotate(quat(creature.trunk[s].orientation), aside)
    return (x, y)


class Course(NamedTuple):
    """Where a segment goes. Speed and direction of one that hardly moves are 0.

    Attributes:
        x: of the unit direction in which it goes [segment].
        y: of it.
        speed: at which it goes [m/s].
        ahead: that direction [world].
        up: of the segment [world].
    """

    x: float
    y: float
    speed: float
    ahead: Vec
    up: Vec


@kernel
def course_of(creature: Creature, leader: int, s: int) -> Course:
    """Where a segment goes, as `motion_of` has it."""
    x, y = motion_of(creature, leader, s)
    speed = sqrt(x * x + y * y)
    if speed < STILL:
        x = y = speed = 0.0
    else:
        x, y = x / speed, y / speed
    orientation = quat(creature.trunk[s].orientation)
    return Course(x, y, speed, rotate(orientation, (x, y, 0.0)), rotate(orientation, Z))


@kernel
def look_ahead(
    creature: Creature,
    segments: Records[SegmentRecord],
    leader: int,
    start: Floats,
    end: Floats,
    is_active: NDArray[np.int8],
) -> None:
    """Write the rays ahead of every segment, above what it could climb.

    Args:
        creature: that looks.
        segments: (S,) of its plan.
        leader: the segment that is steered.
        start: (S AHEAD_RAYS, 3) [m, world]; written.
        end: (S AHEAD_RAYS, 3); written.
        is_active: (S AHEAD_RAYS,); written.
    """
    plan, gait = creature.plan, creature.gait
    is_active[:] = 0
    for s in range(creature.trunk.shape[0]):
        course = course_of(creature, leader, s)
        if course.speed == 0.0:
            continue
        x, y = course.x, course.y
        width = max(extent(creature, segments, s, -y, x), extent(creature, segments, s, y, -x))
        margin = FORESIGHT if plan.climbs else MARGIN
        far = extent(creature, segments, s, x, y) + margin * plan.reach
        far += 0.5 * course.speed * course.speed / plan.acceleration
        k = gait.age % AHEAD_RAYS
        side = width * (2.0 * (k + (GOLDEN * gait.age) % 1.0) / AHEAD_RAYS - 1.0)
        orientation = quat(creature.trunk[s].orientation)
        rise = max(0.0, TALL * plan.reach - gait.ride_height)
        offset = rotate(orientation, (-y * side, x * side, rise))
        begin = add(vec(creature.trunk[s].position), offset)
        slot = s * AHEAD_RAYS + k
        put(start[slot], begin)
        put(end[slot], along(begin, course.ahead, far))
        is_active[slot] = ONCE


@kernel
def stop_before_walls(
    creature: Creature,
    segments: Records[SegmentRecord],
    leader: int,
    hits: Records[HitRecord],
    solids: Records[SolidRecord],
) -> bool:
    """Take from the leader's velocity what would carry the trunk into a wall.

    Towards a wall it is as fast as its acceleration can stop; along it nothing is lost; too near
    to one it goes back. Dynamic props are pushed and stop nobody.

    Args:
        creature: the velocity of its leader changes.
        segments: (S,) of its plan.
        leader: the segment that is steered.
        hits: (S AHEAD_RAYS,) what the rays ahead found, the latest of each.
        solids: (P,).

    Returns:
        Whether anything was taken.
    """
    is_stopped = False
    for slot in range(creature.trunk.shape[0] * AHEAD_RAYS):
        hit = hits[slot]
        if hit.is_hit == 0 or (hit.prop >= 0 and solids[hit.prop].motion == DYNAMIC):
            continue
        if stop_before_wall(creature, segments, leader, slot // AHEAD_RAYS, hit):
            is_stopped = True
    return is_stopped


@kernel
def stop_before_wall(
    creature: Creature, segments: Records[SegmentRecord], leader: int, s: int, hit: HitRecord
) -> bool:
    """The same for what one ray ahead of a segment has found; whether anything was taken."""
    plan, body = creature.plan, creature.trunk[s]
    orientation = quat(body.orientation)
    up = rotate(orientation, Z)
    if dot(vec(hit.normal), up) >= STEEPEST:
        return False
    out = unit(reject(vec(hit.normal), up), up)
    x, y, _ = unrotate(orientation, out)
    gap = dot(sub(vec(body.position), vec(hit.point)), out)
    gap -= extent(creature, segments, s, -x, -y) + MARGIN * plan.reach
    fastest = fastest_towards(plan, gap, LEAVES * plan.speed)
    velocity = vec(creature.trunk[leader].velocity)
    if s != leader:
        _, y, _ = unrotate(quat(creature.trunk[leader].orientation), out)
        x = 0.0
    towards = -(x * velocity[0] + y * velocity[1])
    if towards <= fastest:
        return False
    excess = (towards - fastest) / (x * x + y * y)
    put(creature.trunk[leader].velocity, along(velocity, (x, y, 0.0), excess))
    return True
