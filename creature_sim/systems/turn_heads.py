"""Heads turn to what creatures look at."""

import esper

from creature_sim.components import Head
from creature_sim.components.queries import herds
from creature_sim.locomotion.heads import turn_heads
from creature_sim.maths.jit import unchecked

_turn_heads = unchecked(turn_heads)


class TurnHeads(esper.Processor):
    """Turn heads on the bodies as they are carried."""

    def process(self, dt: float) -> None:
        """Turn every head by one tick."""
        for entity, plan, (_, _, bodies, gaits, *_) in herds():
            heads = esper.component_for_entity(entity, Head).records
            _turn_heads(plan.body, bodies, gaits, heads, dt)
