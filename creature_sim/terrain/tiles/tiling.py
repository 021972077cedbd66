"""Cuts heights and boxes of the whole ground into tiles."""

from collections.abc import Iterator

import numpy as np

from creature_sim.maths import Floats
from creature_sim.terrain.tiles.blocks import block_mesh
from creature_sim.terrain.tiles.tiles import CELL, CELLS, HeightTile, Tile

HALF_SIZE = 32.0
"""Ground spans -HALF_SIZE to HALF_SIZE along X and Y [m]."""
TILE = CELL * CELLS
"""Side of a tile [m]."""
FARTHEST = 65_536.0
"""Endless ground ends this far from the origin along X and Y [m]."""

MAX_HEIGHT = 400.0
"""Ground with a border lies between this depth and this height [m]."""

Stretch = tuple[float, float]
"""From here to there along an axis [m]."""
Blocks = tuple[Floats, Floats, Floats]
"""A grid of boxes: edges along X (X + 1,) and Y (Y + 1,), and heights of their tops (X, Y) [m]."""

WHOLE: Stretch = (-HALF_SIZE, HALF_SIZE)
"""All of ground that has a border."""


def height_nodes() -> Floats:
    """Coordinates of the height nodes along one axis, (257,) [m]."""
    count = round(2.0 * HALF_SIZE / CELL)
    return np.arange(count + 1, dtype=np.float64) * CELL - HALF_SIZE


def tile_cuts() -> Floats:
    """Borders of the tiles along one axis, (5,) [m]."""
    return np.arange(-HALF_SIZE, HALF_SIZE + 0.5 * TILE, TILE)


def height_tiles(heights: Floats) -> Iterator[Tile]:
    """Cut a (257, 257) grid into tiles that share their border nodes."""
    stored = heights.astype(np.float32)
    count = (heights.shape[0] - 1) // CELLS
    for i in range(count):
        for j in range(count):
            part = stored[
                i * CELLS : (i + 1) * CELLS + 1,
                j * CELLS : (j + 1) * CELLS + 1,
            ]
            yield HeightTile((i * TILE - HALF_SIZE, j * TILE - HALF_SIZE), part.copy())


def grid_parts(x: Floats, y: Floats) -> Iterator[tuple[slice, slice]]:
    """Cut a grid with these edges into parts of about a tile each, by the centres of its boxes."""
    cuts = tile_cuts()
    first = np.searchsorted(0.5 * (x[1:] + x[:-1]), cuts)
    second = np.searchsorted(0.5 * (y[1:] + y[:-1]), cuts)
    for i in range(len(cuts) - 1):
        for j in range(len(cuts) - 1):
            rows, columns = slice(first[i], first[i + 1]), slice(second[j], second[j + 1])
            if rows.start < rows.stop and columns.start < columns.stop:
                yield rows, columns


def block_tiles(x: Floats, y: Floats, heights: Floats) -> Iterator[Tile]:
    """Cut a grid of boxes into meshes."""
    for rows, columns in grid_parts(x, y):
        yield block_mesh(x, y, heights, rows, columns)


def grid_edges(cell: float, shift: float = 0.0) -> Floats:
    """Edges of squares that cover the ground, the outermost cut off [m].

    Args:
        cell: side of a square [m].
        shift: where an edge is, next to the origin, as a fraction of the side from 0 up to 1.
    """
    count = int(np.ceil(HALF_SIZE / cell + shift))
    edges = (np.arange(-count, count + 1) + shift) * cell
    return np.unique(np.clip(edges, -HALF_SIZE, HALF_SIZE))


def is_near(low: Floats, high: Floats, clearing: float) -> np.ndarray:
    """Which stretches from low to high along an axis reach into the clearing about the origin."""
    near: np.ndarray = (low < clearing) & (high > -clearing)
    return near
