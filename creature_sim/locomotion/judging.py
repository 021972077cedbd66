"""Whether what a leg's rays found is a foothold, and how good it is."""

from creature_sim.components import GravityRecord, HitRecord
from creature_sim.locomotion.clearance import is_clear_then
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gravity import down_at, holds
from creature_sim.locomotion.hips import stands_on, swings
from creature_sim.locomotion.prediction import centre_ahead
from creature_sim.locomotion.reach import ankle_of, pitch_to, reach_in_world
from creature_sim.locomotion.search import Find
from creature_sim.locomotion.stature import is_too_high
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import Quat, Vec, Z, clamp, dot, quat, rotate, sub, unrotate, vec
from creature_sim.maths.jit import kernel

LANDING_STRETCH = 0.93
"""A foothold lies within this fraction of what the leg reaches at touchdown."""
EASY_STRETCH = 0.75
"""A foothold within this fraction of that is as good as any."""
DEEP = 0.65
"""No foot steps down to what is deeper below its home than this fraction of the reach: its body
would hang on it, and could not go on."""
FARTHEST_ROUND = -0.3
"""Feet of who climbs stand on ground that faces no farther from the body's up (the cosine)."""


@kernel
def judge(creature: Creature, i: int, hit: HitRecord, then: Quat, gravity: GravityRecord) -> Find:
    """Whether what a leg's ray found is ground, and in reach when the foot lands there."""
    leg = creature.legs[i]
    body = creature.trunk[leg.segment]
    orientation = quat(body.orientation)
    point, normal = vec(hit.point), vec(hit.normal)
    seconds = seconds_to_touchdown(creature.plan, creature.gait, creature.feet[i])
    centre = centre_ahead(body, leg, seconds)
    far, stretch = reach_in_world(centre, then, leg, point)
    steepest = FARTHEST_ROUND if creature.plan.climbs else STEEPEST
    is_ground = hit.is_hit == 1 and dot(normal, rotate(orientation, Z)) >= steepest
    is_ground = is_ground and holds(creature.plan, gravity, point, normal)
    is_in_reach = leg.min_reach <= far and stretch <= LANDING_STRETCH
    if creature.plan.climbs:
        foot = unrotate(then, sub(point, centre))
        is_in_reach = is_in_reach and pitch_to(leg, foot) <= LANDING_STRETCH
    elif is_too_deep(creature, i, point, normal, centre, gravity):
        is_in_reach = False
    if swings(leg):
        ankle = ankle_of(leg, unrotate(orientation, sub(point, centre)))
        sole = unrotate(orientation, normal)
        is_in_reach = is_in_reach and stands_on(leg, ankle, sole)
        is_in_reach = is_in_reach and not is_too_high(creature, i, point)
    is_in_reach = is_in_reach and is_clear_then(creature, i, point, seconds)
    return Find(point, normal, stretch, hit.is_hit == 1, is_ground, is_in_reach, hit.prop)


@kernel
def is_too_deep(
    creature: Creature, i: int, point: Vec, normal: Vec, centre: Vec, gravity: GravityRecord
) -> bool:
    """Whether ground is lower than a foot that stands there could be left behind by its body.

    Only ground below where the foot is counts: it may stand deep already.

    Args:
        creature: whose foot it is.
        i: its leg.
        point: of the ground [m, world].
        normal: there [world].
        centre: of the leg's segment when it lands [m, world].
        gravity: the field.
    """
    down = down_at(gravity, point)
    falls = dot(sub(point, vec(creature.feet[i].position)), down)
    if falls <= creature.plan.step_height:
        return False
    over = sub(centre, point)  # on a slope it stands no deeper
    depth = min(dot(over, normal), -dot(over, down))
    return depth > creature.gait.ride_height + DEEP * creature.legs[i].reach


@kernel
def score_of(creature: Creature, i: int, found: Find, clear: float) -> float:
    """How good a foothold is, 0 to 1: level, clear of edges and feet (0 to 1), in easy reach."""
    leg = creature.legs[i]
    up = rotate(quat(creature.trunk[leg.segment].orientation), Z)
    level = (dot(found.normal, up) - STEEPEST) / (1.0 - STEEPEST)
    if creature.plan.climbs:
        level = 1.0
    ease = (LANDING_STRETCH - found.stretch) / (LANDING_STRETCH - EASY_STRETCH)
    return level * clear * clamp(ease, 0.0, 1.0)
