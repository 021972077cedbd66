"""Ground cut off at a height, as the plan of a floor shows it."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats, cross, sub, unit, vec
from creature_sim.maths.jit import kernel
from creature_sim.terrain import Terrain
from creature_sim.terrain.tiles.tiles import MeshTile, join

ASIDE = np.array([1.4142e-7, 1.7321e-7])
"""Samples lie this far beside where edges of triangles may be, along X and Y [m]."""
LEVEL = (0.0, 0.0, 1.0)


def section(
    terrain: Terrain,
    centre: tuple[float, float],
    offsets: Floats,
    cut: float,
    *,
    from_below: bool = False,
) -> tuple[Floats, Floats]:
    """Heights (N, N) [m] and normals (N, N, 3) of the ground that is seen from a cut.

    That is the highest ground below it, or the lowest underside above it. Heights are NaN within
    walls, which the cut goes through, and where there is no floor; where nothing hangs above the
    cut they are inf.

    Args:
        terrain: ground that has a border.
        centre: x, y of the middle of the samples [m, world].
        offsets: (N,) of the samples from there, along X and along Y alike [m].
        cut: height of the cut [m, world].
        from_below: whether undersides above the cut are seen.
    """
    count = len(offsets)
    mesh = join([MeshTile(*tile.mesh()) for tile in terrain.tiles])
    nothing = np.inf if from_below else -np.inf
    heights, normals = np.full((count, count), nothing), np.zeros((count, count, 3))
    within = np.zeros((count, count), np.int64)
    corners = (mesh.vertices - np.array([*centre, 0.0]))[mesh.triangles]
    _fill(heights, normals, within, corners, offsets, ASIDE, cut, from_below)
    return np.where((within > 0) | np.isneginf(heights), np.nan, heights), normals


@kernel
def _fill(
    heights: Floats,
    normals: Floats,
    within: NDArray[np.int64],
    corners: Floats,
    offsets: Floats,
    aside: Floats,
    cut: float,
    from_below: bool,
) -> None:
    """Write heights and normals, and how many solids hold the samples of the cut, (N, N).

    A point is within as many solids as there are faces above it that look up, less those that
    look down.

    Args:
        heights: (N, N) -inf, from below inf, to be written [m].
        normals: (N, N, 3) to be written.
        within: (N, N) 0, to be written.
        corners: (T, 3, 3) of triangles from the centre, counter-clockwise from outside [m].
        offsets: (N,) of the samples from the centre [m].
        aside: (2,) how far from there they are taken [m].
        cut: height of the cut [m, world].
        from_below: whether undersides above the cut are seen, not the tops below it.
    """
    spacing = offsets[1] - offsets[0]
    side = -1.0 if from_below else 1.0
    for t in range(corners.shape[0]):
        a, b, c = vec(corners[t, 0]), vec(corners[t, 1]), vec(corners[t, 2])
        normal = cross(sub(b, a), sub(c, a))
        turn = normal[2]  # twice the area as seen from above: 0 for a wall
        if abs(turn) < 1e-12:
            continue
        facing = unit(normal, LEVEL)
        first, last = _span(min(a[0], b[0], c[0]), max(a[0], b[0], c[0]), offsets, spacing)
        low, high = _span(min(a[1], b[1], c[1]), max(a[1], b[1], c[1]), offsets, spacing)
        for i in range(first, last):
            for j in range(low, high):
                x, y = offsets[i] + aside[0] - a[0], offsets[j] + aside[1] - a[1]
                u = (x * (c[1] - a[1]) - y * (c[0] - a[0])) / turn
                v = (y * (b[0] - a[0]) - x * (b[1] - a[1])) / turn
                if u < 0.0 or v < 0.0 or u + v >= 1.0:
                    continue
                z = a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2])
                if z > cut:
                    within[i, j] += 1 if turn > 0.0 else -1
                is_seen = (z > cut) == from_below and side * turn > 0.0
                if is_seen and side * z > side * heights[i, j]:
                    heights[i, j] = z
                    for axis in range(3):
                        normals[i, j, axis] = facing[axis]


@kernel
def _span(low: float, high: float, offsets: Floats, spacing: float) -> tuple[int, int]:
    """The first sample from a coordinate on, and the one after the last up to another [m]."""
    first = int(np.floor((low - offsets[0]) / spacing))
    last = int(np.ceil((high - offsets[0]) / spacing)) + 1
    return max(first, 0), min(last, len(offsets))
