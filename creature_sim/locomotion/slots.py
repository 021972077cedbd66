"""Slots of a creature's rays: S segments and L legs have Q of them.

They are, in this order: the ground below each segment; each leg's next foothold; each leg's ground
between a foot in the air and its goal; each leg's RING around its next foothold, which finds edges,
with one ray below its shin; each leg's rays along its shin; one below each hip; and what is ahead
of each segment. Climbers have more: each leg's bent rays, those ahead of each segment's front, and
those to its hull.

The patch of ground that a leg surveys where there are edges has no slots, as few legs survey any in
a tick: see `Patches`.
"""

from creature_sim.locomotion.walls import AHEAD_RAYS
from creature_sim.maths.jit import kernel

ARC_RAYS = 4
"""Rays for the ground between a foot in the air and its goal, in each tick."""
RING = ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0))
"""Directions of the ring's rays from the foothold [body]."""
PATCH_SIDE = 5
"""Rays along a side of a patch."""
PATCH_RAYS = PATCH_SIDE * PATCH_SIDE
"""Rays of a patch."""
SHIN_RAYS = 4
"""Rays along the bone above a foot: on either side of it, now and soon; a leg that watches
its knee looks at that with them (`knees.py`)."""

BEND_RAYS = 6
"""Rays that bend round edges, beside the one down to the foothold."""
FRONT_RAYS = 4
"""Rays ahead of the front of a segment of who climbs, one of each quarter."""
HULL_RAYS = 8
"""Rays from the middle of a segment of who climbs out to its hull, one of each eighth."""


@kernel
def foothold_slot(segment_count: int, leg: int) -> int:
    """A leg's slot for its next foothold."""
    return segment_count + leg


@kernel
def arc_slot(segment_count: int, leg_count: int, leg: int) -> int:
    """First of a leg's slots along its arc."""
    return segment_count + leg_count + ARC_RAYS * leg


@kernel
def ring_slot(segment_count: int, leg_count: int, leg: int) -> int:
    """First of a leg's slots around its foothold."""
    return segment_count + leg_count * (1 + ARC_RAYS) + (len(RING) + 1) * leg


@kernel
def shin_slot(segment_count: int, leg_count: int, leg: int) -> int:
    """A leg's slot below its shin: the last one around its foothold."""
    return ring_slot(segment_count, leg_count, leg) + len(RING)


@kernel
def along_shin_slot(segment_count: int, leg_count: int, leg: int) -> int:
    """First of a leg's slots along the bone above its foot."""
    return ring_slot(segment_count, leg_count, leg_count) + SHIN_RAYS * leg


@kernel
def hip_slot(segment_count: int, leg_count: int, leg: int) -> int:
    """A leg's slot below its hip."""
    return along_shin_slot(segment_count, leg_count, leg_count) + leg


@kernel
def ahead_slot(segment_count: int, leg_count: int, segment: int) -> int:
    """First of a segment's slots ahead of it."""
    return hip_slot(segment_count, leg_count, leg_count) + AHEAD_RAYS * segment


@kernel
def bend_slot(segment_count: int, leg_count: int, leg: int) -> int:
    """First of a leg's slots for rays that bend round edges."""
    return ahead_slot(segment_count, leg_count, segment_count) + BEND_RAYS * leg


@kernel
def front_slot(segment_count: int, leg_count: int, segment: int) -> int:
    """First of a segment's slots ahead of its front."""
    return bend_slot(segment_count, leg_count, leg_count) + FRONT_RAYS * segment


@kernel
def hull_slot(segment_count: int, leg_count: int, segment: int) -> int:
    """First of a segment's slots out to its hull."""
    return front_slot(segment_count, leg_count, segment_count) + HULL_RAYS * segment


def slot_count(segment_count: int, leg_count: int, climbs: int = 0) -> int:
    """Rays that a creature may need in one tick."""
    if climbs:
        return int(hull_slot(segment_count, leg_count, segment_count))
    return int(bend_slot(segment_count, leg_count, 0))
