"""Level floors and closed boxes."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from creature_sim.maths import Vec
from creature_sim.terrain.tiles.tiles import MeshTile, Tile, quad_mesh
from creature_sim.terrain.tiles.tiling import block_tiles, tile_cuts

RIM = 0.001
"""Width of the quadrangles along the edges of a face [m].

A ray meets a triangle up to 1/10,000 of its height beyond its edge: beyond the edge of a table it
would find the table's underside, from above.
"""
MIN_RIMMED = 0.1
"""Faces no wider than this have no rims [m]."""


def floor(height: float) -> Iterator[Tile]:
    """Level ground."""
    line = tile_cuts()
    return block_tiles(line, line, np.full((len(line) - 1, len(line) - 1), height))


def cuts(low: float, high: float) -> list[float]:
    """Where a side between two ends is cut, with them: rims are cut off one that is long [m]."""
    inner = [low + RIM, high - RIM] if high - low > MIN_RIMMED else []
    return [low, *inner, high]


def box(low: Vec, high: Vec) -> MeshTile:
    """A closed box between two corners [m]."""
    lines = [cuts(*ends) for ends in zip(low, high, strict=True)]
    faces = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3  # u, v, axis turn as X, Y, Z do
        for height, is_high in ((low[axis], False), (high[axis], True)):
            for a, b in pairwise(lines[u]):
                for c, d in pairwise(lines[v]):
                    rim = [(a, c), (b, c), (b, d), (a, d)]
                    face = np.empty((4, 3))
                    face[:, axis] = height
                    face[:, [u, v]] = rim if is_high else rim[::-1]
                    faces.append(face)
    return quad_mesh(np.array(faces))
