"""Triangles of .obj and .stl files, in the lengths and axes of the file.

Read here rather than by a library: a robot's meshes are plain triangles, and drawing a robot needs
no extra then. Colours, textures and groups are left out.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from creature_sim.errors import DefinitionError
from creature_sim.maths import Floats

MAX_BYTES = 64 << 20
MAX_TRIANGLES = 400_000
MAX_CORNERS = 1_024
"""Of one polygon of an .obj."""
KINDS = (".obj", ".stl")

Mesh = tuple[Floats, NDArray[np.int64]]
"""Vertices (V, 3), and triangles (T, 3) of them, counter-clockwise from outside."""


def open_mesh(path: Path) -> Mesh:
    """The triangles of a file.

    Raises:
        DefinitionError: it cannot be read, is damaged, or too large.
    """
    kind = path.suffix.lower()
    if kind not in KINDS:
        raise DefinitionError(f"{path}: expected .obj or .stl, found {kind or 'no suffix'!r}")
    try:
        if not path.is_file():
            raise DefinitionError(f"{path}: expected a file of a mesh, found none")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise DefinitionError(f"{path}: expected a mesh, found {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise DefinitionError(f"{path}: expected at most {MAX_BYTES} bytes, found more")
    try:
        vertices, triangles = _obj(data) if kind == ".obj" else _stl(data)
    except (ValueError, IndexError) as error:
        raise DefinitionError(f"{path}: expected a mesh, found a damaged one ({error})") from None
    if not 0 < len(triangles) <= MAX_TRIANGLES:
        raise DefinitionError(
            f"{path}: expected 1 to {MAX_TRIANGLES} triangles, found {len(triangles)}"
        )
    if not np.isfinite(vertices).all() or float(np.abs(vertices).max()) > 1e9:
        raise DefinitionError(f"{path}: expected finite vertices, found others")
    return vertices, triangles


def _obj(data: bytes) -> Mesh:
    """Wavefront's text: polygons are cut into fans."""
    vertices: list[list[float]] = []
    triangles: list[tuple[int, int, int]] = []
    for line in data.decode("latin-1").splitlines():
        parts = line.split()
        if not parts:
            continue
        if parts[0] == "v":
            vertices.append([float(part) for part in parts[1:4]])
        elif parts[0] == "f":
            if len(parts) > MAX_CORNERS:
                raise ValueError(f"a polygon of {len(parts) - 1} corners")
            corners = [_corner(part, len(vertices)) for part in parts[1:]]
            triangles += [
                (corners[0], corners[k], corners[k + 1]) for k in range(1, len(corners) - 1)
            ]
            if len(triangles) > MAX_TRIANGLES:
                break
    points = np.array(vertices, np.float64).reshape(-1, 3)
    found = np.array(triangles, np.int64).reshape(-1, 3)
    if len(found) and int(found.max()) >= len(points):
        raise ValueError("a corner that is no vertex")
    return points, found


def _corner(text: str, count: int) -> int:
    """Index of a corner `v`, `v/vt` or `v/vt/vn`; below 0 it counts from the last vertex so far."""
    index = int(text.split("/", 1)[0])
    found = index - 1 if index > 0 else count + index
    if index == 0 or found < 0:
        raise ValueError(f"corner {text}")
    return found


def _stl(data: bytes) -> Mesh:
    """Binary or text; the corners of each triangle are its own."""
    if data[:5] == b"solid" and b"facet" in data[:1000]:
        words = data.split()
        corners = [
            [float(part) for part in words[index + 1 : index + 4]]
            for index, word in enumerate(words)
            if word == b"vertex"
        ]
        points = np.array(corners, np.float64).reshape(-1, 3)
    else:
        if len(data) < 84:
            raise ValueError(f"{len(data)} bytes")
        count = int.from_bytes(data[80:84], "little")
        if len(data) < 84 + 50 * count:
            raise ValueError(f"{len(data)} bytes for {count} triangles")
        rows = np.frombuffer(data, np.uint8, 50 * count, 84).reshape(-1, 50)
        points = rows[:, 12:48].copy().view("<f4").astype(np.float64).reshape(-1, 3)
    if len(points) % 3:
        raise ValueError(f"{len(points)} corners")
    return points, np.arange(len(points)).reshape(-1, 3)
