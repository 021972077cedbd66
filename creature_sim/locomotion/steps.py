"""Which foot lifts, and when."""

from creature_sim.components import (
    BY_DISTANCE,
    BY_PHASE,
    FOUND,
    LOST,
    NOT_FOUND,
    PHASE,
    SIDE,
    STANDING,
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    LegRecord,
    PlanRecord,
    Records,
    RecordTable,
)
from creature_sim.locomotion.balance import (
    crawls,
    hangs_beside,
    stand_count,
    stands_firm,
    would_tip,
)
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gripping import FIRM, TOO_LONG, may_let_go
from creature_sim.locomotion.landing import is_in_the_air, keeps_off, may_land
from creature_sim.locomotion.prediction import cycles_in, is_due
from creature_sim.locomotion.search import RESTS, SHORTEST_STEP
from creature_sim.locomotion.setting_out import gets_nowhere, prepares, sets_out
from creature_sim.locomotion.swing import are_neighbours, lift_off
from creature_sim.locomotion.two_legs import is_pushed_off, steps_inwards
from creature_sim.locomotion.urgency import ADRIFT, is_elsewhere, offset_from_home, update_urgency
from creature_sim.maths import put, vec
from creature_sim.maths.jit import kernel

LATE = 0.6
"""Late in its turn a step must be longer by this fraction of the stroke: it may be done already."""
JOIN = 0.6
"""Where many feet of a reactive gait may be up, one that lifts takes others from this urgency. From
it on a foot also goes first where another one would tip the body."""
PRECEDENCE = 1.4
"""From this urgency on a foot that waits lifts before its neighbours."""
ALONE = 1.5
"""Urgency from which a foot of a reactive gait steps whoever's turn it is."""


