"""Bodies move along the surface."""

import esper
import numpy as np

from creature_sim.components import SOLID, Body, Feet, Ground, Plan, Sensed
from creature_sim.components.queries import find_props
from creature_sim.locomotion.advance import advance


class MoveBodies(esper.Processor):
    """Integrate velocity and yaw rate."""

    def process(self, dt: float) -> None:
        """Move every body by one tick."""
        ((_, ground),) = esper.get_component(Ground)
        props = find_props()
        solids = props[0].records if props else np.empty(0, SOLID)
        for _, (plan, body, feet, sensed) in esper.get_components(Plan, Body, Feet, Sensed):
            advance(
                plan.body,
                plan.segments,
                plan.legs,
                body.records,
                body.gaits,
                feet.records,
                sensed.records,
                solids,
                ground.half_size,
                dt,
            )
