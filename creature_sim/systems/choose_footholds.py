"""Where feet go next: of what was sensed, the ground to stand on, clear of edges and other feet."""

import esper

from creature_sim.components import Body, Feet, Plan, Probes, Sensed
from creature_sim.locomotion.footholds import choose_footholds


class ChooseFootholds(esper.Processor):
    """Turn what was sensed into footholds."""

    def process(self, dt: float) -> None:
        """Judge the ground that every foot looks at."""
        for entity, (plan, body, feet, sensed) in esper.get_components(Plan, Body, Feet, Sensed):
            choose_footholds(
                plan.body,
                plan.legs,
                body.records,
                body.gaits,
                feet.records,
                sensed.records,
                esper.component_for_entity(entity, Probes).is_active,
                dt,
            )