@kernel
def schedule(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    gravity: Records[GravityRecord],
    dt: float,
) -> None:
    """Lift feet: those whose turn it is, then those that are far from home.

    1. The phase advances with the displacement of the fastest home over the stride length; in
       phase gaits a leg is due while its own phase is in the swing part.
    2. Every other foot has an urgency: its distance from where it should stand now over the
       distance that its gait tolerates. The most urgent lifts first, while its neighbours are down.

    A step that would tip the body waits.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S).
        gaits: (N,); their phases advance.
        feet: (N, L); written.
        footholds: (N, L).
        gravity: (1,).
        dt: length of a tick [s].
    """
    for n in range(bodies.shape[0]):
        if gaits[n].flight or gaits[n].raised_count:
            continue
        creature = Creature(plan[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
        gait = gaits[n]
        cycles = cycles_in(gait, dt)
        gait.phase = (gait.phase + cycles) % 1.0
        for i in range(legs.shape[0]):
            update_urgency(creature, i, dt)
        if (
            creature.plan.gait_kind == PHASE and gait.pace >= RESTS and not prepares(creature)
        ):  # a foot that lifts now moves from the next tick on
            lift_in_turn(creature, gravity[0], gait.phase + cycles, dt)
        lift_urgent(creature, gravity[0], dt)


@kernel
def lift_in_turn(creature: Creature, gravity: GravityRecord, phase: float, dt: float) -> None:
    """Lift the feet of a phase gait that are due in a phase of the cycle, once in a turn."""
    for i in range(creature.legs.shape[0]):
        foot, foothold = creature.feet[i], creature.footholds[i]
        if not is_due(creature.gait, phase, foot):
            foot.has_stepped = 0
        elif (
            may_lift(foot, foothold)
            and not foot.has_stepped
            and is_worth_it(creature, i, phase)
            and not is_blocked_in_turn(creature, phase, i, dt)
            and not would_tip(creature, gravity, i, dt)
            and may_let_go(creature, i, dt)
        ):
            lift_off(foot, foothold, BY_PHASE)


@kernel
def is_worth_it(creature: Creature, i: int, phase: float) -> bool:
    """Whether a step in turn is long enough: the later in the turn, the longer it must be.

    Not while a body sets out on feet that all stand: nobody waits for it. Nor in a crawl on four
    legs, where it may have waited for another one: it would be stretched before its next turn.
    """
    gait, foot = creature.gait, creature.feet[i]
    far = offset_from_home(creature, i)
    late = ((phase + foot.phase_offset) % 1.0 - gait.duty_factor) / (1.0 - gait.duty_factor)
    more = 0.0 if crawls(creature) or sets_out(creature) else LATE * late
    return bool(far > (SHORTEST_STEP + more) * gait.stroke)


@kernel
def lift_urgent(creature: Creature, gravity: GravityRecord, dt: float) -> None:
    """Lift the feet that should step, the most urgent first.

    Where the body gets nowhere, and one would tip it, others that need a step less go first.
    """
    enough = 1.0
    for _ in range(creature.legs.shape[0]):
        urgent, urgency, tips = -1, enough, False
        for i in range(creature.legs.shape[0]):
            foot = creature.feet[i]
            if (
                foot.urgency > urgency
                and not (prepares(creature) and foot.reason == BY_DISTANCE)
                and (helps(creature, i) or lets_go(creature, i))
                and not is_blocked(creature, i, dt)
                and may_let_go(creature, i, dt)
            ):
                if holds_on(creature, gravity, i, dt) or not would_tip(creature, gravity, i, dt):
                    urgent, urgency = i, foot.urgency
                else:
                    tips = True
        if urgent < 0:
            if not tips or enough < 1.0 or not gets_nowhere(creature.gait):
                break
            enough = JOIN
            continue
        foot = creature.feet[urgent]
        if not may_lift(foot, creature.footholds[urgent]):  # back to where it is, if to nowhere
            put(creature.footholds[urgent].position, vec(foot.position))
            put(creature.footholds[urgent].normal, vec(foot.goal_normal))
            creature.footholds[urgent].prop = foot.prop
        lift_off(foot, creature.footholds[urgent], foot.reason)
        if creature.plan.gait_kind != PHASE and creature.plan.alternation != SIDE:
            enough = JOIN


@kernel
def may_lift(foot: FootRecord, foothold: FootholdRecord) -> bool:
    """Whether a foot stands and knows where to go."""
    return bool(foot.phase == STANDING and foothold.status == FOUND)


@kernel
def helps(creature: Creature, i: int) -> bool:
    """Whether a foot knows where to go, and that of who climbs is elsewhere: it may find no more.

    A neighbour that waits for it would wait for ever.
    """
    foot, foothold = creature.feet[i], creature.footholds[i]
    if not may_lift(foot, foothold) or not creature.plan.climbs or creature.gait.fidget == i + 1:
        return may_lift(foot, foothold)
    return is_elsewhere(creature, i)


@kernel
def lets_go(creature: Creature, i: int) -> bool:
    """Whether a foot is let go that finds no place: its body would wait for ever."""
    foot = creature.feet[i]
    finds_nothing = creature.footholds[i].status == NOT_FOUND
    is_late = foot.phase == STANDING and foot.urgency > ADRIFT
    waits = creature.plan.climbs or gets_nowhere(creature.gait)
    return bool(waits and finds_nothing and is_late)


@kernel
def holds_on(creature: Creature, gravity: GravityRecord, i: int, dt: float) -> bool:
    """Whether the other feet of who climbs hold it while one lifts that holds it up.

    A late one, or one without which another leg has no room to land: that would wait for ever. Not
    where the body would hang beside the others, unless it has waited too long and knows a place, or
    enough others stand.
    """
    foot = creature.feet[i]
    if not creature.plan.climbs or creature.gait.pace >= RESTS or foot.phase != STANDING:
        return False
    if foot.urgency > TOO_LONG and (helps(creature, i) or stand_count(creature) > FIRM):
        return True
    if hangs_beside(creature, gravity, i, dt):
        return False
    if foot.urgency > ADRIFT:
        return True
    for other in range(creature.legs.shape[0]):
        phase = creature.feet[other].phase
        if other != i and phase != STANDING and phase != LOST and keeps_off(creature, i, other):
            return True
    return False


@kernel
def are_alike(one: LegRecord, other: LegRecord) -> bool:
    """Whether two legs step together where every other one does, across and along."""
    return bool((one.pair + other.pair) % 2 == (one.side != other.side))


@kernel
def is_blocked_in_turn(creature: Creature, phase: float, i: int, dt: float) -> bool:
    """Whether a leg whose turn it is must wait for a neighbour in the air out of turn."""
    legs = creature.legs
    for other in range(legs.shape[0]):
        if (
            other != i
            and is_in_the_air(creature, other, dt)
            and are_neighbours(legs[i], legs[other])
            and not is_due(creature.gait, phase, creature.feet[other])
        ):
            return True
    return False


@kernel
def gives_precedence(creature: Creature, i: int) -> bool:
    """Whether a leg of a gait that reacts has a neighbour that waits to lift, and needs it more."""
    if creature.plan.gait_kind == PHASE:
        return False
    most = max(PRECEDENCE, creature.feet[i].urgency)
    for other in range(creature.legs.shape[0]):
        foot = creature.feet[other]
        if (
            foot.urgency > most
            and helps(creature, other)
            and are_neighbours(creature.legs[i], creature.legs[other])
        ):
            return True
    return False


@kernel
def is_blocked(creature: Creature, i: int, dt: float) -> bool:
    """Whether a leg must wait for one that is in the air, or that needs a step more.

    A neighbour; in reactive gaits any of its side, or, unless it is urgent, one that takes turns
    with it: every other leg steps with its like, so that nobody is left over. Where the body
    stands still, it does not wait for a neighbour that waits for it, nor for ever for any that
    reaches nothing, whose place is taken, or that tries again and again. Of two legs that are
    pushed aside the one ahead goes first. In a run no leg waits.
    """
    if creature.gait.run:
        return False
    if gives_precedence(creature, i) or (is_pushed_off(creature) and steps_inwards(creature, i)):
        return True
    legs, is_reactive = creature.legs, creature.plan.gait_kind != PHASE
    side_waits = is_reactive and creature.plan.alternation == SIDE
    is_resting = creature.gait.pace < RESTS
    takes_turns = is_reactive and not side_waits and creature.feet[i].urgency < ALONE
    passes, foot = passes_over(creature, i), creature.feet[i]
    is_tired = creature.plan.climbs and foot.urgency > TOO_LONG and helps(creature, i)
    for other in range(legs.shape[0]):
        if other != i and is_in_the_air(creature, other, dt):
            if passes and (is_tired or not may_land(creature, other)):
                continue
            if are_neighbours(legs[i], legs[other]):
                is_pair = legs[i].pair == legs[other].pair
                waits = keeps_off(creature, i, other) and not is_pair
                if is_resting and waits:
                    continue
                return True
            if side_waits and legs[i].side == legs[other].side:
                return True
            if takes_turns and not are_alike(legs[i], legs[other]):
                return True
    return False


@kernel
def passes_over(creature: Creature, i: int) -> bool:
    """Whether a leg waits for no foot in the air that cannot land: it might wait for ever.

    Of who walks one late leg, over feet that hold the weight; of long trunks none, whose other
    segments go on meanwhile and would drag it.
    """
    gait = creature.gait
    if creature.plan.climbs:
        return bool(gait.pace < RESTS)
    if creature.trunk.shape[0] > 1:
        return False
    is_late = creature.feet[i].urgency > ADRIFT and gets_nowhere(gait)
    return bool(is_late and stands_firm(creature.plan, creature.legs, gait))
