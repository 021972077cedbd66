"""Heads turn to what creatures look at."""

import esper

from creature_sim.components.arrays import AllHerds, HerdArrays
from creature_sim.locomotion.heads import turn_heads
from creature_sim.maths.jit import kernel, unchecked
from creature_sim.maths.tables import Table


@unchecked
@kernel
def _turn_heads(herds: Table[HerdArrays], dt: float) -> None:
    for k in range(len(herds)):
        herd = herds[k]
        plan, _, bodies, gaits, _, _ = herd.walkers
        turn_heads(plan, bodies, gaits, herd.heads, dt)


class TurnHeads(esper.Processor):
    """Turn heads on the bodies as they are carried."""

    def process(self, dt: float) -> None:
        """Turn every head by one tick."""
        for _, herds in esper.get_component(AllHerds):
            _turn_heads(herds, dt)
