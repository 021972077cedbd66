"""Bodies hang on their legs as masses on springs."""

import esper

from creature_sim.components.arrays import Arrays
from creature_sim.locomotion.suspension import carry_bodies
from creature_sim.maths.jit import unchecked

_carry_bodies = unchecked(carry_bodies)


class CarryBodies(esper.Processor):
    """Let bodies weigh on their legs."""

    def process(self, dt: float) -> None:
        """Carry every body from where it is planned to where its springs let it be."""
        for _, herd in esper.get_component(Arrays):
            _carry_bodies(*herd.walkers, herd.gravity, herd.segments, herd.hung, herd.poses, dt)
