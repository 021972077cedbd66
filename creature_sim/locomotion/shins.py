"""Where the bone above a foot goes while the foot stands."""

from math import sqrt

from creature_sim.components import LegRecord
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.hips import watches_knee
from creature_sim.locomotion.outlines import knee_of
from creature_sim.locomotion.prediction import ground_velocity, home_of
from creature_sim.locomotion.reach import ankle_of
from creature_sim.locomotion.search import SHIN
from creature_sim.locomotion.squatting import knee_below
from creature_sim.maths import Vec, add, atan2, dot, norm, sin_cos, sub, vec
from creature_sim.maths.jit import kernel

SEEN_BY_RING = 0.06
"""Where it leans out less than by this fraction of the reach, rays around the foot see enough."""

BENDS_ALONG = 1.4
"""The lower one of two bones below a knee turns by so many times the angle that both turn."""


@kernel
def has_shin(leg: LegRecord) -> bool:
    """Whether a leg has a bone above its foot of which it is known where its knee is."""
    return bool(leg.shank > 0.0 or watches_knee(leg))


@kernel
def shin_of(creature: Creature, i: int) -> Vec:
    """From a foot to the knee above it, where it leans most in a stance [m, segment].

    At touchdown the foot is half of a stroke ahead of home, and at lift-off half of one behind.
    """
    leg, gait = creature.legs[i], creature.gait
    if not has_shin(leg):
        return vec(leg.shin)
    x, y, _ = ground_velocity(creature.trunk[leg.segment], leg)
    half = 0.5 * gait.stroke / max(gait.pace, 1e-3)
    hx, hy, hz = home_of(gait, leg)
    offset = creature.footholds[i].offset
    best, most = (0.0, 0.0, 1.0), -1.0
    for sign in (-1.0, 1.0):
        ahead, aside = hx + sign * half * x + offset[0], hy + sign * half * y + offset[1]
        shin = shin_from(leg, (ahead, aside, hz))
        slope = sqrt(shin[0] * shin[0] + shin[1] * shin[1]) / shin[2]
        if slope > most:
            best, most = shin, slope
    return best


@kernel
def shin_from(leg: LegRecord, foot: Vec) -> Vec:
    """From a foot [m, segment] to the joint above it.

    Where a leg has two bones below its middle knee, the lower one leans farther from where it is at
    home than the line of both, as the knee between them bends along. Of a leg that watches its knee
    it goes from the foot, although that bone begins at the ankle.
    """
    if watches_knee(leg):
        knee = knee_below(leg, ankle_of(leg, foot), vec(leg.pole))
        return sub(add(vec(leg.mount), knee), foot)
    x, y, z = sub(foot, vec(leg.mount))
    level = max(1e-6, sqrt(x * x + y * y))
    out, rise = shank_at(leg, level, z)
    home = sub(vec(leg.home), vec(leg.mount))
    home_out, home_rise = shank_at(leg, sqrt(home[0] * home[0] + home[1] * home[1]), home[2])
    own_out, own_rise = dot(vec(leg.shin), vec(leg.out)), leg.shin[2]
    across, along = out * home_rise - rise * home_out, out * home_out + rise * home_rise
    more = BENDS_ALONG if leg.bend_count > 2 else 1.0
    sine, cosine = sin_cos(more * atan2(across, along))
    lean = (cosine * own_out + sine * own_rise) / level
    return (lean * x, lean * y, max(0.05 * leg.reach, cosine * own_rise - sine * own_out))


@kernel
def shank_at(leg: LegRecord, level: float, rise: float) -> tuple[float, float]:
    """From a foot so far out of the hip, and above it, to the middle knee: out and up [m]."""
    out, over = knee_of(leg, level, rise, leg.shank)
    return out - level, over - rise


@kernel
def under(shin: Vec) -> Vec:
    """Unit direction across a shin on its lower side; zero where it is upright."""
    level = sqrt(shin[0] * shin[0] + shin[1] * shin[1])
    if level < 1e-6:
        return (0.0, 0.0, 0.0)
    size = norm(shin)
    return (shin[2] * shin[0] / (level * size), shin[2] * shin[1] / (level * size), -level / size)


@kernel
def leans_out(leg: LegRecord, shin: Vec) -> float:
    """How far from its foot SHIN of the bone above it is [m]; 0 where the RING sees as much."""
    out = SHIN * sqrt(shin[0] * shin[0] + shin[1] * shin[1])
    return float(out if out > SEEN_BY_RING * leg.reach else 0.0)
