"""Where a foot should stand, from home position and velocity."""

from math import sqrt

from creature_sim.components import Record
from creature_sim.jit import kernel
from creature_sim.maths import Vec, sin_cos

SLOW = 0.15
"""Below this share of the plan's speed a foot is placed less far ahead, and at rest not at all."""


@kernel
def ground_velocity(body: Record, leg: Record) -> tuple[float, float, float]:
    """Velocity of a leg's home over the ground, x, y and its size [m/s, body]."""
    x = body.speed - body.yaw_rate * leg.home[1]
    y = body.yaw_rate * leg.home[0]
    return (x, y, sqrt(x * x + y * y))


@kernel
def swing_rate(plan: Record, speed: float) -> float:
    """Progress per second of a swing [1/s], for a home that moves at `speed` [m/s].

    A swing that is measured in way (phase gaits) is never slower than the plan's swing time, so
    that a foot does not hang in the air when the body slows down.
    """
    rate = 1.0 / plan.swing_time
    if plan.swing_length > 0.0:
        rate = max(rate, speed / plan.swing_length)
    return float(rate)


@kernel
def lead(plan: Record, body: Record, leg: Record) -> Vec:
    """How far ahead of home a foot should land: half the way of a stance [m, body]."""
    x, y, speed = ground_velocity(body, leg)
    if speed < 1e-9:
        return (0.0, 0.0, 0.0)
    size = 0.5 * plan.stance_length * min(1.0, speed / (SLOW * plan.speed)) / speed
    return (x * size, y * size, 0.0)


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
