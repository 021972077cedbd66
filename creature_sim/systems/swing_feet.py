"""Feet in the air fly over the ground that was sampled below them."""

import esper

from creature_sim.components import Probes, Sensed
from creature_sim.components.queries import herds, near_here
from creature_sim.locomotion.flight import swing
from creature_sim.maths.jit import unchecked

_swing = unchecked(swing)


class SwingFeet(esper.Processor):
    """Advance swings, and put feet down."""

    def process(self, dt: float) -> None:
        """Move every foot that is in the air."""
        for entity, _, herd in herds():
            sensed = esper.component_for_entity(entity, Sensed)
            probes = esper.component_for_entity(entity, Probes)
            near = near_here(entity)
            _swing(*herd, sensed.records, probes.is_active, near, dt)
