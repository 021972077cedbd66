"""The two shapes of ground: grids of heights, and meshes where faces are vertical."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel

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


def join_quads(corners: Floats, counts: NDArray[np.int64]) -> MeshTile:
    """Meshes of so many quadrangles each, (M,), of (Q, 4, 3), as one."""
    starts = list(accumulate(counts.tolist(), initial=0))[:-1]
    begins = np.repeat(np.array(starts, dtype=np.int64), counts)
    quad = np.arange(len(corners))
    first = begins + quad  # in each mesh first halves come before second ones
    triangles = np.empty((2 * len(corners), 3), dtype=np.int32)
    triangles[first] = 4 * quad[:, None] + np.array([0, 1, 2])
    triangles[first + np.repeat(counts, counts)] = 4 * quad[:, None] + np.array([0, 2, 3])
    return MeshTile(corners.reshape(-1, 3), triangles)


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
    rows, columns = first.indices(heights.shape[0])[:2], second.indices(heights.shape[1])[:2]
    quads = np.empty((3 * max(rows[1] - rows[0], 0) * max(columns[1] - columns[0], 0), 4, 3))
    return quad_mesh(quads[: fill_blocks(quads, 0, x, y, heights, rows, columns)].copy())


@kernel
def fill_blocks(
    quads: Floats,
    count: int,
    x: Floats,
    y: Floats,
    heights: Floats,
    rows: tuple[int, int],
    columns: tuple[int, int],
) -> int:
    """Write tops and walls of the boxes between rows and columns into (Q, 4, 3), after `count`.

    Returns:
        how many there are then.
    """
    count_x, count_y = heights.shape
    for i in range(rows[0], rows[1]):
        for j in range(columns[0], columns[1]):
            x0, x1, y0, y1, z = x[i], x[i + 1], y[j], y[j + 1], heights[i, j]
            _fill_quad(quads[count], x0, y0, x1, y0, x1, y1, x0, y1, z, z)
            count += 1
            if i + 1 < count_x and heights[i + 1, j] != z:
                w = heights[i + 1, j]  # counter-clockwise as seen from +X where this box is higher
                _fill_quad(quads[count], x1, y0, x1, y1, x1, y1, x1, y0, w, z)
                count += 1
            if j + 1 < count_y and heights[i, j + 1] != z:
                w = heights[i, j + 1]
                _fill_quad(quads[count], x1, y1, x0, y1, x0, y1, x1, y1, w, z)
                count += 1
    return count


@kernel
def _fill_quad(
    quad: Floats,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    x2: float,
    y2: float,
    x3: float,
    y3: float,
    begin: float,
    end: float,
) -> None:
    """Write a quadrangle (4, 3): two corners at the height `begin`, two at `end` [m]."""
    quad[0, 0], quad[0, 1], quad[0, 2] = x0, y0, begin
    quad[1, 0], quad[1, 1], quad[1, 2] = x1, y1, begin
    quad[2, 0], quad[2, 1], quad[2, 2] = x2, y2, end
    quad[3, 0], quad[3, 1], quad[3, 2] = x3, y3, end


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
    rows, columns = first.indices(len(x) - 1)[:2], second.indices(len(y) - 1)[:2]
    triangles = np.empty((6 * max(rows[1] - rows[0], 0) * max(columns[1] - columns[0], 0), 3, 3))
    count = _fill_tilted(triangles, x, y, corners, rows, columns)
    vertices = triangles[:count].reshape(-1, 3).copy()
    return MeshTile(vertices, np.arange(len(vertices), dtype=np.int32).reshape(-1, 3))


@kernel
def _fill_tilted(
    triangles: Floats,
    x: Floats,
    y: Floats,
    corners: Floats,
    rows: tuple[int, int],
    columns: tuple[int, int],
) -> int:
    """Write the tiles between rows and columns, and their faces, into (T, 3, 3); their number."""
    count = 0
    count_x, count_y = corners.shape[:2]
    for i in range(rows[0], rows[1]):
        for j in range(columns[0], columns[1]):
            x0, x1, y0, y1 = x[i], x[i + 1], y[j], y[j + 1]
            a, b = corners[i, j, 0, 0], corners[i, j, 0, 1]
            c, d = corners[i, j, 1, 0], corners[i, j, 1, 1]
            count = _fill_triangle(triangles, count, (x0, y0, a), (x1, y0, c), (x1, y1, d))
            count = _fill_triangle(triangles, count, (x0, y0, a), (x1, y1, d), (x0, y1, b))
            if i + 1 < count_x:
                e, f = corners[i + 1, j, 0, 0], corners[i + 1, j, 0, 1]
                for p, q, r in face((x1, y0, c), (x1, y1, d), e, f):
                    count = _fill_triangle(triangles, count, p, q, r)
            if j + 1 < count_y:
                e, f = corners[i, j + 1, 0, 0], corners[i, j + 1, 1, 0]
                for p, q, r in face((x1, y1, d), (x0, y1, b), f, e):
                    count = _fill_triangle(triangles, count, p, q, r)
    return count


@kernel
def _fill_triangle(triangles: Floats, count: int, a: _Point, b: _Point, c: _Point) -> int:
    """Write one after `count` triangles; how many there are then."""
    for axis in range(3):
        triangles[count, 0, axis] = a[axis]
        triangles[count, 1, axis] = b[axis]
        triangles[count, 2, axis] = c[axis]
    return count + 1


@kernel
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
    found = []
    if begin * end < 0.0:  # the edges cross: the one tile faces this way, the other that way
        share = begin / (begin - end)
        x, y = a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
        z = a[2] + share * (b[2] - a[2])
        found.append((under_a, (x, y, z), a))
        found.append(((x, y, z), under_b, b))
        return found
    if end != 0.0:
        found.append((under_a, under_b, b))
    if begin != 0.0:
        found.append((under_a, b, a))
    return found
