"""A drop or a riser beside a body that its legs cannot straddle: feet and body keep off it."""

from math import sqrt

from creature_sim.components import LOST, PHASE, STANDING, GravityRecord, HitRecord, LegRecord
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gravity import up_at
from creature_sim.locomotion.prediction import FEW, ground_velocity
from creature_sim.locomotion.search import RESTS, Find
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import Vec, add, dot, norm, quat, reject, rotate, sub, vec
from creature_sim.maths.jit import kernel

STRADDLES = 0.4
"""Feet stand higher or lower than the ground below their body by this fraction of the reach..."""
HIPS = 0.85
"""...but higher by this fraction of the ride height at most: above that are hips..."""
STAIRS = 0.35
"""...and by this much for each metre ahead or behind it: there it climbs."""
SOON = 0.25
"""A body goes aside already from this fraction of that."""
STEPS = 0.65
"""A foot steps this much higher or lower at once, unless it comes back to where its body walks."""
LAST_RESORT = 2.5
"""From this urgency on it steps anywhere: its body would wait for ever."""
HALF_ROOT = sqrt(0.5)


@kernel
def is_cut_off(creature: Creature, i: int, found: Find, under: HitRecord, up: Vec) -> bool:
    """Whether ground is too high or low for a foot beside a body that walks on what is under it.

    Slopes do not count: the ground is expected to go on as it lies at either end.

    Args:
        creature: whose foot it is.
        i: its leg.
        found: the ground where it would step.
        under: that below the leg's segment.
        up: against gravity.
    """
    leg, foot = creature.legs[i], creature.feet[i]
    if not minds(creature) or not under.is_hit:
        return False
    below = vec(under.point)
    normal = add(level_or(vec(under.normal), up), level_or(found.normal, up))
    rise = rise_to(below, found.point, normal, up)
    most = straddles(creature, leg, rise)
    if abs(rise) <= 0.5 * most or is_shared(creature, i, found.point, up, 0.5 * most):
        return False
    stand = vec(foot.position) if foot.phase == STANDING else vec(foot.goal)
    if abs(rise_to(stand, found.point, normal, up)) > STEPS * leg.reach:
        return True
    if abs(rise) <= most:
        return False
    far = far_ahead(creature, i, sub(found.point, below), up)
    return abs(rise) > most + STAIRS * far and walks_on(creature, below, up, 0.5 * most)


@kernel
def far_ahead(creature: Creature, i: int, way: Vec, up: Vec) -> float:
    """How far a way leads ahead or back where a leg goes, of a body at rest how far at all [m]."""
    body = creature.trunk[creature.legs[i].segment]
    x, y, speed = ground_velocity(body, creature.legs[i])
    level = reject(way, up)
    if speed <= RESTS:
        return norm(level)
    return abs(dot(level, rotate(quat(body.orientation), (x / speed, y / speed, 0.0))))


@kernel
def minds(creature: Creature) -> bool:
    """Whether a creature keeps off brinks: not who climbs, nor who goes aside less safely.

    That is a body on few legs, which would fall to the other side, a trunk of segments, and a gait
    that reacts, whose feet wait for one another meanwhile.
    """
    plan, is_whole = creature.plan, creature.trunk.shape[0] == 1
    is_steady = plan.gait_kind == PHASE and creature.legs.shape[0] > FEW
    return bool(is_whole and is_steady and not plan.climbs)


@kernel
def level_or(normal: Vec, up: Vec) -> Vec:
    """A normal of ground, or up where that is none to stand on."""
    return normal if dot(normal, up) >= STEEPEST else up


@kernel
def rise_to(start: Vec, end: Vec, normal: Vec, up: Vec) -> float:
    """How much higher one point is than ground with a normal through another one [m]."""
    return dot(sub(end, start), normal) / dot(normal, up)


@kernel
def straddles(creature: Creature, leg: LegRecord, rise: float) -> float:
    """How much higher or lower than the ground under a body its foot stands at most [m]."""
    most = STRADDLES * leg.reach
    return float(min(most, HIPS * creature.plan.ride_height) if rise > 0.0 else most)


