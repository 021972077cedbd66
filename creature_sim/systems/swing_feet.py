"""Feet in the air fly over the ground that was sampled below them."""

import esper

from creature_sim.components.arrays import Arrays
from creature_sim.locomotion.flight import swing
from creature_sim.maths.jit import unchecked

_swing = unchecked(swing)


class SwingFeet(esper.Processor):
    """Advance swings, and put feet down."""

    def process(self, dt: float) -> None:
        """Move every foot that is in the air."""
        for _, herd in esper.get_component(Arrays):
            _swing(*herd.walkers, herd.hits, herd.is_active, herd.neighbours.near, dt)
