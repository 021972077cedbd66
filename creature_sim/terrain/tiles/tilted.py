"""Meshes of plane tiles that are tilted, and the vertical faces between them."""

import numpy as np

from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel
from creature_sim.terrain.tiles.tiles import MeshTile, Point


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
    """Write the tiles between rows and columns, and their faces, into (T, 3, 3); their number.

    Args:
        triangles: (T, 3, 3) to be written [m, world].
        x: (X + 1,) edges of the tiles along X [m, world].
        y: (Y + 1,) edges along Y [m, world].
        corners: (X, Y, 2, 2) heights of the corners [m, world].
        rows: first tile along X, and the one after the last.
        columns: the same along Y.
    """
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
def _fill_triangle(triangles: Floats, count: int, a: Point, b: Point, c: Point) -> int:
    """Write one after `count` triangles; how many there are then."""
    for axis in range(3):
        triangles[count, 0, axis] = a[axis]
        triangles[count, 1, axis] = b[axis]
        triangles[count, 2, axis] = c[axis]
    return count + 1


@kernel
def face(a: Point, b: Point, c: float, d: float) -> list[tuple[Point, Point, Point]]:
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
    if begin * end < 0.0:  # the edges cross: each tile is the higher one on one side
        fraction = begin / (begin - end)
        x, y = a[0] + fraction * (b[0] - a[0]), a[1] + fraction * (b[1] - a[1])
        z = a[2] + fraction * (b[2] - a[2])
        found.append((under_a, (x, y, z), a))
        found.append(((x, y, z), under_b, b))
        return found
    if end != 0.0:
        found.append((under_a, under_b, b))
    if begin != 0.0:
        found.append((under_a, b, a))
    return found
