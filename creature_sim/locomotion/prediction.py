"""Where a foot should stand, from home position and velocity."""

from math import inf, sqrt

from creature_sim.components import (
    PHASE,
    STANDING,
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    LegRecord,
    PlanRecord,
)
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.search import AIM_AGAIN, AIM_UNTIL, RESTS, SEARCHING
from creature_sim.maths import Vec, add, clamp, mix, norm, quat, rotate, sin_cos, sub, vec
from creature_sim.maths.jit import kernel

FEW = 4
"""Over more legs than these, of which three stand at all times, a body need not sway."""
SLOWER = 0.7
"""Below this fraction of the pace that it is asked for a slow body is setting out, or stopping."""
NOWHERE = 0.1
"""A body gets nowhere at less than this fraction of the pace that was asked for."""
SLOW = 0.15
"""Below this fraction of the plan's speed a foot is placed less far ahead, at rest not at all."""


@kernel
def home_of(gait: GaitRecord, leg: LegRecord) -> Vec:
    """Where a foot rests, given how high the body is and how far it has shifted [m, segment]."""
    return (leg.home[0] - gait.shift[0], leg.home[1] - gait.shift[1], -gait.ride_height)


@kernel
def ground_velocity(body: BodyRecord, leg: LegRecord) -> tuple[float, float, float]:
    """Velocity of a leg's home over the ground, x, y and its size [m/s, segment].

    Args:
        body: of the leg's segment.
        leg: the leg.
    """
    x = body.velocity[0] - body.yaw_rate * leg.home[1]
    y = body.velocity[1] + body.yaw_rate * leg.home[0]
    return (x, y, sqrt(x * x + y * y))


@kernel
def cycles_in(gait: GaitRecord, seconds: float) -> float:
    """Cycles of a gait in a time: the phase advances with the displacement of the fastest home."""
    return float(gait.pace * seconds / (gait.stroke + gait.swing_length))


@kernel
def hardly_moves(gait: GaitRecord) -> bool:
    """Whether a creature that is told to go hardly does, whatever is in its way."""
    return bool(gait.pace < NOWHERE * gait.commanded_pace)


@kernel
def is_due(gait: GaitRecord, phase: float, foot: FootRecord) -> bool:
    """Whether a leg of a phase gait is in the swing part of its cycle."""
    return bool((phase + foot.phase_offset) % 1.0 >= gait.duty_factor)


@kernel
def seconds_until_turn(plan: PlanRecord, gait: GaitRecord, foot: FootRecord) -> float:
    """Time until the turn of a foot that stands comes [s]; inf: it is now, or there are none."""
    if plan.gait_kind != PHASE or is_due(gait, gait.phase, foot):
        return inf
    left = (gait.duty_factor - gait.phase - foot.phase_offset) % 1.0
    return float(left / max(cycles_in(gait, 1.0), 1e-9))


@kernel
def lead_time(plan: PlanRecord, gait: GaitRecord, body: BodyRecord, leg: LegRecord) -> float:
    """How long after its touchdown a foot should pass its home: half of its stance [s].

    In a phase gait a stance lasts as long for all legs: where the body turns, inner feet go less
    far. In a reactive gait a stance takes as long as its displacement needs.
    """
    _, _, speed = ground_velocity(body, leg)
    pace = gait.pace if plan.gait_kind == PHASE else speed
    if pace < 1e-9:
        return 0.0
    return float(0.5 * gait.stroke / pace * min(1.0, pace / (SLOW * plan.speed)))


@kernel
def is_stopping(creature: Creature) -> bool:
    """Whether a body on three or four legs is told to stop, or has: where these stand counts.

    Two legs stop as they walk: the capture point says where they step.
    """
    gait = creature.gait
    return bool(2 < creature.legs.shape[0] <= FEW and gait.commanded_pace < RESTS and not gait.run)


@kernel
def passes_home(creature: Creature, i: int, seconds: float) -> float:
    """After which time at its speed a body has a leg's home where a foot should land [s].

    A foot that lands in so many seconds stands half of its stance ahead of it. Who stops on few
    legs brakes evenly: its last steps go to where its homes will be then.

    Args:
        creature: whose foot it is.
        i: the leg.
        seconds: until the foot lands [s].
    """
    plan, leg = creature.plan, creature.legs[i]
    body = creature.trunk[leg.segment]
    if not is_stopping(creature):
        return seconds + lead_time(plan, creature.gait, body, leg)
    braking = norm(vec(body.velocity)) / plan.acceleration
    return float(0.5 * max(braking, abs(body.yaw_rate) / plan.turn_acceleration))


@kernel
def stride_of(plan: PlanRecord, gait: GaitRecord) -> float:
    """How much a body walks, from standing still (0) to in its stride (1).

    Who is told to go slowly is in its stride when it goes so.
    """
    slow = SLOW * plan.speed
    if gait.commanded_pace > 0.0:
        slow = min(slow, SLOWER * gait.commanded_pace)
    return float(min(1.0, gait.pace / slow))


