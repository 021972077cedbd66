"""Lines of sight over ground with undersides, where heights do not say what hides what."""

from math import inf

import numpy as np

from creature_sim.figures.ground import Ground
from creature_sim.maths import Floats
from creature_sim.maths.triangles import meet

ABOVE = 1e3
"""A ceiling is looked for up to this far above [m]."""


def free_fraction(ground: Ground, start: Floats, ends: Floats) -> float:
    """Fraction of lines from `start` (3,) to `ends` (R, 3) [m, world] that is free for all."""
    return min(1.0, _met(ground, start, ends)[0])


def ceiling_over(ground: Ground, point: Floats) -> float:
    """Height of the highest underside above a point (3,), [m, world]; inf without one."""
    if not ground.hangs:
        return inf
    _, farthest = _met(ground, point, (point + np.array([0.0, 0.0, ABOVE]))[None])
    return float(point[2]) + ABOVE * farthest if farthest > 0.0 else inf


def _met(ground: Ground, start: Floats, ends: Floats) -> tuple[float, float]:
    """Nearest and farthest of what lines meet, see `meet`."""
    points = np.vstack((start, ends))
    low, high = points.min(axis=0) - 1e-6, points.max(axis=0) + 1e-6
    is_near = ((ground.boxes[:, 0] <= high) & (ground.boxes[:, 1] >= low)).all(axis=1)
    plots = np.flatnonzero(is_near)
    return meet(ground.vertices, ground.triangles, ground.first, plots, start, ends, low, high)
