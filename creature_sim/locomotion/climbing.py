"""Which way is up for who climbs: the ground ahead of a body turns it before its feet are there.

A body that walks into a corner goes along an arc that leaves the floor where it has to, and comes
to the wall as high above it as it was above the floor; round an edge it turns about that.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    FENCE,
    LOST,
    STANDING,
    GravityRecord,
    HitRecord,
    Records,
    SegmentRecord,
)
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gravity import holds
from creature_sim.locomotion.slots import ahead_slot
from creature_sim.locomotion.walls import AHEAD_RAYS, extent, fastest_before, way_of
from creature_sim.maths import (
    GOLDEN,
    Floats,
    Quat,
    Vec,
    Z,
    add,
    along,
    clamp,
    cross,
    dot,
    nlerp,
    norm,
    put,
    quat,
    quat_between,
    quat_multiply,
    quat_unit,
    reject,
    rotate,
    scale,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

WIDE = 2.0
"""An arc from floor to wall begins so many ride heights before the wall at least."""
FENCED = 1.3
"""Before a fence by so much more: its bars turn no foot that comes near."""
CLIMBS_AT = 1.0
"""A body that climbs tilts no faster than this [rad/s]."""
GAINS = 2.0
"""A body that tilts is taken to tilt faster soon, by this factor: one that is held does not."""
SOON = 0.12
"""A body turns to where it is after this time [s]."""
EDGES = 2.0
"""Edges are looked for so many ride heights ahead."""
EARLY = 1.5
"""A body begins to turn round an edge by this fraction of its ride height before it."""
DOWN, BEHIND_EDGE = 1, 2
"""Of the rays ahead, the one that looks down, and the one that looks back below an edge."""
SHALLOW, DEEP = 1.3, 1.5
"""That back starts so many ride heights lower than the body: of a plate it would go past below the
deepest, and the shallowest goes past below bars, which are no edge."""
BARS, PASSED = 0.4, 0.4
"""That down goes past places so many ride heights beside the way; it keeps what it met in sight as
long as that is nearer or farther than it looks by less than so many."""
LEVEL = 0.6
"""Ground ahead is no wall where it faces as the body's up does, more or less (the cosine)."""
NEAREST, LAG = 0.7, 0.9
"""It stays farther from a wall than this fraction of its ride height, and as long as it has not
turned up it, than this fraction of the arc."""
CREEPS = 0.2
"""Who has not turned far enough goes on round an edge at this fraction of its speed, as far as its
feet let it: on a thin plate they find the far side only from there."""
ALONG = 0.17
"""Who goes towards a wall at no more than this (the sine) stands on it, or goes along it."""
ROOM = 0.15
"""No corner of it comes nearer to a wall than this fraction of its ride height."""
ON_IT, THICK = 0.3, 0.2
"""A bar is of the fence ahead where it faces as that does, more or less (the cosine), and lies so
near to its plane, as a fraction of its ride height."""
SLACK = 0.5
"""It may be farther beyond an edge than its turn says by this fraction of its ride height."""


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

    One of them is cast in each tick, in turn: a body hardly moves meanwhile. That down goes past
    another place each time, until it meets something level: that it keeps in sight. So bars, with
    nothing between them, are no edge. That back does the same, so it finds the edges of plates.

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
        x, y, speed = way_of(creature, leader, s)
        if speed == 0.0:
            continue
        body = creature.trunk[s]
        orientation, centre = quat(body.orientation), vec(body.position)
        ahead, up = rotate(orientation, (x, y, 0.0)), rotate(orientation, Z)
        height, far = creature.gait.ride_height, widest(creature, segments, s, x, y)
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
    """Where the ray down ahead begins [m, world]: over what it met, while that is far enough.

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
    """How much lower than a segment's centre the ray back below an edge is [m].

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
    """Whether what the ray down ahead met is ground that goes on, and no wall."""
    return bool(dot(vec(hit.normal), up) > LEVEL)


@kernel
def widest(
    creature: Creature, segments: Records[SegmentRecord], s: int, x: float, y: float
) -> float:
    """How far from a wall the arc begins that leads a segment up it [m].

    Args:
        creature: whose segment it is.
        segments: (S,) of its plan.
        s: which segment.
        x: of the unit direction in which it goes [segment].
        y: of it.
    """
    feet = extent(creature, segments, s, x, y)
    return max(feet, WIDE * creature.gait.ride_height)


