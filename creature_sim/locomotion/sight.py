"""Whether anything is between a creature and a point: the ground, a wall, a prop."""

from creature_sim.components import GravityRecord
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gravity import rise_from
from creature_sim.maths import Floats, Vec, along, distance, put, sub, unit, vec
from creature_sim.maths.jit import kernel

RAYS = 3
OVER = 0.5
"""A leg goes over what is lower than this fraction of its creature's reach above the point."""
TOUCH = 0.03
"""What lies on the ground is touched: rays end before it by this fraction of the reach."""


@kernel
def probe_sight(
    creature: Creature, gravity: GravityRecord, point: Vec, start: Floats, end: Floats
) -> None:
    """Write rays to a point [m, world] from the segment next to it: (RAYS, 3) each [m, world].

    The first goes straight there, the second to above it, the third from there down.
    """
    plan, trunk = creature.plan, creature.trunk
    s = 0
    for k in range(1, trunk.shape[0]):
        if distance(vec(trunk[k].position), point) < distance(vec(trunk[s].position), point):
            s = k
    here = vec(trunk[s].position)
    up = rise_from(plan, gravity, trunk[s], point)
    over = along(point, up, OVER * plan.reach)
    short = min(TOUCH * plan.reach, 0.5 * distance(here, point))
    put(start[0], here)
    put(end[0], along(point, unit(sub(here, point), up), short))
    put(start[1], here)
    put(end[1], over)
    put(start[2], over)
    put(end[2], along(point, up, TOUCH * plan.reach))
