"""One ray batch for everything that the tick wants to know of the ground."""

import esper
import numpy as np
from numpy.typing import NDArray

from creature_sim.components import Plan, Props, Solids
from creature_sim.components.arrays import AllHerds, Arrays, HerdArrays
from creature_sim.components.queries import find_props, ground_here, tick_now
from creature_sim.errors import SimulationError
from creature_sim.locomotion.holds import BESIDE, PLACES, list_places, look_beside, mark_narrow
from creature_sim.locomotion.rays import count_cast
from creature_sim.locomotion.sensing import gather, spread
from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel, unchecked
from creature_sim.maths.tables import Table
from creature_sim.props.rays import cast, depths_within

NO_DEPTHS = np.empty(0)
"""How deep rays begin within props where there are none, see `spread`."""


@unchecked
@kernel
def _count(herds: Table[HerdArrays]) -> int:
    """How many rays are cast."""
    count = 0
    for k in range(len(herds)):
        patches = herds[k].patches
        for n in range(herds[k].is_active.shape[0]):
            count += count_cast(herds[k].is_active[n])
        for p in range(patches.used[0]):
            count += count_cast(patches.is_active[p])
    return count


@unchecked
@kernel
def _gather(
    herds: Table[HerdArrays], starts: Floats, ends: Floats, is_once: NDArray[np.bool_]
) -> None:
    """Copy the rays of all herds; the arguments of `gather`."""
    count = 0
    for k in range(len(herds)):
        herd, patches = herds[k], herds[k].patches
        count = gather(herd.starts, herd.ends, herd.is_active, starts, ends, is_once, count)
        if patches.used[0]:
            part = slice(patches.used[0])
            count = gather(
                patches.start[part], patches.end[part], patches.is_active[part],
                starts, ends, is_once, count,
            )  # fmt: skip


@unchecked
@kernel
def _spread(
    herds: Table[HerdArrays],
    starts: Floats,
    ends: Floats,
    fractions: Floats,
    normals: Floats,
    props: NDArray[np.int64],
    depths: Floats,
) -> bool:
    """Write what the rays found to the slots of all herds; the arguments of `spread`.

    Returns:
        whether all numbers are finite.
    """
    answers = starts, ends, fractions, normals, props, depths
    count, are_finite = 0, True
    for k in range(len(herds)):
        herd, patches = herds[k], herds[k].patches
        count, is_finite = spread(herd.is_active, *answers, count, herd.hits)
        are_finite = are_finite and is_finite
        if patches.used[0]:
            part = slice(patches.used[0])
            found = spread(patches.is_active[part], *answers, count, patches.records[part])
            count, are_finite = found[0], are_finite and found[1]
    return are_finite


class SenseGround(esper.Processor):
    """Cast the planned rays."""

    def process(self, dt: float) -> None:
        """Write what the rays of all herds hit."""
        del dt  # sensing takes no time
        for _, herds in esper.get_component(AllHerds):
            count = _count(herds)
            if count:
                _sense(herds, count)


def _sense(herds: AllHerds, count: int) -> None:
    """Cast the rays of all herds, of which there are so many."""
    starts, ends, is_once = np.empty((count, 3)), np.empty((count, 3)), np.empty(count, np.bool_)
    _gather(herds, starts, ends, is_once)
    found = find_props()
    fractions, normals, numbers = cast(ground_here().physics, found, starts, ends, is_once)
    depths = NO_DEPTHS
    if found:
        solids, props = found
        depths = depths_within(solids.records, solids.planes, props.records, starts)
    if not _spread(herds, starts, ends, fractions, normals, numbers, depths):
        raise SimulationError(f"tick {tick_now()}: a ray found a point that is not finite")
    for _, herd in esper.get_component(Arrays):
        if herd.plan.minds_width:
            _mark_narrow(herd.plan, herd.arrays, found)


def _mark_narrow(plan: Plan, herd: HerdArrays, found: tuple[Solids, Props] | None) -> None:
    """Mark ground that is narrower than feet hold."""
    hits, patches = herd.hits, herd.patches
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