@kernel
def mean_normal(
    creature: Creature, segment: SegmentRecord, s: int, wall: HitRecord, up: Vec
) -> Vec:
    """Mean direction that the ground faces where feet would step now, or fly to; else `up`.

    Those of the segment's own legs, if it has any left, else of its neighbours. On bars of a fence
    ahead they face as that does.

    Args:
        creature: whose segment it is.
        segment: of its plan.
        s: which segment.
        wall: what its ray straight ahead met, or the fence that is there.
        up: of it [world].
    """
    own, whole = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(segment.first_near, segment.last_near):
        foot = creature.feet[i]
        if foot.phase != LOST:
            here, there, foothold = vec(foot.goal_normal), vec(foot.goal), creature.footholds[i]
            if foot.phase == STANDING:
                here, there = vec(foothold.normal), vec(foothold.position)
            if wall.is_hit and is_of(wall, here, there, creature.gait.ride_height):
                here = vec(wall.normal)
            whole = add(whole, here)
            if creature.legs[i].segment == s:
                own = add(own, here)
    return unit(own, unit(whole, up))


@kernel
def is_of(wall: HitRecord, normal: Vec, point: Vec, height: float) -> bool:
    """Whether a place is on a wall, or on a bar of a fence, by which way it faces and where it is.

    Args:
        wall: or the fence.
        normal: of the place [world].
        point: of it [m, world].
        height: at which the body rides [m].
    """
    off = dot(sub(point, vec(wall.point)), vec(wall.normal))
    return dot(normal, vec(wall.normal)) > ON_IT and abs(off) < THICK * height


@kernel
def is_ahead(hits: Records[HitRecord], k: int, ahead: Vec, up: Vec) -> bool:
    """Whether one of the rays ahead (AHEAD_RAYS,) found a wall, or the far side of an edge.

    Args:
        hits: what they found.
        k: the ray.
        ahead: unit direction in which the body goes [world].
        up: of its segment [world].
    """
    if hits[k].is_hit == 0 or (k == DOWN and is_level(hits[k], up)):
        return False
    faces = dot(vec(hits[k].normal), ahead)
    if k == BEHIND_EDGE:
        return faces > 0.0 and not (hits[0].is_hit or hits[1].is_hit)
    return faces < 0.0


@kernel
def is_before_edge(creature: Creature, s: int, hits: Records[HitRecord]) -> bool:
    """Whether a segment of who climbs goes towards an edge, below which its rays found ground.

    Args:
        creature: whose segment it is.
        s: which segment.
        hits: (AHEAD_RAYS,) what its rays ahead found.
    """
    x, y, speed = way_of(creature, creature.gait.leader, s)
    if speed == 0.0:
        return False
    orientation = quat(creature.trunk[s].orientation)
    ahead, up = rotate(orientation, (x, y, 0.0)), rotate(orientation, Z)
    return is_ahead(hits, BEHIND_EDGE, ahead, up)


@kernel
def thick(segment: SegmentRecord, orientation: Quat, normal: Vec) -> float:
    """How far a segment in this orientation goes out from its centre against a normal [m]."""
    x, y, z = unrotate(orientation, normal)
    return float(abs(x) * segment.front + abs(y) * segment.side + abs(z) * segment.top)


@kernel
def turned_then(
    creature: Creature,
    gravity: GravityRecord,
    segments: Records[SegmentRecord],
    s: int,
    hits: Records[HitRecord],
    seconds: float,
) -> Quat:
    """Orientation that a segment of who climbs will have in a time: turned to what is ahead.

    Args:
        creature: whose segment it is.
        gravity: the field.
        segments: (S,) of its plan.
        s: which segment.
        hits: (Q,) what the creature's rays found.
        seconds: the time.
    """
    own = quat(creature.trunk[s].orientation)
    up = rotate(own, Z)
    slot = ahead_slot(creature.trunk.shape[0], creature.legs.shape[0], s)
    wanted = up_ahead(creature, gravity, segments, s, hits[slot:], up)
    half = 0.5 * min(CLIMBS_AT, GAINS * norm(vec(creature.trunk[s].tilt_rate))) * seconds
    turn = quat_between(up, wanted)
    size = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2])
    if size > half:
        turn = nlerp((0.0, 0.0, 0.0, 1.0), turn, half / size)
    return quat_unit(quat_multiply(turn, own))


