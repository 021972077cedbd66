"""Ground without end is computed where bodies go, before they are there."""

import esper
import numpy as np

from creature_sim.components import Body
from creature_sim.components.queries import ground_here


class LoadGround(esper.Processor):
    """Compute a piece of the ground that is near a body and not there yet.

    Nothing depends on it but time: rays compute what they need and do not find. So what is loaded
    is no state.
    """

    def process(self, dt: float) -> None:
        """Look around all segments of all herds."""
        del dt  # it takes what time it takes
        physics = ground_here().physics
        if not physics.is_endless:
            return
        points = [body.records["position"].reshape(-1, 3) for _, body in esper.get_component(Body)]
        if points:
            physics.prepare(np.concatenate(points))
