"""Feet in the air fly over the ground that was sampled below them."""

import esper

from creature_sim.components import Others
from creature_sim.components.arrays import AllHerds, HerdArrays, near_of
from creature_sim.components.queries import others_here
from creature_sim.locomotion.flight import swing
from creature_sim.maths.jit import kernel, unchecked
from creature_sim.maths.tables import Table


@unchecked
@kernel
def _swing(herds: Table[HerdArrays], others: Others, dt: float) -> None:
    for k in range(len(herds)):
        herd = herds[k]
        swing(*herd.walkers, herd.hits, herd.is_active, near_of(herd, others), dt)


class SwingFeet(esper.Processor):
    """Advance swings, and put feet down."""

    def process(self, dt: float) -> None:
        """Move every foot that is in the air."""
        for _, herds in esper.get_component(AllHerds):
            _swing(herds, others_here(), dt)