@kernel
def slow_for_turns(
    creature: Creature,
    gravity: GravityRecord,
    segments: Records[SegmentRecord],
    leader: int,
    hits: Records[HitRecord],
) -> bool:
    """Let the leader go no nearer to a wall than it has turned up it, nor off an edge.

    Args:
        creature: the velocity of its leader changes.
        gravity: the field.
        segments: (S,) of its plan.
        leader: the segment that is steered.
        hits: (AHEAD_RAYS,) what the leader's rays ahead found.

    Returns:
        Whether feet do not hold on to what is ahead.
    """
    plan, body = creature.plan, creature.trunk[leader]
    x, y, speed = way_of(creature, leader, leader)
    if speed == 0.0:
        return False
    orientation = quat(body.orientation)
    up, ahead = rotate(orientation, Z), rotate(orientation, (x, y, 0.0))
    far = widest(creature, segments, leader, x, y)
    is_stopped = False
    for k in range(AHEAD_RAYS):
        if not is_ahead(hits, k, ahead, up):
            continue
        normal = vec(hits[k].normal)
        if abs(dot(ahead, normal)) < ALONG:
            continue
        gap = dot(sub(vec(body.position), vec(hits[k].point)), normal)
        turned, height = dot(up, normal), creature.gait.ride_height
        if not holds(plan, gravity, vec(hits[k].point), normal):
            if k == BEHIND_EDGE:
                continue
            left, is_stopped = gap - far, True
        elif k == BEHIND_EDGE:
            left = ((1.0 + EARLY) * turned - EARLY + SLACK) * height - gap
        else:
            left = gap - NEAREST * height - LAG * (far - height) * (1.0 - turned)
            left = min(left, gap - thick(segments[leader], orientation, normal) - ROOM * height)
        fastest = fastest_before(plan, left)
        if k == BEHIND_EDGE:
            fastest = max(fastest, CREEPS * plan.speed)
        towards = abs(dot(rotate(orientation, vec(body.velocity)), normal))
        if towards > fastest:
            put(body.velocity, scale(vec(body.velocity), fastest / towards))
    return is_stopped


@kernel
def up_ahead(
    creature: Creature,
    gravity: GravityRecord,
    segments: Records[SegmentRecord],
    s: int,
    hits: Records[HitRecord],
    up: Vec,
) -> Vec:
    """Up of a segment [world] for the ground that its feet have, `up`, and that it goes to.

    Args:
        creature: whose segment it is.
        gravity: the field.
        segments: (S,) of its plan.
        s: which segment.
        hits: (AHEAD_RAYS,) what its rays ahead found.
        up: of the ground under its feet [world].
    """
    plan, body = creature.plan, creature.trunk[s]
    x, y, speed = way_of(creature, creature.gait.leader, s)
    if speed == 0.0:
        return up
    ahead, own = rotate(quat(body.orientation), (x, y, 0.0)), rotate(quat(body.orientation), Z)
    soon = along(vec(body.position), ahead, SOON * speed)
    height = creature.gait.ride_height
    far, wanted = widest(creature, segments, s, x, y), up
    for k in range(AHEAD_RAYS):
        normal, is_edge = vec(hits[k].normal), k == BEHIND_EDGE
        if not is_ahead(hits, k, ahead, own):
            continue
        if not holds(plan, gravity, vec(hits[k].point), normal):
            continue
        gap = dot(sub(soon, vec(hits[k].point)), normal)
        if is_edge:
            sine = (gap + EARLY * height) / ((1.0 + EARLY) * height)
        else:
            begins = FENCED * far if hits[k].is_hit == FENCE else far
            sine = 1.0 - (gap - height) / (begins - height)
        sine = clamp(sine, 0.0, 1.0)
        level = unit(reject(up, normal), up)
        turned = along(scale(level, sqrt(1.0 - sine * sine)), normal, sine)
        if (dot(turned, ahead) > dot(wanted, ahead)) == is_edge:
            wanted = turned
    return wanted
