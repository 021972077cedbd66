"""The states of many ticks as one, so that what is written of them is made all at once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef
from creature_sim.snapshots.snapshot import HerdState, PartState, Snapshot


class PartStack(Mapping[str, NDArray[Any]]):
    """The arrays of one part after several ticks, one below the other, joined when asked for."""

    def __init__(self, parts: Sequence[PartState]) -> None:
        """Take the part after each tick."""
        self._parts = parts
        self._made: dict[str, NDArray[Any]] = {}

    def __getitem__(self, field: str) -> NDArray[Any]:
        """The array of a field, (T * N, ...): row t * N + n is of creature n after tick t."""
        if field not in self._made:
            like = self._parts[0][field]
            found = np.frombuffer(self.data(field), like.dtype)
            self._made[field] = found.reshape(-1, *like.shape[1:])
        return self._made[field]

    def data(self, field: str) -> bytes:
        """The bytes of a field after all ticks."""
        return b"".join([part.fields[field] for part in self._parts])

    def __iter__(self) -> Iterator[str]:
        """The fields."""
        return iter(self._parts[0])

    def __len__(self) -> int:
        """How many fields there are."""
        return len(self._parts[0])


@dataclass(frozen=True)
class HerdStack:
    """The states of one herd after several ticks.

    Attributes:
        definition: the body plan.
        members: (N,) number of each creature.
        parts: arrays by part and field, (T * N, ...).
    """

    definition: CreatureDef
    members: NDArray[np.int64]
    parts: Mapping[str, PartStack]


def herd_stacks(snapshots: Sequence[Snapshot]) -> list[HerdStack]:
    """The herds of snapshots in which the same creatures are there: see `runs`."""
    herds = zip(*(snapshot.herds for snapshot in snapshots), strict=True)
    return [_stack(states) for states in herds]


def _stack(herds: Sequence[HerdState]) -> HerdStack:
    first = herds[0]
    columns = zip(*(herd.parts.values() for herd in herds), strict=True)
    parts = {name: PartStack(column) for name, column in zip(first.parts, columns, strict=True)}
    return HerdStack(first.definition, first.members, parts)


def runs(snapshots: Sequence[Snapshot]) -> Iterator[list[Snapshot]]:
    """Successive snapshots, cut where creatures or parts of them come or go."""
    for _, run in groupby(snapshots, _who):
        yield list(run)


def _who(snapshot: Snapshot) -> list[object]:
    """Who is there, and with which parts."""
    return [(herd.members.tolist(), list(herd.parts)) for herd in snapshot.herds]
