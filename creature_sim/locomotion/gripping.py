"""What the feet of who climbs hold: its weight on walls and below ceilings, and against pushes."""

from math import inf, sqrt

from creature_sim.components import (
    FOUND,
    LOST,
    STANDING,
    BodyRecord,
    FootRecord,
    GravityRecord,
    Records,
)
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.footing import AGREE
from creature_sim.locomotion.gravity import TIPPED, levelness, up_at
from creature_sim.locomotion.landing import is_free, is_held, will_land
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import (
    Vec,
    Z,
    add,
    along,
    clamp,
    dot,
    norm,
    put,
    quat,
    reject,
    rotate,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

LEAST_PULL = 1e-3
"""A foot on level ground has to hold this part of the weight at least: its grip is no limit."""
GIVES = 0.2
"""Legs give way to what tears at them by this fraction of their reach before feet come off."""
FIRM = 3
"""Who climbs lifts no foot unless so many others stand, or half of its feet, if that is less."""
LONG, TOO_LONG = 2.0, 8.0
"""A foot of the first urgency has waited long; one of the second lets go as long as any other
stands, see `may_let_go`: it holds its body where that can go nowhere."""
ENDLESS = 12.0
"""From this urgency on it waits for nothing: others may try to land for ever."""
FLIPS = 2.0
"""A body turns in the air up to this multiple of the root of g over its reach."""


@kernel
def pull_at(gravity: GravityRecord, foot: FootRecord) -> float:
    """How much of its weight a foot has to hold where it stands, for each that it carries.

    On a floor nothing, on a slope the sine, on a wall and below it all.
    """
    level = dot(vec(foot.goal_normal), up_at(gravity, vec(foot.position)))
    level = clamp(level, 0.0, 1.0)
    return float(max(LEAST_PULL, sqrt(1.0 - level * level)))


@kernel
def held(creature: Creature, gravity: GravityRecord) -> float:
    """How many times its weight the feet hold that stand."""
    whole = 0.0
    for i in range(creature.legs.shape[0]):
        foot = creature.feet[i]
        if foot.phase == STANDING:
            whole += creature.plan.grip / pull_at(gravity, foot)
    return whole


@kernel
def may_let_go(creature: Creature, i: int, dt: float) -> bool:
    """Whether enough other feet hold who climbs while one lifts; those land in this tick too.

    Feet that find nothing would else let go one after the other, until none is left. Where those in
    the air all reach nothing, one that has waited long and knows a place goes there with one less.
    Unless for such a step those that hold are not all on one side: a body would hang beside them.
    Nor does the last foot let go on what the body faces: it would be tipped over. One that has
    waited too long only needs another one that stands. But it waits for one that is about to land;
    and the last one of its side stays, while three of the other one hold, until it knows a place.

    Args:
        creature: whose foot it is.
        i: its leg.
        dt: length of a tick [s].
    """
    if not creature.plan.climbs:
        return True
    others = stand = side = stand_side = 0
    knows, urgency = creature.footholds[i].status == FOUND, creature.feet[i].urgency
    is_alone, is_late, is_one_landing = urgency > LONG and knows, urgency > TOO_LONG, False
    for other in range(creature.legs.shape[0]):
        phase = creature.feet[other].phase
        if other == i or phase == LOST:
            continue
        others += 1
        side += creature.legs[other].side
        if phase == STANDING or will_land(creature, other, dt):
            stand += 1
            stand_side += creature.legs[other].side
        elif is_held(creature, other):
            is_alone = False
            is_one_landing = is_one_landing or (is_late and is_free(creature, other))
    is_one_sided = abs(side) < others and abs(stand_side) == stand
    if is_late:
        is_last_aside = is_one_sided and stand >= FIRM and not knows
        waits = (is_one_landing or is_last_aside) and urgency < ENDLESS
        return stand > 0 and not waits
    least = min(FIRM - is_alone, (others + 1) // 2)
    if stand < least or not (is_alone or least == 1 or not is_one_sided):
        return False
    return is_toppled(creature, -1) or not is_toppled(creature, i)


@kernel
def is_toppled(creature: Creature, leaves: int) -> bool:
    """Whether a body is tipped by more than 60 degrees off what its feet stand on, and off each.

    Feet on both sides of something thin hold it whichever way it faces.

    Args:
        creature: that stands.
        leaves: a foot that does not count; -1: all do.
    """
    up = rotate(quat(creature.trunk[0].orientation), Z)
    whole, count = (0.0, 0.0, 0.0), 0.0
    for i in range(creature.legs.shape[0]):
        foot = creature.feet[i]
        if foot.phase == STANDING and i != leaves:
            normal = vec(foot.goal_normal)
            if dot(normal, up) >= TIPPED:
                return False
            whole, count = add(whole, normal), count + 1.0
    return norm(whole) > AGREE * count and dot(whole, up) < TIPPED * norm(whole)


@kernel
def slips(creature: Creature, gravity: GravityRecord) -> bool:
    """Whether the feet of who climbs hold less than gravity pulls, where its weight counts."""
    plan = creature.plan
    if not (plan.climbs and plan.weight_keeps):
        return False
    return held(creature, gravity) < 1.0 + plan.load


@kernel
def clings(creature: Creature, gravity: GravityRecord) -> bool:
    """Whether a body is on ground so steep that its feet have to hold it there."""
    return levelness(creature.plan, gravity, creature.trunk[0]) < STEEPEST


@kernel
def tear_off(trunk: Records[BodyRecord], velocity: Vec) -> None:
    """Throw a trunk off what it stands on, by a velocity [m/s, world]; all of it is written."""
    for s in range(trunk.shape[0]):
        x, y, z = unrotate(quat(trunk[s].orientation), velocity)
        put(trunk[s].velocity, add(vec(trunk[s].velocity), (x, y, 0.0)))
        trunk[s].climb = z


@kernel
def is_torn(creature: Creature, gravity: GravityRecord, velocity: Vec) -> bool:
    """Whether a push [m/s, world] takes a body off steep ground.

    Its energy is more than what its feet do against it as its legs give way. Into the ground no
    push takes anything off.
    """
    plan = creature.plan
    if not plan.climbs:
        return False
    up = rotate(quat(creature.trunk[0].orientation), Z)
    out = max(0.0, dot(velocity, up))
    level = norm(reject(velocity, up))
    spare = max(0.0, held(creature, gravity) - 1.0 - plan.load)
    holds = 2.0 * GIVES * plan.reach * gravity.acceleration * spare
    return out * out + level * level > holds


@kernel
def pushed_off(
    creature: Creature, gravity: GravityRecord, velocity: Vec, spread: float, seconds: float
) -> Vec:
    """Velocity [m/s, world] of a body that lets go of a wall, and so lands clear of it.

    Args:
        creature: that falls.
        gravity: the field.
        velocity: of its centre [m/s, world].
        spread: how far its feet stand from its middle [m].
        seconds: that it would fall.
    """
    up = rotate(quat(creature.trunk[0].orientation), Z)
    plumb = up_at(gravity, vec(creature.trunk[0].position))
    away = reject(up, plumb)
    if dot(away, away) < STEEPEST * STEEPEST:
        return velocity
    away = unit(away, up)
    needed = (spread - creature.plan.ride_height) / max(seconds, 1e-3)
    fastest = sqrt(gravity.acceleration * creature.plan.reach)
    return along(velocity, away, max(0.0, min(needed, fastest) - dot(velocity, away)))


@kernel
def fastest_turn(creature: Creature, gravity: GravityRecord) -> float:
    """How fast who climbs turns in the air at most, to come down on its feet [rad/s]."""
    if not creature.plan.climbs:
        return inf
    return float(FLIPS * sqrt(gravity.acceleration / creature.plan.reach))
