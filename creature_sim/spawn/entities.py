"""Entities that are there: herds, whom they hold, and the state of each."""

from operator import itemgetter

import esper
import numpy as np

from creature_sim.components import Herd, Part, Saved
from creature_sim.errors import DefinitionError


def herds_in_order() -> list[tuple[int, Herd]]:
    """Entity and herd of all herds, in order of creation."""
    return sorted(esper.get_component(Herd), key=itemgetter(0))


def find_creature(number: int) -> tuple[int, int]:
    """Entity of a creature's herd, and its row there; DefinitionError where it is not."""
    for entity, herd in herds_in_order():
        for row in np.flatnonzero(herd.members == number).tolist():
            return entity, row
    raise DefinitionError(f"creature: expected the number of one that is there, found {number}")


def parts_of(entity: int) -> list[Part]:
    """The state of an entity."""
    components: tuple[object, ...] = esper.components_for_entity(entity)
    return [part for part in components if isinstance(part, Part)]


def saved_of(part: Part) -> dict[str, Saved]:
    """The arrays of a part as they are now, by field."""
    return {name: Saved(array) for name, array in part.arrays().items()}
