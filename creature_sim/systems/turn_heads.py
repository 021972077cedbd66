"""Heads turn to what creatures look at."""

import esper

from creature_sim.components.arrays import Arrays
from creature_sim.locomotion.heads import turn_heads
from creature_sim.maths.jit import unchecked

_turn_heads = unchecked(turn_heads)


class TurnHeads(esper.Processor):
    """Turn heads on the bodies as they are carried."""

    def process(self, dt: float) -> None:
        """Turn every head by one tick."""
        for _, herd in esper.get_component(Arrays):
            _turn_heads(herd.plan.body, herd.bodies, herd.gaits, herd.heads, dt)
