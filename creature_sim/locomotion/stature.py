"""How high a body stands: over two feet low enough to reach the ground, high enough to step."""

from math import inf, sqrt

from creature_sim.components import LOST, STANDING, LegRecord
from creature_sim.locomotion.balance import is_upright
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.prediction import ground_velocity, home_of
from creature_sim.maths import Vec, Z, add, dot, quat, rotate, sub, unrotate, vec
from creature_sim.maths.jit import kernel

HEIGHT_STIFFNESS = 12.0
"""Of the spring that holds a body at its height [1/s]; all of a body's are critically damped."""
SPARE = 0.97
"""A body comes down to keep this fraction of its legs' soft reach at either end of a stroke."""
HIPS = 1.5
"""Hips stay above the ground by this part of a leg's radius there."""
AT_REST = 1e-3
"""Feet make no strokes below this speed over the ground [m/s]."""
OVER = 0.4
"""A foot passes over its way by this fraction of a usual step at least."""
FOLDS = 1.15
"""A leg folds up to this many times its smallest reach below its hip with ease."""


@kernel
def rise_to_stand(creature: Creature, s: int, normal: Vec, plane: float) -> float:
    """How far a segment may rise before its legs leave their soft reach at an end of a stroke [m].

    A stroke goes along the slope of its feet where the body goes, of one at rest down that. Two
    feet beside each other on steps span a slope that is steep to the side: that does not count.

    Args:
        creature: whose segment it is.
        s: the segment.
        normal: of the plane of its feet [segment].
        plane: how far that lies above the segment's centre [m].
    """
    gait, room = creature.gait, inf
    size = sqrt(normal[0] * normal[0] + normal[1] * normal[1])
    for i in range(creature.legs.shape[0]):
        leg = creature.legs[i]
        if leg.segment != s or creature.feet[i].phase == LOST or size < 1e-9:
            continue
        x, y, speed = ground_velocity(creature.trunk[s], leg)
        if speed < AT_REST:
            x, y, speed = normal[0], normal[1], size
        half = 0.5 * gait.stroke / speed
        for sign in (-half, half):
            foot = add(home_of(gait, leg), (sign * x, sign * y, 0.0))
            z = plane - (normal[0] * foot[0] + normal[1] * foot[1]) / normal[2]
            room = min(room, z + hip_over(leg, foot))
    return room


@kernel
def hip_over(leg: LegRecord, foot: Vec) -> float:
    """How high a segment's centre may be over a foot beside it within soft reach [m].

    Args:
        leg: the leg.
        foot: where it is, x and y of it count [m, segment].
    """
    longest = SPARE * leg.soft_reach * leg.arm
    dx, dy = foot[0] - leg.mount[0], foot[1] - leg.mount[1]
    ahead = sqrt(dx * dx + dy * dy) - leg.coxa
    return float(leg.ankle - leg.mount[2] + sqrt(max(0.0, longest * longest - ahead * ahead)))


@kernel
def level_of(creature: Creature, i: int) -> float:
    """How far above its segment's centre a foot stands, or will stand [m]."""
    body, foot = creature.trunk[creature.legs[i].segment], creature.feet[i]
    return unrotate(quat(body.orientation), sub(vec(foot.goal), vec(body.position)))[2]


@kernel
def rise_of_hips(creature: Creature, s: int) -> float:
    """How far a segment must rise for its hips to be above the ground [m]."""
    body, rise = creature.trunk[s], -inf
    position, up = vec(body.position), rotate(quat(body.orientation), Z)
    for i in range(creature.legs.shape[0]):
        leg, foothold = creature.legs[i], creature.footholds[i]
        if leg.segment == s and foothold.is_over == 1:
            depth = dot(sub(vec(foothold.under), position), up)
            if creature.plan.climbs and depth > leg.mount[2]:
                continue  # a bar that crosses its hip: it would rise over one after another
            rise = max(rise, depth - leg.mount[2] + HIPS * leg.hip_radius)
    return rise


@kernel
def rise_to_step(creature: Creature, s: int) -> float:
    """How far a segment should rise for its feet in the air to pass below their hips [m]."""
    rise = -inf
    for i in range(creature.legs.shape[0]):
        leg, foot = creature.legs[i], creature.feet[i]
        if leg.segment == s and foot.phase != STANDING and foot.phase != LOST:
            body = creature.trunk[s]
            here = unrotate(quat(body.orientation), sub(vec(foot.track), vec(body.position)))[2]
            passes = max(here, level_of(creature, i)) + OVER * creature.plan.step_height
            rise = max(rise, passes - highest_foot(leg))
    return rise


@kernel
def highest_foot(leg: LegRecord) -> float:
    """How high a foot comes with ease below its hip, against its segment's centre [m]."""
    return float(leg.mount[2] - leg.ankle - FOLDS * leg.min_reach * leg.arm)


@kernel
def is_too_high(creature: Creature, i: int, point: Vec) -> bool:
    """Whether a leg of a body over two feet would have to fold up too far to step onto a point.

    From the ride height of the plan over the lowest foot that stands.

    Args:
        creature: whose leg it is.
        i: the leg.
        point: [m, world].
    """
    plan, leg = creature.plan, creature.legs[i]
    if not is_upright(creature.legs, creature.gait):
        return False
    up = rotate(quat(creature.trunk[leg.segment].orientation), Z)
    highest = plan.ride_height + leg.mount[2] - leg.ankle - leg.min_reach * leg.arm
    for other in range(creature.legs.shape[0]):
        foot = creature.feet[other]
        if foot.phase == STANDING:
            rise = dot(sub(point, vec(foot.position)), up)
            if rise > highest - OVER * plan.step_height:
                return True
    return False
