"""Protobuf read with care: fields in their order, packed numbers all at once.

What does not fit is a ValueError, or an IndexError where the bytes end too early.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats
from creature_sim.replay.pose_arrays import FARTHEST_POSE


def number_at(data: bytes, at: int) -> tuple[int, int]:
    """The number that begins at an index of a message, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at += 1
        if byte < 128:
            return value, at
        shift += 7
        if shift > 63:
            raise ValueError("a number of more than ten bytes")


class Fields:
    """Fields in their order; packed numbers are only found, and decoded all at once.

    Attributes:
        data: the message.
        at: where the next field begins in it.
    """

    def __init__(self, data: bytes) -> None:
        """Begin at the first field of a message."""
        self.data, self.at = data, 0
        self._spans: list[bytes] = []

    def next_is(self, field: int) -> bool:
        """Whether a block of this field comes next."""
        return self.data[self.at : self.at + 1] == bytes((field << 3 | 2,))

    def plain(self, field: int) -> int:
        """A field that is a number; 0 where it is left out."""
        if self.data[self.at : self.at + 1] != bytes((field << 3,)):
            return 0
        value, self.at = number_at(self.data, self.at + 1)
        return value

    def enter(self, field: int) -> int:
        """Begin with a message; returns where it ends."""
        if not self.next_is(field):
            raise ValueError(f"no field {field}")
        size, self.at = number_at(self.data, self.at + 1)
        if self.at + size > len(self.data):
            raise ValueError("a field that is longer than its message")
        return self.at + size

    def leave(self, end: int) -> None:
        """End a message."""
        if self.at != end:
            raise ValueError("a field of another length")

    def packed(self, field: int) -> None:
        """Find packed numbers."""
        end = self.enter(field)
        self._spans.append(self.data[self.at : end])
        self.at = end

    def numbers(self) -> NDArray[np.int64]:
        """All packed numbers that were found."""
        found = np.frombuffer(b"".join(self._spans), np.uint8)
        ends = np.flatnonzero(found < 128)
        begins = np.concatenate(([0], ends[:-1] + 1))
        sizes = ends - begins + 1
        if len(found) and (not len(ends) or ends[-1] != len(found) - 1 or sizes.max() > 10):
            raise ValueError("no packed numbers")
        values = np.zeros(len(ends), np.uint64)
        for index in range(int(sizes.max()) if len(sizes) else 0):
            longer = sizes > index
            part = (found[begins[longer] + index] & 127).astype(np.uint64)
            values[longer] |= part << np.uint64(7 * index)
        return (values >> np.uint64(1)).view(np.int64) ^ -(values & np.uint64(1)).view(np.int64)


class Numbers:
    """Numbers handed out in their order."""

    def __init__(self, values: NDArray[np.int64]) -> None:
        """Begin with the first one."""
        self._values, self._at = values, 0

    def take(self, scale: float, *shape: int) -> Floats:
        """The next ones over a scale; ValueError if there are none, or they cannot be shown."""
        return shown_over(self.raw(*shape), scale)

    def raw(self, *shape: int) -> NDArray[np.int64]:
        """The next ones; ValueError if there are none."""
        size = int(np.prod(shape))
        found = self._values[self._at : self._at + size]
        self._at += size
        if len(found) != size:
            raise ValueError("numbers of another shape")
        return found.reshape(shape)

    def finish(self) -> None:
        """Refuse more numbers than were asked for."""
        if self._at != len(self._values):
            raise ValueError("more numbers than the world has")


def shown_over(values: NDArray[Any], scale: float) -> Floats:
    """Numbers over a scale; ValueError if they cannot be shown."""
    found: Floats = values / scale
    if not (np.abs(found) <= FARTHEST_POSE).all():
        raise ValueError("a number that is too large to be shown")
    return found
