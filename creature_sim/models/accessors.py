"""The arrays of a model: numbers in its buffers, described by its accessors and buffer views."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.models.container import Container
from creature_sim.models.fields import Field

MAX_VIEWS = 100_000
MAX_NUMBERS = 6_000_000
"""In all arrays that are read of a model."""
KINDS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Accessors:
    """Arrays by index; each is read once."""

    def __init__(self, container: Container) -> None:
        """Know where they are; nothing is read yet."""
        self._buffers = container.buffers
        self._views = container.document["bufferViews"].items(MAX_VIEWS)
        self._accessors = container.document["accessors"].items(MAX_VIEWS)
        self._known: dict[int, NDArray[Any]] = {}
        self._left = MAX_NUMBERS

    def read(self, which: Field, *widths: int) -> NDArray[np.float64]:
        """An array (N, C) of numbers, C one of the widths; normalised whole ones as -1 to 1.

        Raises:
            DefinitionError: it is not in the file, too large, not finite, or of another width.
        """
        index = which.index(len(self._accessors))
        accessor = self._accessors[index]
        if index not in self._known:
            self._known[index] = self._decoded(accessor)
        found = self._known[index]
        if found.shape[1] not in widths:
            raise which.refused(f"an accessor of {' or '.join(map(str, widths))} numbers each")
        return found

    def view(self, which: Field) -> bytes:
        """The bytes of a buffer view.

        Raises:
            DefinitionError: it is not in the file.
        """
        data, first, length, _ = self._place(which)
        return data[first : first + length]

    def _place(self, which: Field) -> tuple[bytes, int, int, Field]:
        """The buffer of a view, the view's first byte in it, its length, and itself."""
        view = self._views[which.index(len(self._views))]
        data = self._buffers[view["buffer"].index(len(self._buffers))]
        first = view["byteOffset"].whole(0, len(data), 0)
        return data, first, view["byteLength"].whole(1, len(data) - first), view

    def whole(self, which: Field, width: int, count: int) -> NDArray[np.int64]:
        """An array (N, width) of indices of `count` things."""
        found = self.read(which, width)
        if found.size and (found.min() < 0 or found.max() >= count or (found % 1.0).any()):
            raise which.refused(f"indices below {count}", f"{found.min():g} to {found.max():g}")
        return found.astype(np.int64)

    def _decoded(self, accessor: Field) -> NDArray[np.float64]:
        if "sparse" in accessor:
            raise accessor["sparse"].refused("no sparse accessor; export without it", "one")
        code, name = accessor["componentType"].whole(0, 2**31), accessor["type"].text()
        if code not in KINDS:
            raise accessor["componentType"].refused(f"one of {', '.join(map(str, KINDS))}")
        if name not in WIDTHS:
            raise accessor["type"].refused(f"one of {', '.join(WIDTHS)}")
        kind, width = np.dtype(KINDS[code]), WIDTHS[name]
        count = accessor["count"].whole(1, MAX_NUMBERS)
        if count * width > self._left:
            raise accessor["count"].refused(f"at most {MAX_NUMBERS} numbers in all")
        self._left -= count * width
        if "bufferView" not in accessor:
            return np.zeros((count, width))
        data, first, length, view = self._place(accessor["bufferView"])
        size = width * kind.itemsize
        stride = view["byteStride"].whole(4, 252, size)
        offset = accessor["byteOffset"].whole(0, length, 0)
        if stride < size or offset + stride * (count - 1) + size > length:
            raise accessor["count"].refused(f"no more than the {length} bytes of its view hold")
        raw = np.ndarray((count, width), kind, data, first + offset, (stride, kind.itemsize))
        found = raw.astype(np.float64)
        if not np.isfinite(found).all():
            raise accessor.refused("finite numbers", "others")
        if accessor["normalized"].flag() and kind.kind != "f":
            return np.maximum(found / np.iinfo(kind).max, -1.0)
        return found
