"""Bands across an axis on both sides of a clearing: ditches, bars, rows of pits."""

import numpy as np

from creature_sim.terrain.patterns.rows import Row, across
from creature_sim.terrain.tiles.tiling import HALF_SIZE, Blocks, Stretch


def mirrored_bands(clearing: float, width: float, spacing: float) -> Row:
    """Bands on both sides of the clearing: the boxes with odd numbers."""
    edges = [clearing]
    while edges[-1] < HALF_SIZE or len(edges) % 2 == 0:
        edges.append(edges[-1] + (spacing if len(edges) % 2 == 0 else width))
    return Row(np.array(edges), 2)


def across_bands(bands: Row, height: float, x: Stretch, y: Stretch) -> Blocks:
    """Bands of one height across X on level ground."""
    edges, numbers = bands.between(*x)
    return across(edges, np.where(numbers % 2 == 1, height, 0.0), y)
