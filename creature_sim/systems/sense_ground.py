"""One ray batch for everything that the tick wants to know of the ground."""

import esper
import numpy as np

from creature_sim.components import Ground, Probes


class SenseGround(esper.Processor):
    """Cast the planned rays."""

    def process(self, dt: float) -> None:
        """Write what the rays of all herds hit."""
        del dt  # sensing takes no time
        ((_, ground),) = esper.get_component(Ground)
        planned = [probes for _, probes in esper.get_component(Probes)]
        masks = [probes.is_active == 1 for probes in planned]
        starts = np.concatenate(
            [probes.start[mask] for probes, mask in zip(planned, masks, strict=True)]
        )
        ends = np.concatenate(
            [probes.end[mask] for probes, mask in zip(planned, masks, strict=True)]
        )
        fractions, normals = ground.physics.cast(starts, ends)
        points = starts + (ends - starts) * fractions[:, None]
        begin = 0
        for probes, mask in zip(planned, masks, strict=True):
            stop = begin + int(np.count_nonzero(mask))
            probes.is_hit[mask] = fractions[begin:stop] < 1.0
            probes.point[mask] = points[begin:stop]
            probes.normal[mask] = normals[begin:stop]
            begin = stop
