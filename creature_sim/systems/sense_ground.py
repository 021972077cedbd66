"""One ray batch for everything that the tick wants to know of the ground."""

import esper
import numpy as np

from creature_sim.components import Props, Solids
from creature_sim.components.arrays import Arrays
from creature_sim.components.queries import find_props, ground_here
from creature_sim.locomotion.holds import BESIDE, PLACES, list_places, look_beside, mark_narrow
from creature_sim.locomotion.sensing import gather, spread
from creature_sim.maths.jit import unchecked
from creature_sim.props.rays import cast, depths_within

_gather = unchecked(gather)
_spread = unchecked(spread)

NO_DEPTHS = np.empty(0)
"""How deep rays begin within props where there are none, see `spread`."""


class SenseGround(esper.Processor):
    """Cast the planned rays."""

    def process(self, dt: float) -> None:
        """Write what the rays of all herds hit."""
        del dt  # sensing takes no time
        batches = []  # of every batch its rays, and where its answers go
        room = 0
        for _, herd in esper.get_component(Arrays):
            probes, patches = herd.probes, herd.probes.patches
            batches.append((probes.start, probes.end, herd.is_active, herd.hits))
            room += herd.is_active.size
            if patches.count:
                part = slice(patches.count)
                rays = patches.start[part], patches.end[part], patches.is_active[part]
                batches.append((*rays, patches.records[part]))
                room += rays[2].size
        starts, ends = np.empty((room, 3)), np.empty((room, 3))
        is_once = np.empty(room, np.bool_)
        count = 0
        for start, end, is_active, _ in batches:
            count = _gather(start, end, is_active, starts, ends, is_once, count)
        if not count:
            return
        starts, ends, is_once = starts[:count], ends[:count], is_once[:count]
        found = find_props()
        fractions, normals, numbers = cast(ground_here().physics, found, starts, ends, is_once)
        depths = NO_DEPTHS
        if found:
            solids, props = found
            depths = depths_within(solids.records, solids.planes, props.records, starts)
        count = 0
        for _, _, is_active, hits in batches:
            count = _spread(
                is_active, starts, ends, fractions, normals, numbers, depths, count, hits
            )
        for _, herd in esper.get_component(Arrays):
            if herd.plan.minds_width:
                _mark_narrow(herd, found)


def _mark_narrow(herd: Arrays, found: tuple[Solids, Props] | None) -> None:
    """Mark ground that is narrower than feet hold."""
    plan, hits, patches = herd.plan, herd.hits, herd.probes.patches
    segment_count, leg_count = len(plan.segments), len(plan.legs)
    room = np.empty((hits.shape[0] * leg_count * PLACES, 3), np.int64)
    count = list_places(
        segment_count, leg_count, herd.is_active, hits,
        patches.rows, patches.is_active, patches.records, room,
    )  # fmt: skip
    places, shape = room[:count], (count * len(BESIDE), 3)
    starts, ends = np.empty(shape), np.empty(shape)
    look_beside(plan.body[0], places, hits, patches.records, starts, ends)
    fractions, _, _ = cast(ground_here().physics, found, starts, ends)
    mark_narrow(places, hits, patches.records, fractions < 1.0)
