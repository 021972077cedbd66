"""The states of herds after many ticks as one, so that what is written of them is made at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef

Arrays = Mapping[str, Mapping[str, NDArray[Any]]]
"""Arrays by part and field; their leading axis counts creatures."""


class Members(Protocol):
    """Creatures of one body plan, and some of their state."""

    @property
    def members(self) -> NDArray[np.int64]:
        """(N,) number of each creature."""

    @property
    def parts(self) -> Arrays:
        """Their state, (N, ...)."""


class Moment(Protocol):
    """Some of the state after a tick: a snapshot, or what is kept of one."""

    @property
    def tick(self) -> int:
        """Number of ticks computed so far."""

    @property
    def herds(self) -> Sequence[Members]:
        """In order of creation."""


@dataclass(frozen=True)
class HerdStack:
    """The states of one herd after several ticks.

    Attributes:
        definition: the body plan.
        members: (N,) number of each creature.
        parts: arrays by part and field, (T * N, ...): row t * N + n is of creature n after tick t.
    """

    definition: CreatureDef
    members: NDArray[np.int64]
    parts: Arrays

    def at(self, index: int) -> "HerdStack":
        """That after one of the ticks."""
        begin = index * len(self.members)
        rows = slice(begin, begin + len(self.members))
        parts = {
            name: {field: array[rows] for field, array in fields.items()}
            for name, fields in self.parts.items()
        }
        return HerdStack(self.definition, self.members, parts)


@dataclass(frozen=True)
class StackedMoment:
    """The state after one of several ticks.

    Attributes:
        tick: number of ticks computed so far.
        herds: in order of creation.
    """

    tick: int
    herds: tuple[HerdStack, ...]
