"""Level floors and closed boxes."""

from collections.abc import Iterator

import numpy as np

from creature_sim.maths import Floats
from creature_sim.terrain.tiles.tiles import MeshTile, Tile, quad_mesh
from creature_sim.terrain.tiles.tiling import block_tiles, tile_cuts


def floor(height: float) -> Iterator[Tile]:
    """Level ground."""
    cuts = tile_cuts()
    return block_tiles(cuts, cuts, np.full((len(cuts) - 1, len(cuts) - 1), height))


def box(low: tuple[float, float, float], high: tuple[float, float, float]) -> MeshTile:
    """A closed box between two corners [m, world]."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    corners: Floats = np.array(
        [
            [(x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1)],
            [(x0, y0, z0), (x0, y1, z0), (x1, y1, z0), (x1, y0, z0)],
            [(x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y0, z1)],
            [(x1, y1, z0), (x0, y1, z0), (x0, y1, z1), (x1, y1, z1)],
            [(x1, y0, z0), (x1, y1, z0), (x1, y1, z1), (x1, y0, z1)],
            [(x0, y1, z0), (x0, y0, z0), (x0, y0, z1), (x0, y1, z1)],
        ]
    )
    return quad_mesh(corners)
