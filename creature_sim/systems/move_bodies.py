"""Bodies move along the surface."""

import esper

from creature_sim.components import Neighbours, Probes, Sensed
from creature_sim.components.queries import (
    WALKERS,
    arrays_of,
    entities_with,
    gravity_here,
    ground_here,
    solids_here,
)
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
        found = entities_with(*WALKERS, Sensed, Probes, Neighbours)
        for _, (plan, body, gait, foot, hold, sensed, probes, neighbours) in found:
            _advance_bodies(
                *arrays_of(plan, body, gait, foot, hold),
                gravity, plan.segments, sensed.records, probes.room, solids, neighbours.near,
                half_size, dt,
            )  # fmt: skip
