"""Heads turn to what creatures look at."""

import esper

from creature_sim.components import Body, Gait, Head, Plan
from creature_sim.locomotion.heads import turn_heads
from creature_sim.maths.jit import unchecked

_turn_heads = unchecked(turn_heads)


class TurnHeads(esper.Processor):
    """Turn heads on the bodies as they are carried."""

    def process(self, dt: float) -> None:
        """Turn every head by one tick."""
        for _, (plan, body, gait, head) in esper.get_components(Plan, Body, Gait, Head):
            _turn_heads(plan.body, body.records, gait.records, head.records, dt)
