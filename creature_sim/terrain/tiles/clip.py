"""Cuts triangles at the sides of a rectangle that is seen from above."""

import numpy as np

from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel
from creature_sim.terrain.tiles.tiles import MeshTile

MAX_CORNERS = 8
"""Corners that a triangle can have after it is cut at four sides."""


def clip_mesh(tile: MeshTile, low: Floats, high: Floats) -> MeshTile:
    """The part of a mesh between two corners (2,) [m].

    Triangles that touch a side along an edge are left out; those that stand on it are kept.
    """
    corners = tile.vertices[tile.triangles]
    lowest, highest = corners[..., :2].min(axis=1), corners[..., :2].max(axis=1)
    is_within = ((lowest >= low) & (highest <= high)).all(axis=1)
    inside = tile.triangles[is_within]
    is_used = np.zeros(len(tile.vertices), np.bool_)
    is_used[inside] = True
    cut = clip_triangles(corners[~is_within], low, high).reshape(-1, 3)
    kept = tile.vertices[is_used]
    renamed = np.zeros(len(is_used), np.int64)
    renamed[is_used] = np.arange(len(kept))
    added = len(kept) + np.arange(len(cut)).reshape(-1, 3)
    return MeshTile(
        np.concatenate((kept, cut)), np.concatenate((renamed[inside], added)).astype(np.int32)
    )


@kernel
def clip_triangles(corners: Floats, low: Floats, high: Floats) -> Floats:
    """The part of triangles (T, 3, 3) between two corners (2,) [m], as triangles."""
    found = np.empty((2 * len(corners) + 16, 3, 3))
    polygon = np.empty((MAX_CORNERS, 3))
    count = 0
    for k in range(len(corners)):
        size = clip_polygon(corners[k], low, high, polygon)
        if count + MAX_CORNERS > len(found):
            longer = np.empty((2 * len(found), 3, 3))
            longer[:count] = found[:count]
            found = longer
        for corner in range(1, size - 1):
            if not _is_line(polygon[0], polygon[corner], polygon[corner + 1]):
                found[count, 0] = polygon[0]
                found[count, 1] = polygon[corner]
                found[count, 2] = polygon[corner + 1]
                count += 1
    return found[:count].copy()


@kernel
def clip_polygon(triangle: Floats, low: Floats, high: Floats, polygon: Floats) -> int:
    """Clip one at one side after the other (Sutherland and Hodgman 1974).

    Args:
        triangle: (3, 3) [m].
        low: (2,) lowest x, y of what is kept [m].
        high: (2,) highest.
        polygon: (MAX_CORNERS, 3) to be written.

    Returns:
        how many corners of the polygon are left.
    """
    size = 3
    polygon[:3] = triangle
    is_within = True
    for axis in range(2):
        smallest = min(triangle[0, axis], triangle[1, axis], triangle[2, axis])
        largest = max(triangle[0, axis], triangle[1, axis], triangle[2, axis])
        if smallest > high[axis] or largest < low[axis]:
            return 0
        is_within = is_within and smallest >= low[axis] and largest <= high[axis]
    if is_within:
        return size
    before = np.empty((MAX_CORNERS, 3))
    for axis in range(2):
        for side in (-1.0, 1.0):
            border = low[axis] if side < 0.0 else high[axis]
            before[:size] = polygon[:size]
            count = 0
            for corner in range(size):
                a, b = before[corner], before[(corner + 1) % size]
                inside_a, inside_b = side * (border - a[axis]), side * (border - b[axis])
                if inside_a >= 0.0:
                    polygon[count] = a
                    count += 1
                if (inside_a > 0.0 and inside_b < 0.0) or (inside_a < 0.0 and inside_b > 0.0):
                    fraction = inside_a / (inside_a - inside_b)
                    for k in range(3):
                        polygon[count, k] = a[k] + fraction * (b[k] - a[k])
                    polygon[count, axis] = border  # so that neighbours meet
                    count += 1
            size = count
    return size


@kernel
def _is_line(a: Floats, b: Floats, c: Floats) -> bool:
    """Whether three corners (3,) are no triangle."""
    ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
    return bool(ux * vy == uy * vx and uy * vz == uz * vy and uz * vx == ux * vz)
