"""One ray batch for everything that the tick wants to know of the ground."""

import esper
import numpy as np

from creature_sim.components import Probes, Sensed
from creature_sim.components.queries import find_props, ground_here
from creature_sim.locomotion.sensing import gather, spread
from creature_sim.props.rays import cast, depths_within


class SenseGround(esper.Processor):
    """Cast the planned rays."""

    def process(self, dt: float) -> None:
        """Write what the rays of all herds hit."""
        del dt  # sensing takes no time
        batches = []  # of every batch its rays, and where its answers go
        room = 0
        for _, (probes, sensed) in esper.get_components(Probes, Sensed):
            rays = probes.start, probes.end, probes.is_active
            batches.append((rays, sensed.records))
            room += probes.is_active.size
            patches = probes.patches
            if patches.count:
                part = slice(patches.count)
                rays = patches.start[part], patches.end[part], patches.is_active[part]
                batches.append((rays, patches.records[part]))
                room += rays[2].size
        starts, ends = np.empty((room, 3)), np.empty((room, 3))
        is_once = np.empty(room, np.bool_)
        parts, count = [], 0
        for rays, _ in batches:
            begin = count
            count += gather(*rays, starts[begin:], ends[begin:], is_once[begin:])
            parts.append(slice(begin, count))
        if not count:
            return
        starts, ends, is_once = starts[:count], ends[:count], is_once[:count]
        found = find_props()
        fractions, normals, numbers = cast(ground_here().physics, found, starts, ends, is_once)
        is_hit = fractions < 1.0
        if found:  # from within one nothing is seen: there is no room for a foot
            solids, props = found
            within = depths_within(solids.records, solids.planes, props.records, starts)
            is_hit[within > 0.0] = False
        for ((_, _, is_active), hits), part in zip(batches, parts, strict=True):
            spread(
                is_active, starts[part], ends[part], fractions[part], normals[part], numbers[part],
                is_hit[part], hits,
            )  # fmt: skip
