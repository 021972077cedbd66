"""One ray batch for everything that the tick wants to know of the ground."""

import esper
import numpy as np

from creature_sim.components import HIT, Ground, Probes, Sensed
from creature_sim.components.queries import find_props
from creature_sim.props.rays import cast, depths_within


class SenseGround(esper.Processor):
    """Cast the planned rays."""

    def process(self, dt: float) -> None:
        """Write what the rays of all herds hit."""
        del dt  # sensing takes no time
        ((_, ground),) = esper.get_component(Ground)
        herds = [herd for _, herd in esper.get_components(Probes, Sensed)]
        if not herds:
            return
        masks = [probes.is_active == 1 for probes, _ in herds]
        rays = list(zip(herds, masks, strict=True))
        starts = np.concatenate([probes.start[mask] for (probes, _), mask in rays])
        ends = np.concatenate([probes.end[mask] for (probes, _), mask in rays])
        hits = np.empty(len(starts), HIT)
        props = find_props()
        fractions, hits["normal"], hits["prop"] = cast(ground.physics, props, starts, ends)
        hits["is_hit"] = fractions < 1.0
        if props:  # from within one nothing is seen: there is no room for a foot
            solids, things = props
            within = depths_within(solids.records, solids.planes, things.records, starts)
            hits["is_hit"][within > 0.0] = 0
        hits["point"] = starts + (ends - starts) * fractions[:, None]
        begin = 0
        for (_, sensed), mask in rays:
            stop = begin + int(np.count_nonzero(mask))
            sensed.records[mask] = hits[begin:stop]
            begin = stop
