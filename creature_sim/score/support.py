"""The support margin: how far the body is inside the polygon of its standing feet."""

import numpy as np

from creature_sim.maths import Floats
from creature_sim.score.surface import level_axes
from creature_sim.score.track import Track


def support_margin(track: Track) -> Floats:
    """Signed distance of the projected centre to the edge of the support polygon, (T,) [m].

    Negative outside (McGhee and Frank 1968). The projection is along gravity. With fewer than three
    feet on the ground, the margin is minus the distance to the point or line that they span.
    """
    margins = np.empty(len(track.position))
    axes = np.stack(level_axes(track.ups_at(track.centre)), axis=-1)
    feet = np.einsum("tlk,tki->tli", track.tips - track.centre[:, None], axes)
    for tick, (points, swings) in enumerate(zip(feet, track.is_swinging, strict=True)):
        margins[tick] = _margin(points[~swings])
    return margins


def _margin(points: Floats) -> float:
    """Signed distance of the origin to the convex hull of points (P, 2), positive inside."""
    if len(points) == 0:
        return -np.inf
    hull = convex_hull(points)
    edges = np.roll(hull, -1, axis=0) - hull
    lengths = np.maximum(np.linalg.norm(edges, axis=1), 1e-12)
    inside = np.inf
    if len(hull) >= 3:
        inside = float(((edges[:, 1] * hull[:, 0] - edges[:, 0] * hull[:, 1]) / lengths).min())
        if inside >= 0.0:
            return inside
    fraction = np.clip(-(hull * edges).sum(axis=1) / lengths**2, 0.0, 1.0)
    return -float(np.linalg.norm(hull + fraction[:, None] * edges, axis=1).min())


def convex_hull(points: Floats) -> Floats:
    """Convex hull of (P, 2), counter-clockwise (Andrew 1979)."""
    ordered = sorted(map(tuple, points.tolist()))
    if len(ordered) < 3:
        return np.array(ordered)

    def chain(run: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
        found: list[tuple[float, ...]] = []
        for p in run:
            while len(found) > 1:
                (ax, ay), (bx, by) = found[-2], found[-1]
                if (bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) > 0.0:
                    break
                found.pop()
            found.append(p)
        return found[:-1]

    return np.array(chain(ordered) + chain(ordered[::-1]))
