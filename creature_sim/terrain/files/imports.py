"""Ground from files: what loading reads, what a replay carries, and the ground made of that.

The data of `heights` are the heights at the nodes of the ground that they are, or are a layer of,
float32 [ix, iy]: all 64 x 64 m, or a patch. Those of a `mesh` are the number of vertices and that
of triangles, uint32, then vertices (V, 3) float32 [m, world] and triangles (T, 3) int32. All
little-endian.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import DataDef, HeightsDef, LayersDef, MeshDef, PatchesDef, TerrainDef
from creature_sim.errors import DefinitionError
from creature_sim.maths import Floats
from creature_sim.terrain.files.height_files import HeightFile, Places, open_heights
from creature_sim.terrain.files.mesh_files import MOST_TRIANGLES, open_mesh
from creature_sim.terrain.kinds.patches import patch_nodes
from creature_sim.terrain.tiles.tiles import Indices, MeshTile, Tile
from creature_sim.terrain.tiles.tiling import HALF_SIZE, block_tiles, height_nodes, tile_cuts

MOST_BYTES = 8 << 20
"""Largest data of all imports of a ground together, before compression [bytes]."""
MOST_HEIGHT = 400.0
"""Ground lies between this depth and this height [m]."""
PIECE = 32_768
"""Most triangles of one shape of pybullet, which fails somewhere beyond 131,072."""


def with_imports(terrain: TerrainDef, fill: Callable[[DataDef, Floats], DataDef]) -> TerrainDef:
    """A ground with other imports.

    Args:
        terrain: any ground.
        fill: makes an import with data of an import and the nodes (N,) [m] along each axis, from
            its own origin, that the ground has where it lies.

    Raises:
        DefinitionError: of `fill`, or all data are too large; the text begins with the import's
            key.
    """
    total = 0

    def filled(ground: Any, nodes: Floats, key: str) -> Any:
        nonlocal total
        if isinstance(ground, LayersDef):
            layers = tuple(
                layer.model_copy(
                    update={"ground": filled(layer.ground, nodes, f"{key}.layers[{index}].ground")}
                )
                for index, layer in enumerate(ground.layers)
            )
            return ground.model_copy(update={"layers": layers})
        if isinstance(ground, PatchesDef):
            nodes = patch_nodes(ground)
            patches = tuple(
                filled(patch, nodes, f"{key}.patches[{index}]")
                for index, patch in enumerate(ground.patches)
            )
            return ground.model_copy(update={"patches": patches})
        if not isinstance(ground, DataDef):
            return ground
        try:
            made = fill(ground, nodes)
        except DefinitionError as error:
            raise DefinitionError(f"{key}.{error}") from None
        total += len(made.data)
        if total > MOST_BYTES:  # at once, so that memory is bounded too
            raise DefinitionError(
                f"{key}.file: {ground.file}: expected ground of at most {MOST_BYTES} bytes from "
                f"all files, which a replay can carry, found {total} with this one"
            )
        return made

    whole: TerrainDef = filled(terrain, height_nodes(), "terrain")
    return whole


def with_data(definition: DataDef, nodes: Floats, folder: Path) -> DataDef:
    """A definition with what its file, beside the folder's others, makes of the ground.

    Raises:
        DefinitionError: every way in which the file is not right; the text begins with a key.
    """
    path = folder / definition.file
    if isinstance(definition, HeightsDef):
        return definition.with_data(_sampled(definition, path, nodes).astype("<f4").tobytes())
    assert isinstance(definition, MeshDef)
    return definition.with_data(_packed(*_placed(definition, path)))


def _sampled(definition: HeightsDef, path: Path, nodes: Floats) -> NDArray[np.float32]:
    """Heights of the ground's nodes, (N, N) [ix, iy] [m]."""
    source = open_heights(path)
    spacing = definition.spacing if definition.spacing is not None else source.spacing
    if spacing is None:
        raise DefinitionError(
            f"spacing: expected the distance of neighbouring values in metres, which {path} does "
            "not state, found none"
        )
    _check_cover(definition, path, source, spacing, float(nodes[-1]))
    columns, right = _places(nodes + definition.centre[0], spacing, source.shape[1])
    # The first row is the northernmost.
    rows, down = _places(-(nodes + definition.centre[1]), spacing, source.shape[0])
    each_row, row = np.unique(rows, return_inverse=True)
    each_column, column = np.unique(columns, return_inverse=True)
    heights = _metres(definition, path, source.take(each_row, each_column))
    heights = heights[row[:, None], column]
    low, high = heights[0::2], heights[1::2]
    mixed = low * (1.0 - down)[:, None] + high * down[:, None]
    mixed = mixed[:, 0::2] * (1.0 - right) + mixed[:, 1::2] * right
    return mixed.T.astype(np.float32)


def _check_cover(
    definition: HeightsDef, path: Path, source: HeightFile, spacing: float, half: float
) -> None:
    """Refuse data that end within the ground; a value stands for half its spacing around."""
    rows, columns = source.shape
    for axis, count, middle in zip("xy", (columns, rows), definition.centre, strict=True):
        if 0.5 * count * spacing < half + abs(middle):
            raise DefinitionError(
                f"file: {path}: expected data that cover the ground, {2.0 * half:g} m around "
                f"{axis} = {middle:g} m, found {count * spacing:g} m ({count} x {spacing:g} m)"
            )


