"""Every ray of a tick.

Slots of a creature with S segments and L legs: for each segment the ground below it; for each leg
its next foothold; then for each leg the ground between a foot in the air and its goal; then
for each leg the RING around its next foothold, which tells edges, and one below its shin; then for
each segment what is ahead of it.
"""

import esper

from creature_sim.components import Body, Clock, Feet, Plan, Probes
from creature_sim.locomotion.probes import plan_probes


class PlanProbes(esper.Processor):
    """Say which rays this tick needs."""

    def process(self, dt: float) -> None:
        """Write the rays of every herd."""
        ((_, clock),) = esper.get_component(Clock)
        for _, (plan, body, feet, probes) in esper.get_components(Plan, Body, Feet, Probes):
            plan_probes(
                plan.body,
                plan.segments,
                plan.legs,
                body.records,
                body.gaits,
                feet.records,
                probes.start,
                probes.end,
                probes.is_active,
                clock.tick,
                dt,
            )
