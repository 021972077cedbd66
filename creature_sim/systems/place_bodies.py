"""Bodies are planned on from where they were planned to be."""

import esper

from creature_sim.components.arrays import Arrays
from creature_sim.locomotion.suspension import place_bodies
from creature_sim.maths.jit import unchecked

_place_bodies = unchecked(place_bodies)


class PlaceBodies(esper.Processor):
    """Take the weight off bodies."""

    def process(self, dt: float) -> None:
        """Put every body where it was planned to be."""
        del dt
        for _, herd in esper.get_component(Arrays):
            _place_bodies(herd.bodies, herd.hung)
