"""Endless ground with edges: meshes, cut at the sides of each square."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from creature_sim.maths import Floats
from creature_sim.terrain.tiles.chunks import Chunk, chunks_between
from creature_sim.terrain.tiles.clip import clip_mesh
from creature_sim.terrain.tiles.tiles import MeshTile
from creature_sim.terrain.tiles.tiling import TILE, Stretch

APRON = 0.25
"""Meshes are computed this far beyond a chunk: faces may stand exactly on its border [m]."""


@dataclass(frozen=True)
class MeshChunks:
    """All of the ground.

    Meshes that reach over a border are cut there. Neighbours agree on them, as each computes all
    that meet it.

    Attributes:
        between_stretches: all that meets a stretch along X and one along Y, as a mesh, which may be
            larger.
    """

    between_stretches: Callable[[Stretch, Stretch], MeshTile]

    def tile(self, chunk: Chunk) -> MeshTile:
        """A chunk."""
        low = TILE * np.array(chunk, dtype=np.float64)
        high = low + TILE
        x, y = zip((low - APRON).tolist(), (high + APRON).tolist(), strict=True)
        return clip_mesh(self.between_stretches(x, y), low, high)

    def level(self, _x: float, _y: float) -> float:
        """Height that heights count from [m]: all of them are near 0."""
        return 0.0

    def between(self, low: Floats, high: Floats) -> Iterator[MeshTile]:
        """All chunks that meet the rectangle between two corners (2,) [m]."""
        for chunk in chunks_between(low, high):
            yield self.tile(chunk)
