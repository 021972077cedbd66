"""The ground in pybullet and rays against it."""

from collections.abc import Sequence
from itertools import chain
from operator import itemgetter
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from creature_sim.files.silence import silence
from creature_sim.ground.bodies import (
    COLOURS,
    GROUND_GROUP,
    HeightSlots,
    MeshSlots,
    add_tile,
    connect,
    disconnect,
)
from creature_sim.maths import Floats
from creature_sim.maths.garbage import no_garbage
from creature_sim.terrain import Terrain
from creature_sim.terrain.tiles.chunks import on_seams
from creature_sim.terrain.tiles.mesh_chunks import MeshChunks
from creature_sim.terrain.tiles.seams import find_missed
from creature_sim.terrain.tiles.tile_cache import TileCache
from creature_sim.terrain.tiles.tiles import Tile

with silence():  # it prints its build time
    import pybullet

BATCH = 256
"""Rays in one batch. On hills a ray costs .8 us in batches of 64 to 1,024, and 1.6 in those of
16,000, which do not fit into the cache. 16,384 or more get no answer."""

BUILD = str(pybullet.getAPIVersion())
"""Version of the API, to tell builds of pybullet apart."""
BESIDE = np.array([1e-6, 1e-6, 1e-6])

TILES = 16
"""Chunks of endless ground that are kept for each creature."""

_fraction_of = itemgetter(2)
_normal_of = itemgetter(4)


