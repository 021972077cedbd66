"""Fences: who climbs goes through no gap that it does not fit through.

One ray ahead of the middle of a body passes between bars. So one goes out from each quarter of its
front in turn, from another place each time, until it meets something: that it keeps in sight. Where
most of them have met something, their ends say how it lies: bars face anywhere.
"""

from math import inf

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import FENCE, HitRecord, Records, SegmentRecord
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.lookout import BEHIND_EDGE, THICK, widest
from creature_sim.locomotion.rays import Rays, cast_between, cast_none
from creature_sim.locomotion.slots import FRONT_RAYS, ahead_slot, front_slot
from creature_sim.locomotion.walls import course_of
from creature_sim.maths import (
    GOLDEN,
    Vec,
    add,
    along,
    cross,
    dot,
    norm,
    put,
    reject,
    scale,
    sub,
    vec,
)
from creature_sim.maths.jit import kernel

MOST = 3
"""So many of the rays say how a fence lies."""
SPREAD = 0.3
"""They do if their ends are as far apart as this fraction of the body's height, each way..."""
BARS = 0.5
"""...and if it lies across the way, more or less (the sine)."""
ALIKE, FLAT = 0.95, 0.1
"""Two rays have met one plane where it faces alike (the cosine), and both lie in it (the sine)."""
FARTHER = 1.6
"""They look farther than the ray straight ahead by this factor: what they meet is known in time."""
THIN = 0.12
"""Bars are no thicker than this fraction of the body's height."""
OTHER_SIDE = 0.3
"""A ray stays with what is on the other side of the middle by less than this fraction of that."""
AROUND = (0, 1, 3, 2)
"""Quarters in order around the front."""
WIDE, TALL = 1.0, 0.8
"""A front is at least so wide to either side, and so high up and down, as fractions of that height:
legs do not fit through either."""


