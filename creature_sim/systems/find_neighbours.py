"""Who is near to whom."""

from operator import itemgetter

import esper
import numpy as np

from creature_sim.components import LimbRecord, Near, NeighbourRecord, zeros
from creature_sim.components.arrays import Arrays
from creature_sim.locomotion.crowd import find_near, shapes_of
from creature_sim.locomotion.meeting import meet
from creature_sim.locomotion.sides import have_legs_near, part_legs, write_limbs
from creature_sim.maths.jit import unchecked

_find_near, _meet = unchecked(find_near), unchecked(meet)
_have_legs_near, _part_legs = unchecked(have_legs_near), unchecked(part_legs)
_write_limbs = unchecked(write_limbs)


class FindNeighbours(esper.Processor):
    """Find segments of other creatures near to each, and the planes between bodies and legs."""

    def process(self, dt: float) -> None:
        """Look at the creatures of the whole world."""
        del dt  # what is found holds for one tick, however long that is
        herds = esper.get_component(Arrays)
        if len(herds) == 1 and len(herds[0][1].gaits) == 1:
            return  # nobody else
        herds = sorted(herds, key=itemgetter(0))
        companies = [herd.company for _, herd in herds]
        shapes, feet, begins = shapes_of(companies)
        first, others = _find_near(shapes)
        records = zeros(NeighbourRecord, len(others))
        _meet(shapes, first, others, records)
        first_side, sides = np.zeros(len(feet) + 1, np.int64), np.zeros((0, 4))
        if _have_legs_near(shapes, first, others, records):
            limbs, leg = zeros(LimbRecord, len(feet)), 0
            for company in companies:
                count = company.feet.size
                _write_limbs(
                    company.plan.legs, company.bodies, company.feet, limbs[leg : leg + count]
                )
                leg += count
            first_side, sides = _part_legs(shapes, first, others, records, limbs)
        leg = 0
        for (_, herd), begin, end in zip(herds, begins, begins[1:], strict=False):
            count = herd.feet.size
            herd.neighbours.near = Near(
                first[begin : end + 1], records, feet, first_side[leg : leg + count + 1], sides
            )
            leg += count