def _places(ways: Floats, spacing: float, count: int) -> tuple[Places, Floats]:
    """Where nodes, at these ways (N,) from the middle of the data [m], lie along one axis of it.

    Returns:
        the places before and behind each, in turn (2 * N,), and the share of the way (N,).
    """
    where = ways / spacing + 0.5 * (count - 1)
    where = np.minimum(np.maximum(where, 0.0), count - 1.0)
    before = np.minimum(np.floor(where), count - 2.0)
    pairs = np.stack((before, before + 1.0), axis=1).reshape(-1).astype(np.int64)
    return pairs, where - before


def _metres(definition: HeightsDef, path: Path, values: Floats) -> Floats:
    """Heights [m] of values, holes filled."""
    with np.errstate(over="ignore"):
        heights = definition.offset + definition.scale * values
    is_hole = np.isnan(heights)
    if is_hole.any():
        if definition.hole is None:
            raise DefinitionError(
                f"file: {path}: expected heights everywhere, or a height for holes as hole, "
                f"found {int(is_hole.sum())} holes within the ground"
            )
        heights[is_hole] = definition.hole
    if abs(heights).max() > MOST_HEIGHT:
        raise DefinitionError(
            f"file: {path}: expected heights from {-MOST_HEIGHT:g} to {MOST_HEIGHT:g} m after "
            f"scale and offset, found {heights.min():g} to {heights.max():g} m"
        )
    return heights


def check_data(definition: DataDef, nodes: Floats) -> DataDef:
    """The definition; data of which no such ground can be made are refused (DefinitionError)."""
    if isinstance(definition, HeightsDef):
        _grid(definition.data, len(nodes))
    else:
        _unpacked(definition.data)
    return definition


def _grid(data: bytes, count: int) -> Floats:
    """The heights of data, (count, count) [m]; DefinitionError where there are none."""
    if len(data) != 4 * count * count:
        raise DefinitionError(f"file: expected {count} x {count} heights, found {len(data)} bytes")
    found = np.frombuffer(data, dtype="<f4").reshape(count, count).astype(np.float64)
    if not (abs(found) <= MOST_HEIGHT).all():
        raise DefinitionError(
            f"file: expected heights from {-MOST_HEIGHT:g} to {MOST_HEIGHT:g} m, found others"
        )
    return found


def heights(definition: HeightsDef, x: Floats, _y: Floats, _seed: int) -> Floats:
    """The heights of a file, (X, Y) [m], at the nodes that it was read for."""
    return _grid(definition.data, len(x))


def _placed(definition: MeshDef, path: Path) -> tuple[NDArray[np.float32], Indices]:
    """Those triangles of a mesh that reach into the ground, where they lie in the world."""
    vertices, triangles = open_mesh(path)
    with np.errstate(over="ignore"):
        vertices = (vertices * definition.scale + np.array(definition.offset)).astype(np.float32)
    if not (abs(vertices) <= 1e4).all() or abs(vertices[:, 2]).max() > MOST_HEIGHT:
        raise DefinitionError(
            f"file: {path}: expected vertices within 10 km and heights from {-MOST_HEIGHT:g} to "
            f"{MOST_HEIGHT:g} m after scale and offset, found others"
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
    if len(data) != 8 + 12 * (counts[0] + counts[1]) or not 0 < counts[1] <= MOST_TRIANGLES:
        raise DefinitionError(f"file: expected a mesh, found other data of {len(data)} bytes")
    middle = 8 + 12 * counts[0]
    vertices = np.frombuffer(data[8:middle], dtype="<f4").reshape(-1, 3).astype(np.float64)
    triangles = np.frombuffer(data[middle:], dtype="<i4").reshape(-1, 3).astype(np.int32)
    if not (abs(vertices) <= 1e4).all() or triangles.min() < 0 or triangles.max() >= counts[0]:
        raise DefinitionError("file: expected a mesh, found vertices or triangles of none")
    return vertices, triangles


def mesh(definition: MeshDef, _seed: int) -> Iterator[Tile]:
    """The mesh of a file in pieces, and the floor."""
    vertices, triangles = _unpacked(definition.data)
    yield from _pieces(vertices, triangles)
    floor = definition.floor if definition.floor is not None else float(vertices[:, 2].min())
    cuts = tile_cuts()
    yield from block_tiles(cuts, cuts, np.full((len(cuts) - 1, len(cuts) - 1), floor))


def _pieces(vertices: Floats, triangles: Indices) -> Iterator[MeshTile]:
    """Halves of halves of a mesh, across the longer side, until each is small enough."""
    if len(triangles) <= PIECE:
        used, renamed = np.unique(triangles, return_inverse=True)
        yield MeshTile(vertices[used], renamed.reshape(-1, 3).astype(np.int32))
        return
    a, b, c = (vertices[triangles[:, corner], :2] for corner in range(3))
    middles = a + b + c
    extent = middles.max(axis=0) - middles.min(axis=0)
    order = np.argsort(middles[:, int(extent[1] > extent[0])], kind="stable")
    half = len(order) // 2
    yield from _pieces(vertices, triangles[np.sort(order[:half])])
    yield from _pieces(vertices, triangles[np.sort(order[half:])])
