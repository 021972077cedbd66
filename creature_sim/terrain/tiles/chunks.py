"""Ground without end: squares of it, each computed by itself, in any order."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.errors import TerrainError
from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel
from creature_sim.terrain.tiles.tiles import CELL, CELLS, HeightTile
from creature_sim.terrain.tiles.tiling import FARTHEST, TILE

Chunk = tuple[int, int]
"""A square of ground between x = TILE * i, y = TILE * j and TILE beyond."""

END = round(FARTHEST / TILE)
"""There are chunks from -END up to END - 1 along each axis."""
LEVEL = 512.0
"""Heights of a chunk count from a multiple of this [m]."""
MAX_RELIEF = 256.0
"""Heights of a chunk are no farther apart than this [m]."""
FINE = 128.0
"""Up to this far from 0, heights are as float32 has them; beyond, multiples of GRAIN [m].

So chunks whose heights count from different levels hold the same heights where they meet.
"""
GRAIN = 1.0 / 16_384.0
SEAM = 4e-3
"""A ray this near to a chunk meets it, and near its border it may meet two [m].

pybullet takes triangles for larger than they are by 1/10,000 of a side at each of theirs.
"""


@dataclass(frozen=True)
class Chunks:
    """All of the ground.

    Attributes:
        heights: of nodes at x (X,) and y (Y,) [m], (X, Y) [m].
    """

    heights: Callable[[Floats, Floats], Floats]

    def tile(self, chunk: Chunk) -> HeightTile:
        """A chunk; TerrainError where its heights are too far apart to be stood on."""
        x, y = (nodes_of(row) for row in chunk)
        heights = self.at(x, y)
        low, high = float(heights.min()), float(heights.max())
        level = LEVEL * float(np.floor(0.5 * (low + high) / LEVEL + 0.5))
        if not high - low <= MAX_RELIEF:
            raise TerrainError(
                f"terrain: expected heights within {MAX_RELIEF:g} m of each other in each square "
                f"of {TILE:g} m, found {low:g} to {high:g} m about x = {x[32]:g}, y = {y[32]:g}"
            )
        return HeightTile((float(x[0]), float(y[0])), (heights - level).astype(np.float32), level)

    def level(self, x: float, y: float) -> float:
        """Height that heights of the ground near x, y [m] count from [m]."""
        return self.tile((int(np.floor(x / TILE)), int(np.floor(y / TILE)))).level

    def at(self, x: Floats, y: Floats) -> Floats:
        """Heights (X, Y) [m] at nodes x (X,) and y (Y,) [m], of all chunks."""
        heights = self.heights(x, y)
        return np.where(abs(heights) < FINE, heights, np.rint(heights / GRAIN) * GRAIN)

    def between(self, low: Floats, high: Floats) -> Iterator[HeightTile]:
        """All chunks that meet the rectangle between two corners (2,) [m]."""
        for chunk in chunks_between(low, high):
            yield self.tile(chunk)


def nodes_of(row: int, apron: int = 0) -> Floats:
    """Coordinates along an axis of the nodes of a row of chunks, (65 + 2 apron,) [m]."""
    count = CELLS * row
    return np.arange(count - apron, count + CELLS + apron + 1, dtype=np.float64) * CELL


def chunks_between(low: Floats, high: Floats) -> list[Chunk]:
    """Chunks that meet the rectangle between two corners (2,) [m], by i, then j."""
    (i, j), (last_i, last_j) = (np.floor(corner / TILE).astype(int) for corner in (low, high))
    return [(a, b) for a in range(i, last_i + 1) for b in range(j, last_j + 1)]


@kernel
def _row_of(position: float) -> int:
    """Row of chunks at a coordinate [m]; the last one for all beyond and for what is no number."""
    row = np.floor(position / TILE)
    return int(max(row, -END)) if row < END else END


@kernel
def _add(found: NDArray[np.int64], count: int, i: int, j: int) -> int:
    """Add a chunk of ground unless it is there; returns how many there are, or one too many."""
    for k in range(count - 1, -1, -1):  # usually it is the last
        if found[k, 0] == i and found[k, 1] == j:
            return count
    if i == END or j == END:  # there is no such chunk
        return count
    if count < found.shape[0]:
        found[count, 0] = i
        found[count, 1] = j
    return count + 1


@kernel
def chunks_met(
    starts: Floats, ends: Floats, first: int, found: NDArray[np.int64]
) -> tuple[int, int]:
    """Write the chunks that rays meet, from the ray `first` on, until they are too many.

    Args:
        starts: (R, 3) [m, world].
        ends: (R, 3) [m, world].
        first: ray to begin with.
        found: (C, 2) i and j of chunks, to be written.

    Returns:
        the first ray that meets more chunks than fit, or R; and how many chunks the rays before
        it meet.
    """
    count = 0
    for ray in range(first, starts.shape[0]):
        before = count
        x0, y0, x1, y1 = starts[ray, 0], starts[ray, 1], ends[ray, 0], ends[ray, 1]
        if x0 > x1:
            x0, y0, x1, y1 = x1, y1, x0, y0
        begin, end = _row_of(x0 - SEAM), _row_of(x1 + SEAM)
        for i in range(begin, end + 1):
            low, high = y0, y1  # of the part of the ray in this row of chunks
            if end > begin and x1 > x0:
                grade = (y1 - y0) / (x1 - x0)
                low = y0 + grade * (min(max(i * TILE - SEAM, x0), x1) - x0)
                high = y0 + grade * (min(max((i + 1) * TILE + SEAM, x0), x1) - x0)
            if low > high:
                low, high = high, low
            for j in range(_row_of(low - SEAM), _row_of(high + SEAM) + 1):
                count = _add(found, count, i, j)
                if count > found.shape[0]:
                    return ray, before
    return starts.shape[0], count


@kernel
def chunks_around(positions: Floats, reach: float, found: NDArray[np.int64]) -> int:
    """Write the chunks within `reach` of positions (P, 3) [m, world] along X and Y into (C, 2).

    Those that hold positions come first.

    Returns:
        how many there are; more than C if they do not fit.
    """
    count = 0
    for turn in range(2):
        for index in range(positions.shape[0]):
            x, y, away = positions[index, 0], positions[index, 1], reach * turn
            for i in range(_row_of(x - away), _row_of(x + away) + 1):
                for j in range(_row_of(y - away), _row_of(y + away) + 1):
                    count = _add(found, count, i, j)
                    if count > found.shape[0]:
                        return count
    return count


@kernel
def on_seams(starts: Floats, ends: Floats, fractions: Floats, is_near: NDArray[np.bool_]) -> bool:
    """Write which rays (R, 3) hit, or pass without a hit, within SEAM of a border, into (R,).

    Args:
        starts: (R, 3) [m, world].
        ends: (R, 3) [m, world].
        fractions: (R,) of their lengths at which they hit; 1 where they miss.
        is_near: (R,) to be written.

    Returns:
        whether any does.
    """
    is_any = False
    for ray in range(starts.shape[0]):
        is_near[ray] = False
        for axis in range(2):
            a, b = starts[ray, axis], ends[ray, axis]
            if fractions[ray] < 1.0:
                a = b = a + fractions[ray] * (b - a)
            low, high = np.floor((min(a, b) - SEAM) / TILE), np.floor((max(a, b) + SEAM) / TILE)
            if low != high:
                is_near[ray] = True
        is_any = is_any or is_near[ray]
    return is_any
