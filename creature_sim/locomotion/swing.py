"""Swings in time: how fast a foot in the air goes, and when it lands."""

from math import inf

from creature_sim.components import (
    BY_PHASE,
    FLYING,
    LIFTING,
    LOST,
    PHASE,
    STANDING,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    LegRecord,
    PlanRecord,
)
from creature_sim.locomotion.creature import Creature
from creature_sim.maths import Vec, clamp, dot, put, vec
from creature_sim.maths.jit import kernel

HURRY = 1.5
"""A late foot swings faster by this factor at most."""
HASTE = 0.5
"""Feet swing faster by this fraction where the body stumbles, as far as their legs can."""
SHORTEST_SWING = 0.12
"""No foot is asked to swing faster than this, however light [s]."""
UNHURRIED = 1.5
"""A reactive gait that goes slowly takes this many times its swing time at most."""
EASE = 0.78
"""Fraction of its top speed that a reactive gait is asked for: it needs time to notice."""
IN_NEED = 1.5
"""From this urgency on a foot that stands lets the body wait for those in the air..."""
SPARE = 1.4
"""...and with none it may go faster by this factor."""
LATENCY = 0.01
"""A foot needs so long to lift and to land, beside its swing [s]."""
TICKS = 1.5
"""To lift and to land takes so many ticks beside a swing."""
LATE = 0.04
"""A body goes on as long as a foot in the air is late by less than this fraction of the cycle..."""
WAITS = 0.5
"""...or by this fraction of what is left until the turn of a neighbour, which would wait for it."""
PATIENT = 3.0
"""For feet a body slows down by this multiple of its usual acceleration."""
FASTER = 1.01
"""Who goes ahead at more than this multiple of its walking speed runs."""
SLOWEST = 0.25
"""A foot that waits in the air counts as one that goes at this fraction of its usual rate."""


@kernel
def swing_rate(plan: PlanRecord, gait: GaitRecord, foot: FootRecord) -> float:
    """Fraction of its swing's time that a foot should spend in a second [1/s].

    Phase gaits measure it in displacement of the home that moves fastest, for all legs alike. A
    late foot hurries, within bounds, to stand when its phase says so. That is judged by the
    commanded pace, because a body that waits for the foot goes slower meanwhile. It is never slower
    than the plan's swing time, so that no foot hangs in the air when the body slows down. A
    reactive gait takes its time where it does not go at full speed. What a foot can do is another
    matter: see `flight.swing`.
    """
    going = max(gait.pace, gait.commanded_pace)
    if plan.gait_kind != PHASE:
        slow = clamp(plan.speed / max(going, 1e-9), 1.0, UNHURRIED)
        return float((1.0 + HASTE * gait.stumble) / (slow * plan.swing_time))
    slowest = 1.0 / plan.swing_time
    pace = max(gait.pace, (1.0 + HASTE) * gait.stumble * going)
    if foot.phase != STANDING:
        left = cycle_left(gait, foot)
        due = (1.0 - foot.elapsed) * (1.0 - gait.duty_factor)
        wanted = due / left if left > 0.0 else HURRY
        hurry = clamp(wanted, 1.0, HURRY)
        late = (hurry - 1.0) / (HURRY - 1.0)
        pace = max(pace * hurry, pace + late * (going - pace))
    return float(clamp(pace / gait.swing_length, slowest, max(slowest, HURRY / SHORTEST_SWING)))


@kernel
def runs(creature: Creature) -> bool:
    """Whether a creature is told to run, or does, or is still as fast."""
    plan, gait = creature.plan, creature.gait
    velocity = vec(creature.trunk[gait.leader].velocity)
    return bool(gait.run or is_told_to_run(plan, gait) or is_running_speed(plan, velocity))


@kernel
def is_told_to_run(plan: PlanRecord, gait: GaitRecord) -> bool:
    """Whether a creature is told to go faster than it walks."""
    return is_running_speed(plan, vec(gait.commanded_velocity))


@kernel
def is_running_speed(plan: PlanRecord, velocity: Vec) -> bool:
    """Whether a velocity [m/s, segment] is one that a creature which can run walks at no more."""
    return bool(plan.run_speed > 0.0 and dot(velocity, vec(plan.ahead)) > FASTER * plan.speed)


