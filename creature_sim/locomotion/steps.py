"""Which foot lifts, and when."""

from creature_sim.components import (
    BY_DISTANCE,
    BY_PHASE,
    PHASE,
    SIDE,
    TO_RECOVER,
    TO_SETTLE,
    Record,
    Records,
)
from creature_sim.locomotion.balance import would_tip
from creature_sim.locomotion.prediction import cycles_in, ground_velocity, is_due, travel
from creature_sim.locomotion.reach import hip_of
from creature_sim.locomotion.swing import lands, lift, seconds_to_touchdown
from creature_sim.maths import Z, distance, norm, quat, reject, rotate, sub, vec
from creature_sim.maths.jit import kernel

SETTLE = 0.3
"""At rest a foot steps once if it is farther from home than this share of the stance's way."""


OVERDUE = 0.75
"""A foot of a phase gait steps out of turn beyond this share of the stance's way from home."""


PATIENCE = 0.2
"""A foot whose turn comes within this share of the cycle waits for it, unless it is strained."""


LATE = 0.6
"""Towards the end of its turn a step must be longer by this share: it may be done already."""


JOIN = 0.85
"""Where feet react and many may be up at once, one that lifts takes others from this need on."""


SHORTEST = 0.1
"""A step shorter than this share of the stance's way is not worth lifting a foot for."""


@kernel
def schedule(
    plan: Records, legs: Records, bodies: Records, gaits: Records, feet: Records, dt: float
) -> None:
    """Lift feet: those whose place in the cycle it is, then those that are far from home.

    1. The phase advances with the way of the fastest home over the stride length; in phase gaits a
       leg is due while its own phase is in the swing part.
    2. Every other foot has a need: its distance from where it should stand now over the distance
       that its gait tolerates. The neediest lifts first, while its neighbours are down.

    A step that would tip the body waits.
    """
    limits = plan[0]
    leg_count = legs.shape[0]
    for n in range(bodies.shape[0]):
        trunk, gait = bodies[n], gaits[n]
        cycles = cycles_in(gait, dt)
        gait.phase = (gait.phase + cycles) % 1.0
        for i in range(leg_count):
            leg, foot = legs[i], feet[n, i]
            if not foot.is_swinging:
                need, reason = need_to_step(limits, gait, trunk[leg.segment], leg, foot, dt)
                if foot.has_foothold != 0 or need > foot.need:
                    foot.need, foot.reason = need, reason
        if limits.gait == PHASE:
            ahead = gait.phase + cycles  # a foot that lifts now moves from the next tick on
            for i in range(leg_count):
                leg, foot = legs[i], feet[n, i]
                if may_lift(foot) and is_due(gait, ahead, foot):
                    far = offset_from_home(limits, gait, trunk[leg.segment], leg, foot)
                    late = ((ahead + foot.offset) % 1.0 - gait.duty_factor) / (
                        1.0 - gait.duty_factor
                    )
                    _, _, speed = ground_velocity(trunk[leg.segment], leg)
                    own = speed / max(gait.pace, 1e-9)  # share of the way of the fastest home
                    if (
                        far > (SHORTEST + LATE * late * own) * gait.stance_length
                        and not is_blocked_in_turn(limits, gait, ahead, legs, feet[n], i, dt)
                        and not would_tip(limits, legs, trunk, gait, feet[n], i)
                    ):
                        lift(foot, BY_PHASE)
        enough = 1.0
        for _ in range(leg_count):
            neediest, most = -1, enough
            for i in range(leg_count):
                foot = feet[n, i]
                if (
                    foot.need > most
                    and may_lift(foot)
                    and not is_blocked(limits, gait, legs, feet[n], i, dt)
                    and not would_tip(limits, legs, trunk, gait, feet[n], i)
                ):
                    neediest, most = i, foot.need
            if neediest < 0:
                break
            lift(feet[n, neediest], feet[n, neediest].reason)
            if limits.gait != PHASE and limits.alternation != SIDE:
                enough = JOIN


@kernel
def may_lift(foot: Record) -> bool:
    """Whether a foot stands and knows where to go."""
    return bool(foot.is_swinging == 0 and foot.has_foothold == 1)


@kernel
def are_neighbours(a: Record, b: Record) -> bool:
    """Whether two legs are a pair, or next to each other on one side."""
    if a.pair == b.pair:
        return True
    return bool(a.side == b.side and abs(a.pair - b.pair) == 1)


@kernel
def is_blocked_in_turn(
    plan: Record, gait: Record, phase: float, legs: Records, feet: Records, i: int, dt: float
) -> bool:
    """Whether a leg whose turn it is must wait for a neighbour that is in the air out of turn.

    One that lands in this tick is waited for no more.
    """
    for other in range(legs.shape[0]):
        if (
            other != i
            and feet[other].is_swinging
            and not feet[other].is_lost
            and are_neighbours(legs[i], legs[other])
            and not is_due(gait, phase, feet[other])
            and not lands(plan, gait, feet[other], dt)
        ):
            return True
    return False


@kernel
def is_blocked(plan: Record, gait: Record, legs: Records, feet: Records, i: int, dt: float) -> bool:
    """Whether a leg must wait for one that is in the air: a neighbour, or any of its side.

    One that lands in this tick is waited for no more.
    """
    side_waits = plan.gait != PHASE and plan.alternation == SIDE
    for other in range(legs.shape[0]):
        foot = feet[other]
        if other != i and foot.is_swinging and not foot.is_lost and not lands(plan, gait, foot, dt):
            if are_neighbours(legs[i], legs[other]):
                return True
            if side_waits and legs[i].side == legs[other].side:
                return True
    return False


@kernel
def offset_from_home(plan: Record, gait: Record, body: Record, leg: Record, foot: Record) -> float:
    """Distance along the surface from a foot to where it should stand if it stood now [m]."""
    orientation = quat(body.orientation)
    way = rotate(orientation, travel(body, leg, seconds_to_touchdown(plan, gait, foot)))
    ideal = sub(vec(foot.aim), way)
    return norm(reject(sub(vec(foot.position), ideal), rotate(orientation, Z)))


@kernel
def need_to_step(
    plan: Record, gait: Record, body: Record, leg: Record, foot: Record, dt: float
) -> tuple[float, int]:
    """How much a standing foot needs to step, it should above 1; and why (see REASONS).

    Looked at a tick ahead: a foot that lifts now moves from the next tick on.
    """
    _, _, speed = ground_velocity(body, leg)
    tolerated, reason = gait.stance_length, BY_DISTANCE
    if speed < 1e-3:
        tolerated *= SETTLE
        reason = TO_SETTLE
    elif plan.gait == PHASE:
        tolerated *= OVERDUE + 0.5  # the ideal is half a stance ahead of home while walking
    need = (offset_from_home(plan, gait, body, leg, foot) + speed * dt) / tolerated
    until_turn = (gait.duty_factor - gait.phase - foot.offset) % 1.0
    if reason == BY_DISTANCE and plan.gait == PHASE and until_turn < PATIENCE:
        need = min(need, 1.0)
    hip = hip_of(vec(body.position), quat(body.orientation), leg)
    length = distance(hip, vec(foot.position))
    strain = max(length / (leg.comfort * leg.reach), 1.1 * leg.inner / length)
    if strain > 1.0 and need > SHORTEST and strain > need:
        return float(strain), TO_RECOVER
    return float(need), reason
