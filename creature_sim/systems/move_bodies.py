"""Bodies move along the surface."""

import esper

from creature_sim.components import Probes, Sensed
from creature_sim.components.queries import gravity_here, ground_here, herds, near_here, solids_here
from creature_sim.locomotion.advance import advance_bodies
from creature_sim.maths.jit import unchecked

_advance_bodies = unchecked(advance_bodies)


class MoveBodies(esper.Processor):
    """Integrate velocity and yaw rate."""

    def process(self, dt: float) -> None:
        """Move every body by one tick."""
        solids = solids_here()
        half_size = ground_here().half_size
        gravity = gravity_here()
        for entity, plan, herd in herds():
            sensed = esper.component_for_entity(entity, Sensed)
            room = esper.component_for_entity(entity, Probes).room
            _advance_bodies(
                *herd, gravity, plan.segments, sensed.records, room, solids, near_here(entity),
                half_size, dt,
            )  # fmt: skip
