"""A creature that rests, tick by tick: down on its legs, legs in, legs out, up again.

Its body goes as planned (`folding.py`), its feet stand, or go with it.
"""

from math import sqrt

from creature_sim.components import (
    ACCEPTED,
    FOLDED,
    FOLDING,
    FOLDS,
    IN_THE_AIR,
    LIES,
    LOST,
    LOWERING,
    OVERTURNED,
    RISING,
    SITS,
    SITTING,
    STANDING,
    STANDS,
    TOLD_TO_WALK,
    TURNING,
    UNFOLDING,
    WALKING,
    YAWS,
    FlightFootRecord,
    FlightRecord,
    GaitRecord,
    GravityRecord,
    PlanRecord,
    Records,
    SuspensionRecord,
)
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.flight import curl_up
from creature_sim.locomotion.flying import begin, hold, let_go, move, plant, spring_anew, walk_on
from creature_sim.locomotion.stature import AT_REST
from creature_sim.maths import (
    Vec,
    Z,
    add,
    along,
    clamp,
    dot,
    mix,
    put,
    quat,
    rotate,
    scale,
    slerp,
    smoothstep,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

LOWERS, FOLDS_IN, FOLDS_OUT, RISES, LIES_THERE, TURNS_OVER = 4.5, 5.0, 4.0, 3.5, 7.0, 8.0
"""Times that these take, in roots of the ride height over g."""
SINKS, SPRINGS = 0.7, 0.8
"""A body comes down, and up, at this part of its mean speed: its springs take that up."""
SETTLES = 0.65
"""Drawing in its legs a body lies after this fraction of the time; putting them out it rises in
the last such part."""
WAVE = 0.3
"""The last foot follows the first one by this fraction of the time."""
RAISED, SLIDES = 0.12, 0.04
"""Feet that are drawn in or put out rise by this fraction of the reach; below a ball, by this."""
READY = 0.15
"""It goes down once it has stood still for so long [s]."""


RESTS = {"sit": SITS, "fold": FOLDS, "stand": 0}
"""What each event asks for, as `gait.rest`."""


def ask_to_rest(gait: GaitRecord, flight: FlightRecord, rest: int, is_told: bool) -> None:
    """Ask a creature to rest, or to be up; where that cannot be, its flight says why.

    Who lies where it fell gets up by itself, and is up before it rests.

    Args:
        gait: of the creature; written.
        flight: of it; written.
        rest: SITS, FOLDS or 0.
        is_told: whether its driver tells it to walk.
    """
    flight.refusal, flight.asked = ACCEPTED, rest or STANDS
    if rest and (gait.rest == LIES or WALKING < flight.stage < LOWERING):
        flight.refusal = IN_THE_AIR
    elif rest and is_told:
        flight.refusal = TOLD_TO_WALK
    elif gait.rest != LIES:
        gait.rest = rest


@kernel
def is_ready(creature: Creature, flight: FlightRecord, dt: float) -> bool:
    """Whether a creature that shall rest has stood still for long enough; it waits meanwhile."""
    gait, standing, left = creature.gait, 0, 0
    for i in range(creature.legs.shape[0]):
        standing += creature.feet[i].phase == STANDING
        left += creature.feet[i].phase != LOST
    is_still = gait.pace <= AT_REST and gait.commanded_pace == 0.0 and gait.urge == 0
    flight.ticks = flight.ticks + 1 if is_still and standing == left else 0
    return bool(flight.ticks * dt > READY)


@kernel
def stage_ticks(plan: PlanRecord, gravity: GravityRecord, stage: int, dt: float) -> int:
    """How many ticks a stage of a rest takes."""
    times = LOWERS
    if stage == FOLDING:
        times = FOLDS_IN
    elif stage == UNFOLDING:
        times = FOLDS_OUT
    elif stage == OVERTURNED:
        times = LIES_THERE
    elif stage == TURNING:
        times = TURNS_OVER
    elif stage in (SITTING, FOLDED):
        return 1  # they end at any time
    elif stage == RISING:
        times = RISES
    return max(3, round(times * sqrt(plan.ride_height / gravity.acceleration) / dt))


@kernel
def enter(
    creature: Creature,
    gravity: GravityRecord,
    flight: FlightRecord,
    own: Records[FlightFootRecord],
    stage: int,
    dt: float,
) -> None:
    """Begin a stage of a rest: FOLDING and UNFOLDING without a foot on the ground."""
    begin(creature, flight, stage)
    flight.crouch_ticks = stage_ticks(creature.plan, gravity, stage, dt)
    put(flight.start, vec(flight.here))
    if stage in (FOLDING, FOLDED, UNFOLDING, OVERTURNED):
        for i in range(creature.legs.shape[0]):
            let_go(creature, own, i, 0)


@kernel
def rest_on(
    creature: Creature,
    flight: FlightRecord,
    own: Records[FlightFootRecord],
    hung: Records[SuspensionRecord],
    dt: float,
) -> bool:
    """Move a creature that rests on by a tick; whether that was the last one of its stage.

    Args:
        creature: written.
        flight: of it, in a stage of a rest; written.
        own: (L,) its feet.
        hung: (S,) its springs; written.
        dt: length of a tick [s].
    """
    flight.ticks += 1
    count = max(1, flight.crouch_ticks)
    u, was = min(1.0, flight.ticks / count), (flight.ticks - 1.0) / count
    put(creature.gait.thrown, (0.0, 0.0, 0.0))
    there, start = vec(flight.here), vec(flight.start)
    if flight.stage == LOWERING:
        there = mix(start, vec(flight.low), arriving(u, SINKS))
    elif flight.stage == RISING:
        there = mix(start, vec(flight.rest), arriving(u, SPRINGS))
    elif flight.stage == FOLDING:
        there = mix(start, vec(flight.arrival), smoothstep(min(1.0, u / SETTLES)))
    elif flight.stage == UNFOLDING:
        there = mix(start, vec(flight.low), smoothstep(max(0.0, 1.0 - (1.0 - u) / SETTLES)))
    move(creature, flight, there, scale(vec(flight.lean), leant(flight.stage, u, was)), dt)
    if flight.stage == FOLDING or flight.stage == FOLDED:
        for s in range(hung.shape[0]):
            hung[s].given = min(hung[s].given, 1.0 - u)
    if flight.stage in (FOLDING, FOLDED, UNFOLDING):
        lead_feet(creature, flight, own, u, dt)
    return bool(flight.ticks >= flight.crouch_ticks)


@kernel
def leant(stage: int, u: float, was: float) -> float:
    """Which part of its lean a body takes in a tick, from `was` to `u` of a stage's time."""
    if stage == LOWERING:
        return smoothstep(u) - smoothstep(was)
    if stage == RISING:
        return smoothstep(was) - smoothstep(u)
    return 0.0


@kernel
def arriving(u: float, rate: float) -> float:
    """From 0 to 1, from rest to a rate: a cubic, for u from 0 to 1."""
    return u * u * (3.0 - 2.0 * u + rate * (u - 1.0))


@kernel
def lead_feet(
    creature: Creature, flight: FlightRecord, own: Records[FlightFootRecord], u: float, dt: float
) -> None:
    """Draw feet in, hold them there, or put them out: one after another, from front to back."""
    count = creature.legs.shape[0]
    for i in range(count):
        leg, foot = creature.legs[i], creature.feet[i]
        if foot.phase == LOST:
            curl_up(creature, i, dt)
            continue
        body = creature.trunk[leg.segment]
        position, orientation = vec(body.position), quat(body.orientation)
        after = WAVE * order_of(creature, i)
        if leg.hip != YAWS:  # with the body over it
            after = WAVE if flight.stage == UNFOLDING else 0.0
        fraction = smoothstep(clamp((u - after) / (1.0 - WAVE), 0.0, 1.0))
        if flight.stage == UNFOLDING:
            fraction = 1.0 - fraction
        elif flight.stage == FOLDED:
            fraction = 1.0
        tucked = add(position, rotate(orientation, vec(own[i].tuck)))
        point = mix(vec(own[i].goal), tucked, fraction)
        up = rotate(orientation, Z)
        rise = 4.0 * fraction * (1.0 - fraction) * leg.reach
        rise *= RAISED if leg.hip == YAWS else SLIDES
        hold(creature, i, unrotate(orientation, sub(along(point, up, rise), position)))
        put(foot.normal, slerp(vec(own[i].normal), up, fraction))
        foot.elapsed = foot.progress = 0.5


@kernel
def order_of(creature: Creature, i: int) -> float:
    """When a leg's turn is, from 0 to 1: sides take turns, the front goes first."""
    leg, last = creature.legs[i], max(1, creature.legs.shape[0] // 2 - 1)
    return float(clamp((leg.pair + (0.5 if leg.side < 0 else 0.0)) / (last + 0.5), 0.0, 1.0))


@kernel
def settle_down(hung: Records[SuspensionRecord], flight: FlightRecord, up: Vec, dt: float) -> None:
    """Hand the speed at which a body arrives to its springs, from the end of this tick on."""
    speed = dot(vec(flight.velocity), up)
    for s in range(hung.shape[0]):
        hung[s].rate[2] += speed
        hung[s].offset[2] -= speed * dt


@kernel
def stand_feet(
    creature: Creature, own: Records[FlightFootRecord], hung: Records[SuspensionRecord]
) -> None:
    """Feet that were put out stand; those without a foothold look for one."""
    for i in range(creature.legs.shape[0]):
        if creature.feet[i].phase != LOST:
            plant(creature, own, i)
    spring_anew(creature, hung)


@kernel
def walk_again(creature: Creature, flight: FlightRecord) -> None:
    """Let a creature that has risen walk."""
    gait: GaitRecord = creature.gait
    walk_on(creature, flight)
    put(flight.velocity, (0.0, 0.0, 0.0))
    gait.ride_height = creature.plan.ride_height
    gait.pace = 0.0
    put(gait.shift, (0.0, 0.0, 0.0))
    put(gait.shift_rate, (0.0, 0.0, 0.0))
