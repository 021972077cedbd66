"""Ground without end is computed where bodies go, before they are there."""

import esper
import numpy as np

from creature_sim.components import Body, Ground


class LoadGround(esper.Processor):
    """Compute a piece of the ground that is near a body and not there yet.

    Nothing depends on it but time: rays compute what they need and do not find. So what is loaded
    is no state.
    """

    def process(self, dt: float) -> None:
        """Look around all segments of all herds."""
        del dt  # it takes what time it takes
        ((_, ground),) = esper.get_component(Ground)
        if not ground.physics.is_endless:
            return
        places = [body.records["position"].reshape(-1, 3) for _, body in esper.get_component(Body)]
        if places:
            ground.physics.prepare(np.concatenate(places))
