"""Which way is up for a climber: the ground ahead turns its body before its feet are there.

In a corner a body follows an arc from floor to wall. It leaves the floor in time to reach the wall
as far from it as it was above the floor. Round an edge it turns about the edge.
"""

from math import sqrt

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
from creature_sim.locomotion.lookout import BEHIND_EDGE, is_ahead, is_of, widest
from creature_sim.locomotion.slots import ahead_slot
from creature_sim.locomotion.walls import AHEAD_RAYS, course_of, fastest_before
from creature_sim.maths import (
    Quat,
    Vec,
    Z,
    add,
    along,
    clamp,
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

FENCED = 1.3
"""Before a fence the arc begins farther away by this factor: bars do not turn feet that come
near."""
CLIMBS_AT = 1.0
"""A body that climbs tilts no faster than this [rad/s]."""
GAINS = 2.0
"""A tilting body is assumed to tilt faster soon, by this factor. One that is held does not tilt."""
SOON = 0.12
"""A body turns for where it will be after this time [s]."""
TURNS_AT = 1.5
"""A body begins to turn round an edge this many ride heights before it."""
NEAREST, LAG = 0.7, 0.9
"""It stays farther from a wall than `NEAREST` ride heights, and, until it has turned up the wall,
than this plus `LAG` of what is left of the arc."""
CREEPS = 0.2
"""A body that has not turned far enough creeps on round an edge at this fraction of its speed, as
far as its feet let it. Only from there do they find the far side of a thin plate."""
ALONG = 0.17
"""A surface is no wall ahead if the sine between it and the path is less than this: the body stands
on it, or goes along it."""
ROOM = 0.15
"""No corner of a segment comes nearer to a wall than this fraction of the ride height."""
SLACK = 0.5
"""A body may be this many ride heights farther beyond an edge than it has turned for."""


@kernel
def mean_normal(
    creature: Creature, segment: SegmentRecord, s: int, wall: HitRecord, up: Vec
) -> Vec:
    """Mean normal of the ground where feet would step now, or fly to; `up` without any.

    The feet are those of the segment's own legs, or of its neighbours if it has none left. A bar of
    a fence ahead counts with the normal of the fence.

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
    course = course_of(creature, leader, leader)
    if course.speed == 0.0:
        return False
    orientation, ahead, up = quat(body.orientation), course.ahead, course.up
    far = widest(creature, segments, leader, course)
    is_stopped = False
    for k in range(AHEAD_RAYS):
        if not is_ahead(hits, k, course):
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
            left = ((1.0 + TURNS_AT) * turned - TURNS_AT + SLACK) * height - gap
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
    course = course_of(creature, creature.gait.leader, s)
    if course.speed == 0.0:
        return up
    plan, height, ahead = creature.plan, creature.gait.ride_height, course.ahead
    soon = along(vec(creature.trunk[s].position), ahead, SOON * course.speed)
    far, wanted = widest(creature, segments, s, course), up
    for k in range(AHEAD_RAYS):
        normal, is_edge = vec(hits[k].normal), k == BEHIND_EDGE
        if not is_ahead(hits, k, course):
            continue
        if not holds(plan, gravity, vec(hits[k].point), normal):
            continue
        gap = dot(sub(soon, vec(hits[k].point)), normal)
        if is_edge:
            sine = (gap + TURNS_AT * height) / ((1.0 + TURNS_AT) * height)
        else:
            begins = FENCED * far if hits[k].is_hit == FENCE else far
            sine = 1.0 - (gap - height) / (begins - height)
        sine = clamp(sine, 0.0, 1.0)
        level = unit(reject(up, normal), up)
        turned = along(scale(level, sqrt(1.0 - sine * sine)), normal, sine)
        if (dot(turned, ahead) > dot(wanted, ahead)) == is_edge:
            wanted = turned
    return wanted
