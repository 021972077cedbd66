"""Where the state of a world lies, and the copy of all of it that leaves a tick."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import esper
import numpy as np
from numpy.typing import NDArray

from creature_sim.components import Gravity, GravityRecord, Herd, Part, Plan, Records, Rig, Solids
from creature_sim.errors import SimulationError
from creature_sim.snapshots.parts import Form, Parts
from creature_sim.snapshots.runs import runs_of
from creature_sim.snapshots.snapshot import ChainState, HerdState, PropsState, Snapshot


class LiveArrays(dict[str, dict[str, NDArray[Any]]]):
    """The arrays of an entity by part and field, as ticks change them.

    Attributes:
        runs: the same as they lie in memory.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        """Remember how they lie in copies, which are made in every tick."""
        super().__init__({part.name: part.arrays() for part in parts})
        self.runs = runs_of(self)
        self._parts = parts
        self._form = Form(self)
        self._words = [run.words.data for run in self.runs]  # numpy hands records over slowly

    def are_there(self) -> bool:
        """Whether they are still those in the fields of their parts."""
        return all(
            getattr(part, name) is array
            for part in self._parts
            for name, array in self[part.name].items()
        )

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

    @property
    def owners(self) -> list[LiveArrays]:
        """The arrays of every herd, then of every chain and tree, then of all props."""
        return [arrays for _, arrays in (*self.herds, *self.chains, *self.props)]


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
    parts = [part for part in components if isinstance(part, Part)]
    for part in parts:
        for field, array in part.arrays().items():
            if not isinstance(array, np.ndarray) or array.shape[:1] != (count,):
                shape = getattr(array, "shape", type(array).__name__)
                raise SimulationError(
                    f"part {part.name!r}, {field}: expected an array of {count} rows, "
                    f"one per creature, found {shape}"
                )
            kinds = [kind for kind, *_ in (array.dtype.fields or {"": (array.dtype,)}).values()]
            if not array.flags.c_contiguous or any(kind.base.itemsize != 8 for kind in kinds):
                raise SimulationError(
                    f"part {part.name!r}, {field}: expected a contiguous array of 8-byte numbers, "
                    f"found {array.dtype}"
                )
    return LiveArrays(parts)


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
