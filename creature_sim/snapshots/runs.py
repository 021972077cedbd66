"""State as pieces of memory: arrays that lie one after the other are handled as one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray


@dataclass
class Run:
    """Arrays of 8-byte fields that lie one after the other, and of which part each is."""

    names: list[str] = field(default_factory=list)
    arrays: list[NDArray[Any]] = field(default_factory=list)

    @property
    def words(self) -> NDArray[np.int64]:
        """All of them as words of 8 bytes, as ticks change them."""
        first = self.arrays[0].reshape(-1).view(np.int64)
        count = sum(array.nbytes for array in self.arrays) // 8
        return as_strided(first, (count,), (8,))


def runs_of(parts: Mapping[str, Mapping[str, NDArray[Any]]]) -> list[Run]:
    """All arrays, by part and by field, in their order, in as few runs as they lie in."""
    runs: list[Run] = []
    owner, end = None, 0
    for name, fields in parts.items():
        for array in fields.values():
            begin, whole = array.__array_interface__["data"][0], _owner_of(array)
            if whole is not owner or begin != end:
                runs.append(Run())
            runs[-1].names.append(name)
            runs[-1].arrays.append(array)
            owner, end = whole, begin + array.nbytes
    return runs


def _owner_of(array: NDArray[Any]) -> NDArray[Any]:
    """The array whose memory one is a view of: itself, where it is none."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array
