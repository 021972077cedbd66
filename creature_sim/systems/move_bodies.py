"""Bodies move along the surface."""

import esper

from creature_sim.components import Others
from creature_sim.components.arrays import AllHerds, HerdArrays, near_of
from creature_sim.components.queries import ground_here, others_here
from creature_sim.locomotion.advance import advance_bodies
from creature_sim.maths.jit import kernel, unchecked
from creature_sim.maths.tables import Table


@unchecked
@kernel
def _advance_bodies(herds: Table[HerdArrays], others: Others, half_size: float, dt: float) -> None:
    for k in range(len(herds)):
        herd = herds[k]
        advance_bodies(
            *herd.walkers, herd.gravity, herd.segments, herd.hits, herd.solids,
            near_of(herd, others), half_size, dt,
        )  # fmt: skip


class MoveBodies(esper.Processor):
    """Integrate velocity and yaw rate."""

    def process(self, dt: float) -> None:
        """Move every body by one tick."""
        for _, herds in esper.get_component(AllHerds):
            _advance_bodies(herds, others_here(), ground_here().half_size, dt)
