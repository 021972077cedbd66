"""Setting out: a body that stands leans and shifts its weight before a foot lifts.

People do so too: in the second before the first step the weight goes over the foot that stays, and
ahead (Breniere and Do 1986). Where a turn begins, the body looks there before it goes there.
"""

from creature_sim.components import (
    LOST,
    PHASE,
    STANDING,
    GaitRecord,
    PlanRecord,
)
from creature_sim.locomotion.balance import is_upright
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.prediction import SLOWER, hardly_moves, is_due
from creature_sim.locomotion.search import RESTS
from creature_sim.locomotion.tempi import own_of
from creature_sim.locomotion.workspace import pace_of
from creature_sim.maths import Vec, add, clamp, scale, vec
from creature_sim.maths.jit import kernel

REACTS = 0.35
"""Creatures of a herd that are told to go do so within this time, each after one of its own [s]."""
PREPARES = 0.9
"""So many oscillations of a body on its legs pass before a foot lifts, and before it turns."""
SOON = 0.1
"""Feet of a phase gait whose turn comes within this fraction of the cycle lift first..."""
ALMOST = 0.8
"""...of a reactive gait those that are as urgent as this fraction of the most urgent one."""
EAGER = 0.35
"""While all stand, feet of a reactive gait that sets out tolerate this fraction of a stroke."""
LEANS = 3.0
"""It leans by this multiple of what its acceleration asks for at first."""
OVER = 0.1
"""The weight moves by this fraction of the way over those that stay."""
LOOKS = 0.12
"""A body looks to where it will have turned after so long at what it is asked to gain [s]..."""
STRAIGHT = 0.05
"""Who turns slower than at this fraction of the fastest goes straight on."""
FARTHEST = 0.08
"""...and turns no farther for it [rad]."""


@kernel
def seconds_to_prepare(plan: PlanRecord) -> float:
    """How long a body prepares [s]; 0: it goes as on rails."""
    return float(min(1.0, plan.weight) * PREPARES / plan.frequency)


@kernel
def reacts(creature: Creature, pace: float, dt: float) -> bool:
    """Whether a creature that rests has noticed that it is told to go: each after its own time.

    Args:
        creature: its poise is written: less than 0 [s] until it reacts.
        pace: that is asked for [m/s].
        dt: length of a tick [s].
    """
    gait = creature.gait
    if pace < RESTS or gait.age == 0:
        if gait.pace < RESTS:
            late = REACTS * min(1.0, creature.plan.weight)
            gait.poise = -late * own_of(gait)
    elif gait.poise < 0.0:
        gait.poise = min(0.0, gait.poise + dt)
    return bool(gait.poise >= 0.0)


@kernel
def prepare(creature: Creature, yaw_rate: float, dt: float) -> tuple[float, float]:
    """Let the poise of a body grow that sets out, and its bend where it is asked for a turn.

    Over two feet it has to fall before it goes, and needs no more time.

    Args:
        creature: its gait is written.
        yaw_rate: that is asked for [rad/s].
        dt: length of a tick [s].

    Returns:
        Its poise and its bend as the tick begins, 0 to 1: velocities are those of the middles of
        ticks, half a tick before and after. A turn of next to nothing needs no bend.
    """
    plan, gait = creature.plan, creature.gait
    body, seconds = creature.trunk[gait.leader], seconds_to_prepare(plan)
    going = pace_of(creature.legs, body.velocity[0], body.velocity[1], body.yaw_rate)
    gait.turning = yaw_rate - body.yaw_rate
    if seconds == 0.0 or is_upright(creature.legs, gait):
        if gait.poise >= 0.0:
            gait.poise = 1.0
        gait.bend = 1.0
        return (1.0, 1.0)
    poise, bend, straight = max(0.0, gait.poise), 1.0, STRAIGHT * plan.turn_rate
    if gait.commanded_pace < RESTS and going < RESTS:
        poise, gait.poise = 0.0, min(0.0, gait.poise)
    elif gait.poise <= 0.0 and going >= RESTS:  # it was pushed
        poise = gait.poise = 1.0
    else:
        gait.poise = min(1.0, gait.poise + dt / seconds)
    if abs(yaw_rate) < straight and abs(body.yaw_rate) < straight:
        gait.bend = 0.0
    else:
        bend = gait.bend
        gait.bend = min(1.0, gait.bend + dt / seconds)
    return (poise, bend)


@kernel
def prepares(creature: Creature) -> bool:
    """Whether a body is about to set out, its feet still where they stood.

    Long trunks have so many feet that their first ones lift at once.
    """
    return bool(creature.trunk.shape[0] == 1 and 0.0 < creature.gait.poise < 1.0)


@kernel
def sets_out(creature: Creature) -> bool:
    """Whether a body is on its way before its first foot is."""
    gait = creature.gait
    for i in range(creature.feet.shape[0]):
        phase = creature.feet[i].phase
        if phase != STANDING and phase != LOST:
            return False
    return bool(creature.plan.weight > 0.0 and gait.pace < SLOWER * gait.commanded_pace)


@kernel
def lifts_first(creature: Creature, i: int) -> bool:
    """Whether a foot will lift before others do."""
    gait, foot = creature.gait, creature.feet[i]
    if creature.plan.gait_kind == PHASE:
        return is_due(gait, gait.phase, foot) or is_due(gait, gait.phase + SOON, foot)
    most = 0.0
    for other in range(creature.feet.shape[0]):
        if creature.feet[other].phase == STANDING:
            most = max(most, creature.feet[other].urgency)
    return bool(foot.urgency >= ALMOST * most)


@kernel
def load_of(creature: Creature, i: int) -> float:
    """What a foot should press, as a fraction of what it does where it stands."""
    if creature.feet[i].phase != STANDING:
        return 0.0
    return 1.0 - creature.gait.poise if prepares(creature) and lifts_first(creature, i) else 1.0


@kernel
def leaning(creature: Creature) -> Vec:
    """Acceleration ahead of the plan with which a body begins to go [m/s^2, segment]."""
    gait = creature.gait
    if creature.plan.weight == 0.0 or gait.pace >= gait.commanded_pace:
        return (0.0, 0.0, 0.0)
    return scale(vec(gait.acceleration), LEANS * (1.0 - gait.pace / gait.commanded_pace))


@kernel
def turns_ahead(gait: GaitRecord) -> float:
    """How far a body looks to where it turns [rad]."""
    return clamp(LOOKS * gait.turning, -FARTHEST, FARTHEST)


@kernel
def over_those_that_stay(creature: Creature, s: int) -> Vec:
    """How far the weight of a segment goes over feet that press while it prepares [m, segment]."""
    feet, whole, count = creature.feet, 0.0, 0
    pressed = middle = (0.0, 0.0, 0.0)
    for i in range(feet.shape[0]):
        if creature.legs[i].segment == s and feet[i].phase == STANDING:
            home = vec(creature.legs[i].home)
            count += 1
            whole += feet[i].load
            middle = add(middle, home)
            pressed = add(pressed, scale(home, feet[i].load))
    if whole == 0.0 or not prepares(creature):
        return (0.0, 0.0, 0.0)
    x, y, _ = add(scale(pressed, OVER / whole), scale(middle, -OVER / count))
    return (x, y, 0.0)


@kernel
def gets_nowhere(gait: GaitRecord) -> bool:
    """Whether a creature hardly moves, though no wall, border or other creature is in its way."""
    return bool(gait.is_held == 0 and hardly_moves(gait))
