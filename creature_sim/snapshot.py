"""An immutable copy of all state after a tick, and its digests."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from operator import itemgetter
from typing import Any

import esper
import numpy as np
from numpy.typing import NDArray

from creature_sim.components import Herd, Part
from creature_sim.definitions import CreatureDef
from creature_sim.maths import Floats


class PartState(Mapping[str, NDArray[Any]]):
    """The arrays of one part of a herd by field, read-only; see `components.py` for their units.

    A snapshot is taken every tick and mostly hashed, so it keeps bytes; arrays are made of them
    when somebody looks.
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Copy the arrays."""
        self._arrays = arrays  # live: only for shapes and types
        self._bytes = {name: array.tobytes() for name, array in arrays.items()}
        self._made: dict[str, NDArray[Any]] = {}

    def __getitem__(self, field: str) -> NDArray[Any]:
        """The array of a field."""
        if field not in self._made:
            like = self._arrays[field]
            self._made[field] = np.frombuffer(self._bytes[field], like.dtype).reshape(like.shape)
        return self._made[field]

    def __iter__(self) -> Iterator[str]:
        """The fields."""
        return iter(self._bytes)

    def __len__(self) -> int:
        """How many fields there are."""
        return len(self._bytes)

    def digest(self, row: int, count: int) -> str:
        """Hash of one of `count` creatures, 16 hexadecimal digits."""
        part = blake2b(digest_size=8)
        for data in self._bytes.values():
            size = len(data) // count
            part.update(data[row * size : (row + 1) * size])
        return part.hexdigest()


@dataclass(frozen=True)
class HerdState:
    """The state of one herd.

    Attributes:
        definition: the body plan.
        members: (N,) place of each creature in the world's list.
        parts: arrays by part and field.
    """

    definition: CreatureDef
    members: NDArray[np.int64]
    parts: Mapping[str, PartState]


@dataclass(frozen=True)
class CreatureState:
    """The state of one creature: read-only views into a snapshot."""

    herd: HerdState
    row: int

    @property
    def definition(self) -> CreatureDef:
        """Its body plan."""
        return self.herd.definition

    @cached_property
    def body(self) -> Any:
        """BODY record."""
        return self.herd.parts["body"]["records"][self.row]

    @cached_property
    def feet(self) -> NDArray[Any]:
        """FOOT records, (L,)."""
        feet: NDArray[Any] = self.herd.parts["feet"]["records"][self.row]
        return feet

    @property
    def position(self) -> Floats:
        """Centre of the body, (3,) [m, world]."""
        position: Floats = self.body["position"]
        return position

    @property
    def orientation(self) -> Floats:
        """Orientation of the body, (4,) xyzw."""
        orientation: Floats = self.body["orientation"]
        return orientation

    @property
    def joints(self) -> Floats:
        """Joints of all legs, hip to tip, (L, J, 3) [m, world]."""
        joints: Floats = self.herd.parts["legs"]["joints"][self.row]
        return joints

    @property
    def rotations(self) -> Floats:
        """Orientations of all bones, (L, J - 1, 4) xyzw."""
        rotations: Floats = self.herd.parts["legs"]["rotations"][self.row]
        return rotations

    @property
    def foot_rotations(self) -> Floats:
        """Orientations of all feet, (L, 4) xyzw."""
        rotations: Floats = self.herd.parts["legs"]["foot_rotation"][self.row]
        return rotations

    @property
    def tips(self) -> Floats:
        """Solved tips of all legs, (L, 3) [m, world]."""
        return self.joints[:, -1]


@dataclass(frozen=True)
class Snapshot:
    """All state after a tick.

    Attributes:
        tick: number of ticks computed so far.
        herds: in order of creation.
    """

    tick: int
    herds: tuple[HerdState, ...]

    @cached_property
    def creatures(self) -> tuple[CreatureState, ...]:
        """Every creature, in the world's order."""
        found = {
            member: CreatureState(herd, row)
            for herd in self.herds
            for row, member in enumerate(herd.members.tolist())
        }
        return tuple(found[member] for member in sorted(found))

    @cached_property
    def digests(self) -> tuple[dict[str, str], ...]:
        """Hash of every part of every creature, by part name, in the world's order.

        A creature's digests depend on nothing but its own state: not on its place in the world,
        nor on its herd.
        """
        return tuple(
            {
                name: part.digest(creature.row, len(creature.herd.members))
                for name, part in creature.herd.parts.items()
            }
            for creature in self.creatures
        )

    @cached_property
    def digest(self) -> str:
        """Hash of the tick and of all state, 32 hexadecimal digits."""
        whole = blake2b(str(self.tick).encode(), digest_size=16)
        for parts in self.digests:
            whole.update("".join(parts.values()).encode())
        return whole.hexdigest()


@dataclass(frozen=True)
class Layout:
    """Where the state of a world lies; it stays the same until components are added or removed.

    Attributes:
        components: how many components all herds have.
        herds: of each its `Herd`, and its arrays by part and field.
    """

    components: int
    herds: tuple[tuple[Herd, dict[str, dict[str, NDArray[Any]]]], ...]


def component_count() -> int:
    """How many components the herds of esper's current context have."""
    return sum(len(esper.components_for_entity(entity)) for entity, _ in esper.get_component(Herd))


def find_layout() -> Layout:
    """The state of esper's current context, herds in order of creation."""
    herds = []
    for entity, herd in sorted(esper.get_component(Herd), key=itemgetter(0)):
        components: tuple[object, ...] = esper.components_for_entity(entity)
        parts = [part for part in components if isinstance(part, Part)]
        herds.append((herd, {part.name: part.arrays() for part in parts}))
    return Layout(component_count(), tuple(herds))


def take_snapshot(tick: int, layout: Layout) -> Snapshot:
    """Copy all state."""
    return Snapshot(
        tick,
        tuple(
            HerdState(
                herd.definition,
                herd.members,
                {part: PartState(fields) for part, fields in parts.items()},
            )
            for herd, parts in layout.herds
        ),
    )
