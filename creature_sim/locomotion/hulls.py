"""Hulls: a climber's body stays out of rock that neither its feet nor the rays ahead find.

The end of a wall beside a doorway, the rim of a shelf or a bar slips between the rays ahead and the
one below. So a ray goes from the middle of a segment to each eighth of its hull in turn. It goes to
another point of that eighth each time, until it meets something; then it stays with that. None of
them begins in rock as long as the middle is in none. What they meet holds the body back, pushes it
aside, and lifts it.

Hips stick out of the hull, and coxae farther. Where a leg looks whether its hip is in rock, what
that ray meets holds the body back and pushes it aside as well.
"""

from math import inf, sqrt

from creature_sim.components import LOST, HitRecord, Records, SegmentRecord
from creature_sim.locomotion.bends import ROOT
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.frames import into_frame, into_world
from creature_sim.locomotion.plainness import walks_on_plain
from creature_sim.locomotion.rays import Rays, cast_between, cast_none
from creature_sim.locomotion.reach import coxa_end
from creature_sim.locomotion.slots import HULL_RAYS, ahead_slot, bend_slot, hull_slot
from creature_sim.locomotion.walls import FACES, LEAVES, fastest_towards
from creature_sim.maths import (
    GOLDEN,
    Vec,
    Z,
    along,
    dot,
    norm,
    put,
    quat,
    rotate,
    scale,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

ROOM = 0.15
"""A hull stays so far out of rock, as a fraction of the ride height."""
SHIFT = 0.4142
"""Places in an eighth are as far along it as the golden fraction says, and as high as this one."""
LIFTS = 0.7
"""What faces more up than this (the cosine) lifts a body: it needs not go aside for that."""
BEFORE = 0.5
"""What faces the way more than this (the cosine) is before the body."""


@kernel
def probe_hull(
    creature: Creature, segments: Records[SegmentRecord], rays: Rays, hits: Records[HitRecord]
) -> None:
    """Look from the middle of every segment to an eighth of its hull, in each tick another one.

    Args:
        creature: that looks.
        segments: (S,) of its plan.
        rays: of the creature.
        hits: (Q,) what they found last.
    """
    segment_count, leg_count = creature.trunk.shape[0], creature.legs.shape[0]
    age = creature.gait.age
    k, turn = age % HULL_RAYS, age // HULL_RAYS
    for s in range(segment_count):
        slot = hull_slot(segment_count, leg_count, s)
        cast_none(rays, slot, HULL_RAYS)
        if walks_on_plain(creature.gait):
            hits[slot + k].is_hit = 0
            continue
        body = creature.trunk[s]
        orientation, centre = quat(body.orientation), vec(body.position)
        around, high = (GOLDEN * turn) % 1.0, (SHIFT * turn) % 1.0
        x, y = (1.0 - around) * (1.0 - high), around * (1.0 - high)
        room = ROOM * creature.gait.ride_height
        way = (
            (x if k & 1 else -x) * (segments[s].front + room),
            (y if k & 2 else -y) * (segments[s].side + room),
            (high if k & 4 else -high) * (segments[s].top + room),
        )
        end = hull_towards(creature, segments[s], way)
        hit = hits[slot + k]
        if hit.is_hit:
            known = into_frame(centre, orientation, vec(hit.point))
            own = hull_towards(creature, segments[s], known)
            if norm(known) < norm(own):
                end = own
        cast_between(rays, slot + k, centre, into_world(centre, orientation, end))


@kernel
def hull_towards(creature: Creature, segment: SegmentRecord, way: Vec) -> Vec:
    """Where a hull and the room around it end in a direction: on an ellipsoid [m, segment].

    Args:
        creature: whose hull it is.
        segment: of its plan.
        way: the direction, of any length [segment].
    """
    room = ROOM * creature.gait.ride_height
    x = way[0] / (segment.front + room)
    y = way[1] / (segment.side + room)
    z = way[2] / (segment.top + room)
    return scale(way, 1.0 / max(1e-9, sqrt(x * x + y * y + z * z)))


@kernel
def feeler_slot(creature: Creature, s: int, k: int) -> int:
    """Which slot a segment feels with: HULL_RAYS to its hull, then one to each leg's coxa.

    -1: that leg is on another segment, or lost.
    """
    segment_count, leg_count = creature.trunk.shape[0], creature.legs.shape[0]
    if k < HULL_RAYS:
        return int(hull_slot(segment_count, leg_count, s) + k)
    i = k - HULL_RAYS
    if creature.legs[i].segment != s or creature.feet[i].phase == LOST:
        return -1
    return int(bend_slot(segment_count, leg_count, i) + ROOT)


@kernel
def gap_before(creature: Creature, segment: SegmentRecord, s: int, k: int, hit: HitRecord) -> float:
    """How far a hull with its room, or a coxa, is along its normal from rock that a ray met [m].

    Args:
        creature: whose segment it is.
        segment: of its plan.
        s: the segment.
        k: which of the rays, see `feeler_slot`.
        hit: what it has met.
    """
    body = creature.trunk[s]
    if k >= HULL_RAYS:
        leg = creature.legs[k - HULL_RAYS]
        end = coxa_end(vec(body.position), quat(body.orientation), leg)
        return dot(sub(end, vec(hit.point)), vec(hit.normal)) - leg.hip_radius
    orientation = quat(body.orientation)
    known = into_frame(vec(body.position), orientation, vec(hit.point))
    end = hull_towards(creature, segment, known)
    return dot(sub(end, known), unrotate(orientation, vec(hit.normal)))


@kernel
def leave_rock(
    creature: Creature, segments: Records[SegmentRecord], leader: int, hits: Records[HitRecord]
) -> None:
    """Let a body go away from what is in its hull, and round what is beside its way.

    Before it brakes: where its legs hold it back they hold back that, too.

    Args:
        creature: the velocity of its leader changes.
        segments: (S,) of its plan.
        leader: the segment that is steered.
        hits: (Q,) what the creature's rays found.
    """
    go_round(creature, segments, leader, hits)
    take_excess(creature, segments, leader, hits, LEAVES * creature.gait.commanded_pace)


@kernel
def keep_out(
    creature: Creature, segments: Records[SegmentRecord], leader: int, hits: Records[HitRecord]
) -> None:
    """Take from the leader's velocity what would carry its hull into rock; arguments as above."""
    take_excess(creature, segments, leader, hits, 0.0)


@kernel
def take_excess(
    creature: Creature,
    segments: Records[SegmentRecord],
    leader: int,
    hits: Records[HitRecord],
    leaves: float,
) -> None:
    """The same, where what is too near is left no faster than `leaves` [m/s]."""
    body = creature.trunk[leader]
    for k in range(HULL_RAYS + creature.legs.shape[0]):
        slot = feeler_slot(creature, leader, k)
        if slot >= 0 and hits[slot].is_hit:
            gap = gap_before(creature, segments[leader], leader, k, hits[slot])
            excess, x, y = excess_towards(creature, leader, hits[slot], gap, leaves)
            if excess > 0.0:
                put(body.velocity, along(vec(body.velocity), (x, y, 0.0), excess))


@kernel
def excess_towards(
    creature: Creature, s: int, hit: HitRecord, gap: float, leaves: float
) -> tuple[float, float, float]:
    """How much too fast a segment goes towards rock, and x and y of its normal [segment].

    So many times that normal takes it away; 0 of what hardly faces along the ground.

    Args:
        creature: whose segment it is; its velocity counts.
        s: the segment.
        hit: what a ray has met.
        gap: to that [m].
        leaves: how fast it goes away from what is too near, at most [m/s].
    """
    body = creature.trunk[s]
    x, y, _ = unrotate(quat(body.orientation), vec(hit.normal))
    square = x * x + y * y
    if square < FACES * FACES:
        return 0.0, x, y
    fastest = fastest_towards(creature.plan, gap, leaves)
    return (-(x * body.velocity[0] + y * body.velocity[1]) - fastest) / square, x, y


@kernel
def go_round(
    creature: Creature, segments: Records[SegmentRecord], leader: int, hits: Records[HitRecord]
) -> None:
    """Let a body go aside that something beside its way holds back, while the way itself is free.

    Args:
        creature: the velocity of its leader changes.
        segments: (S,) of its plan.
        leader: the segment that is steered.
        hits: (Q,) what the creature's rays found.
    """
    segment_count, leg_count = creature.trunk.shape[0], creature.legs.shape[0]
    vx, vy, _ = vec(creature.gait.commanded_velocity)
    speed = sqrt(vx * vx + vy * vy)
    if speed == 0.0 or hits[ahead_slot(segment_count, leg_count, leader)].is_hit:
        return
    body, left = creature.trunk[leader], 0.0
    vx, vy = vx / speed, vy / speed
    for k in range(HULL_RAYS + leg_count):
        slot = feeler_slot(creature, leader, k)
        if slot >= 0 and hits[slot].is_hit:
            gap = gap_before(creature, segments[leader], leader, k, hits[slot])
            excess, x, y = excess_towards(creature, leader, hits[slot], gap, 0.0)
            if excess > 0.0 and x * vx + y * vy < -BEFORE:
                point = vec(hits[slot].point)
                there = into_frame(vec(body.position), quat(body.orientation), point)
                left += vx * there[1] - vy * there[0]
    if left != 0.0:
        side = -1.0 if left > 0.0 else 1.0
        goes = side * (vx * body.velocity[1] - vy * body.velocity[0])
        lacks = max(0.0, LEAVES * creature.gait.commanded_pace - goes)
        put(body.velocity, along(vec(body.velocity), (-vy, vx, 0.0), side * lacks))


@kernel
def kept_out(
    creature: Creature,
    segments: Records[SegmentRecord],
    s: int,
    hits: Records[HitRecord],
    step: Vec,
) -> Vec:
    """A step of a segment that takes its hull no nearer to rock than it may be [m, world].

    A body that shifts its weight, or comes down, would go into that.

    Args:
        creature: whose segment it is.
        segments: (S,) of its plan.
        s: the segment.
        hits: (Q,) what the creature's rays found.
        step: as it would be.
    """
    for k in range(HULL_RAYS + creature.legs.shape[0]):
        slot = feeler_slot(creature, s, k)
        if slot >= 0 and hits[slot].is_hit:
            normal = vec(hits[slot].normal)
            left = max(0.0, gap_before(creature, segments[s], s, k, hits[slot]))
            step = along(step, normal, max(0.0, -dot(step, normal) - left))
    return step


@kernel
def rise_of_hull(
    creature: Creature, segments: Records[SegmentRecord], s: int, hits: Records[HitRecord]
) -> float:
    """How far a segment must rise for its hull to be above what its rays have met below it [m].

    Args:
        creature: whose segment it is.
        segments: (S,) of its plan.
        s: the segment.
        hits: (Q,) what the creature's rays found.
    """
    rise, up = -inf, rotate(quat(creature.trunk[s].orientation), Z)
    first = hull_slot(creature.trunk.shape[0], creature.legs.shape[0], s)
    for k in range(HULL_RAYS):
        hit = hits[first + k]
        if hit.is_hit:
            faces = dot(vec(hit.normal), up)
            if faces > LIFTS:
                rise = max(rise, -gap_before(creature, segments[s], s, k, hit) / faces)
    return rise
