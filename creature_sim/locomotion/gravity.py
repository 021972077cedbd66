"""Which way is down: along the world's Z, or towards the middle of a planet."""

import numpy as np

from creature_sim.components import Record
from creature_sim.maths import Floats, Vec, put, sub, unit, vec
from creature_sim.maths.jit import kernel

DOWN = (0.0, 0.0, -1.0)


@kernel
def down_at(plan: Record, place: Vec) -> Vec:
    """Unit direction of the weight of a creature at a place [m, world]."""
    if plan.is_on_planet:
        return unit(sub(vec(plan.planet), place), DOWN)
    return DOWN


@kernel
def up_at(plan: Record, place: Vec) -> Vec:
    """Unit direction against the weight of a creature at a place [m, world]."""
    return sub((0.0, 0.0, 0.0), down_at(plan, place))


@kernel
def ups_at(plan: Record, places: Floats) -> Floats:
    """The same at places (K, 3) [m, world], (K, 3)."""
    ups = np.empty_like(places)
    for k in range(len(places)):
        put(ups[k], up_at(plan, vec(places[k])))
    return ups
