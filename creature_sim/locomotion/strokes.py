"""Strokes of legs of opposite phase are no longer than leaves them apart."""

from creature_sim.components import LOST
from creature_sim.locomotion.clearance import partner, seen_leg
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.frames import into_world
from creature_sim.locomotion.outlines import (
    Outline,
    gap_to,
    is_apart,
    strip_of,
)
from creature_sim.locomotion.prediction import ground_velocity, home_of
from creature_sim.locomotion.strips import Strip
from creature_sim.maths import quat, vec
from creature_sim.maths.jit import kernel

STROKE_GAP = 0.02
"""Strokes leave legs so much where they come nearest, as a fraction of the reach."""
ENOUGH = 0.9
"""Legs that are nearer to each other at home keep this fraction of that gap."""
SHORTEST_STROKE = 0.3
"""A pair of legs makes strokes no shorter than by this factor."""


@kernel
def stroke_apart(creature: Creature, longest: float, fastest: float) -> float:
    """Longest displacement of the fastest home for which legs of opposite phase keep apart [m].

    Args:
        creature: whose legs they are.
        longest: as far as it may be otherwise [m].
        fastest: speed of the home that goes fastest [m/s].
    """
    if fastest < 1e-9:
        return longest
    for i in range(creature.legs.shape[0]):
        k = 0
        while partner(creature, i, k) != -1:
            other = partner(creature, i, k)
            k += 1
            if other > i and creature.feet[i].phase != LOST:
                for sign in (-0.5, 0.5):
                    longest = shortened(creature, i, other, longest, sign / fastest)
    return longest


@kernel
def shortened(creature: Creature, i: int, other: int, longest: float, ahead: float) -> float:
    """A stroke for which one leg does not come too near another one [m].

    Args:
        creature: whose legs they are.
        i: the leg.
        other: the other one, as far behind its home as this one is ahead of it.
        longest: as far as the stroke may be otherwise [m].
        ahead: half of the time for one metre of it, for a leg that is behind negative [s/m].
    """
    wanted, shortest = STROKE_GAP * creature.legs[i].reach, SHORTEST_STROKE * longest
    own, its = legs_in_stroke(creature, i, other, ahead * longest)
    if is_apart(own, its, wanted):
        return longest
    own, its = legs_in_stroke(creature, i, other, 0.0)  # hips may be as near as that
    wanted = min(wanted, ENOUGH * gap_to(own, its).size)
    while longest > shortest:
        own, its = legs_in_stroke(creature, i, other, ahead * longest)
        if is_apart(own, its, wanted):
            break
        longest *= 0.85
    return longest


@kernel
def legs_in_stroke(creature: Creature, i: int, other: int, seconds: float) -> tuple[Strip, Outline]:
    """Two legs from above, one so long ahead of its home and the other one so long behind."""
    leg, its = creature.legs[i], creature.legs[other]
    body, far = creature.trunk[leg.segment], creature.trunk[its.segment]
    ax, ay, _ = ground_velocity(body, leg)
    bx, by, _ = ground_velocity(far, its)
    home, there = home_of(creature.gait, leg), home_of(creature.gait, its)
    foot = (there[0] - seconds * bx, there[1] - seconds * by, there[2])
    own = strip_of(leg, (home[0] + seconds * ax, home[1] + seconds * ay, home[2]))
    if leg.segment == its.segment:
        upper = strip_of(its, foot)
        return own, Outline(upper, upper, False)
    foot = into_world(vec(far.position), quat(far.orientation), foot)
    return own, seen_leg(creature, i, other, foot)