@kernel
def cycle_left(gait: GaitRecord, foot: FootRecord) -> float:
    """Fraction of the cycle until a foot in the air should stand; negative: it is late.

    In the first half of its stance it is late, in the second half it lifted early.
    """
    own = (gait.phase + foot.phase_offset) % 1.0
    return float(1.0 - own if own >= 0.5 * gait.duty_factor else -own)


@kernel
def lands(foot: FootRecord, dt: float) -> bool:
    """Whether a foot in the air stands after this tick."""
    return bool(foot.phase == FLYING and 1.0 - foot.elapsed <= foot.rate * dt)


@kernel
def seconds_to_touchdown(plan: PlanRecord, gait: GaitRecord, foot: FootRecord) -> float:
    """Time until a foot that lifts now, or is in the air, stands [s]."""
    usual = swing_rate(plan, gait, foot)
    if foot.phase != FLYING:
        return float(1.0 / usual)
    return float((1.0 - foot.elapsed) / max(foot.rate, SLOWEST * usual))


@kernel
def are_neighbours(one: LegRecord, other: LegRecord) -> bool:
    """Whether two legs are a pair, or next to each other on one side."""
    if one.pair == other.pair:
        return True
    return bool(one.side == other.side and abs(one.pair - other.pair) == 1)


@kernel
def may_be_late(creature: Creature, i: int) -> float:
    """Fraction of the cycle by which a foot may land late before a body waits for it."""
    legs, feet, gait = creature.legs, creature.feet, creature.gait
    soonest = 1.0
    for k in range(legs.shape[0]):
        if k != i and feet[k].phase != LOST and are_neighbours(legs[i], legs[k]):
            ahead = feet[k].phase_offset - feet[i].phase_offset
            soonest = min(soonest, (gait.duty_factor - ahead) % 1.0)
    return max(LATE, WAITS * soonest)


@kernel
def pace_for_feet(creature: Creature, dt: float) -> float:
    """Fastest pace at which feet in the air land when they should [m/s]; inf: any.

    In a phase gait that follows from the time that each needs, a little late at most, as the phase
    advances with the pace. In other gaits a stance lasts as long as the swings that others wait
    for, or longer if no standing foot needs a step. A foot that steps out of turn is not left
    behind by more than a stroke.
    """
    plan, gait, feet = creature.plan, creature.gait, creature.feet
    slowest, urgency = inf, 0.0
    for i in range(feet.shape[0]):
        if feet[i].phase == STANDING:
            urgency = max(urgency, feet[i].urgency)
    spare = clamp(1.0 + IN_NEED - urgency, 1.0, SPARE)
    for i in range(feet.shape[0]):
        foot = feet[i]
        if foot.phase != FLYING or lands(foot, dt):
            continue
        if plan.gait_kind != PHASE:
            if plan.waits > 0.0:
                seconds = 1.0 / max(foot.limit, 1e-3) + LATENCY
                slowest = min(slowest, spare * gait.stroke / (plan.waits * seconds))
        elif foot.reason == BY_PHASE:
            left = max(0.0, cycle_left(gait, foot) + may_be_late(creature, i)) * (
                gait.stroke + gait.swing_length
            )
            left += TICKS * dt * gait.pace
            slowest = min(slowest, left * foot.limit / (1.0 - foot.elapsed))
        else:
            slowest = min(slowest, gait.stroke * foot.limit / (1.0 - foot.elapsed))
    return slowest


@kernel
def lift_off(foot: FootRecord, foothold: FootholdRecord, reason: int) -> None:
    """Begin a swing; the apex of its arc is chosen once the ground below it is known."""
    foot.reason = reason
    put(foot.track, vec(foot.position))
    put(foot.goal, vec(foothold.position))
    put(foot.goal_normal, vec(foothold.normal))
    foot.prop, foot.is_put_off, foothold.is_blocked = foothold.prop, 0, 0
    begin_swing(foot)


@kernel
def begin_swing(foot: FootRecord) -> None:
    """Let a foot that rests where it is begin to rise."""
    foot.phase = LIFTING
    foot.elapsed = foot.rate = foot.rate_change = foot.progress = 0.0
    foot.apex = foot.apex_goal = foot.apex_rate = foot.apex_bend = 0.0
    foot.early_hold = foot.late_hold = 0.0
    put(foot.track_rate, (0.0, 0.0, 0.0))
    put(foot.track_bend, (0.0, 0.0, 0.0))
