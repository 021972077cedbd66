"""No planted foot is ever outrun: a body moves only as far as the legs it stands on reach."""

from creature_sim.components import Record, Records
from creature_sim.maths import Floats, Quat, Vec, add, distance, quat, rotate, vec
from creature_sim.maths.jit import kernel

FULL_STRETCH = 0.97
"""A planted leg never stretches beyond this share of its reach."""


@kernel
def hip_of(position: Vec, orientation: Quat, leg: Record) -> Vec:
    """Where a leg is mounted, on a segment in this pose [m, world]."""
    return add(position, rotate(orientation, vec(leg.mount)))


@kernel
def fits(
    legs: Records, feet: Records, trunk: Records, position: Floats, orientation: Floats
) -> bool:
    """Whether every planted foot stays in reach, or at least comes nearer to it.

    Args:
        legs: (L,) LEG.
        feet: (L,) FOOT.
        trunk: (S,) BODY, as it is.
        position: (S, 3) of the segments, as wished [m, world].
        orientation: (S, 4), as wished.
    """
    for i in range(legs.shape[0]):
        if feet[i].is_swinging:
            continue
        leg, foot = legs[i], vec(feet[i].position)
        s = leg.segment
        new = distance(hip_of(vec(position[s]), quat(orientation[s]), leg), foot)
        if leg.inner <= new <= FULL_STRETCH * leg.reach:
            continue
        body = trunk[s]
        old = distance(hip_of(vec(body.position), quat(body.orientation), leg), foot)
        if new > old and new > leg.inner:
            return False
        if new < old and new < leg.inner:
            return False
    return True
