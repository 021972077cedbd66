"""Feet in the air fly half-sine arcs over the ground that was sampled below them."""

import esper

from creature_sim.components import Body, Clock, Feet, Plan, Probes, Sensed
from creature_sim.locomotion.flight import swing


class SwingFeet(esper.Processor):
    """Advance swings, and put feet down."""

    def process(self, dt: float) -> None:
        """Move every foot that is in the air."""
        ((_, clock),) = esper.get_component(Clock)
        for entity, (plan, body, feet, sensed) in esper.get_components(Plan, Body, Feet, Sensed):
            swing(
                plan.body,
                plan.legs,
                body.records,
                body.gaits,
                feet.records,
                sensed.records,
                esper.component_for_entity(entity, Probes).is_active,
                clock.tick,
                dt,
            )
