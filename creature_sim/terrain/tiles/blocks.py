"""Meshes of boxes: grids of them with walls between, and boxes that stand alone."""

import numpy as np

from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel
from creature_sim.terrain.tiles.tiles import MeshTile, Point, quad_mesh


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

    Args:
        quads: (Q, 4, 3) to be written [m, world].
        count: how many of them are written already.
        x: (X + 1,) edges of the boxes along X [m, world].
        y: (Y + 1,) edges along Y [m, world].
        heights: (X, Y) tops [m, world].
        rows: first box along X, and the one after the last.
        columns: the same along Y.

    Returns:
        how many there are then.
    """
    count_x, count_y = heights.shape
    for i in range(rows[0], rows[1]):
        for j in range(columns[0], columns[1]):
            x0, x1, y0, y1, z = x[i], x[i + 1], y[j], y[j + 1], heights[i, j]
            a, b, c, d = (x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)
            _fill_quad(quads[count], a, b, c, d)
            count += 1
            if i + 1 < count_x and heights[i + 1, j] != z:
                w = heights[i + 1, j]  # counter-clockwise as seen from +X where this box is higher
                _fill_quad(quads[count], (x1, y0, w), (x1, y1, w), c, b)
                count += 1
            if j + 1 < count_y and heights[i, j + 1] != z:
                w = heights[i, j + 1]
                _fill_quad(quads[count], (x1, y1, w), (x0, y1, w), d, c)
                count += 1
    return count


@kernel
def _fill_quad(quad: Floats, a: Point, b: Point, c: Point, d: Point) -> None:
    """Write the corners of a quadrangle, (4, 3) [m]."""
    for axis in range(3):
        quad[0, axis], quad[1, axis] = a[axis], b[axis]
        quad[2, axis], quad[3, axis] = c[axis], d[axis]


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
