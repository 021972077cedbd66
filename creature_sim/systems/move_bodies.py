"""Bodies move along the surface."""

import esper

from creature_sim.components import Sensed, SolidRecord, zeros
from creature_sim.components.queries import find_props, gravity_here, ground_here, herds, near_here
from creature_sim.locomotion.advance import advance_bodies

_NONE = zeros(SolidRecord, 0)


class MoveBodies(esper.Processor):
    """Integrate velocity and yaw rate."""

    def process(self, dt: float) -> None:
        """Move every body by one tick."""
        props = find_props()
        solids = props[0].records if props else _NONE
        half_size = ground_here().half_size
        gravity = gravity_here()
        for entity, plan, herd in herds():
            sensed = esper.component_for_entity(entity, Sensed)
            advance_bodies(
                *herd, gravity, plan.segments, sensed.records, solids, near_here(entity),
                half_size, dt,
            )  # fmt: skip
