"""Rows of boxes about the origin of an axis."""

from dataclasses import dataclass

import numpy as np

from creature_sim.maths import Floats
from creature_sim.terrain.patterns.cells import Numbers
from creature_sim.terrain.tiles.tiling import FARTHEST, TILE, Blocks, Stretch

BEYOND = 2.0 * FARTHEST
"""No ground is as far from the origin as this [m]."""


@dataclass(frozen=True)
class Row:
    """Boxes side by side, mirrored about the origin; far from it they repeat.

    Box 0 lies about the origin, box n from edge n - 1 to edge n, box -n where its mirror image is.

    Attributes:
        edges: (B,) of the first boxes, 0 to B - 1 [m]; all are above 0 and rise.
        cycle: how many of the last of them are repeated beyond.
    """

    edges: Floats
    cycle: int

    def between(self, low: float, high: float) -> tuple[Floats, Numbers]:
        """Boxes in a stretch [m]; the outermost are cut at its ends.

        Returns:
            their edges (C + 1,) [m], and how many boxes each is from the middle, (C,).
        """
        first = -1 - self._beyond(-low) if low < 0.0 else self._before(low)
        last = self._beyond(high) if high > 0.0 else -1 - self._before(-high)
        numbers = np.arange(first, last + 1)
        edges = np.clip(self._edges(numbers), low, high)
        is_there = edges[1:] > edges[:-1]
        return np.append(edges[:-1][is_there], high), abs(numbers[1:][is_there])

    def first(self, numbers: Numbers) -> Numbers:
        """Which of the first boxes the boxes with these numbers repeat."""
        base = len(self.edges) - self.cycle
        return np.where(numbers < base, numbers, base + (numbers - base) % self.cycle)

    @property
    def _repeated(self) -> tuple[int, float, float]:
        """Number of the edge where the repetition begins, its position [m] and its period [m]."""
        base = len(self.edges) - 1 - self.cycle
        return base, float(self.edges[base]), float(self.edges[-1] - self.edges[base])

    def _beyond(self, position: float) -> int:
        """Number of an edge that is not nearer to the origin than this [m]."""
        base, begin, period = self._repeated
        return base + self.cycle * (int(max(position - begin, 0.0) / period) + 2)

    def _before(self, position: float) -> int:
        """Number of an edge that is nearer to the origin than this [m], or on its other side."""
        base, begin, period = self._repeated
        turns = int(max(position - begin, 0.0) / period) - 1
        return base + self.cycle * turns if turns >= 0 else -1

    def _edges(self, numbers: Numbers) -> Floats:
        """Positions of the edges with these numbers [m]; edge -1 is the mirror image of edge 0."""
        base, _, period = self._repeated
        right = np.where(numbers < 0, -1 - numbers, numbers)
        turns, rest = np.divmod(np.maximum(right - base, 0), self.cycle)
        known = self.edges[np.minimum(right, len(self.edges) - 1)]
        found = np.where(right < len(self.edges), known, self.edges[base + rest] + turns * period)
        return np.where(numbers < 0, -found, found)


def cuts_between(low: float, high: float) -> Floats:
    """Borders of tiles within a stretch, and its ends [m]."""
    first, last = np.floor(low / TILE), np.ceil(high / TILE)
    return np.unique(np.clip(np.arange(first, last + 1.0) * TILE, low, high))


def across(edges: Floats, tops: Floats, y: Stretch) -> Blocks:
    """Boxes between edges along X (X + 1,), with tops (X,) [m], that are as long as a stretch."""
    cuts = cuts_between(*y)
    return edges, cuts, np.repeat(tops[:, None], len(cuts) - 1, axis=1)
