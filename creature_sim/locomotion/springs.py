"""Springs that bodies hang on: damped oscillations, in closed form."""

from math import sqrt
from typing import NamedTuple

from creature_sim.components import PlanRecord
from creature_sim.maths import TAU, exp, sin_cos
from creature_sim.maths.jit import kernel

TILTS = 1.2
"""Tilts oscillate so many times as fast as heights..."""
SLIDES = 0.65
"""...slides so..."""
TWISTS = 0.25
"""...and yaws so."""


class Oscillation(NamedTuple):
    """A damped oscillation over a tick: offset and rate after it, from those before."""

    kept: float
    gained: float
    pulled: float
    faded: float
    square: float


class Springs(NamedTuple):
    """The oscillations of a segment: up and down, roll and pitch, along and aside, yaw."""

    rises: Oscillation
    tilts: Oscillation
    slides: Oscillation
    twists: Oscillation


@kernel
def oscillation(angular: float, damping: float, dt: float) -> Oscillation:
    """The closed form of q'' = -w^2 q - 2 d w q' after a tick.

    Args:
        angular: w [rad/s].
        damping: d, below 1.
        dt: length of a tick [s].
    """
    decay, ringing = damping * angular, angular * sqrt(1.0 - damping * damping)
    fading = exp(-decay * dt)
    sine, cosine = sin_cos(ringing * dt)
    part = decay / ringing * sine
    return Oscillation(
        fading * (cosine + part),
        fading * sine / ringing,
        -fading * angular * angular / ringing * sine,
        fading * (cosine - part),
        angular * angular,
    )


@kernel
def pushed(by: Oscillation, offset: float, rate: float, push: float) -> tuple[float, float]:
    """Offset and rate after a tick in which an acceleration pushes."""
    rest = push / by.square
    off = offset - rest
    return (rest + by.kept * off + by.gained * rate, by.pulled * off + by.faded * rate)


@kernel
def springs_of(plan: PlanRecord, dt: float) -> Springs:
    """The oscillations of a plan's segments over a tick of `dt` [s]."""
    angular, damping = TAU * plan.frequency, plan.damping
    return Springs(
        oscillation(angular, damping, dt),
        oscillation(TILTS * angular, damping, dt),
        oscillation(SLIDES * angular, damping, dt),
        oscillation(TWISTS * angular, damping, dt),
    )
