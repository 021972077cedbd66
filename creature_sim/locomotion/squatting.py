"""How far legs fold: those that hang from a ball fold below it, their knees over the ground."""

from math import sqrt

from creature_sim.components import LegRecord
from creature_sim.locomotion.hips import roll_to, swing_to
from creature_sim.locomotion.reach import FULL_STRETCH, ankle_of, reach_to
from creature_sim.maths import Vec, Z, add, clamp, dot, scale, sub, unit, vec
from creature_sim.maths.jit import kernel

FOLDS = 1.06
"""A foot is drawn in to this many times its smallest distance from its shoulder."""
SWINGS = 0.95
"""A ball swings by this fraction of what it may for it."""
CLOSE, PLACES = 0.4, 32
"""Its foot is no farther from home than this part of the leg; so many places are tried."""
KNEES = 1.6
"""Knees stay off the ground by this many of a leg's radii at its hip."""


@kernel
def squatted(leg: LegRecord, floor: float) -> tuple[float, float, bool]:
    """Where a foot folds below a hip that is a ball, ahead of its home or behind [segment].

    And whether it does, its knee over the ground and below it.

    Args:
        leg: the leg.
        floor: height of the ground [m, segment].
    """
    for j in range(PLACES):
        for sign in (1.0, -1.0):
            x = leg.home[0] + sign * CLOSE * leg.arm * j / PLACES
            if folds(leg, (x, leg.home[1], floor)):
                return x, leg.home[1], True
    return leg.home[0], leg.home[1], False


@kernel
def folds(leg: LegRecord, foot: Vec) -> bool:
    """Whether a leg whose hip is a ball folds to a foot on the ground [m, segment]."""
    far, stretch = reach_to(leg, foot)
    if far < FOLDS * leg.min_reach or stretch > FULL_STRETCH:
        return False
    ankle, pole = ankle_of(leg, foot), vec(leg.pole)
    if knee_below(leg, ankle, pole)[2] > 0.0 or not is_over_ground(leg, foot, Z):
        return False
    return max(swing_to(leg, ankle, pole), roll_to(leg, ankle, pole, Z)) <= SWINGS


@kernel
def knee_below(leg: LegRecord, ankle: Vec, pole: Vec) -> Vec:
    """Where the knee of a leg of two bones is, from its hip [m, segment].

    Args:
        leg: the leg.
        ankle: from its hip [m, segment].
        pole: direction that the knee points to [segment].
    """
    far = sqrt(dot(ankle, ankle))
    line = unit(ankle, (0.0, 0.0, -1.0))
    shank = leg.arm - leg.thigh
    cosine = (leg.thigh * leg.thigh + far * far - shank * shank) / (2.0 * leg.thigh * far)
    cosine = clamp(cosine, -1.0, 1.0)
    sine = sqrt(1.0 - cosine * cosine)
    over = unit(sub(pole, scale(line, dot(pole, line))), Z)
    return scale(add(scale(line, cosine), scale(over, sine)), leg.thigh)


@kernel
def is_over_ground(leg: LegRecord, foot: Vec, normal: Vec) -> bool:
    """Whether the knee of a leg below a ball is over the ground at its foot.

    Args:
        leg: the leg.
        foot: [m, segment].
        normal: of the ground there [segment].
    """
    knee = add(vec(leg.mount), knee_below(leg, ankle_of(leg, foot), vec(leg.pole)))
    return dot(sub(knee, foot), normal) >= KNEES * leg.hip_radius
