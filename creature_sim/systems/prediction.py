"""Where a foot should stand, from home position and velocity."""

from math import sqrt

from creature_sim.components import PHASE, Record
from creature_sim.maths import Vec, clamp, sin_cos
from creature_sim.maths.jit import kernel

HURRY = 1.5
"""A late foot swings this much faster, at the most."""
SHORTEST_SWING = 0.12
"""A phase gait that would swing faster than this slows the body down [s]."""
UNSAMPLED, SAMPLED = -1.0, 0.0
"""Lift of a swing before and after the ground below its arc is looked at."""
SLOW = 0.15
"""Below this share of the plan's speed a foot is placed less far ahead, and at rest not at all."""


@kernel
def home_of(gait: Record, leg: Record) -> Vec:
    """Where a foot rests, given how high the body is and how far it has shifted [m, segment]."""
    return (leg.home[0] - gait.shift[0], leg.home[1] - gait.shift[1], -gait.height)


@kernel
def ground_velocity(body: Record, leg: Record) -> tuple[float, float, float]:
    """Velocity of a leg's home over the ground, x, y and its size [m/s, segment].

    Args:
        body: of the leg's segment.
        leg: the leg.
    """
    x = body.velocity[0] - body.yaw_rate * leg.home[1]
    y = body.velocity[1] + body.yaw_rate * leg.home[0]
    return (x, y, sqrt(x * x + y * y))


@kernel
def cycles_in(gait: Record, seconds: float) -> float:
    """Cycles of a gait in a time: the phase advances with the way of the fastest home."""
    return float(gait.pace * seconds / (gait.stance_length + gait.swing_length))


@kernel
def is_due(gait: Record, phase: float, foot: Record) -> bool:
    """Whether a leg of a phase gait is in the swing part of its cycle."""
    return bool((phase + foot.offset) % 1.0 >= gait.duty_factor)


@kernel
def swing_rate(plan: Record, gait: Record, foot: Record) -> float:
    """Progress per second of a swing that is under way or begins now [1/s].

    Phase gaits measure it in way of the home that moves fastest, for all legs alike. A foot that
    is late hurries, within bounds, to stand when its place in the cycle says so. It is never slower
    than the plan's swing time, so that no foot hangs in the air when the body slows down; nor does
    it hurry beyond the shortest swing where something carries the body away.
    """
    slowest = 1.0 / plan.swing_time
    if plan.gait != PHASE:
        return float(slowest)
    rate = gait.pace / gait.swing_length
    if foot.is_swinging:
        left = 1.0 - (gait.phase + foot.offset) % 1.0  # of the cycle, until the foot should stand
        on_time = left <= 1.0 - gait.duty_factor
        wanted = (1.0 - foot.progress) * (1.0 - gait.duty_factor) / left if on_time else HURRY
        rate *= clamp(wanted, 1.0, HURRY)
    return float(clamp(rate, slowest, max(slowest, HURRY / SHORTEST_SWING)))


@kernel
def lands(plan: Record, gait: Record, foot: Record, dt: float) -> bool:
    """Whether a foot in the air stands after this tick.

    Phase gaits end a swing when it is over; others at the tick that is nearest to that, so that
    long ticks do not make long swings.
    """
    ticks = 1.0 if plan.gait == PHASE else 1.5
    left = 1.0 - foot.progress
    return bool(foot.lift > SAMPLED and left <= ticks * dt * swing_rate(plan, gait, foot))


@kernel
def lead(plan: Record, gait: Record, body: Record, leg: Record) -> Vec:
    """How far ahead of home a foot should land: half of its way during a stance [m, segment].

    In a phase gait a stance lasts as long for all legs: where the body turns, inner feet go less
    far. A foot that reacts goes its way however long that takes.
    """
    x, y, speed = ground_velocity(body, leg)
    pace = gait.pace if plan.gait == PHASE else speed
    if pace < 1e-9:
        return (0.0, 0.0, 0.0)
    seconds = 0.5 * gait.stance_length / pace * min(1.0, pace / (SLOW * plan.speed))
    return (x * seconds, y * seconds, 0.0)


@kernel
def travel(body: Record, leg: Record, seconds: float) -> Vec:
    """Way of a leg's home in a time, along the circle that its segment turns on [m, segment].

    The chord of the arc: the velocity turned by half the angle, shortened by sin(a)/a.
    """
    x, y, _ = ground_velocity(body, leg)
    half = 0.5 * body.yaw_rate * seconds
    sine, cosine = sin_cos(half)
    length = seconds * (sine / half if abs(half) > 1e-6 else 1.0)
    return ((x * cosine - y * sine) * length, (x * sine + y * cosine) * length, 0.0)


@kernel
def seconds_to_touchdown(plan: Record, gait: Record, foot: Record) -> float:
    """Time until a foot that lifts now, or is in the air, stands [s]."""
    left = 1.0 - foot.progress if foot.is_swinging else 1.0
    return float(left / swing_rate(plan, gait, foot))
