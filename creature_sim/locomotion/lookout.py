"""What is ahead of who climbs: walls, the ground there, and what is below an edge."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import HitRecord, Records, SegmentRecord
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.walls import AHEAD_RAYS, Course, course_of, extent
from creature_sim.maths import (
    GOLDEN,
    Floats,
    Vec,
    along,
    clamp,
    cross,
    dot,
    put,
    sub,
    vec,
)
from creature_sim.maths.jit import kernel

WIDE = 2.0
"""The arc from floor to wall begins at least this many ride heights before the wall."""
EDGES = 2.0
"""Edges are looked for this many ride heights ahead."""
DOWN, BEHIND_EDGE = 1, 2
"""Which of the rays ahead look down, and back below an edge."""
SHALLOW, DEEP = 1.3, 1.5
"""The ray back starts between these many ride heights below the body. The deepest one passes below
thin plates; any shallower it would meet bars, which are no edge."""
BARS, PASSED = 0.4, 0.4
"""The ray down starts up to `BARS` ride heights beside the path. It stays with what it met as long
as that is within `PASSED` ride heights of where it would look otherwise."""
LEVEL = 0.6
"""Ground ahead is no wall if the cosine between its normal and the body's up exceeds this."""
ON_IT, THICK = 0.3, 0.2
"""A bar belongs to the fence ahead if the cosine between their normals exceeds `ON_IT`, and if it
lies within `THICK` ride heights of the fence's plane."""


@kernel
def look_round(
    creature: Creature,
    segments: Records[SegmentRecord],
    leader: int,
    hits: Records[HitRecord],
    start: Floats,
    end: Floats,
    is_active: NDArray[np.int8],
) -> None:
    """Write the rays ahead of every segment: straight on, down there, and back below an edge.

    They take turns, one in each tick: a body hardly moves meanwhile. The ray down starts at another
    place each time, until it meets something level; then it stays with that. So gaps between bars
    are not taken for edges. The ray back varies its depth likewise, and so finds thin plates.

    Args:
        creature: that looks.
        segments: (S,) of its plan.
        leader: the segment that is steered.
        hits: (S AHEAD_RAYS,) what they found last.
        start: (S AHEAD_RAYS, 3) [m, world]; written.
        end: (S AHEAD_RAYS, 3); written.
        is_active: (S AHEAD_RAYS,); written.
    """
    is_active[:] = 0
    for s in range(creature.trunk.shape[0]):
        course = course_of(creature, leader, s)
        if course.speed == 0.0:
            continue
        ahead, up, centre = course.ahead, course.up, vec(creature.trunk[s].position)
        height, far = creature.gait.ride_height, widest(creature, segments, s, course)
        slot = s * AHEAD_RAYS
        over = along(centre, ahead, EDGES * height)
        low = along(over, up, -deep_before(creature, hits[slot + BEHIND_EDGE], centre, up))
        is_active[slot + creature.gait.age % AHEAD_RAYS] = 1
        put(start[slot], centre)
        put(end[slot], along(centre, ahead, far))
        there = over_ground(creature, hits[slot + 1], centre, ahead, up)
        put(start[slot + 1], there)
        put(end[slot + 1], along(there, up, -1.5 * height))
        put(start[slot + 2], low)
        put(end[slot + 2], along(low, ahead, -2.0 * EDGES * height))


@kernel
def over_ground(creature: Creature, known: HitRecord, centre: Vec, ahead: Vec, up: Vec) -> Vec:
    """Where the ray down ahead begins [m, world]: above what it met, while that is near its path.

    Args:
        creature: that looks.
        known: what the ray found last.
        centre: of the segment [m, world].
        ahead: unit direction in which it goes [world].
        up: of the segment [world].
    """
    height, aside = creature.gait.ride_height, cross(up, ahead)
    shift = (GOLDEN * creature.gait.age) % 1.0
    on, off = EDGES * height, BARS * height * (2.0 * shift - 1.0)
    if known.is_hit and is_level(known, up):
        way = sub(vec(known.point), centre)
        if abs(dot(way, ahead) - on) < PASSED * height and abs(dot(way, aside)) < BARS * height:
            on, off = dot(way, ahead), dot(way, aside)
    return along(along(centre, ahead, on), aside, off)


@kernel
def deep_before(creature: Creature, known: HitRecord, centre: Vec, up: Vec) -> float:
    """How far below a segment's centre the ray back below an edge runs [m].

    Args:
        creature: that looks.
        known: what the ray found last.
        centre: of the segment [m, world].
        up: of it [world].
    """
    height = creature.gait.ride_height
    if not known.is_hit:
        shift = (GOLDEN * creature.gait.age) % 1.0
        return (DEEP + (SHALLOW - DEEP) * shift) * height
    return clamp(dot(sub(centre, vec(known.point)), up), SHALLOW * height, DEEP * height)


@kernel
def is_level(hit: HitRecord, up: Vec) -> bool:
    """Whether the ray down ahead met ground to walk on, not a wall."""
    return bool(dot(vec(hit.normal), up) > LEVEL)


@kernel
def widest(creature: Creature, segments: Records[SegmentRecord], s: int, course: Course) -> float:
    """How far before a wall the arc begins that leads a segment up it [m].

    Args:
        creature: whose segment it is.
        segments: (S,) of its plan.
        s: which segment.
        course: of the segment.
    """
    feet = extent(creature, segments, s, course.x, course.y)
    return max(feet, WIDE * creature.gait.ride_height)


@kernel
def is_ahead(hits: Records[HitRecord], k: int, course: Course) -> bool:
    """Whether one of the rays ahead (AHEAD_RAYS,) found a wall, or the far side of an edge.

    Args:
        hits: what they found.
        k: the ray.
        course: of the segment.
    """
    if hits[k].is_hit == 0 or (k == DOWN and is_level(hits[k], course.up)):
        return False
    faces = dot(vec(hits[k].normal), course.ahead)
    if k == BEHIND_EDGE:
        return faces > 0.0 and not (hits[0].is_hit or hits[1].is_hit)
    return faces < 0.0


@kernel
def is_before_edge(creature: Creature, s: int, hits: Records[HitRecord]) -> bool:
    """Whether a climber's segment goes towards an edge below which its rays found ground.

    Args:
        creature: whose segment it is.
        s: which segment.
        hits: (AHEAD_RAYS,) what its rays ahead found.
    """
    course = course_of(creature, creature.gait.leader, s)
    return course.speed > 0.0 and is_ahead(hits, BEHIND_EDGE, course)


@kernel
def is_of(wall: HitRecord, normal: Vec, point: Vec, height: float) -> bool:
    """Whether a point lies on a wall, or on a bar of a fence, judged by its position and normal.

    Args:
        wall: or the fence.
        normal: at the point [world].
        point: to judge [m, world].
        height: at which the body rides [m].
    """
    off = dot(sub(point, vec(wall.point)), vec(wall.normal))
    return dot(normal, vec(wall.normal)) > ON_IT and abs(off) < THICK * height
