"""Which foot lifts, and when."""

from creature_sim.components import (
    BY_DISTANCE,
    BY_PHASE,
    FOUND,
    LOST,
    NOT_FOUND,
    NOT_SOUGHT,
    PHASE,
    SIDE,
    STANDING,
    TO_RECOVER,
    TO_SETTLE,
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
from creature_sim.locomotion.clearance import is_crowded
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gripping import FIRM, TOO_LONG, may_let_go
from creature_sim.locomotion.hips import twist_to
from creature_sim.locomotion.landing import is_in_the_air, keeps_off, may_land
from creature_sim.locomotion.prediction import (
    cycles_in,
    ground_velocity,
    hardly_moves,
    home_ahead,
    is_due,
    is_stopping,
)
from creature_sim.locomotion.reach import pitch_to, reach_in_world
from creature_sim.locomotion.search import RESTS, SHORTEST_STEP, gropes
from creature_sim.locomotion.setting_out import EAGER, gets_nowhere, prepares, sets_out
from creature_sim.locomotion.swing import are_neighbours, lift_off, seconds_to_touchdown
from creature_sim.locomotion.two_legs import is_pushed_off, steps_inwards
from creature_sim.maths import Z, distance, norm, put, quat, reject, rotate, sub, unrotate, vec
from creature_sim.maths.jit import kernel

SETTLE = 0.3
"""At rest a foot steps once if it is farther from home than this fraction of the stroke."""
OVERDUE = 0.75
"""A foot of a phase gait steps out of turn beyond this fraction of the stroke from home."""
PATIENCE = 0.2
"""A foot whose turn comes within this fraction of the cycle waits for it, unless it is strained."""
LATE = 0.6
"""Late in its turn a step must be longer by this fraction of the stroke: it may be done already."""
JOIN = 0.6
"""Where many feet of a reactive gait may be up, one that lifts takes others from this urgency. From
it on a foot also goes first where another one would tip the body."""
PRECEDENCE = 1.4
"""From this urgency on a foot that waits lifts before its neighbours."""
ALONE = 1.5
"""Urgency from which a foot of a reactive gait steps whoever's turn it is."""
TOGETHER = 1.2
"""Urgency up to which feet of a reactive gait that sets out step with one another."""
PITCHED = 0.95
"""Who climbs wants to step once a thigh pitches by more than this fraction of its limit."""
TWISTED = 0.8
"""A foot wants to step once its hip twists by more than this fraction of its limit."""
CROWDED = 1.5
"""Urgency of a foot whose leg is too near another one, or soon in the ground."""
IMPATIENCE = 0.5
"""How fast the urgency of a foot grows that should step and finds no ground [1/s]."""
STAYS = 4.0
"""...and no faster than this where it climbs, or its body gets nowhere: between two tries others
have a turn [1/s]."""
CALMS = 1.5
"""How fast the urgency of a foot falls that should step, of who climbs, where its body moves on: a
jerk to and fro frees no leg. Of a long trunk other feet need their turn meanwhile [1/s]."""
ADRIFT = 2.0
"""Urgency from which a foot leaves a place without knowing another one, where its body gets nowhere
or climbs; or, of who climbs, while it stands on few."""
ANEW = 1.4
"""Urgency of a foot that is set anew: the weight moves off it first."""


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
def update_urgency(creature: Creature, i: int, dt: float) -> None:
    """How urgent the step of a standing foot is: of one that finds no ground it only grows.

    With time as well where it should step: it would look for ever, and its body wait for it. So do
    all of who climbs that should step while it hardly moves: one after another they let go. None
    of them falls meanwhile, as a body may rock to and fro.
    """
    foot = creature.feet[i]
    if foot.phase == STANDING:
        urgency, reason = urgency_of(creature, i, dt)
        foothold = creature.footholds[i]
        feels = gropes(creature.plan, foothold)
        finds_nothing = foothold.status == NOT_FOUND or (feels and foothold.status == NOT_SOUGHT)
        waits = hardly_moves(creature.gait) if creature.plan.climbs else gets_nowhere(creature.gait)
        if finds_nothing and (creature.plan.climbs or waits):
            urgency = min(urgency, foot.urgency + STAYS * dt)
        if waits and urgency > 1.0:
            urgency = max(urgency, foot.urgency + IMPATIENCE * dt)
        elif waits and creature.plan.climbs:
            urgency = max(urgency, foot.urgency)
        elif creature.plan.climbs and creature.trunk.shape[0] == 1 and foot.urgency > 1.0:
            urgency = max(urgency, foot.urgency - CALMS * dt)
        if not finds_nothing or urgency > foot.urgency:
            foot.urgency, foot.reason = urgency, reason
        elif foot.urgency > 1.0:
            foot.urgency += IMPATIENCE * dt


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
def is_elsewhere(creature: Creature, i: int) -> bool:
    """Whether the place that a foot that stands found last is not where it stands."""
    foot, foothold = creature.feet[i], creature.footholds[i]
    shortest = SHORTEST_STEP * creature.gait.stroke
    return distance(vec(foothold.position), vec(foot.position)) > shortest


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


@kernel
def offset_from_home(creature: Creature, i: int) -> float:
    """Distance along the surface from a foot to where it should stand if it stood now [m]."""
    foot = creature.feet[i]
    orientation = quat(creature.trunk[creature.legs[i].segment].orientation)
    moved = (0.0, 0.0, 0.0)
    if not is_stopping(creature):  # who stops steps to where it will stand
        later = home_ahead(creature, i, seconds_to_touchdown(creature.plan, creature.gait, foot))
        moved = rotate(orientation, sub(later, home_ahead(creature, i, 0.0)))
    ideal = sub(vec(creature.footholds[i].aim), moved)
    return norm(reject(sub(vec(foot.position), ideal), rotate(orientation, Z)))


@kernel
def urgency_of(creature: Creature, i: int, dt: float) -> tuple[float, int]:
    """How urgent the step of a standing foot is, it should above 1; and why (see REASONS).

    Looked at a tick ahead: a foot that lifts now moves from the next tick on.
    """
    plan, gait, leg, foot = creature.plan, creature.gait, creature.legs[i], creature.feet[i]
    body = creature.trunk[leg.segment]
    _, _, speed = ground_velocity(body, leg)
    tolerated, reason = gait.stroke, BY_DISTANCE
    rests = speed < RESTS and gait.commanded_pace < RESTS  # who is only held up goes on soon
    if rests or is_stopping(creature):
        tolerated *= SETTLE
        reason = TO_SETTLE
    elif plan.gait_kind == PHASE:
        tolerated *= OVERDUE + 0.5  # the ideal is half a stroke ahead of home while walking
    urgency = (offset_from_home(creature, i) + speed * dt) / tolerated
    if plan.climbs and reason == TO_SETTLE:  # it has time: only who waits long lets go
        urgency = min(urgency, ADRIFT)
    if reason == BY_DISTANCE and plan.gait_kind != PHASE and sets_out(creature):
        urgency = max(urgency, min(urgency / EAGER, TOGETHER))
    until_turn = (gait.duty_factor - gait.phase - foot.phase_offset) % 1.0
    if reason == BY_DISTANCE and plan.gait_kind == PHASE and until_turn < PATIENCE:
        urgency = min(urgency, 1.0)
    position, orientation = vec(body.position), quat(body.orientation)
    far, stretch = reach_in_world(position, orientation, leg, vec(foot.position))
    strain = max(stretch / leg.soft_reach, 1.1 * leg.min_reach / max(far, 1e-9))
    strain = max(strain, twist_to(leg, orientation, foot) / TWISTED)
    if plan.climbs:
        place = unrotate(orientation, sub(vec(foot.position), position))
        strain = max(strain, pitch_to(leg, place) / PITCHED)
    may_press = SHORTEST_STEP < urgency < CROWDED and strain < CROWDED  # else it changes nothing
    if may_press and (creature.footholds[i].is_blocked or is_crowded(creature, i)):
        strain = CROWDED
    is_off = urgency > SHORTEST_STEP
    if not plan.climbs:  # a short step is worth it to a leg that may be what holds the body
        is_off = is_off or gets_nowhere(gait)
    elif creature.footholds[i].status != NOT_FOUND:  # round an edge it is deep below
        is_off = is_off or is_elsewhere(creature, i)
    if strain > 1.0 and is_off and strain > urgency:
        return float(strain), TO_RECOVER
    if gait.fidget == i + 1 and reason == TO_SETTLE:
        urgency = max(urgency, ANEW)
    return float(urgency), reason
