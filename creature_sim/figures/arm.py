"""The line from a camera's target to its eye among walls and below roofs."""

from collections.abc import Callable
from math import exp
from typing import NamedTuple

import numpy as np

from creature_sim.figures.ground import Ground
from creature_sim.figures.sight import free_fraction
from creature_sim.maths import Floats
from creature_sim.maths.geometry import tangents

PITCHES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4)
"""Heights of the eye that are tried where the one that is wanted sees less [rad]."""
COST = 0.35
"""Another height, a radian off, is chosen where it sees this fraction of the distance more."""
SHORTEST = 0.1
"""An arm keeps this fraction of its length, but half of what is free if that is less."""
DIP_TIME, GROW_TIME = 0.25, 0.5
"""Time constants of bowing and shrinking, and of growing again [s]."""


class Arm(NamedTuple):
    """How what is in the way moves an eye.

    Attributes:
        dip: how much lower than wanted it is, as seen from the target [rad].
        fraction: of the distance that it keeps.
    """

    dip: float
    fraction: float


def wanted_arm(
    ground: Ground, target: Floats, eye_at: Callable[[float], Floats], pitch: float, gap: float
) -> Arm:
    """The arm that sees the target from farthest, about from where it is wanted.

    Args:
        ground: in the way.
        target: (3,) [m, world].
        eye_at: position of an unhindered eye (3,) [m, world] for a dip [rad].
        pitch: of the eye that is wanted [rad].
        gap: how far lines of sight keep from the ground at the eye [m].
    """
    best, most = Arm(0.0, 0.0), -1.0
    for other in sorted((pitch, *PITCHES), key=lambda other: abs(other - pitch)):
        dip = pitch - other
        free = free_arm(ground, target, eye_at(dip), gap)
        if free - COST * abs(dip) > most:
            best, most = Arm(dip, free), free - COST * abs(dip)
        if free == 1.0:
            break
    return best


def free_arm(ground: Ground, target: Floats, eye: Floats, gap: float) -> float:
    """Fraction of the way from a target (3,) to an eye (3,) [m, world] with nothing within it.

    Args:
        ground: in the way.
        target: (3,) [m, world].
        eye: (3,) [m, world].
        gap: how far from the eye the ground stays [m].
    """
    arm = eye - target
    length = float(np.sqrt((arm * arm).sum()))
    first, second = (gap * axis for axis in tangents(arm / length))
    more = min(0.5, gap / length)
    begin = target + more * arm  # what touches the body hides nothing
    ends = target + (1.0 + more) * arm + np.array([0.0 * first, first, -first, second, -second])
    met = more + free_fraction(ground, begin, ends)
    return min(1.0, max(met - more, min(SHORTEST, 0.5 * met)))


def eased(arm: Arm | None, wanted: Arm, seconds: float) -> Arm:
    """An arm on its way to the one wanted as `seconds` pass."""
    if arm is None:
        return wanted
    time = GROW_TIME if wanted.fraction > arm.fraction else DIP_TIME
    fraction = arm.fraction + (wanted.fraction - arm.fraction) * (1.0 - exp(-seconds / time))
    dip = arm.dip + (wanted.dip - arm.dip) * (1.0 - exp(-seconds / DIP_TIME))
    return Arm(dip, fraction)
