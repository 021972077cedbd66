"""Bodies are planned on from where they were planned to be."""

import esper

from creature_sim.components import Body, Suspension
from creature_sim.locomotion.suspension import place_bodies
from creature_sim.maths.jit import unchecked

_place_bodies = unchecked(place_bodies)


class PlaceBodies(esper.Processor):
    """Take the weight off bodies."""

    def process(self, dt: float) -> None:
        """Put every body where it was planned to be."""
        del dt
        for _, (body, suspension) in esper.get_components(Body, Suspension):
            _place_bodies(body.records, suspension.records)
