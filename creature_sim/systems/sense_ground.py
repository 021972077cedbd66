"""One ray batch for everything that the tick wants to know of the ground."""

import esper
import numpy as np

from creature_sim.components import Plan, Probes, Props, Sensed, Solids
from creature_sim.components.queries import find_props, ground_here
from creature_sim.locomotion.holds import BESIDE, PLACES, look_beside, mark_narrow
from creature_sim.locomotion.sensing import gather, spread
from creature_sim.props.rays import cast, depths_within


class SenseGround(esper.Processor):
    """Cast the planned rays."""

    def process(self, dt: float) -> None:
        """Write what the rays of all herds hit."""
        del dt  # sensing takes no time
        herds = [herd for _, herd in esper.get_components(Probes, Sensed)]
        slots = 0
        for probes, _ in herds:
            slots += probes.is_active.size
        starts, ends = np.empty((slots, 3)), np.empty((slots, 3))
        is_once = np.empty(slots, np.bool_)
        parts, count = [], 0
        for probes, _ in herds:
            begin = count
            count += gather(
                probes.start,
                probes.end,
                probes.is_active,
                starts[begin:],
                ends[begin:],
                is_once[begin:],
            )
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
        for (probes, sensed), part in zip(herds, parts, strict=True):
            spread(
                probes.is_active, starts[part], ends[part], fractions[part], normals[part],
                numbers[part], is_hit[part], sensed.records,
            )  # fmt: skip
        for _, (plan, probes, sensed) in esper.get_components(Plan, Probes, Sensed):
            if plan.body[0]["hold"] > 0.0:
                _mark_narrow(plan, probes, sensed, found)


def _mark_narrow(
    plan: Plan, probes: Probes, sensed: Sensed, found: tuple[Solids, Props] | None
) -> None:
    """Mark ground that is narrower than feet hold."""
    hits, is_active = sensed.records, probes.is_active
    count = len(plan.segments), len(plan.legs)
    shape = (hits.shape[0] * len(plan.legs) * PLACES * len(BESIDE), 3)
    starts, ends = np.empty(shape), np.empty(shape)
    used = look_beside(plan.body[0], *count, is_active, hits, starts, ends)
    fractions, _, _ = cast(ground_here().physics, found, starts[:used], ends[:used])
    mark_narrow(*count, is_active, hits, fractions < 1.0)
