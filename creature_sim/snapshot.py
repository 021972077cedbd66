"""An immutable copy of all state after a tick, and its digests."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import esper
import numpy as np
from numpy.typing import NDArray

from creature_sim.components import Clock, Herd, Part, Plan
from creature_sim.definitions import CreatureDef
from creature_sim.maths import Floats


@dataclass(frozen=True)
class HerdState:
    """The state of one herd.

    Attributes:
        definition: the body plan.
        members: (N,) place of each creature in the world's list.
        parts: arrays by part and field, read-only; see `components.py` for shapes and units.
    """

    definition: CreatureDef
    members: NDArray[np.int64]
    parts: Mapping[str, Mapping[str, NDArray[Any]]]


@dataclass(frozen=True)
class CreatureState:
    """The state of one creature: views into a snapshot, read-only.

    Attributes:
        definition: its body plan.
        body: BODY record.
        feet: (L,) FOOT records.
        joints: (L, J, 3) hip to tip [m, world].
        rotations: (L, J - 1, 4) of the bones, xyzw.
        foot_rotation: (L, 4) xyzw.
    """

    definition: CreatureDef
    body: Any
    feet: NDArray[Any]
    joints: Floats
    rotations: Floats
    foot_rotation: Floats

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
        found: dict[int, CreatureState] = {}
        for herd in self.herds:
            body, feet, legs = herd.parts["body"], herd.parts["feet"], herd.parts["legs"]
            for row, member in enumerate(herd.members.tolist()):
                found[member] = CreatureState(
                    herd.definition,
                    body["records"][row],
                    feet["records"][row],
                    legs["joints"][row],
                    legs["rotations"][row],
                    legs["foot_rotation"][row],
                )
        return tuple(found[member] for member in sorted(found))

    @cached_property
    def digests(self) -> tuple[dict[str, str], ...]:
        """Hash of every part of every creature, by part name, in the world's order.

        A creature's digests depend on nothing but its own state: not on its place in the world,
        nor on its herd.
        """
        found: dict[int, dict[str, str]] = {}
        for herd in self.herds:
            for row, member in enumerate(herd.members.tolist()):
                found[member] = {name: _digest(fields, row) for name, fields in herd.parts.items()}
        return tuple(found[member] for member in sorted(found))

    @cached_property
    def digest(self) -> str:
        """Hash of the tick and of all state, 32 hexadecimal digits."""
        whole = hashlib.blake2b(str(self.tick).encode(), digest_size=16)
        for creature in self.digests:
            whole.update("".join(creature.values()).encode())
        return whole.hexdigest()


def _digest(fields: Mapping[str, NDArray[Any]], row: int) -> str:
    part = hashlib.blake2b(digest_size=8)
    for array in fields.values():
        part.update(array[row])
    return part.hexdigest()


def herd_parts() -> Iterator[tuple[Herd, list[Part]]]:
    """Every herd of esper's current context with its state, in order of creation."""
    for entity, (herd, _) in sorted(esper.get_components(Herd, Plan)):
        components: tuple[object, ...] = esper.components_for_entity(entity)
        yield herd, [part for part in components if isinstance(part, Part)]


def take_snapshot() -> Snapshot:
    """Copy all state of esper's current context."""
    ((_, clock),) = esper.get_component(Clock)
    herds = []
    for herd, parts in herd_parts():
        copies = {}
        for part in parts:
            copies[part.name] = {name: array.copy() for name, array in part.arrays().items()}
            for array in copies[part.name].values():
                array.flags.writeable = False
        herds.append(HerdState(herd.definition, herd.members, copies))
    return Snapshot(clock.tick, tuple(herds))
