"""The ground in pybullet and rays against it; but for dynamics.py nothing else imports pybullet."""

from itertools import chain
from operator import itemgetter
from types import TracebackType

import numpy as np

from creature_sim.maths import Floats
from creature_sim.output import silence
from creature_sim.terrain import HeightTile, Terrain
from creature_sim.terrain.tiles import CELL

with silence():  # it prints its build time
    import pybullet

MAX_RAYS = 16_000  # pybullet answers nothing at all to 16,384 or more

BUILD = str(pybullet.getAPIVersion())
"""What tells builds of pybullet apart."""
BESIDE = np.array([1e-6, 1e-6, 1e-6])

GROUND_GROUP = 2
"""Collision group of bodies without mass: the ground."""

_fraction_of = itemgetter(2)
_normal_of = itemgetter(4)


class Physics:
    """One pybullet client that holds the ground of one simulation.

    Attributes:
        ray_count: rays cast so far.
    """

    def __init__(self, terrain: Terrain) -> None:
        """Upload every tile."""
        self.ray_count = 0
        self._client: int = pybullet.connect(pybullet.DIRECT)
        for tile in terrain.tiles:
            if isinstance(tile, HeightTile):
                self._add_heights(tile)
            else:
                shape = pybullet.createCollisionShape(
                    pybullet.GEOM_MESH,
                    vertices=tile.vertices.tolist(),
                    indices=tile.triangles.ravel().tolist(),
                    flags=pybullet.GEOM_FORCE_CONCAVE_TRIMESH,
                    physicsClientId=self._client,
                )
                self._add_body(shape, (0.0, 0.0, 0.0))

    @property
    def client(self) -> int:
        """Number of the client, for what else lives in it."""
        return self._client

    def _add_heights(self, tile: HeightTile) -> None:
        columns, rows = tile.heights.shape
        shape = pybullet.createCollisionShape(
            pybullet.GEOM_HEIGHTFIELD,
            meshScale=[CELL, CELL, 1.0],
            heightfieldData=tile.heights.T.ravel().tolist(),
            numHeightfieldRows=columns,
            numHeightfieldColumns=rows,
            physicsClientId=self._client,
        )
        # The shape's origin is in the middle of its extent, in height too.
        middle = 0.5 * (float(tile.heights.min()) + float(tile.heights.max()))
        x, y = tile.origin
        self._add_body(shape, (x + 0.5 * CELL * (columns - 1), y + 0.5 * CELL * (rows - 1), middle))

    def _add_body(self, shape: int, position: tuple[float, float, float]) -> None:
        pybullet.createMultiBody(0.0, shape, basePosition=position, physicsClientId=self._client)

    def cast(self, starts: Floats, ends: Floats) -> tuple[Floats, Floats]:
        """Cast rays from `starts` to `ends`, (R, 3) [m, world] each.

        A ray that runs exactly along the border of two tiles can miss both: what misses is cast
        once more, a thousandth of a millimetre beside.

        Returns:
            fraction (R,) of the way at which each ray hits, 1.0 where it misses, and the normal
            of the ground there, (R, 3) [world].
        """
        fractions, normals = self._cast(starts, ends)
        missed = fractions == 1.0
        if missed.any():
            fractions[missed], normals[missed] = self._cast(
                starts[missed] + BESIDE, ends[missed] + BESIDE
            )
        return fractions, normals

    def _cast(self, starts: Floats, ends: Floats) -> tuple[Floats, Floats]:
        """Cast rays as they are."""
        count = len(starts)
        self.ray_count += count
        fractions, normals = np.empty(count), np.empty((count, 3))
        for begin in range(0, count, MAX_RAYS):
            part = slice(begin, min(begin + MAX_RAYS, count))
            hits = pybullet.rayTestBatch(
                starts[part],
                ends[part],
                numThreads=1,
                collisionFilterMask=GROUND_GROUP,
                physicsClientId=self._client,
            )
            size = len(hits)
            fractions[part] = np.fromiter(map(_fraction_of, hits), np.float64, size)
            normals[part] = np.fromiter(
                chain.from_iterable(map(_normal_of, hits)), np.float64, 3 * size
            ).reshape(size, 3)
        return fractions, normals

    def close(self) -> None:
        """Free the client; further rays fail."""
        if self._client >= 0:
            pybullet.disconnect(self._client)
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
