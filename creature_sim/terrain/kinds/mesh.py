"""A mesh from a file.

Its data are the number of vertices and that of triangles, uint32, then vertices (V, 3) float32
[m, world] and triangles (T, 3) int32, all little-endian.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from creature_sim.errors import DefinitionError
from creature_sim.files.definition import Number, Positive, Vector3
from creature_sim.maths import Floats
from creature_sim.terrain.files.data import DataDef
from creature_sim.terrain.files.mesh_files import MAX_TRIANGLES, open_mesh
from creature_sim.terrain.kind import Source, TerrainKind
from creature_sim.terrain.patterns.solids import floor
from creature_sim.terrain.tiles.pieces import pieces
from creature_sim.terrain.tiles.tiles import Indices, Tile
from creature_sim.terrain.tiles.tiling import HALF_SIZE, MAX_HEIGHT


class MeshDef(DataDef):
    """Triangles, Z up (a .glb, which is Y up, is turned so), on level ground."""

    kind: Literal["mesh"]
    scale: Positive = Field(1.0, description="[m] for a length of 1 in the file")
    offset: Vector3 = Field(
        (0.0, 0.0, 0.0), description="where the file's origin lies in the world [m]"
    )
    floor: Number | None = Field(
        None,
        ge=-100.0,
        le=100.0,
        description="height of the level ground below and around [m]; without it that of the "
        "lowest vertex",
    )


def tiles(definition: MeshDef, _seed: int) -> Iterator[Tile]:
    """The mesh of a file in pieces, and the floor."""
    vertices, triangles = _unpacked(definition.data)
    yield from pieces(vertices, triangles)
    lowest = float(vertices[:, 2].min())
    yield from floor(definition.floor if definition.floor is not None else lowest)


def read(definition: MeshDef, path: Path, _nodes: Floats) -> bytes:
    """The mesh of a file where it lies in the world, as data."""
    return _packed(*_placed(definition, path))


def check(definition: MeshDef, _nodes: Floats) -> None:
    """Refuse data that are no mesh."""
    _unpacked(definition.data)


def _placed(definition: MeshDef, path: Path) -> tuple[NDArray[np.float32], Indices]:
    """Those triangles of a mesh that reach into the ground, where they lie in the world."""
    vertices, triangles = open_mesh(path)
    with np.errstate(over="ignore"):
        vertices = (vertices * definition.scale + np.array(definition.offset)).astype(np.float32)
    if not (abs(vertices) <= 1e4).all() or abs(vertices[:, 2]).max() > MAX_HEIGHT:
        raise DefinitionError(
            f"file: {path}: expected vertices within 10 km and heights from {-MAX_HEIGHT:g} to "
            f"{MAX_HEIGHT:g} m after scale and offset, found others"
        )
    corners = vertices[triangles][..., :2]
    is_inside = (corners.min(axis=1) < HALF_SIZE) & (corners.max(axis=1) > -HALF_SIZE)
    triangles = triangles[is_inside.all(axis=1)]
    if not len(triangles):
        raise DefinitionError(
            f"file: {path}: expected triangles within {HALF_SIZE:g} m of the origin after scale "
            f"and offset, found none"
        )
    used, renamed = np.unique(triangles, return_inverse=True)
    return vertices[used], renamed.reshape(-1, 3).astype(np.int32)


def _packed(vertices: NDArray[np.float32], triangles: Indices) -> bytes:
    """A mesh as data."""
    counts = np.array([len(vertices), len(triangles)], dtype="<u4")
    return counts.tobytes() + vertices.astype("<f4").tobytes() + triangles.astype("<i4").tobytes()


def _unpacked(data: bytes) -> tuple[Floats, Indices]:
    """The mesh of data; DefinitionError where there is none."""
    counts = np.frombuffer(data[:8], dtype="<u4").tolist() if len(data) >= 8 else [0, 0]
    if len(data) != 8 + 12 * (counts[0] + counts[1]) or not 0 < counts[1] <= MAX_TRIANGLES:
        raise DefinitionError(f"file: expected a mesh, found other data of {len(data)} bytes")
    middle = 8 + 12 * counts[0]
    vertices = np.frombuffer(data[8:middle], dtype="<f4").reshape(-1, 3).astype(np.float64)
    triangles = np.frombuffer(data[middle:], dtype="<i4").reshape(-1, 3).astype(np.int32)
    if not (abs(vertices) <= 1e4).all() or triangles.min() < 0 or triangles.max() >= counts[0]:
        raise DefinitionError("file: expected a mesh, found vertices or triangles of none")
    return vertices, triangles


KIND = TerrainKind(
    MeshDef,
    tiles=tiles,
    ends="which ends where its file does",
    in_patches=False,
    has_unknown_roofs=True,
    source=Source(read, check),
)
