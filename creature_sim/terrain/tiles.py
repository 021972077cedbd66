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
_Point = tuple[float, float, float]


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
    return quad_mesh(np.array(quads, dtype=np.float64).reshape(-1, 4, 3))


def boxes_mesh(corners: Floats, bottom: float, top: float) -> MeshTile:
    """Mesh of boxes that stand alone, without their undersides.

    Args:
        corners: (S, 2, 2) lowest and highest x, y of every box [m, world].
        bottom: of all boxes [m, world].
        top: of all boxes [m, world].
    """
    (x0, y0), (x1, y1) = corners[:, 0].T, corners[:, 1].T
    low, high = np.full(len(corners), bottom), np.full(len(corners), top)
    around = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    faces = [[(x, y, high) for x, y in around]]
    for (ax, ay), (bx, by) in zip(around, [*around[1:], around[0]], strict=True):
        faces.append([(ax, ay, low), (bx, by, low), (bx, by, high), (ax, ay, high)])
    # [face, corner, axis, box] to [box, face, corner, axis]
    quads = np.moveaxis(np.array(faces), -1, 0)
    return quad_mesh(np.ascontiguousarray(quads).reshape(-1, 4, 3))


def tilted_mesh(x: Floats, y: Floats, corners: Floats, first: slice, second: slice) -> MeshTile:
    """Mesh of the tiles [first, second] of a grid of plane tiles, and the faces between them.

    Args:
        x: (X+1,) edges of the tiles along X [m, world].
        y: (Y+1,) edges along Y.
        corners: (X, Y, 2, 2) heights of each tile's corners, [low x or high x, low y or high y].
        first: tiles along X that belong to this mesh.
        second: tiles along Y.

    A face belongs to the tile with the lower index.
    """
    found: list[tuple[_Point, _Point, _Point]] = []
    count_x, count_y = corners.shape[:2]
    for i in range(count_x)[first]:
        for j in range(count_y)[second]:
            x0, x1, y0, y1 = x[i], x[i + 1], y[j], y[j + 1]
            (a, b), (c, d) = corners[i, j]
            found.append(((x0, y0, a), (x1, y0, c), (x1, y1, d)))
            found.append(((x0, y0, a), (x1, y1, d), (x0, y1, b)))
            if i + 1 < count_x:
                e, f = corners[i + 1, j, 0]
                found += face((x1, y0, c), (x1, y1, d), e, f)
            if j + 1 < count_y:
                e, f = corners[i, j + 1, :, 0]
                found += face((x1, y1, d), (x0, y1, b), f, e)
    vertices = np.array(found, dtype=np.float64).reshape(-1, 3)
    return MeshTile(vertices, np.arange(len(vertices), dtype=np.int32).reshape(-1, 3))


def face(a: _Point, b: _Point, c: float, d: float) -> list[tuple[_Point, _Point, _Point]]:
    """Triangles of the vertical face below or above the edge a to b of a tile.

    Args:
        a: where the edge begins; the tile lies to its left.
        b: where it ends.
        c: height of the neighbour's edge at a [m].
        d: height of the neighbour's edge at b [m].
    """
    under_a, under_b = (a[0], a[1], c), (b[0], b[1], d)
    begin, end = a[2] - c, b[2] - d
    if begin * end < 0.0:  # the edges cross: the one tile faces this way, the other that way
        share = begin / (begin - end)
        x, y, z = (p + share * (q - p) for p, q in zip(a, b, strict=True))
        return [(under_a, (x, y, z), a), ((x, y, z), under_b, b)]
    found = []
    if end != 0.0:
        found.append((under_a, under_b, b))
    if begin != 0.0:
        found.append((under_a, b, a))
    return found
