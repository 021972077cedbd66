"""No planted foot is ever outrun: a body moves only as far as the legs that it stands on reach."""

from creature_sim.components import STANDING, LegRecord
from creature_sim.locomotion.clearance import stays_apart
from creature_sim.locomotion.creature import Creature
from creature_sim.maths import Floats, Quat, Vec, add, distance, quat, rotate, vec
from creature_sim.maths.jit import kernel

FULL_STRETCH = 0.97
"""A planted leg never stretches beyond this fraction of its reach."""


@kernel
def hip_of(position: Vec, orientation: Quat, leg: LegRecord) -> Vec:
    """Where a leg is mounted, on a segment in this pose [m, world]."""
    return add(position, rotate(orientation, vec(leg.mount)))


@kernel
def fits(creature: Creature, position: Floats, orientation: Floats) -> bool:
    """Whether every planted foot stays in reach, or at least comes nearer to it.

    Nor may legs come too near one another.

    Args:
        creature: as it is.
        position: (S, 3) of its segments, as wished [m, world].
        orientation: (S, 4), as wished.
    """
    for i in range(creature.legs.shape[0]):
        if creature.feet[i].phase != STANDING:
            continue
        leg, foot = creature.legs[i], vec(creature.feet[i].position)
        s = leg.segment
        new = distance(hip_of(vec(position[s]), quat(orientation[s]), leg), foot)
        if leg.min_reach <= new <= FULL_STRETCH * leg.reach:
            continue
        body = creature.trunk[s]
        old = distance(hip_of(vec(body.position), quat(body.orientation), leg), foot)
        if new > old and new > leg.min_reach:
            return False
        if new < old and new < leg.min_reach:
            return False
    return stays_apart(creature, position, orientation)
