"""What components are made of: arrays of typed records, and state that snapshots copy.

A record type is a class whose annotated fields become the fields of a numpy record:

    class FootRecord(Record):
        position: Vector  # [m, world]
        progress: float  # of the swing, 0 to 1

    feet = zeros(FootRecord, 2, 6)  # RecordTable[FootRecord], an array of dtype FootRecord.dtype
    feet[0, 3].progress  # a float to mypy, to numpy and inside kernels

All fields have 8 bytes: no padding, and an array is hashed as it lies in memory. Arrays are plain
numpy arrays; `Records` and `RecordTable` only tell mypy what is in them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import accumulate
from math import prod
from typing import Annotated, Any, ClassVar, Generic, TypeAlias, TypeVar, get_type_hints, overload

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats

Vector: TypeAlias = Annotated[Floats, 3]
"""A record's field of three floats; see `maths.vec` and `maths.put`."""
Quaternion: TypeAlias = Annotated[Floats, 4]
"""A record's field of four floats, xyzw; see `maths.quat` and `maths.put_quat`."""


class Record:
    """Base of the record types; see this module's docstring.

    No field may be named like an attribute of numpy's own scalars (`base`, `data`).
    """

    dtype: ClassVar[np.dtype[Any]]

    def __init_subclass__(cls) -> None:
        """Make the dtype of the annotated fields."""
        hints = get_type_hints(cls, include_extras=True)
        names = [name for name in hints if name != "dtype"]
        clashes = [name for name in names if hasattr(np.record, name)]
        if clashes:
            raise TypeError(f"{cls.__name__}.{clashes[0]}: numpy's scalars have that attribute")
        cls.dtype = np.dtype((np.record, [_field(name, hints[name]) for name in names]))

    def __getitem__(self, field: str) -> Any:
        """The value of a field by its name: outside kernels only."""


def _field(name: str, hint: Any) -> tuple[Any, ...]:
    """A field as numpy describes it."""
    kinds = {float: "f8", int: "i8"}
    if hint in kinds:
        return name, kinds[hint]
    return name, "f8", (hint.__metadata__[0],)


R = TypeVar("R", bound=Record)


class Records(np.ndarray[Any, Any], Generic[R]):
    """An array of records, (K,), to mypy."""

    @overload  # type: ignore[override]  # narrower than any array
    def __getitem__(self, index: int) -> R: ...
    @overload
    def __getitem__(self, index: slice | NDArray[Any] | list[int]) -> "Records[R]": ...
    @overload
    def __getitem__(self, index: str) -> NDArray[Any]: ...
    def __getitem__(self, index: Any) -> Any:
        """A record, some of the records, or one field of all."""

    def __iter__(self) -> Iterator[R]:  # type: ignore[override]  # as above
        """The records."""
        found: Iterator[R] = super().__iter__()
        return found


class RecordTable(np.ndarray[Any, Any], Generic[R]):
    """An array of records, (N, K), to mypy: a row for each creature."""

    @overload  # type: ignore[override]  # narrower than any array
    def __getitem__(self, index: int) -> Records[R]: ...
    @overload
    def __getitem__(self, index: tuple[int, int]) -> R: ...
    @overload
    def __getitem__(self, index: tuple[int, slice]) -> Records[R]: ...
    @overload
    def __getitem__(self, index: tuple[slice, int]) -> Records[R]: ...
    @overload
    def __getitem__(self, index: slice) -> "RecordTable[R]": ...
    @overload
    def __getitem__(self, index: NDArray[Any]) -> Records[R]: ...
    @overload
    def __getitem__(self, index: str) -> NDArray[Any]: ...
    def __getitem__(self, index: Any) -> Any:
        """A record, a row, some rows, or one field of all."""

    def __iter__(self) -> Iterator[Records[R]]:  # type: ignore[override]  # as above
        """The rows."""
        found: Iterator[Records[R]] = super().__iter__()
        return found


@overload
def zeros(kind: type[R], count: int, /) -> Records[R]: ...
@overload
def zeros(kind: type[R], rows: int, columns: int, /) -> RecordTable[R]: ...
def zeros(kind: type[R], *shape: int) -> Any:
    """An array of records whose fields are all 0."""
    return np.zeros(shape, kind.dtype)


@dataclass
class Part:
    """A component that is state: copied into snapshots, digested, restored by a reset.

    Every array in it has the herd's N creatures as its leading axis and 8-byte fields.
    Derive from it to add state of your own to the world; `name` is what digests call it. Where a
    creature joins the herd, or is put back to its start, its row begins with zeros.
    """

    name: ClassVar[str]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by field name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def lay_together(parts: Iterable[Part]) -> None:
    """Let the arrays of an entity's parts lie one after the other, in order.

    So all of its state is copied, and looked over, at once.
    """
    found = [(part, name, array) for part in parts for name, array in part.arrays().items()]
    ends = list(accumulate(array.nbytes // 8 for _, _, array in found))
    words = np.empty(ends[-1], np.int64)
    for (part, name, array), begin, end in zip(found, (0, *ends), ends, strict=False):
        own = words[begin:end].view(array.dtype).reshape(array.shape)
        own[...] = array
        setattr(part, name, own)


class Saved:
    """An array of state as it was; what is the same in all of its rows is kept once.

    Of a herd that has just come that is five of six numbers.
    """

    def __init__(self, array: NDArray[Any]) -> None:
        """Keep an array, (N, ...) of 8-byte fields."""
        self._kind, self._shape = array.dtype, array.shape[1:]
        size = prod(self._shape) * array.itemsize // 8
        words = array.view(np.int64).reshape(len(array), size)
        self._first = words[:1].copy()
        self._columns = np.flatnonzero((words != self._first).any(axis=0))
        self._own = words[:, self._columns]

    def rows(self, chosen: slice = slice(None)) -> NDArray[Any]:
        """A copy of some of its rows, or of all."""
        own = self._own[chosen]
        words = np.repeat(self._first, len(own), axis=0)
        words[:, self._columns] = own
        return words.view(self._kind).reshape(len(own), *self._shape)


@dataclass
class Spawned:
    """An entity's parts as they were before its first tick, for a reset."""

    parts: dict[type[Part], dict[str, Saved]]
