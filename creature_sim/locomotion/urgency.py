"""How urgent the step of a standing foot is, and why."""

from creature_sim.components import (
    BY_DISTANCE,
    NOT_FOUND,
    NOT_SOUGHT,
    PHASE,
    STANDING,
    TO_RECOVER,
    TO_SETTLE,
)
from creature_sim.locomotion.balance import stand_count
from creature_sim.locomotion.clearance import is_aloft, is_crowded
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gripping import FIRM
from creature_sim.locomotion.hips import twist_to
from creature_sim.locomotion.prediction import (
    ground_velocity,
    hardly_moves,
    home_ahead,
    is_stopping,
)
from creature_sim.locomotion.reach import pitch_to, reach_in_world
from creature_sim.locomotion.search import RESTS, SHORTEST_STEP, gropes
from creature_sim.locomotion.setting_out import EAGER, gets_nowhere, sets_out
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.maths import Z, distance, norm, quat, reject, rotate, sub, unrotate, vec
from creature_sim.maths.jit import kernel

SETTLE = 0.3
"""At rest a foot steps once if it is farther from home than this fraction of the stroke."""
OVERDUE = 0.75
"""A foot of a phase gait steps out of turn beyond this fraction of the stroke from home."""
PATIENCE = 0.2
"""A foot whose turn comes within this fraction of the cycle waits for it, unless it is strained."""
TOGETHER = 1.2
"""Urgency up to which feet of a reactive gait that sets out step with one another."""
PITCHED = 0.95
"""Who climbs wants to step once a thigh pitches by more than this fraction of its limit."""
TWISTED = 0.8
"""A foot wants to step once its hip twists by more than this fraction of its limit."""
CROWDED = 1.5
"""Urgency of a foot whose leg is too near another one, or soon in the ground."""
PAIR = 2
"""Who climbs on so many feet only, as others hang in the air, does not get on, however it moves."""
IMPATIENCE = 0.5
"""How fast the urgency of a foot grows that should step and finds no ground [1/s]."""
HURRIES = 3.0
"""...and so many times as fast where a climber hardly moves while others hang in the air, two of
them or one of three: it comes nowhere until one of those steps that stand."""
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
        waits = gets_nowhere(creature.gait)
        if creature.plan.climbs:
            waits = hardly_moves(creature.gait) or hangs_on_two(creature)
        impatience = IMPATIENCE * (HURRIES if waits and hangs_on_few(creature) else 1.0)
        if finds_nothing and (creature.plan.climbs or waits):
            urgency = min(urgency, foot.urgency + STAYS * dt)
        if waits and urgency > 1.0:
            urgency = max(urgency, foot.urgency + impatience * dt)
        elif waits and creature.plan.climbs:
            urgency = max(urgency, foot.urgency)
        elif creature.plan.climbs and creature.trunk.shape[0] == 1 and foot.urgency > 1.0:
            urgency = max(urgency, foot.urgency - CALMS * dt)
        if not finds_nothing or urgency > foot.urgency:
            foot.urgency, foot.reason = urgency, reason
        elif foot.urgency > 1.0:
            foot.urgency += impatience * dt


@kernel
def hangs_on_few(creature: Creature) -> bool:
    """Whether who climbs stands on few feet while others hang in the air: those go nowhere.

    On three and half of its own at most while one hangs, or on any while two do.
    """
    if not creature.plan.climbs:
        return False
    whole = creature.legs.shape[0] - creature.gait.lost_count
    return hung_count(creature) > (0 if stand_count(creature) <= min(FIRM, whole // 2) else 1)


@kernel
def hangs_on_two(creature: Creature) -> bool:
    """Whether who climbs stands on two feet at most while another one hangs in the air.

    It may rock on them for ever, and go nowhere.
    """
    return bool(stand_count(creature) <= PAIR and hung_count(creature) > 0)


@kernel
def hung_count(creature: Creature) -> int:
    """How many feet of who climbs hang in the air."""
    count = 0
    for i in range(creature.legs.shape[0]):
        count += is_aloft(creature, i)
    return count


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
def is_elsewhere(creature: Creature, i: int) -> bool:
    """Whether the place that a foot that stands found last is not where it stands."""
    foot, foothold = creature.feet[i], creature.footholds[i]
    shortest = SHORTEST_STEP * creature.gait.stroke
    return distance(vec(foothold.position), vec(foot.position)) > shortest