@kernel
def probe_front(
    creature: Creature, segments: Records[SegmentRecord], rays: Rays, hits: Records[HitRecord]
) -> None:
    """Look ahead from a quarter of the front of every segment that moves, in each tick another one.

    Args:
        creature: that looks.
        segments: (S,) of its plan.
        rays: of the creature.
        hits: (Q,) what they found last.
    """
    segment_count, leg_count = creature.trunk.shape[0], creature.legs.shape[0]
    for s in range(segment_count):
        slot = front_slot(segment_count, leg_count, s)
        cast_none(rays, slot, FRONT_RAYS)
        course = course_of(creature, creature.gait.leader, s)
        if course.speed == 0.0:
            continue
        segment, centre = segments[s], vec(creature.trunk[s].position)
        ahead, up = course.ahead, course.up
        aside = cross(up, ahead)
        height = creature.gait.ride_height
        wide = max(WIDE * height, abs(course.y) * segment.front + abs(course.x) * segment.side)
        tall = max(TALL * height, segment.top)
        far = widest(creature, segments, s, course)
        k = creature.gait.age % FRONT_RAYS
        shift = (GOLDEN * creature.gait.age) % 1.0
        a = wide * shift * (1.0 if k % 2 else -1.0)
        b = tall * ((2.0 * shift) % 1.0) * (1.0 if k // 2 else -1.0)
        start = along(along(centre, aside, a), up, b)
        hit = hits[slot + k]
        if hit.is_hit:
            off = reject(sub(vec(hit.point), centre), ahead)
            if is_within(dot(off, aside), a, wide) and is_within(dot(off, up), b, tall):
                start = add(centre, off)
        cast_between(rays, slot + k, start, along(start, ahead, FARTHER * far))


@kernel
def is_within(off: float, side: float, widest: float) -> bool:
    """Whether what is met is so near, and not far on the other side, that its ray stays with it."""
    beyond = -off if side > 0.0 else off
    return beyond <= OTHER_SIDE * widest and abs(off) <= widest


@kernel
def see_fences(
    creature: Creature,
    segments: Records[SegmentRecord],
    hits: Records[HitRecord],
    is_active: NDArray[np.int8],
) -> None:
    """Let the ray straight ahead of every segment have met the fence whose bars are there.

    It misses these, or meets one, which faces anywhere.

    Args:
        creature: that looks.
        segments: (S,) of its plan.
        hits: (Q,) what its rays found; those straight ahead are written.
        is_active: (Q,) which of them were cast in this tick.
    """
    segment_count, leg_count = creature.trunk.shape[0], creature.legs.shape[0]
    for s in range(segment_count):
        ahead = ahead_slot(segment_count, leg_count, s)
        course = course_of(creature, creature.gait.leader, s)
        if course.speed == 0.0:
            continue
        first = front_slot(segment_count, leg_count, s)
        front = hits[first : first + FRONT_RAYS]
        way = course.ahead
        if hits[ahead].is_hit:
            if is_active[ahead]:
                turn_bar(hits[ahead], front, way, creature.gait.ride_height)
            continue
        centre, far = vec(creature.trunk[s].position), widest(creature, segments, s, course)
        count, middle, nearest = 0, (0.0, 0.0, 0.0), inf
        for k in range(FRONT_RAYS):
            if front[k].is_hit:
                count += 1
                middle = add(middle, vec(front[k].point))
                nearest = min(nearest, dot(sub(vec(front[k].point), centre), way))
        if nearest < far:
            hits[ahead + BEHIND_EDGE].is_hit = 0
        if count < MOST:
            continue
        middle = scale(middle, 1.0 / count)
        is_found, normal = against(across(front, middle), way, creature.gait.ride_height)
        if not is_found:
            continue
        is_barred = has_bars(front, normal, creature.gait.ride_height)
        farthest = FARTHER * far if is_barred else far
        if not 0.0 < dot(sub(middle, centre), way) < farthest:  # they may be of before it turned
            continue
        put(hits[ahead].point, middle)
        put(hits[ahead].normal, normal)
        hits[ahead].is_hit, hits[ahead].prop = FENCE if is_barred else 1, front[0].prop


@kernel
def has_bars(front: Records[HitRecord], normal: Vec, height: float) -> bool:
    """Whether rays met bars: one of these faces elsewhere than all of them do together.

    So do the sides of a doorway, and walls in a corner. But two rays meet the same wall there, and
    what another one meets lies before that, or behind it.

    Args:
        front: (FRONT_RAYS,) what the rays found.
        normal: of the plane in which that lies [world].
        height: of the body [m].
    """
    is_aside = False
    for k in range(FRONT_RAYS):
        if not front[k].is_hit:
            continue
        is_aside = is_aside or dot(vec(front[k].normal), normal) < ALIKE
        is_wall = False
        for j in range(k):
            is_wall = is_wall or bool(front[j].is_hit and are_of_plane(front[j], front[k]))
        if is_wall and not lie_in(front, vec(front[k].point), vec(front[k].normal), THIN * height):
            return False
    return is_aside


@kernel
def are_of_plane(one: HitRecord, other: HitRecord) -> bool:
    """Whether two rays have met one plane."""
    off, normal = sub(vec(other.point), vec(one.point)), vec(one.normal)
    is_alike = dot(vec(other.normal), normal) > ALIKE
    return is_alike and abs(dot(off, normal)) < FLAT * norm(off)


@kernel
def turn_bar(hit: HitRecord, front: Records[HitRecord], way: Vec, height: float) -> None:
    """Let what the ray straight ahead met face as its fence does, where it is a bar of one.

    No other ray has met its plane then, but all that have met something lie in one with it: that of
    the largest triangle between them.

    Args:
        hit: what that ray met; its normal is written.
        front: (FRONT_RAYS,) what those of the front found.
        way: unit direction in which the segment goes [world].
        height: of the body [m].
    """
    point, most = vec(hit.point), (0.0, 0.0, 0.0)
    for k in range(FRONT_RAYS):
        if not front[k].is_hit:
            continue
        if are_of_plane(hit, front[k]):
            return
        here = sub(vec(front[k].point), point)
        for j in range(k):
            if front[j].is_hit:
                normal = cross(sub(vec(front[j].point), point), here)
                if norm(normal) > norm(most):
                    most = normal
    is_found, normal = against(most, way, height)
    if is_found and lie_in(front, point, normal, THICK * height):
        put(hit.normal, normal)
        hit.is_hit = FENCE


@kernel
def against(normal: Vec, way: Vec, height: float) -> tuple[bool, Vec]:
    """Whether a plane is wide enough, and lies across the way; its unit normal against that.

    Args:
        normal: of it, as long as twice the area in which it is known [m^2].
        way: unit direction in which the segment goes [world].
        height: of the body [m].
    """
    size, faces, least = norm(normal), dot(normal, way), SPREAD * height
    if size < least * least or abs(faces) < BARS * size:
        return False, normal
    facing = scale(normal, (-1.0 if faces > 0.0 else 1.0) / size)
    return True, add(facing, (0.0, 0.0, 0.0))  # no zero of it is negative


@kernel
def lie_in(front: Records[HitRecord], point: Vec, normal: Vec, thick: float) -> bool:
    """Whether all that rays (FRONT_RAYS,) met is no farther than `thick` [m] from a plane."""
    for k in range(FRONT_RAYS):
        off = dot(sub(vec(front[k].point), point), normal)
        if front[k].is_hit and abs(off) > thick:
            return False
    return True


@kernel
def across(front: Records[HitRecord], middle: Vec) -> Vec:
    """Normal of the ends of rays that hit, as long as twice the area between them: a fan around it.

    Args:
        front: (FRONT_RAYS,) what the rays found; two of them hit at least.
        middle: of the ends [m, world].
    """
    normal = (0.0, 0.0, 0.0)
    for k in range(FRONT_RAYS):
        if front[AROUND[k]].is_hit:
            following = (k + 1) % FRONT_RAYS
            while not front[AROUND[following]].is_hit:
                following = (following + 1) % FRONT_RAYS
            here, there = vec(front[AROUND[k]].point), vec(front[AROUND[following]].point)
            normal = add(normal, cross(sub(here, middle), sub(there, middle)))
    return normal
