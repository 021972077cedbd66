"""Who is near to whom."""

import esper
import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    Crowd,
    LimbRecord,
    NeighbourRecord,
    Others,
    Records,
    ShapeRecord,
    zeros,
)
from creature_sim.components.arrays import AllHerds, HerdArrays
from creature_sim.locomotion.crowd import find_near, write_shapes
from creature_sim.locomotion.meeting import meet
from creature_sim.locomotion.sides import have_legs_near, part_legs, write_limbs
from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel, unchecked
from creature_sim.maths.tables import Table

_find_near, _meet = unchecked(find_near), unchecked(meet)
_have_legs_near, _part_legs = unchecked(have_legs_near), unchecked(part_legs)


@unchecked
@kernel
def _write_shapes(herds: Table[HerdArrays], shapes: Records[ShapeRecord], goals: Floats) -> None:
    first, first_foot = 0, 0
    for k in range(len(herds)):
        herd = herds[k]
        plan, legs, bodies, gaits, feet, _ = herd.walkers
        write_shapes(
            plan, legs, herd.segments, bodies, gaits, feet, herd.numbers, 0.0,
            shapes, first, goals, first_foot,
        )  # fmt: skip
        first, first_foot = first + bodies.size, first_foot + feet.size


@unchecked
@kernel
def _write_limbs(herds: Table[HerdArrays], limbs: Records[LimbRecord]) -> None:
    first = 0
    for k in range(len(herds)):
        _, legs, bodies, _, feet, _ = herds[k].walkers
        write_limbs(legs, bodies, feet, limbs[first : first + feet.size])
        first += feet.size


@unchecked
@kernel
def _share_out(
    herds: Table[HerdArrays], first: NDArray[np.int64], first_side: NDArray[np.int64]
) -> None:
    """Write to each herd where its neighbours begin: a part of (M + 1,) and of (F + 1,)."""
    segment, leg = 0, 0
    for k in range(len(herds)):
        own, own_side = herds[k].first_near, herds[k].first_side
        own[:] = first[segment : segment + len(own)]
        own_side[:] = first_side[leg : leg + len(own_side)]
        segment, leg = segment + len(own) - 1, leg + len(own_side) - 1


class FindNeighbours(esper.Processor):
    """Find segments of other creatures near to each, and the planes between bodies and legs."""

    def process(self, dt: float) -> None:
        """Look at the creatures of the whole world."""
        del dt  # what is found holds for one tick, however long that is
        for world, herds in esper.get_component(AllHerds):
            if len(herds) == herds.creature_count == 1:
                return  # nobody else
            shapes = zeros(ShapeRecord, herds.segment_count)
            feet = np.zeros((herds.foot_count, 3))
            _write_shapes(herds, shapes, feet)
            first, others = _find_near(shapes)
            records = zeros(NeighbourRecord, len(others))
            _meet(shapes, first, others, records)
            first_side, sides = np.zeros(len(feet) + 1, np.int64), np.zeros((0, 4))
            if _have_legs_near(shapes, first, others, records):
                limbs = zeros(LimbRecord, len(feet))
                _write_limbs(herds, limbs)
                first_side, sides = _part_legs(shapes, first, others, records, limbs)
            _share_out(herds, first, first_side)
            crowd = esper.component_for_entity(world, Crowd)
            crowd.others = Others(records, feet, sides)
