"""Reads meshes from files, through trimesh."""

import json
import struct
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from creature_sim.errors import DefinitionError
from creature_sim.files.kinds import what_is_there
from creature_sim.maths import Floats
from creature_sim.terrain.files.height_files import unreadable
from creature_sim.terrain.tiles.tiles import Indices

MAX_TRIANGLES = 200_000
"""In a mesh."""
MAX_FILE_BYTES = 64 << 20
"""Largest file of a mesh [bytes]."""


def open_mesh(path: Path) -> tuple[Floats, Indices]:
    """Vertices (V, 3) and triangles (T, 3) of a file, Z up, in its own lengths.

    Raises:
        DefinitionError: it is no mesh, or too large; the text begins with the key, "file".
    """
    kind = path.suffix.lower().removeprefix(".")
    if kind not in ("obj", "glb", "stl"):
        raise DefinitionError(f"file: {path}: expected .obj, .glb or .stl, found {path.suffix!r}")
    if not path.is_file():
        raise DefinitionError(
            f"file: {path}: expected a file of a mesh, found {what_is_there(path)}"
        )
    try:
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise DefinitionError(
                f"file: {path}: expected at most {MAX_FILE_BYTES} bytes, found {size}"
            )
        data = path.read_bytes()
        if not data:
            raise DefinitionError(f"file: {path}: expected a mesh, found an empty file")
        if kind == "glb":
            _check_accessors(path, data)
        if kind == "stl":
            _check_length(data)
        with np.errstate(all="ignore"):  # vertices that are not finite are refused below
            vertices, triangles = _decode(path, kind, data)
    except DefinitionError:
        raise
    except Exception as error:  # trimesh raises whatever the damage leads to
        raise unreadable(path, error) from None
    if not len(triangles):
        raise DefinitionError(f"file: {path}: expected a mesh of triangles, found none")
    if not np.isfinite(vertices).all():
        raise DefinitionError(f"file: {path}: expected finite vertices, found others")
    if kind == "glb":
        vertices = np.stack((vertices[:, 0], -vertices[:, 2], vertices[:, 1]), axis=1)
    return vertices, triangles


def _decode(path: Path, kind: str, data: bytes) -> tuple[Floats, Indices]:
    """All instances of all parts that trimesh finds, as one mesh."""
    try:
        import trimesh
    except ImportError:
        raise DefinitionError(
            f"file: {path}: expected trimesh, which reads meshes, found none installed; "
            "pip install 'creature-sim[mesh]'"
        ) from None
    scene = trimesh.load_scene(BytesIO(data), file_type=kind, skip_materials=True, process=False)
    parts: list[tuple[Any, Any]] = []
    count = 0
    for node in scene.graph.nodes_geometry:
        transform, name = scene.graph[node]
        part = scene.geometry[name]
        if isinstance(part, trimesh.Trimesh):
            count += len(part.faces)
            _check_count(path, count)
            parts.append((transform, part))
    vertices = [_moved(np.asarray(part.vertices, np.float64), to) for to, part in parts]
    starts = accumulate((len(points) for points in vertices), initial=0)
    triangles = [
        np.asarray(part.faces, np.int64) + start
        for (_, part), start in zip(parts, starts, strict=False)
    ]
    if not parts:
        return np.zeros((0, 3)), np.zeros((0, 3), np.int32)
    used = np.concatenate(triangles)
    points = np.concatenate(vertices)
    if used.size and (used.min() < 0 or used.max() >= len(points)):
        raise DefinitionError(f"file: {path}: expected triangles of its vertices, found others")
    each, positions = np.unique(points, axis=0, return_inverse=True)
    return each, positions.reshape(-1)[used].astype(np.int32)


def _moved(points: Floats, transform: Floats) -> Floats:
    """Points (V, 3) under an affine map (4, 4)."""
    x, y, z = points.T
    rows = [x * a + y * b + z * c + d for a, b, c, d in transform[:3].tolist()]
    return np.stack(rows, axis=1)


def _check_count(path: Path, count: int) -> None:
    if count > MAX_TRIANGLES:
        raise DefinitionError(
            f"file: {path}: expected at most {MAX_TRIANGLES} triangles, found at least {count}"
        )


def _check_length(data: bytes) -> None:
    """Refuse a binary .stl that is cut off (ValueError); not all versions of trimesh do."""
    if data.lstrip().startswith(b"solid"):
        return
    (count,) = struct.unpack_from("<I", data, 80)
    if len(data) < 84 + 50 * count:
        raise ValueError(f"expected {count} triangles, found {len(data)} bytes")


def _check_accessors(path: Path, data: bytes) -> None:
    """Refuse a .glb that announces far more than it holds: trimesh would allocate it all."""
    (length,) = struct.unpack_from("<I", data, 12)
    table = json.loads(data[20 : 20 + length])
    for accessor in table.get("accessors", ()):
        if accessor["count"] > 3 * MAX_TRIANGLES:
            raise DefinitionError(
                f"file: {path}: expected at most {3 * MAX_TRIANGLES} elements in an accessor, "
                f"found {accessor['count']}"
            )
