"""A binary glTF 2.0 file: its JSON and its bytes, put together piece by piece.

Written here rather than by a library: it is a table of tables, and its bytes are the same each
time.
"""

import json
import struct
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

Json = dict[str, Any]
KINDS = {"f4": 5126, "u1": 5121, "u2": 5123, "u4": 5125, "i2": 5122}
SHAPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
ARRAY, ELEMENTS = 34962, 34963
"""Buffer views of vertices, and of triangles."""
MAX_BYTES = 2**32 - 1
"""A length in the file has 32 bits."""


class Glb:
    """A file that grows; `tables` are its lists of nodes, meshes and so on."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.tables: dict[str, list[Json]] = {}
        self._data = bytearray()
        self._known: dict[tuple[object, ...], int] = {}

    def add(self, table: str, **entry: object) -> int:
        """Add an entry without its empty values to a table; returns its index."""
        rows = self.tables.setdefault(table, [])
        rows.append({key: value for key, value in entry.items() if value not in (None, [], {})})
        return len(rows) - 1

    def accessor(
        self,
        values: NDArray[Any],
        *,
        target: int | None = None,
        is_normalised: bool = False,
        has_bounds: bool = False,
    ) -> int:
        """Add an array (N,) or (N, C) of a type in `KINDS`; equal ones are kept once.

        Args:
            values: the array.
            target: what its bytes are for; None for keys.
            is_normalised: whether its whole numbers stand for -1 to 1, or 0 to 1.
            has_bounds: whether its least and largest values are told.
        """
        little = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
        kind = values.dtype.str[1:]
        width = 1 if values.ndim == 1 else values.shape[1]
        data = little.tobytes()
        key = (kind, width, target, is_normalised, has_bounds, data)
        if key not in self._known:
            self._data += bytes(-len(self._data) % 4)
            view = self.add(
                "bufferViews", buffer=0, byteLength=len(data), target=target, **self._offset()
            )
            self._data += data
            bounds = {}
            if has_bounds:
                rows = values.reshape(len(values), width)
                bounds = {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
            self._known[key] = self.add(
                "accessors",
                bufferView=view,
                componentType=KINDS[kind],
                normalized=is_normalised or None,
                count=len(values),
                type=SHAPES[width],
                **bounds,
            )
        return self._known[key]

    def picture(self, pixels: NDArray[np.uint8]) -> int:
        """Add a texture of pixels (H, W, 3), as PNG; returns its index."""
        from PIL import Image

        data = BytesIO()
        Image.fromarray(pixels).save(data, "PNG", optimize=True)
        self._data += bytes(-len(self._data) % 4)
        length = data.tell()
        view = self.add("bufferViews", buffer=0, byteLength=length, **self._offset())
        self._data += data.getvalue()
        image = self.add("images", bufferView=view, mimeType="image/png")
        return self.add("textures", source=image)

    def _offset(self) -> Json:
        return {"byteOffset": len(self._data)} if self._data else {}

    def written(self, **head: object) -> bytes:
        """The file.

        Args:
            head: tables that are not lists of entries.

        Raises:
            ValueError: it is longer than such a file can be.
        """
        document = {**head, **self.tables}
        if self._data:
            document["buffers"] = [{"byteLength": len(self._data)}]
        text = json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
        chunks = [(b"JSON", text + b" " * (-len(text) % 4))]
        if self._data:
            chunks.append((b"BIN\0", bytes(self._data) + bytes(-len(self._data) % 4)))
        size = 12 + sum(8 + len(data) for _, data in chunks)
        if size > MAX_BYTES:
            raise ValueError(f"{size} bytes")
        parts = [struct.pack("<4sII", b"glTF", 2, size)]
        for kind, data in chunks:
            parts += [struct.pack("<I4s", len(data), kind), data]
        return b"".join(parts)
