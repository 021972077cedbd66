"""The two shapes of ground: grids of heights, and meshes where faces are vertical."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats

CELL = 0.25
"""Distance of neighbouring heights [m]."""
CELLS = 64
"""Cells along a side of a height tile."""

Indices = NDArray[np.int32]
Point = tuple[float, float, float]


def grid_mesh(x: NDArray[Any], y: NDArray[Any], heights: NDArray[Any]) -> tuple[Floats, Indices]:
    """Vertices (V, 3) and triangles (T, 3) of heights (X, Y) at nodes x (X,) and y (Y,) [m].

    Cells split on the diagonal on which pybullet splits them.
    """
    columns, rows = heights.shape
    grid = np.stack((*np.meshgrid(x, y, indexing="ij"), heights), axis=-1)
    index = np.arange(columns * rows, dtype=np.int32).reshape(columns, rows)
    a, b = index[:-1, :-1].ravel(), index[1:, :-1].ravel()
    c, d = index[:-1, 1:].ravel(), index[1:, 1:].ravel()
    triangles = np.concatenate((np.stack((a, b, c), -1), np.stack((b, d, c), -1)))
    return grid.reshape(-1, 3), triangles


@dataclass(frozen=True)
class HeightTile:
    """Smooth ground.

    Attributes:
        origin: x, y of the first node [m, world].
        heights: (65, 65) float32, [ix, iy], above the level [m].
        level: that heights count from [m, world].
    """

    origin: tuple[float, float]
    heights: NDArray[np.float32]
    level: float = 0.0

    def mesh(self) -> tuple[Floats, Indices]:
        """Vertices (V, 3) and triangles (T, 3), counter-clockwise from above."""
        columns, rows = self.heights.shape
        x = self.origin[0] + CELL * np.arange(columns)
        y = self.origin[1] + CELL * np.arange(rows)
        return grid_mesh(x, y, self.level + self.heights.astype(np.float64))


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


def join(meshes: Sequence[MeshTile]) -> MeshTile:
    """Several meshes as one."""
    starts = accumulate((len(mesh.vertices) for mesh in meshes), initial=0)
    return MeshTile(
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate(
            [mesh.triangles + start for mesh, start in zip(meshes, starts, strict=False)]
        ).astype(np.int32),
    )


def quad_mesh(corners: Floats) -> MeshTile:
    """Mesh of quadrangles (Q, 4, 3), counter-clockwise from outside."""
    corner = 4 * np.arange(len(corners), dtype=np.int32)[:, None]
    triangles = np.concatenate((corner + np.array([0, 1, 2]), corner + np.array([0, 2, 3])))
    return MeshTile(corners.reshape(-1, 3), triangles.astype(np.int32))


def join_quads(corners: Floats, counts: NDArray[np.int64]) -> MeshTile:
    """Meshes as one.

    Args:
        corners: (Q, 4, 3) of all quadrangles [m, world].
        counts: (M,) how many of them belong to each mesh.
    """
    starts = list(accumulate(counts.tolist(), initial=0))[:-1]
    begins = np.repeat(np.array(starts, dtype=np.int64), counts)
    quad = np.arange(len(corners))
    first = begins + quad  # in each mesh first halves come before second ones
    triangles = np.empty((2 * len(corners), 3), dtype=np.int32)
    triangles[first] = 4 * quad[:, None] + np.array([0, 1, 2])
    triangles[first + np.repeat(counts, counts)] = 4 * quad[:, None] + np.array([0, 2, 3])
    return MeshTile(corners.reshape(-1, 3), triangles)
