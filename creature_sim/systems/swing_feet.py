"""Feet in the air fly over the ground that was sampled below them."""

import esper

from creature_sim.components import Neighbours, Probes, Sensed
from creature_sim.components.queries import WALKERS, arrays_of, entities_with
from creature_sim.locomotion.flight import swing
from creature_sim.maths.jit import unchecked

_swing = unchecked(swing)


class SwingFeet(esper.Processor):
    """Advance swings, and put feet down."""

    def process(self, dt: float) -> None:
        """Move every foot that is in the air."""
        found = entities_with(*WALKERS, Sensed, Probes, Neighbours)
        for _, (plan, body, gait, foot, hold, sensed, probes, neighbours) in found:
            herd = arrays_of(plan, body, gait, foot, hold)
            _swing(*herd, sensed.records, probes.is_active, neighbours.near, dt)
