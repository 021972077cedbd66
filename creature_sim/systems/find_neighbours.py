"""Who is near to whom."""

from operator import itemgetter

import esper

from creature_sim.components import (
    Body,
    FootTarget,
    Gait,
    Herd,
    Near,
    NeighbourRecord,
    Neighbours,
    Plan,
    zeros,
)
from creature_sim.locomotion.crowd import Company, find_near, shapes_of
from creature_sim.locomotion.meeting import meet


class FindNeighbours(esper.Processor):
    """Find the segments of other creatures that are near to each, and the planes between them."""

    def process(self, dt: float) -> None:
        """Look at the creatures of the whole world."""
        del dt  # what is found holds for one tick, however long that is
        herds = sorted(esper.get_component(Herd), key=itemgetter(0))
        if len(herds) == 1 and len(herds[0][1].members) == 1:
            return  # nobody else
        companies = [
            Company(
                esper.component_for_entity(entity, Plan),
                esper.component_for_entity(entity, Body).records,
                esper.component_for_entity(entity, Gait).records,
                esper.component_for_entity(entity, FootTarget).records,
                herd.members,
            )
            for entity, herd in herds
        ]
        shapes, feet, begins = shapes_of(companies)
        first, others = find_near(shapes)
        records = zeros(NeighbourRecord, len(others))
        meet(shapes, first, others, records)
        for (entity, _), begin, end in zip(herds, begins, begins[1:], strict=False):
            found = esper.component_for_entity(entity, Neighbours)
            found.near = Near(first[begin : end + 1], records, feet)
