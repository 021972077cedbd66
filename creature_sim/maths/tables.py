"""Tables of arrays: one call of a kernel for all rows, however many there are.

    @kernel
    def solve_all(herds: Table[Herd], dt: float) -> None:
        for k in range(len(herds)):
            herd = herds[k]
            solve(herd.bodies, herd.feet, dt)

A call unpacks its arrays anew each time, which takes longer than what most kernels do with one
creature. A table is unpacked once, when it is made.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from operator import is_
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Row = TypeVar("Row", bound=tuple[Any, ...])


class Table(Generic[Row]):
    """One or more rows of arrays, and of tuples of arrays; all rows have the same types.

    Arrays lie where they lay when the table was made: who puts others in their place makes another.

    Attributes:
        address: of what kernels read.
        count: of rows.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        """Note where the arrays lie, and keep them.

        Raises:
            TypeError: rows have arrays of other types or dimensions than the first.
        """
        self._rows = tuple(rows)
        leaves = [list(_leaves(row)) for row in rows]
        kinds = [(array.dtype, array.ndim) for array in leaves[0]]
        for own in leaves[1:]:
            if [(array.dtype, array.ndim) for array in own] != kinds:
                raise TypeError("rows: expected arrays of the same types in all, found others")
        self._places = np.array([[*chain.from_iterable(map(_place, own))] for own in leaves])
        self.address, self.count = self._places.ctypes.data, len(rows)

    def __len__(self) -> int:
        """How many rows there are."""
        return self.count

    def __getitem__(self, index: int) -> Row:
        """A row as it was given; in kernels its arrays belong to nobody."""
        return self._rows[index]

    def holds(self, rows: Sequence[Row]) -> bool:
        """Whether these very tuples are its rows."""
        return len(rows) == self.count and all(map(is_, rows, self._rows))

    @cached_property
    def _numba_type_(self) -> object:
        """What numba takes it for."""
        from creature_sim.maths.table_types import type_of_rows

        return type_of_rows(self._rows[0])


def _leaves(part: object) -> Iterator[NDArray[Any]]:
    """The arrays of a row, or of several, in order."""
    if isinstance(part, tuple):
        for each in part:
            yield from _leaves(each)
    else:
        assert isinstance(part, np.ndarray)
        yield part


def _place(array: NDArray[Any]) -> tuple[int, ...]:
    """Where an array lies, its shape and its strides."""
    return array.__array_interface__["data"][0], *array.shape, *array.strides
