"""Bodies hang on their legs as masses on springs."""

import esper

from creature_sim.components.arrays import AllHerds, HerdArrays
from creature_sim.locomotion.suspension import carry_bodies
from creature_sim.maths.jit import kernel, unchecked
from creature_sim.maths.tables import Table


@unchecked
@kernel
def _carry_bodies(herds: Table[HerdArrays], dt: float) -> None:
    for k in range(len(herds)):
        herd = herds[k]
        carry_bodies(*herd.walkers, herd.gravity, herd.segments, herd.hung, herd.poses, dt)


class CarryBodies(esper.Processor):
    """Let bodies weigh on their legs."""

    def process(self, dt: float) -> None:
        """Carry every body from where it is planned to where its springs let it be."""
        for _, herds in esper.get_component(AllHerds):
            _carry_bodies(herds, dt)
