"""Squares of ground of many kinds in a level plain."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from creature_sim.definitions import PatchesDef
from creature_sim.maths import Floats, random_bits
from creature_sim.terrain.tiles.clip import MOST_CORNERS, clip_polygon
from creature_sim.terrain.tiles.tiles import CELL, MeshTile, Tile, face, grid_mesh
from creature_sim.terrain.tiles.tiling import HALF_SIZE

_STREAM = 1007  # see boxes.py for the others
_Point = tuple[float, float, float]
_Triangle = tuple[_Point, _Point, _Point]


def patch_seed(seed: int, index: int) -> int:
    """Seed of a patch."""
    return int(random_bits(seed, _STREAM, index) >> np.uint64(1))


def centre_of(definition: PatchesDef, index: int) -> tuple[float, float]:
    """Middle of a patch, x, y [m]; the grid lies about the origin."""
    column, row = index % definition.columns, index // definition.columns
    pitch = definition.size + definition.border
    columns = min(definition.columns, len(definition.patches))
    return (column - 0.5 * (columns - 1)) * pitch, (row - 0.5 * (definition.rows - 1)) * pitch


def surroundings(definition: PatchesDef) -> MeshTile:
    """All level ground: between patches, around them and where a row's last ones are missing."""
    places = [centre_of(definition, index) for index in range(len(definition.patches))]
    half = 0.5 * definition.size
    x, y = (
        np.unique(
            [-HALF_SIZE, HALF_SIZE]
            + [place[axis] + side for place in places for side in (-half, half)]
        )
        for axis in (0, 1)
    )
    taken = {
        (int(np.searchsorted(x, place[0] - half)), int(np.searchsorted(y, place[1] - half)))
        for place in places
    }
    corners = np.meshgrid(x, y, indexing="ij")
    index = np.arange(len(x) * len(y), dtype=np.int32).reshape(len(x), len(y))
    triangles = [
        triangle
        for i in range(len(x) - 1)
        for j in range(len(y) - 1)
        if (i, j) not in taken
        for triangle in (
            (index[i, j], index[i + 1, j], index[i, j + 1]),
            (index[i + 1, j], index[i + 1, j + 1], index[i, j + 1]),
        )
    ]
    level = np.stack((*corners, np.zeros((len(x), len(y)))), axis=-1).reshape(-1, 3)
    return MeshTile(level, np.array(triangles, dtype=np.int32).reshape(-1, 3))


def patch_nodes(definition: PatchesDef) -> Floats:
    """Nodes of a patch without edges along one axis, from its middle [m]."""
    count = int(np.ceil(definition.size / CELL))
    return definition.size * (np.arange(count + 1) / count - 0.5)


def faded(definition: PatchesDef, heights: Floats, centre: tuple[float, float]) -> MeshTile:
    """A patch without edges, whose heights (X, Y) [m] sink to 0 towards its rim."""
    nodes = patch_nodes(definition)
    if definition.fade > 0.0:
        inside = 0.5 * definition.size - abs(nodes)
        share = np.clip(np.minimum(inside[:, None], inside) / definition.fade, 0.0, 1.0)
        heights = heights * (share * share * (3.0 - 2.0 * share))
        return MeshTile(*grid_mesh(nodes + centre[0], nodes + centre[1], heights))
    (tile,) = cut(MeshTile(*grid_mesh(nodes, nodes, heights)), 0.5 * definition.size, centre)
    return tile


def cut(tile: Tile, half: float, centre: tuple[float, float]) -> Iterator[MeshTile]:
    """What of a tile lies in a square about the origin, moved elsewhere, with faces at its rim.

    Args:
        tile: any.
        half: half of the side of the square [m].
        centre: x, y of where its middle is moved to [m].
    """
    vertices, triangles = tile.mesh()
    corners = vertices[triangles]
    low, high = corners[..., :2].min(axis=1), corners[..., :2].max(axis=1)
    is_out = ((low >= half) | (high <= -half)).any(axis=1)
    is_in = ((low > -half) & (high < half)).all(axis=1)
    found = [
        part for triangle in corners[~is_out & ~is_in].tolist() for part in _trim(triangle, half)
    ]
    kept = np.concatenate((corners[is_in], np.array(found, dtype=np.float64).reshape(-1, 3, 3)))
    if len(kept):
        points = kept.reshape(-1, 3) + np.array([centre[0], centre[1], 0.0])
        yield MeshTile(points, np.arange(len(points), dtype=np.int32).reshape(-1, 3))


def _trim(triangle: list[list[float]], half: float) -> list[_Triangle]:
    """Triangles of what of one lies in the square, and of the faces below or above its rim."""
    sides = np.full(2, half)
    corners = np.empty((MOST_CORNERS, 3))
    size = clip_polygon(np.array(triangle), -sides, sides, corners)
    polygon: list[_Point] = [(x, y, z) for x, y, z in corners[:size].tolist()]
    found: list[_Triangle] = []
    is_top = False
    for b, c in pairwise(polygon[1:]):
        a = polygon[0]
        u = [q - p for p, q in zip(a, b, strict=True)]
        v = [q - p for p, q in zip(a, c, strict=True)]
        up = u[0] * v[1] - u[1] * v[0]
        if up != 0.0 or u[1] * v[2] != u[2] * v[1] or u[2] * v[0] != u[0] * v[2]:
            found.append((a, b, c))
            is_top = is_top or up > 0.0
    if is_top:
        for a, b in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
            is_rim = (a[0] == b[0] and abs(a[0]) == half) or (a[1] == b[1] and abs(a[1]) == half)
            if is_rim and a[:2] != b[:2]:
                found += face(a, b, 0.0, 0.0)
    return found
