"""How feet search for ground: what probes, footholds and roofs agree on."""

from typing import NamedTuple

from creature_sim.components import (
    LIFTING,
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    LegRecord,
    PlanRecord,
)
from creature_sim.locomotion.gravity import pull_on
from creature_sim.locomotion.slots import ARC_RAYS
from creature_sim.maths import GOLDEN, Vec, quat, unrotate, vec
from creature_sim.maths.jit import kernel

ARC_FIRST, ARC_LAST = 0.1, 0.9
"""Fractions of the remaining path of a swing between which its rays are."""
RING_RADIUS = 0.09
"""Distance of the ring's rays from the foothold, as a fraction of the leg's reach."""
EDGE = 0.04
"""Ground that is higher or lower by this fraction of the reach, a step aside, is behind an edge."""
SHIN = 0.5
"""Fraction of the bone above the foot below which the ground is probed too, where it leans out."""
FROM_HIP, FROM_FOOT, ONWARD = 0, 1, 2
FALLBACKS = (
    (FROM_HIP, 1.0),
    (ONWARD, 0.2),
    (FROM_HIP, 0.75),
    (FROM_HIP, 0.5),
    (ONWARD, 0.35),
    (FROM_HIP, 1.25),
    (FROM_FOOT, 0.67),
    (FROM_FOOT, 0.33),
)
"""Where a search goes on that finds nothing: at fractions of the line to the aim, from below the
hip or from the foot. For a standing foot also beyond the aim, in the direction of the command, by
fractions of the reach: over a ditch."""
GROPES = 1
"""`foothold.fallback` of a foot of who climbs that feels around."""
GOOD = 0.8
"""A foot that knows a place which scores as much needs not look everywhere at once."""
AIM_UNTIL = 0.55
"""Progress of a swing from which on it keeps its goal..."""
AIM_AGAIN = 0.85
"""...and this one where the bone above it would be in the ground there."""
SEARCHING = 0.75
"""A standing foot looks for edges around its next foothold from this urgency on, or in turn."""
PRESSING = 1.3
"""From this urgency on a foot looks for ground anywhere, and not only beside its usual aim."""
OLD = 1.15
"""Of places as good as each other a foot takes the one that it goes to already, by this factor."""
SHORTEST_STEP = 0.1
"""A step shorter than this fraction of the stroke is not worth lifting a foot for."""
RESTS = 1e-3
"""Where the body goes slower than this feet settle, and no turn comes [m/s]."""
UPHILL = 0.85
"""Fraction of its overhang down a slope that a body makes good."""


@kernel
def arc_fraction(age: int, k: int) -> float:
    """Fraction of a foot's remaining path at which its `k`-th ray along the arc is, at an age.

    They move on by a part of the gap between them: no narrow thing is missed.
    """
    position = (k + (GOLDEN * age) % 1.0) / ARC_RAYS
    return ARC_FIRST + (ARC_LAST - ARC_FIRST) * position


@kernel
def knows_good(foot: FootRecord, foothold: FootholdRecord) -> bool:
    """Whether a foot knows a good place to go to; as it lifts it looks for it anew."""
    return bool(foothold.score >= GOOD and foot.phase != LIFTING)


@kernel
def gropes(plan: PlanRecord, foothold: FootholdRecord) -> bool:
    """Whether a foot of who climbs feels around: of walkers the same number is another search."""
    return bool(plan.climbs and foothold.fallback == GROPES)


@kernel
def rise_of(plan: PlanRecord, leg: LegRecord) -> float:
    """How far above where a foot should stand its rays begin [m]: of who climbs at its hips."""
    return float(plan.ride_height + (0.0 if plan.climbs else 0.25 * leg.reach))


@kernel
def downhill(plan: PlanRecord, gravity: GravityRecord, gait: GaitRecord, body: BodyRecord) -> Vec:
    """How far feet stand down the slope from home, below the body's centre of mass [m, body].

    On a slope the body, upright on it, hangs over its lower feet by ride height times grade.
    """
    x, y, z = unrotate(quat(body.orientation), pull_on(plan, gravity, body, vec(body.position)))
    factor = UPHILL * gait.ride_height / max(0.5, -z)
    return (x * factor, y * factor, 0.0)


class Find(NamedTuple):
    """What a leg's search has found in this tick.

    Attributes:
        point: of the ground [m, world].
        normal: there [world].
        stretch: of the leg, standing on it at touchdown: 1 is all of it.
        is_hit: whether there is anything.
        is_ground: whether it is level enough to stand on.
        is_in_reach: whether the leg reaches it at touchdown.
        prop: that it lies on; -1: the ground.
    """

    point: Vec
    normal: Vec
    stretch: float
    is_hit: bool
    is_ground: bool
    is_in_reach: bool
    prop: int
