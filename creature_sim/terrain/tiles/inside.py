"""Whether a point is inside rock: what rays do not tell, for they see both sides of a face."""

from collections.abc import Iterable

import numpy as np

from creature_sim.maths import Floats, Vec
from creature_sim.terrain.tiles.tiles import MeshTile, Tile

ASIDE = (1.7e-7, 2.9e-7)
"""The line that is counted along passes beside edges that lie on round numbers [m]."""


def is_inside(tiles: Iterable[Tile], point: Vec) -> bool:
    """Whether a point [m, world] is inside what tiles with edges enclose.

    The winding number along the line straight up: faces that it leaves through, less those that it
    enters through. Solids may overlap or touch, and faces of open ones count on their side.
    """
    x, y = point[0] + ASIDE[0], point[1] + ASIDE[1]
    winding = 0
    for tile in tiles:
        if not isinstance(tile, MeshTile):
            continue
        a, b, c = (tile.vertices[tile.triangles[:, k]] for k in range(3))
        first, second, third = (_side(p, q, x, y) for p, q in ((a, b), (b, c), (c, a)))
        area = first + second + third  # twice that of the triangle seen from above, with its sign
        is_over = (first * area > 0.0) & (second * area > 0.0) & (third * area > 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            heights = (first * c[:, 2] + second * a[:, 2] + third * b[:, 2]) / area
        is_over &= heights > point[2]
        winding += int(np.count_nonzero(is_over & (area > 0.0)))
        winding -= int(np.count_nonzero(is_over & (area < 0.0)))
    return winding > 0


def _side(p: Floats, q: Floats, x: float, y: float) -> Floats:
    """Twice the signed areas of triangles p, q, (x, y), seen from above [m^2]."""
    area: Floats = (q[:, 0] - p[:, 0]) * (y - p[:, 1]) - (q[:, 1] - p[:, 1]) * (x - p[:, 0])
    return area
