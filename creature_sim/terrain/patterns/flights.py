"""Flights of stairs along an axis."""

import numpy as np

from creature_sim.maths import Floats
from creature_sim.terrain.patterns.rows import Row
from creature_sim.terrain.tiles.tiling import HALF_SIZE


def flights(riser: float, tread: float, count: int, landing: float) -> tuple[Row, Floats]:
    """Steps up, a landing, steps down, a landing, and again, from the middle landing on.

    Args:
        riser: height of a step; below 0 the first flight goes down [m].
        tread: depth of a step [m].
        count: steps in a flight.
        landing: length of the level ground between flights [m].

    Returns:
        the steps and landings as boxes of a row, and the heights of its first boxes (B,) [m].
    """
    edges, tops = [0.5 * landing], [0.0]
    direction, height = 1.0, 0.0
    while edges[-1] < HALF_SIZE or direction < 0.0:
        for step in range(count):
            height += direction * riser
            is_last = step == count - 1
            tops.append(height if not (is_last and direction < 0.0) else 0.0)
            edges.append(edges[-1] + (landing if is_last else tread))
        direction = -direction
    return Row(np.array(edges), 2 * count), np.array(tops)