@kernel
def travel(body: BodyRecord, leg: LegRecord, seconds: float) -> Vec:
    """Displacement of a leg's home in a time, on the circle of its segment [m, segment].

    The chord of the arc: the velocity turned by half the angle, shortened by sin(a)/a.
    """
    x, y, _ = ground_velocity(body, leg)
    return on_circle(x, y, body.yaw_rate, seconds)


@kernel
def centre_ahead(body: BodyRecord, leg: LegRecord, seconds: float) -> Vec:
    """Where the centre of a leg's segment will be after a time, as its home goes [m, world]."""
    x, y, _ = travel(body, leg, seconds)
    way = rotate(quat(body.orientation), (x, y, body.climb * seconds))
    return add(vec(body.position), way)


@kernel
def on_circle(x: float, y: float, yaw_rate: float, seconds: float) -> Vec:
    """The chord of the arc that a velocity [m/s, segment] goes in a time while it turns [m]."""
    half = 0.5 * yaw_rate * seconds
    sine, cosine = sin_cos(half)
    length = seconds * (sine / half if abs(half) > 1e-6 else 1.0)
    return ((x * cosine - y * sine) * length, (x * sine + y * cosine) * length, 0.0)


@kernel
def asked_of(creature: Creature, i: int) -> Vec:
    """Velocity that a leg's segment is asked for [m/s, segment].

    Of a trunk that bends only how fast aside: all of it goes aside as its leader does.
    """
    x, y, _ = vec(creature.gait.commanded_velocity)
    if creature.trunk.shape[0] > 1:
        x = creature.trunk[creature.legs[i].segment].velocity[0]
    return (x, y, 0.0)


@kernel
def turning_back(creature: Creature, i: int) -> float:
    """How much a leg's segment is told to go back where it comes from: 1, or 0 if it is not.

    Half of it aside; nothing where it sets out or stops.
    """
    gait, asked = creature.gait, asked_of(creature, i)
    size = abs(asked[1]) if creature.trunk.shape[0] > 1 else norm(asked)
    if gait.run or creature.plan.climbs or size < RESTS:
        return 0.0
    gap = norm(sub(asked, vec(creature.trunk[creature.legs[i].segment].velocity)))
    return clamp(gap / size - 1.0, 0.0, 1.0)


@kernel
def travel_back(creature: Creature, i: int, seconds: float) -> Vec:
    """As `travel`, of a body that comes to go as it is told to [m, segment]."""
    leg, pull = creature.legs[i], creature.plan.acceleration
    body = creature.trunk[leg.segment]
    gap = sub(asked_of(creature, i), vec(body.velocity))
    size = max(norm(gap), 1e-9)
    lasts = min(seconds, size / pull)
    gained = pull * lasts * (1.0 - 0.5 * lasts / max(seconds, 1e-9)) / size
    x, y, _ = ground_velocity(body, leg)
    return on_circle(x + gained * gap[0], y + gained * gap[1], body.yaw_rate, seconds)


@kernel
def home_ahead(creature: Creature, i: int, seconds: float) -> Vec:
    """Displacement of a leg's home to where a foot should land in so many seconds [m, segment].

    Half of a stance ahead on its circle. A body that turns back is back there soon: its feet would
    stand far ahead of where it turns, and behind it then.
    """
    gait, leg = creature.gait, creature.legs[i]
    body, back = creature.trunk[leg.segment], turning_back(creature, i)
    moved = travel(body, leg, passes_home(creature, i, seconds))
    if back > 0.0:
        half = 0.5 * gait.stroke / max(gait.pace, gait.commanded_pace)
        moved = mix(moved, travel_back(creature, i, seconds + half), back)
    return moved


@kernel
def is_turn(plan: PlanRecord, gait: GaitRecord, foot: FootRecord, dt: float) -> bool:
    """Whether a foot that stands is about to lift in its turn: it moves from the next tick on."""
    ahead = gait.phase + 2.0 * cycles_in(gait, dt)
    return bool(plan.gait_kind == PHASE and is_due(gait, ahead, foot))


@kernel
def aims(foot: FootRecord, foothold: FootholdRecord) -> bool:
    """Whether a foot in the air may still take another goal."""
    until = AIM_AGAIN if foothold.is_blocked and not foot.is_put_off else AIM_UNTIL
    return bool(foot.progress <= until)


@kernel
def looks_around(
    plan: PlanRecord, gait: GaitRecord, foot: FootRecord, foothold: FootholdRecord, dt: float
) -> bool:
    """Whether a foot looks for edges around its next foothold: it steps soon, or may choose."""
    if foot.phase != STANDING:
        return aims(foot, foothold)
    return bool(foot.urgency > SEARCHING or is_turn(plan, gait, foot, dt))
