"""Fences: who climbs goes through no gap that it does not fit through.

One ray ahead of the middle of a body passes between bars. So one goes out from each quarter of its
front, from another place in each tick, until it meets something: that it keeps in sight. Where most
of them have met something, their ends say how it lies: bars face anywhere.
"""

from creature_sim.components import HitRecord, Records, SegmentRecord
from creature_sim.locomotion.climbing import widest
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.rays import Rays, cast_between
from creature_sim.locomotion.slots import FRONT_RAYS, ahead_slot, front_slot
from creature_sim.locomotion.walls import way_of
from creature_sim.maths import (
    GOLDEN,
    Vec,
    Z,
    add,
    along,
    cross,
    dot,
    norm,
    put,
    quat,
    reject,
    rotate,
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
WIDE, TALL = 1.0, 0.8
"""A front is at least so wide to either side, and so high up and down, as fractions of that height:
legs do not fit through either."""


@kernel
def probe_front(
    creature: Creature, segments: Records[SegmentRecord], rays: Rays, hits: Records[HitRecord]
) -> None:
    """Look ahead from each quarter of the front of every segment that moves.

    Args:
        creature: that looks.
        segments: (S,) of its plan.
        rays: of the creature.
        hits: (Q,) what they found last.
    """
    segment_count, leg_count = creature.trunk.shape[0], creature.legs.shape[0]
    for s in range(segment_count):
        slot = front_slot(segment_count, leg_count, s)
        x, y, speed = way_of(creature, creature.gait.leader, s)
        if speed == 0.0:
            rays.is_active[slot : slot + FRONT_RAYS] = 0
            continue
        body, segment = creature.trunk[s], segments[s]
        orientation, centre = quat(body.orientation), vec(body.position)
        ahead, up = rotate(orientation, (x, y, 0.0)), rotate(orientation, Z)
        aside = cross(up, ahead)
        height = creature.gait.ride_height
        wide = max(WIDE * height, abs(y) * segment.front + abs(x) * segment.side)
        tall = max(TALL * height, segment.top)
        far = widest(creature, segments, s, x, y)
        for k in range(FRONT_RAYS):
            shift = (GOLDEN * (creature.gait.age + k)) % 1.0
            a = wide * shift * (1.0 if k % 2 else -1.0)
            b = tall * ((2.0 * shift) % 1.0) * (1.0 if k // 2 else -1.0)
            start = along(along(centre, aside, a), up, b)
            hit = hits[slot + k]
            if hit.is_hit:
                off = reject(sub(vec(hit.point), centre), ahead)
                if is_within(dot(off, aside), a, wide) and is_within(dot(off, up), b, tall):
                    start = add(centre, off)
            cast_between(rays, slot + k, start, along(start, ahead, far))


@kernel
def is_within(off: float, side: float, widest: float) -> bool:
    """Whether what is met is so far off on the same side, or nearer, that its ray stays with it."""
    return off * side >= 0.0 and abs(off) <= widest


@kernel
def see_fences(creature: Creature, hits: Records[HitRecord]) -> None:
    """Let the ray straight ahead of every segment have met what bars it misses, of (Q,) hits."""
    segment_count, leg_count = creature.trunk.shape[0], creature.legs.shape[0]
    for s in range(segment_count):
        ahead = ahead_slot(segment_count, leg_count, s)
        x, y, speed = way_of(creature, creature.gait.leader, s)
        if speed == 0.0 or hits[ahead].is_hit:
            continue
        first = front_slot(segment_count, leg_count, s)
        front = hits[first : first + FRONT_RAYS]
        count, middle = 0, (0.0, 0.0, 0.0)
        for k in range(FRONT_RAYS):
            if front[k].is_hit:
                count += 1
                middle = add(middle, vec(front[k].point))
        if count < MOST:
            continue
        normal = across(front)
        least = SPREAD * creature.gait.ride_height
        size = norm(normal)
        if size < least * least:
            continue
        way = rotate(quat(creature.trunk[s].orientation), (x, y, 0.0))
        faces = dot(normal, way)
        if abs(faces) < BARS * size:
            continue
        sign = -1.0 if faces > 0.0 else 1.0
        put(hits[ahead].point, scale(middle, 1.0 / count))
        put(hits[ahead].normal, scale(normal, sign / size))
        hits[ahead].is_hit, hits[ahead].prop = 1, front[0].prop


@kernel
def across(front: Records[HitRecord]) -> Vec:
    """Normal of the ends of rays that hit, as long as the area between them, (0, 0, 0) at least."""
    normal, last = (0.0, 0.0, 0.0), -1
    order = (0, 1, 3, 2)
    first = -1
    for k in order:
        if not front[k].is_hit:
            continue
        if first < 0:
            first = k
        elif last >= 0:
            one = sub(vec(front[last].point), vec(front[first].point))
            normal = add(normal, cross(one, sub(vec(front[k].point), vec(front[first].point))))
        if k != first:
            last = k
    return normal
