"""Slots of a creature's rays, with S segments and L legs.

For each segment the ground below it; for each leg its next foothold; then for each leg the ground
between a foot in the air and its goal; then for each leg the RING around its next foothold, which
tells edges, and one below its shin; then for each segment what is ahead of it.
"""

from math import sqrt

from creature_sim.components import Record
from creature_sim.locomotion.gravity import down_at
from creature_sim.locomotion.walls import AHEAD_RAYS
from creature_sim.maths import GOLDEN, Vec, quat, unrotate, vec
from creature_sim.maths.jit import kernel

ARC_RAYS = 4
"""Rays for the ground between a foot in the air and its goal, in each tick."""


ARC_FIRST, ARC_LAST = 0.1, 0.9
"""Shares of the remaining way between which they are."""


RING = ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0))
"""Directions of the ring's rays from the foothold [body]."""


RING_RADIUS = 0.09
"""How far from the foothold they are, as a share of the leg's reach."""


SHIN = 0.5
"""Share of the bone above the foot below which the ground is looked at too, where it leans out."""


SEARCHING = 0.75
"""A standing foot looks for edges around its next foothold from this need to step on."""


AIM_UNTIL = 0.55
"""Progress of a swing from which on it keeps its goal."""


UPHILL = 0.85
"""Share of its overhang down a slope that a body makes good."""


RETREATS = ((0, 1.0), (0, 0.75), (0, 0.5), (0, 1.25), (1, 0.67), (1, 0.33))
"""Where a search that finds nothing goes on: shares of the way to the aim, from below the hip (0)
or from where the foot stands (1)."""


@kernel
def arc_slot(segment_count: int, leg_count: int, leg: int) -> int:
    """First of a leg's slots along its arc."""
    return segment_count + leg_count + ARC_RAYS * leg


@kernel
def arc_share(tick: int, k: int) -> float:
    """Share of a foot's remaining way at which its `k`-th ray along the arc is, in a tick.

    They move on by a part of the gap between them: no narrow thing is missed.
    """
    place = (k + (GOLDEN * tick) % 1.0) / ARC_RAYS
    return ARC_FIRST + (ARC_LAST - ARC_FIRST) * place


@kernel
def ring_slot(segment_count: int, leg_count: int, leg: int) -> int:
    """First of a leg's slots around its foothold."""
    return segment_count + leg_count * (1 + ARC_RAYS) + (len(RING) + 1) * leg


@kernel
def ahead_slot(segment_count: int, leg_count: int, segment: int) -> int:
    """First of a segment's slots ahead of it."""
    return ring_slot(segment_count, leg_count, leg_count) + AHEAD_RAYS * segment


def slot_count(segment_count: int, leg_count: int) -> int:
    """Rays that a creature may need in one tick."""
    return int(ahead_slot(segment_count, leg_count, segment_count))


@kernel
def rise_of(plan: Record, leg: Record) -> float:
    """How far over where a foot should stand its rays begin [m]."""
    return float(plan.ride_height + 0.25 * leg.reach)


@kernel
def leans_out(leg: Record) -> float:
    """How far from its foot SHIN of the bone above it is [m]; 0 where the RING sees as much."""
    out = SHIN * sqrt(leg.shin[0] * leg.shin[0] + leg.shin[1] * leg.shin[1])
    return float(out if out > RING_RADIUS * leg.reach else 0.0)


@kernel
def downhill(plan: Record, gait: Record, body: Record) -> Vec:
    """How far feet stand down the slope from home, below the body's weight [m, body].

    On a slope the body, upright on it, hangs over its lower feet by ride height times grade.
    """
    x, y, z = unrotate(quat(body.orientation), down_at(plan, vec(body.position)))
    share = UPHILL * gait.height / max(0.5, -z)
    return (x * share, y * share, 0.0)