@kernel
def walks_on(creature: Creature, point: Vec, up: Vec, most: float) -> bool:
    """Whether any foot stands about as high as a point: not over a gap that it crosses."""
    for i in range(creature.feet.shape[0]):
        foot = creature.feet[i]
        if foot.phase == STANDING and abs(dot(sub(vec(foot.position), point), up)) <= most:
            return True
    return False


@kernel
def is_shared(creature: Creature, i: int, point: Vec, up: Vec, most: float) -> bool:
    """Whether a foot of the other side stands about as high as a point, or will: it lies ahead."""
    for k in range(creature.legs.shape[0]):
        foot = creature.feet[k]
        is_across = creature.legs[k].side != creature.legs[i].side and foot.phase != LOST
        if is_across and abs(dot(sub(vec(foot.goal), point), up)) <= most:
            return True
    return False


@kernel
def is_aslant(creature: Creature, i: int, found: Find, under: HitRecord, up: Vec) -> bool:
    """Whether ground is too high or low for a foot against that of the leg across.

    And it is this one that leaves the ground which the body walks on.

    Args:
        creature: whose foot it is.
        i: its leg.
        found: the ground where it would step.
        under: that below the leg's segment.
        up: against gravity.
    """
    legs = creature.legs
    if not minds(creature) or not under.is_hit:
        return False
    below = vec(under.point)
    if is_shared(creature, i, found.point, up, 0.5 * STRADDLES * legs[i].reach):
        return False
    for k in range(legs.shape[0]):
        other, foot = legs[k], creature.feet[k]
        if other.pair != legs[i].pair or other.side == legs[i].side or foot.phase == LOST:
            continue
        across = vec(foot.position) if foot.phase == STANDING else vec(foot.goal)
        ground = vec(foot.normal) if foot.phase == STANDING else vec(foot.goal_normal)
        normal = add(level_or(ground, up), level_or(found.normal, up))
        rise = rise_to(across, found.point, normal, up)
        own, its = dot(sub(found.point, below), up), dot(sub(across, below), up)
        far = far_ahead(creature, i, sub(found.point, below), up)
        most = straddles(creature, legs[i], rise) + SOON * STAIRS * far
        return abs(rise) > most and abs(own) > abs(its)
    return False


@kernel
def keep_off(
    creature: Creature, i: int, found: Find, under: HitRecord, gravity: GravityRecord
) -> Find:
    """What a leg has found, out of reach where that is cut off.

    It remembers whether its body should go aside. A foot that has long looked for another place
    goes there.

    Args:
        creature: whose leg it is.
        i: the leg.
        found: the ground where it would step.
        under: that below its segment.
        gravity: the field.
    """
    foot, foothold = creature.feet[i], creature.footholds[i]
    if not found.is_ground or not found.is_in_reach:
        return found
    up = up_at(gravity, found.point)
    is_cut = is_cut_off(creature, i, found, under, up)
    if is_cut or foothold.fallback == 0:
        foothold.is_cut_off = is_cut or is_aslant(creature, i, found, under, up)
    if is_cut and not (foot.phase == STANDING and foot.urgency > LAST_RESORT):
        return Find(found.point, found.normal, found.stretch, True, True, False, found.prop)
    return found


@kernel
def keep_aside(creature: Creature, x: float, y: float) -> tuple[float, float]:
    """Velocity that keeps a body off brinks beside it that shall go at (x, y) [m/s, segment].

    As fast, but half aside from the legs which would step over them.
    """
    speed = sqrt(x * x + y * y)
    aside = 0.0
    for i in range(creature.legs.shape[0]):
        leg = creature.legs[i]
        if creature.feet[i].phase != LOST and creature.footholds[i].is_cut_off:
            aside += 1.0 if x * leg.home[1] < y * leg.home[0] else -1.0
    if aside == 0.0 or speed < RESTS:
        return x, y
    sign = HALF_ROOT if aside > 0.0 else -HALF_ROOT
    return HALF_ROOT * x - sign * y, HALF_ROOT * y + sign * x


@kernel
def goes_aside(creature: Creature) -> bool:
    """Whether a brink leads a body aside."""
    for i in range(creature.feet.shape[0]):
        if creature.feet[i].phase != LOST and creature.footholds[i].is_cut_off:
            return True
    return False
