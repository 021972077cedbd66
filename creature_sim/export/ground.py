"""The ground around a walk, as few triangles as show it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats
from creature_sim.terrain import HALF_SIZE, Terrain
from creature_sim.terrain.tiles import CELL, HeightTile

MARGIN = 7.0
"""Ground is shown this far around everything that moves [m]."""
MOST_NODES = 160 * 160
"""Rolling ground of more heights is shown coarser."""
MOST_TRIANGLES = 120_000
"""Edged ground of more triangles is shown less far."""


@dataclass(frozen=True)
class Patch:
    """A part of the ground.

    Attributes:
        vertices: (V, 3) [m, world].
        triangles: (T, 3) counter-clockwise from outside.
        area: x, y of the lowest and of the highest corner [m, world]; triangles may stick out.
        is_edged: whether it is made of blocks and not of rolling ground.
    """

    vertices: Floats
    triangles: NDArray[Any]
    area: tuple[float, float, float, float]
    is_edged: bool


def patch_around(terrain: Terrain, low: Floats, high: Floats) -> Patch:
    """The ground around what moves between two corners (2,) [m, world]."""
    if isinstance(terrain.tiles[0], HeightTile):
        return _rolling(terrain, *_area(low, high, MARGIN))
    margin = MARGIN
    while True:
        patch = _edged(terrain, *_area(low, high, margin))
        if len(patch.triangles) <= MOST_TRIANGLES or margin < 1.0:
            return patch
        margin *= 0.5


def _area(low: Floats, high: Floats, margin: float) -> tuple[Floats, Floats]:
    """Corners that enclose, with a margin, and not more than there is."""
    first = np.clip(low - margin, -HALF_SIZE, HALF_SIZE - CELL)
    return first, np.clip(high + margin, first + CELL, HALF_SIZE)


def _rolling(terrain: Terrain, low: Floats, high: Floats) -> Patch:
    count = round(2.0 * HALF_SIZE / CELL) + 1
    heights = np.zeros((count, count))
    for tile in terrain.tiles:
        assert isinstance(tile, HeightTile)
        row, column = (round((origin + HALF_SIZE) / CELL) for origin in tile.origin)
        rows, columns = tile.heights.shape
        heights[row : row + rows, column : column + columns] = tile.heights
    first = np.floor((low + HALF_SIZE) / CELL).astype(int)
    last = np.ceil((high + HALF_SIZE) / CELL).astype(int)
    stride = 1
    while np.prod((last - first) // stride + 1) > MOST_NODES:
        stride += 1
    nodes = [
        np.arange(a, b + stride, stride).clip(max=count - 1)
        for a, b in zip(first, last, strict=True)
    ]
    shown = heights[np.ix_(*nodes)]
    x, y = (CELL * places - HALF_SIZE for places in nodes)
    grid = np.stack((*np.meshgrid(x, y, indexing="ij"), shown), axis=-1)
    _, triangles = HeightTile((0.0, 0.0), shown.astype(np.float32)).mesh()  # physics' diagonals
    area = (float(x[0]), float(y[0]), float(x[-1]), float(y[-1]))
    return Patch(grid.reshape(-1, 3), triangles, area, is_edged=False)


def _edged(terrain: Terrain, low: Floats, high: Floats) -> Patch:
    vertices, triangles, start = [], [], 0
    for tile in terrain.tiles:
        points, corners = tile.mesh()
        places = points[corners][..., :2]
        is_near = (places.max(axis=1) >= low).all(axis=1) & (places.min(axis=1) <= high).all(axis=1)
        used, renamed = np.unique(corners[is_near], return_inverse=True)
        vertices.append(points[used])
        triangles.append(renamed.reshape(-1, 3) + start)
        start += len(used)
    area = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    return Patch(np.concatenate(vertices), np.concatenate(triangles), area, is_edged=True)
