"""Which way is down: along the world's Z, or towards the middle of a planet."""

from creature_sim.components import Record
from creature_sim.jit import kernel
from creature_sim.maths import Vec, sub, unit, vec

DOWN = (0.0, 0.0, -1.0)


@kernel
def down_at(plan: Record, place: Vec) -> Vec:
    """Unit direction of the weight of a creature at a place [m, world]."""
    if plan.is_on_planet:
        return unit(sub(vec(plan.planet), place), DOWN)
    return DOWN
