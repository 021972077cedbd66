"""An LRU cache of chunks of endless ground, in a bounded number of slots."""

from collections.abc import Callable
from typing import Any

import numpy as np

from creature_sim.maths import Floats
from creature_sim.terrain.tiles.chunks import Chunk, Chunks, chunks_around, chunks_met
from creature_sim.terrain.tiles.mesh_chunks import MeshChunks

AHEAD = 4.0
"""Ground is loaded before a body is this near to it along X or Y [m]."""


class TileCache:
    """Chunks in slots; the least recently used one is replaced by the next.

    What rays find does not depend on what is kept: all chunks that they meet are loaded before
    they are cast.
    """

    def __init__(
        self,
        chunks: Chunks | MeshChunks,
        capacity: int,
        store: Callable[[int, Chunk, Any], None],
    ) -> None:
        """Begin empty.

        Args:
            chunks: computes the ground.
            capacity: how many slots; more are added only if one ray meets more chunks.
            store: puts a chunk into a slot: one that was used before, or the next new one.
        """
        self._chunks, self._store = chunks, store
        self._slots: dict[Chunk, int] = {}  # the least recently used comes first
        self._found = np.empty((capacity, 2), np.int64)

    def require(self, starts: Floats, ends: Floats, first: int) -> int:
        """Load what rays (R, 3) [m, world] meet, from the ray `first` on, while slots are free.

        Returns:
            the first ray that has no free slot, or R.
        """
        while True:
            stop, count = chunks_met(starts, ends, first, self._found)
            if stop > first or first == len(starts):
                break
            self._found = np.empty((2 * len(self._found), 2), np.int64)
        for chunk in self._touch(count):
            self._load(chunk)
        return stop

    def level(self, x: float, y: float) -> float:
        """Height that heights of the ground near x, y [m] count from [m]."""
        return self._chunks.level(x, y)

    def prepare(self, positions: Floats) -> bool:
        """Load one chunk that is missing around positions (P, 3) [m, world], if there is one.

        Returns:
            whether there was.
        """
        count = chunks_around(positions, AHEAD, self._found)
        if count > len(self._found):
            return False
        missing = self._touch(count)[:1]
        for chunk in missing:
            self._load(chunk)
        return bool(missing)

    def _touch(self, count: int) -> list[Chunk]:
        """Mark the first `count` chunks found as used; returns those not loaded."""
        missing = []
        for chunk in map(tuple, self._found[:count].tolist()):
            if chunk in self._slots:
                self._slots[chunk] = self._slots.pop(chunk)  # to the end
            else:
                missing.append(chunk)
        return missing

    def _load(self, chunk: Chunk) -> None:
        tile = self._chunks.tile(chunk)
        slot = len(self._slots)
        if slot >= len(self._found):
            slot = self._slots.pop(next(iter(self._slots)))
        self._store(slot, chunk, tile)
        self._slots[chunk] = slot
