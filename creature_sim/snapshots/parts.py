"""The state of a herd, chain or of all props as one piece of bytes, and arrays made of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Field:
    """Where an array lies in the bytes of its owner.

    Attributes:
        kind: of its numbers.
        shape: its leading axis counts creatures or props; it is 1 for a chain.
        begin: of it [bytes].
        end: of it [bytes].
    """

    kind: np.dtype[Any]
    shape: tuple[int, ...]
    begin: int
    end: int


Fields = Mapping[str, Field]


class Form:
    """How the arrays of one owner lie one after the other: by part, and by field."""

    def __init__(self, arrays: Mapping[str, Mapping[str, NDArray[Any]]]) -> None:
        """Lay out arrays like these."""
        self.parts: dict[str, dict[str, Field]] = {}
        self.size = 0
        for part, fields in arrays.items():
            mine = self.parts[part] = {}
            for name, array in fields.items():
                end = self.size + array.nbytes
                mine[name] = Field(array.dtype, array.shape, self.size, end)
                self.size = end

    def __eq__(self, other: object) -> bool:
        """Whether the same arrays lie at the same places."""
        return self is other or (
            isinstance(other, Form)
            and self.parts == other.parts
            and list(self.parts) == list(other.parts)
        )


class PartState(Mapping[str, NDArray[Any]]):
    """The arrays of one part by field, read-only; see `components/` for their units."""

    def __init__(self, fields: Fields, data: bytes) -> None:
        """Be the part of an owner of which all state is given."""
        self._fields, self._data = fields, data
        self._made: dict[str, NDArray[Any]] = {}

    def __getitem__(self, field: str) -> NDArray[Any]:
        """The array of a field."""
        if field not in self._made:
            found = self._fields[field]
            flat = np.frombuffer(self._data[found.begin : found.end], found.kind)
            self._made[field] = flat.reshape(found.shape)
        return self._made[field]

    def of(self, field: str) -> Any:
        """The array of a field, of whatever type its part gives it."""
        return self[field]

    def __iter__(self) -> Iterator[str]:
        """The fields."""
        return iter(self._fields)

    def __len__(self) -> int:
        """How many fields there are."""
        return len(self._fields)

    @property
    def size(self) -> int:
        """Of all fields together [bytes]."""
        return sum(field.end - field.begin for field in self._fields.values())

    def tobytes(self) -> bytes:
        """All fields, one after the other, as they lie in memory."""
        return b"".join([self._data[field.begin : field.end] for field in self._fields.values()])

    def row(self, field: str, row: int, count: int) -> bytes:
        """A field of one of `count` creatures, as it lies in memory."""
        found = self._fields[field]
        size = (found.end - found.begin) // count
        begin = found.begin + row * size
        return self._data[begin : begin + size]

    def digest(self, row: int, count: int) -> str:
        """Hash of one of `count` creatures, 16 hexadecimal digits."""
        part = blake2b(digest_size=8)
        for field in self._fields:
            part.update(self.row(field, row, count))
        return part.hexdigest()


class Parts(Mapping[str, PartState]):
    """All state of an owner after a tick, by part.

    A snapshot is taken every tick and mostly hashed, so it keeps bytes; parts and their arrays are
    made of them when somebody looks.

    Attributes:
        form: how they lie.
        data: all of them.
    """

    def __init__(self, form: Form, data: bytes) -> None:
        """Be state that lies so; ValueError if it is of another size."""
        if len(data) != form.size:
            raise ValueError(f"expected {form.size} bytes, found {len(data)}")
        self.form, self.data = form, data
        self._made: dict[str, PartState] = {}

    @classmethod
    def of(cls, arrays: Mapping[str, Mapping[str, NDArray[Any]]]) -> "Parts":
        """A copy of arrays."""
        data = [array.tobytes() for fields in arrays.values() for array in fields.values()]
        return cls(Form(arrays), b"".join(data))

    @property
    def words(self) -> NDArray[np.uint64]:
        """All of it as words of 8 bytes."""
        return np.frombuffer(self.data, np.uint64)

    def __getitem__(self, name: str) -> PartState:
        """A part."""
        if name not in self._made:
            self._made[name] = PartState(self.form.parts[name], self.data)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        """Whether there is such a part."""
        return name in self.form.parts

    def __iter__(self) -> Iterator[str]:
        """Names of the parts."""
        return iter(self.form.parts)

    def __len__(self) -> int:
        """How many parts there are."""
        return len(self.form.parts)
