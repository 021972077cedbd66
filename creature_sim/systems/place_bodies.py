"""Bodies are planned on from where they were planned to be."""

import esper

from creature_sim.components.arrays import AllHerds, HerdArrays
from creature_sim.locomotion.suspension import place_bodies
from creature_sim.maths.jit import kernel, unchecked
from creature_sim.maths.tables import Table


@unchecked
@kernel
def _place_bodies(herds: Table[HerdArrays]) -> None:
    for k in range(len(herds)):
        herd = herds[k]
        _, _, bodies, _, _, _ = herd.walkers
        place_bodies(bodies, herd.hung)


class PlaceBodies(esper.Processor):
    """Take the weight off bodies."""

    def process(self, dt: float) -> None:
        """Put every body where it was planned to be."""
        del dt
        for _, herds in esper.get_component(AllHerds):
            _place_bodies(herds)
