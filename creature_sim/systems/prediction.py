"""Where a foot should stand, from home position and velocity."""

from math import sqrt

from creature_sim.components import PHASE, Record
from creature_sim.jit import kernel
from creature_sim.maths import Vec, clamp, sin_cos

HURRY = 1.5
"""A late foot swings this much faster, at the most."""
SLOW = 0.15
"""Below this share of the plan's speed a foot is placed less far ahead, and at rest not at all."""


@kernel
def ground_velocity(body: Record, leg: Record) -> tuple[float, float, float]:
    """Velocity of a leg's home over the ground, x, y and its size [m/s, body]."""
    x = body.speed - body.yaw_rate * leg.home[1]
    y = body.yaw_rate * leg.home[0]
    return (x, y, sqrt(x * x + y * y))


@kernel
def swing_rate(plan: Record, body: Record, leg: Record, foot: Record) -> float:
    """Progress per second of a swing that is under way or begins now [1/s].

    Phase gaits measure it in way of the home that moves fastest, for all legs alike. A foot that
    is late hurries, within bounds, to stand when its place in the cycle says so. It is never slower
    than the plan's swing time, so that no foot hangs in the air when the body slows down.
    """
    slowest = 1.0 / plan.swing_time
    if plan.gait != PHASE:
        return float(slowest)
    rate = body.pace / plan.swing_length
    if foot.is_swinging:
        left = 1.0 - (body.phase + leg.offset) % 1.0  # of the cycle, until the foot should stand
        on_time = left <= 1.0 - plan.duty_factor
        wanted = (1.0 - foot.progress) * (1.0 - plan.duty_factor) / left if on_time else HURRY
        rate *= clamp(wanted, 1.0, HURRY)
    return float(max(slowest, rate))


@kernel
def lead(plan: Record, body: Record, leg: Record) -> Vec:
    """How far ahead of home a foot should land: half of its way during a stance [m, body].

    In a phase gait a stance lasts as long for all legs: where the body turns, inner feet go less
    far. A foot that reacts goes its way however long that takes.
    """
    x, y, speed = ground_velocity(body, leg)
    pace = body.pace if plan.gait == PHASE else speed
    if pace < 1e-9:
        return (0.0, 0.0, 0.0)
    seconds = 0.5 * plan.stance_length / pace * min(1.0, pace / (SLOW * plan.speed))
    return (x * seconds, y * seconds, 0.0)


@kernel
def travel(body: Record, leg: Record, seconds: float) -> Vec:
    """Way of a leg's home in a time, along the circle that the body turns on [m, body].

    The chord of the arc: the velocity turned by half the angle, shortened by sin(a)/a.
    """
    x, y, _ = ground_velocity(body, leg)
    half = 0.5 * body.yaw_rate * seconds
    sine, cosine = sin_cos(half)
    length = seconds * (sine / half if abs(half) > 1e-6 else 1.0)
    return ((x * cosine - y * sine) * length, (x * sine + y * cosine) * length, 0.0)


@kernel
def seconds_to_touchdown(plan: Record, body: Record, leg: Record, foot: Record) -> float:
    """Time until a foot that lifts now, or is in the air, stands [s]."""
    left = 1.0 - foot.progress if foot.is_swinging else 1.0
    return float(left / swing_rate(plan, body, leg, foot))
