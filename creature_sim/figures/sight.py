"""Lines of sight over ground with undersides, where heights do not say what hides what."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.figures.ground import Ground
from creature_sim.maths import Floats

ABOVE = 1e3
"""A ceiling is looked for up to this far above [m]."""


def hits(ground: Ground, start: Floats, ends: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Where lines meet triangles of the ground, and which of these are seen from their backs.

    Moeller and Trumbore 1997.

    Args:
        ground: in the way.
        start: (3,) of all lines [m, world].
        ends: (R, 3) [m, world].

    Returns:
        fractions of the lines (R, T), inf where a line misses a triangle; and whether triangles
        face the way that the line runs (R, T).
    """
    corners = _near(ground, np.vstack((start, ends)))
    lines = (ends - start)[:, None]
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = np.cross(lines, second)  # (R, T, 3)
    scale = (first * across).sum(axis=2)
    safe = np.where(np.abs(scale) > 1e-12, scale, np.inf)
    gap = start - corners[:, 0]
    turned = np.cross(gap, first)
    u = (gap * across).sum(axis=2) / safe
    v = (turned * lines).sum(axis=2) / safe
    fractions = (turned * second).sum(axis=1) / safe
    is_met = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1.0 + 1e-9)
    is_met &= (fractions > 0.0) & (fractions <= 1.0) & np.isfinite(safe)
    return np.where(is_met, fractions, np.inf), scale < 0.0


def free_fraction(ground: Ground, start: Floats, ends: Floats) -> float:
    """Fraction of lines from `start` (3,) to `ends` (R, 3) [m, world] that is free for all."""
    fractions, _ = hits(ground, start, ends)
    return float(fractions.min(initial=1.0))


def ceiling_over(ground: Ground, point: Floats) -> float:
    """Height of the highest underside above a point (3,), [m, world]; inf without one."""
    if not ground.hangs:
        return np.inf
    fractions, is_back = hits(ground, point, (point + np.array([0.0, 0.0, ABOVE]))[None])
    found = fractions[np.isfinite(fractions) & ~is_back]
    return float(point[2] + ABOVE * found.max()) if len(found) else np.inf


def _near(ground: Ground, points: Floats) -> Floats:
    """Corners (T, 3, 3) [m, world] of triangles that meet the box around points (P, 3)."""
    low, high = points.min(axis=0) - 1e-6, points.max(axis=0) + 1e-6
    meets = ((ground.boxes[:, 0] <= high) & (ground.boxes[:, 1] >= low)).all(axis=1)
    parts = [
        ground.triangles[ground.first[plot] : ground.first[plot + 1]]
        for plot in np.flatnonzero(meets).tolist()
    ]
    if not parts:
        return np.empty((0, 3, 3))
    corners = ground.vertices[np.concatenate(parts), :3].astype(np.float64)
    is_near = ((corners.min(axis=1) <= high) & (corners.max(axis=1) >= low)).all(axis=1)
    found: Floats = corners[is_near]
    return found
