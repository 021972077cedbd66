"""Lines against triangles: what sight meets on a mesh."""

from math import inf

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths.jit import kernel
from creature_sim.maths.vectors import Floats, Vec, cross, dot, sub, vec

PARALLEL = 1e-12
"""Of a line and a triangle whose normal times the line is less [m^3]."""


@kernel
def meet(
    vertices: NDArray[np.float32],
    triangles: NDArray[np.uint32],
    first: NDArray[np.int64],
    plots: NDArray[np.int64],
    start: Floats,
    ends: Floats,
    low: Floats,
    high: Floats,
) -> tuple[float, float]:
    """Let lines meet triangles (Moeller and Trumbore 1997).

    Args:
        vertices: (V, 6) position and normal [m, world].
        triangles: (T, 3).
        first: (K + 1,) first triangle of each plot.
        plots: (P,) those to look at.
        start: (3,) of all lines [m, world].
        ends: (R, 3) [m, world].
        low: (3,) lowest corner of a box around the lines [m, world].
        high: (3,) highest corner.

    Returns:
        the nearest fraction of a line at which it meets a triangle, inf where none does; and the
        farthest at which it meets one that faces it, 0 where it meets none.
    """
    nearest, farthest = inf, 0.0
    origin = vec(start)
    for plot in plots:
        for t in range(first[plot], first[plot + 1]):
            a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
            is_near = True
            for axis in range(3):
                x, y, z = vertices[a, axis], vertices[b, axis], vertices[c, axis]
                is_near = is_near and max(x, y, z) >= low[axis] and min(x, y, z) <= high[axis]
            if not is_near:
                continue
            corner = _point(vertices, a)
            side, other = sub(_point(vertices, b), corner), sub(_point(vertices, c), corner)
            gap = sub(origin, corner)
            turned = cross(gap, side)
            for r in range(ends.shape[0]):
                line = sub(vec(ends[r]), origin)
                across = cross(line, other)
                scale = dot(side, across)
                if abs(scale) < PARALLEL:
                    continue
                u, v = dot(gap, across) / scale, dot(turned, line) / scale
                fraction = dot(turned, other) / scale
                if u >= -1e-9 and v >= -1e-9 and u + v <= 1.0 + 1e-9 and 0.0 < fraction <= 1.0:
                    nearest = min(nearest, fraction)
                    if scale > 0.0:
                        farthest = max(farthest, fraction)
    return nearest, farthest


@kernel
def _point(vertices: NDArray[np.float32], index: int) -> Vec:
    """Position of a vertex [m, world]."""
    return float(vertices[index, 0]), float(vertices[index, 1]), float(vertices[index, 2])
