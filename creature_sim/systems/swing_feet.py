"""Feet in the air fly over the ground that was sampled below them."""

import esper

from creature_sim.components import Neighbours, Probes, Sensed
from creature_sim.components.queries import WALKERS, entities_with
from creature_sim.locomotion.flight import swing
from creature_sim.maths.jit import unchecked

_swing = unchecked(swing)


class SwingFeet(esper.Processor):
    """Advance swings, and put feet down."""

    def process(self, dt: float) -> None:
        """Move every foot that is in the air."""
        found = entities_with(*WALKERS, Sensed, Probes, Neighbours)
        for _, (plan, body, gait, foot, hold, sensed, probes, neighbours) in found:
            _swing(
                plan.body, plan.legs, body.records, gait.records, foot.records, hold.records,
                sensed.records, probes.is_active, neighbours.near, dt,
            )  # fmt: skip