class Physics:
    """One pybullet client that holds the ground of one simulation.

    Attributes:
        ray_count: rays cast so far.
        tiles: the ground that rays meet; none of endless ground.
    """

    def __init__(self, terrain: Terrain, creature_count: int = 1) -> None:
        """Upload every tile; of endless ground none yet, but slots for what creatures need.

        Raises:
            SimulationError: too many clients are open.
        """
        self.ray_count = 0
        self.tiles: Sequence[Tile] = terrain.tiles if terrain.chunks is None else ()
        self._client = connect()
        self._cache: TileCache | None = None
        if terrain.chunks is None:
            try:
                for tile in self.tiles:
                    add_tile(self._client, tile)
            except BaseException:
                self.close()
                raise
            return
        is_edged = isinstance(terrain.chunks, MeshChunks)
        self._slots = MeshSlots(self._client) if is_edged else HeightSlots(self._client)
        self._cache = TileCache(terrain.chunks, TILES * max(1, creature_count), self._slots.store)

    @property
    def client(self) -> int:
        """Number of the client, for what else lives in it; that of endless ground may change."""
        return self._client if self._cache is None else self._slots.client

    @property
    def is_endless(self) -> bool:
        """Whether the ground has no border."""
        return self._cache is not None

    def level(self, x: float, y: float) -> float:
        """Height that heights of the ground near x, y [m] count from [m, world]."""
        return 0.0 if self._cache is None else self._cache.level(x, y)

    def prepare(self, positions: Floats) -> None:
        """Load ground that bodies at positions (P, 3) [m, world] may soon need: a chunk at a time.

        Rays find all ground without it; it spreads the work over ticks.
        """
        if self._cache is not None and not self._cache.prepare(positions):
            self._slots.tidy()

    def cast(
        self, starts: Floats, ends: Floats, is_once: NDArray[np.bool_] | None = None
    ) -> tuple[Floats, Floats]:
        """Cast rays from `starts` to `ends`, (R, 3) [m, world] each.

        What a ray finds depends on nothing but the ground and the ray. Those that are cast once
        (R,), as most of them miss, may miss the ground where two tiles of it meet.

        Returns:
            fraction (R,) of its length at which each ray hits, 1.0 where it misses, and the normal
            of the ground there, (R, 3) [world].
        """
        if self._cache is None:
            return self._cast_all(starts, ends, is_once)
        fractions, normals = np.empty(len(starts)), np.empty((len(starts), 3))
        first = 0
        while first < len(starts):
            stop = self._cache.require(starts, ends, first)
            part = slice(first, stop)
            fractions[part], normals[part] = self._cast_on_chunks(starts[part], ends[part])
            first = stop
        return fractions, normals

    def _cast_on_chunks(self, starts: Floats, ends: Floats) -> tuple[Floats, Floats]:
        """Cast rays on chunks that are loaded.

        Where two chunks are hit at the same point, pybullet gives the normal of the one that it
        tests first, which depends on the order of loading: near borders chunks are tested apart.
        """
        fractions, normals = self._cast(starts, ends)
        is_near = np.empty(len(starts), np.bool_)
        if not on_seams(starts, ends, fractions, is_near):
            return fractions, normals
        near = np.flatnonzero(is_near)
        for aside, groups in ((0.0 * BESIDE, COLOURS), (BESIDE, (GROUND_GROUP, *COLOURS))):
            for group in groups:  # of equals the last stays
                found, other = self._cast(starts[near] + aside, ends[near] + aside, group)
                is_best = (found <= fractions[near]) & (found < 1.0)
                fractions[near[is_best]] = found[is_best]
                normals[near[is_best]] = other[is_best]
            near = near[fractions[near] == 1.0]
        return fractions, normals

    def _cast_all(
        self, starts: Floats, ends: Floats, is_once: NDArray[np.bool_] | None
    ) -> tuple[Floats, Floats]:
        """Cast rays on all that is loaded.

        A ray that runs exactly along the border of two tiles can miss both: what misses, and goes
        straight up or down, or nearly, is cast once more, a thousandth of a millimetre beside.

        Returns:
            fraction (R,) of its length at which each ray hits, 1.0 where it misses, and the normal
            of the ground there, (R, 3) [world].
        """
        fractions, normals = self._cast(starts, ends)
        if is_once is None:
            is_once = np.zeros(len(starts), np.bool_)
        missed = np.empty(len(starts), np.bool_)
        if find_missed(starts, ends, fractions, is_once, missed):
            fractions[missed], normals[missed] = self._cast(
                starts[missed] + BESIDE, ends[missed] + BESIDE
            )
        return fractions, normals

    def _cast(
        self, starts: Floats, ends: Floats, group: int = GROUND_GROUP
    ) -> tuple[Floats, Floats]:
        """Cast rays as they are, on bodies of a collision group."""
        count = len(starts)
        self.ray_count += count
        if count <= BATCH:
            return self._cast_batch(starts, ends, group)
        fractions, normals = np.empty(count), np.empty((count, 3))
        for begin in range(0, count, BATCH):
            part = slice(begin, begin + BATCH)
            fractions[part], normals[part] = self._cast_batch(starts[part], ends[part], group)
        return fractions, normals

    def _cast_batch(self, starts: Floats, ends: Floats, group: int) -> tuple[Floats, Floats]:
        """Cast rays that are no more than BATCH."""
        with no_garbage:  # three tuples a ray, gone at once: looking for it took a tenth of a tick
            hits = pybullet.rayTestBatch(
                starts, ends, numThreads=1, collisionFilterMask=group, physicsClientId=self.client
            )
            size = len(hits)
            fractions = np.fromiter(map(_fraction_of, hits), np.float64, size)
            normals = np.fromiter(
                chain.from_iterable(map(_normal_of, hits)), np.float64, 3 * size
            ).reshape(size, 3)
            del hits
        return fractions, normals

    def cast_bare(self, starts: Floats, ends: Floats) -> None:
        """Cast rays (R, 3), and read no answer: the least that they cost."""
        for begin in range(0, len(starts), BATCH):
            part = slice(begin, begin + BATCH)
            pybullet.rayTestBatch(
                starts[part], ends[part], numThreads=1, physicsClientId=self.client
            )

    def close(self) -> None:
        """Free the client; further rays fail."""
        if self._client < 0:
            return
        if self._cache is None:
            disconnect(self._client)
        else:
            self._slots.close()
        self._client = -1

    def __enter__(self) -> "Physics":
        """Enter a block that closes the client at its end."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the client."""
        self.close()
