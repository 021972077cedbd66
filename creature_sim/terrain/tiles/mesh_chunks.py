"""Ground with edges and without end: what stands in a square of it, cut at its sides."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from creature_sim.maths import Floats
from creature_sim.terrain.tiles.chunks import Chunk, chunks_between
from creature_sim.terrain.tiles.clip import clip_mesh
from creature_sim.terrain.tiles.tiles import MeshTile
from creature_sim.terrain.tiles.tiling import TILE, Stretch

APRON = 0.25
"""Things this near to a chunk are looked at too: their faces may stand on its border [m]."""


@dataclass(frozen=True)
class MeshChunks:
    """All of the ground.

    Things that reach over a border are cut there: neighbours agree on them, as each knows all
    things that meet it.

    Attributes:
        things: all that meets a stretch along X and one along Y, as a mesh that may be larger.
    """

    things: Callable[[Stretch, Stretch], MeshTile]

    def tile(self, chunk: Chunk) -> MeshTile:
        """A chunk."""
        low = TILE * np.array(chunk, dtype=np.float64)
        high = low + TILE
        x, y = zip((low - APRON).tolist(), (high + APRON).tolist(), strict=True)
        return clip_mesh(self.things(x, y), low, high)

    def level(self, _x: float, _y: float) -> float:
        """Height that those of the ground count from [m]: all are near 0."""
        return 0.0

    def between(self, low: Floats, high: Floats) -> Iterator[MeshTile]:
        """All chunks that meet the rectangle between two corners (2,) [m]."""
        for chunk in chunks_between(low, high):
            yield self.tile(chunk)
