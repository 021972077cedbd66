"""The two shapes of ground: grids of heights, and meshes where faces are vertical."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats

CELL = 0.25
"""Distance of neighbouring heights [m]."""
CELLS = 64
"""Cells along a side of a height tile."""

Indices = NDArray[np.int32]


@dataclass(frozen=True)
class HeightTile:
    """Smooth ground.

    Attributes:
        origin: x, y of the first node [m, world].
        heights: (65, 65) float32, [ix, iy] [m, world].
    """

    origin: tuple[float, float]
    heights: NDArray[np.float32]

    def mesh(self) -> tuple[Floats, Indices]:
        """Vertices (V, 3) and triangles (T, 3), counter-clockwise from above.

        Cells split on the diagonal on which pybullet splits them.
        """
        columns, rows = self.heights.shape
        x = self.origin[0] + CELL * np.arange(columns)
        y = self.origin[1] + CELL * np.arange(rows)
        grid = np.stack((*np.meshgrid(x, y, indexing="ij"), self.heights), axis=-1)
        index = np.arange(columns * rows, dtype=np.int32).reshape(columns, rows)
        a, b = index[:-1, :-1].ravel(), index[1:, :-1].ravel()
        c, d = index[:-1, 1:].ravel(), index[1:, 1:].ravel()
        triangles = np.concatenate((np.stack((a, b, c), -1), np.stack((b, d, c), -1)))
        return grid.reshape(-1, 3), triangles


@dataclass(frozen=True)
class MeshTile:
    """Ground with edges.

    Attributes:
        vertices: (V, 3) [m, world].
        triangles: (T, 3) counter-clockwise from outside.
    """

    vertices: Floats
    triangles: Indices

    def mesh(self) -> tuple[Floats, Indices]:
        """Vertices and triangles."""
        return self.vertices, self.triangles


Tile = HeightTile | MeshTile


def block_mesh(x: Floats, y: Floats, heights: Floats, first: slice, second: slice) -> MeshTile:
    """Mesh of the boxes [first, second] of a grid of boxes, walls between neighbours included.

    Args:
        x: (X+1,) edges of the boxes along X [m, world].
        y: (Y+1,) edges along Y.
        heights: (X, Y) tops [m, world].
        first: boxes along X that belong to this tile.
        second: boxes along Y.

    A wall belongs to the box with the lower index.
    """
    quads: list[tuple[tuple[float, float, float], ...]] = []
    count_x, count_y = heights.shape
    for i in range(count_x)[first]:
        for j in range(count_y)[second]:
            x0, x1, y0, y1, z = x[i], x[i + 1], y[j], y[j + 1], heights[i, j]
            quads.append(((x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)))
            if i + 1 < count_x and heights[i + 1, j] != z:
                w = heights[i + 1, j]  # counter-clockwise as seen from +X where this box is higher
                quads.append(((x1, y0, w), (x1, y1, w), (x1, y1, z), (x1, y0, z)))
            if j + 1 < count_y and heights[i, j + 1] != z:
                w = heights[i, j + 1]
                quads.append(((x1, y1, w), (x0, y1, w), (x0, y1, z), (x1, y1, z)))
    vertices = np.array(quads, dtype=np.float64).reshape(-1, 3)
    corner = 4 * np.arange(len(quads), dtype=np.int32)[:, None]
    triangles = np.concatenate((corner + np.array([0, 1, 2]), corner + np.array([0, 2, 3]))).astype(
        np.int32
    )
    return MeshTile(vertices, triangles)
