"""Bodies move along the surface."""

import esper

from creature_sim.components.arrays import Arrays
from creature_sim.components.queries import ground_here
from creature_sim.locomotion.advance import advance_bodies
from creature_sim.maths.jit import unchecked

_advance_bodies = unchecked(advance_bodies)


class MoveBodies(esper.Processor):
    """Integrate velocity and yaw rate."""

    def process(self, dt: float) -> None:
        """Move every body by one tick."""
        half_size = ground_here().half_size
        for _, herd in esper.get_component(Arrays):
            _advance_bodies(
                *herd.walkers, herd.gravity, herd.segments, herd.hits, herd.room, herd.solids,
                herd.neighbours.near, half_size, dt,
            )  # fmt: skip
