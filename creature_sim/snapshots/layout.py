"""Where the state of a world lies, and the copy of all of it that leaves a tick."""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import esper
import numpy as np
from numpy.typing import NDArray

from creature_sim.components import Gravity, GravityRecord, Herd, Part, Plan, Records, Rig, Solids
from creature_sim.errors import SimulationError
from creature_sim.snapshots.parts import Form, Parts
from creature_sim.snapshots.snapshot import ChainState, HerdState, PropsState, Snapshot


class LiveArrays(dict[str, dict[str, NDArray[Any]]]):
    """The arrays of an entity by part and field, as ticks change them."""

    def __init__(self, arrays: Mapping[str, dict[str, NDArray[Any]]]) -> None:
        """Remember how they lie in copies, which are made in every tick."""
        super().__init__(arrays)
        self._form = Form(arrays)
        self._words = [  # numpy hands records over slowly
            array.reshape(-1).view(np.int64).data
            for fields in arrays.values()
            for array in fields.values()
        ]

    def copy_all(self) -> Parts:
        """A copy of them as they are now."""
        return Parts(self._form, b"".join(self._words))


@dataclass(frozen=True)
class Layout:
    """Where the state of a world lies; it stays the same until components are added or removed.

    Attributes:
        herds: of each its `Herd` and its `Plan`, and its arrays.
        chains: of each chain and tree its `Rig`, and its arrays.
        gravity: the world's field, (1,).
        props: the `Solids` of all props, and their arrays; one at the most.
    """

    herds: tuple[tuple[tuple[Herd, Plan], LiveArrays], ...]
    chains: tuple[tuple[Rig, LiveArrays], ...]
    gravity: Records[GravityRecord]
    props: tuple[tuple[Solids, LiveArrays], ...] = ()


def find_layout() -> Layout:
    """The state of esper's current context, in order of creation."""
    herds = sorted(esper.get_components(Herd, Plan), key=itemgetter(0))
    chains = sorted(esper.get_component(Rig), key=itemgetter(0))
    ((_, gravity),) = esper.get_component(Gravity)
    return Layout(
        tuple((both, _arrays(entity, len(both[0].members))) for entity, both in herds),
        tuple((rig, _arrays(entity, 1)) for entity, rig in chains),
        gravity.records,
        tuple(
            (solids, _arrays(entity, len(solids.definitions)))
            for entity, solids in esper.get_component(Solids)
        ),
    )


def _arrays(entity: int, count: int) -> LiveArrays:
    """The state of an entity of so many creatures; SimulationError where a Part is malformed."""
    components: tuple[object, ...] = esper.components_for_entity(entity)
    found = {part.name: part.arrays() for part in components if isinstance(part, Part)}
    for name, fields in found.items():
        for field, array in fields.items():
            if not isinstance(array, np.ndarray) or array.shape[:1] != (count,):
                shape = getattr(array, "shape", type(array).__name__)
                raise SimulationError(
                    f"part {name!r}, {field}: expected an array of {count} rows, one per creature, "
                    f"found {shape}"
                )
            kinds = [kind for kind, *_ in (array.dtype.fields or {"": (array.dtype,)}).values()]
            if not array.flags.c_contiguous or any(kind.base.itemsize != 8 for kind in kinds):
                raise SimulationError(
                    f"part {name!r}, {field}: expected a contiguous array of 8-byte numbers, "
                    f"found {array.dtype}"
                )
    return LiveArrays(found)


def take_snapshot(tick: int, layout: Layout, creature_count: int) -> Snapshot:
    """Copy all state after a tick; so many numbers have been given to creatures."""
    return Snapshot(
        tick,
        tuple(
            HerdState(herd.definition, plan, herd.members, arrays.copy_all())
            for (herd, plan), arrays in layout.herds
        ),
        tuple(ChainState(rig.definition, arrays.copy_all()) for rig, arrays in layout.chains),
        layout.gravity,
        creature_count,
        *(PropsState(solids.definitions, arrays.copy_all()) for solids, arrays in layout.props),
    )
