"""Tiles of ground as bodies of pybullet: those that stay, and slots for endless ground."""

from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.errors import SimulationError
from creature_sim.files.silence import silence
from creature_sim.terrain import HeightTile, MeshTile, Tile
from creature_sim.terrain.tiles.chunks import LEVEL, Chunk
from creature_sim.terrain.tiles.tiles import CELL, CELLS

with silence():  # it prints its build time
    import pybullet

GROUND_GROUP = 2
"""Collision group of bodies without mass: the ground."""
COLOURS = tuple(1 << bit for bit in range(8, 12))
"""Collision groups of chunks, so that no two that touch are of the same."""
MAX_LEAKED = 200_000
"""Leaked triangles that a client may hold, or as many as are in use, if those are more.

pybullet keeps those of removed meshes, 232 bytes each, until the client is closed.
"""
_ALL = -1
_CORNERS: list[list[float]] = []
_VERTICES: list[list[float]] = []
_INDICES: list[int] = []
_lists_lock = Lock()


_open: set[int] = set()


def connect() -> int:
    """Begin a client; returns its number.

    Raises:
        SimulationError: pybullet has none left.
    """
    try:
        client: int = pybullet.connect(pybullet.DIRECT)
    except pybullet.error:
        client = -1
    if client < 0:
        raise SimulationError(
            f"pybullet has no client left for another ground: {len(_open)} are open. Close each "
            f"simulation when it is done: `with Simulation(world) as simulation`"
        )
    _open.add(client)
    return client


def disconnect(client: int) -> None:
    """End a client, and free what is in it."""
    _open.discard(client)
    pybullet.disconnect(client)


def add_tile(client: int, tile: Tile) -> int:
    """Upload a tile; returns the number of its body."""
    if isinstance(tile, MeshTile):
        return _add_mesh(client, tile)
    columns, rows = tile.heights.shape
    shape = _heights_shape(client, tile.heights)
    # The shape's origin is in the middle of its extent, in height too.
    middle = tile.level + 0.5 * (float(tile.heights.min()) + float(tile.heights.max()))
    x, y = tile.origin
    position = (x + 0.5 * CELL * (columns - 1), y + 0.5 * CELL * (rows - 1), middle)
    return _add_body(client, shape, position)


def _add_mesh(client: int, tile: MeshTile) -> int:
    """Upload a mesh.

    pybullet never releases the lists of vertices and indices: the same ones are used each time, by
    one thread at a time.
    """
    with _lists_lock:
        return _add_body(client, _mesh_shape(client, tile), (0.0, 0.0, 0.0))


def _mesh_shape(client: int, tile: MeshTile) -> int:
    while len(_CORNERS) < len(tile.vertices):
        _CORNERS.append([0.0, 0.0, 0.0])
    # No new list per vertex: thousands at once would start the garbage collector.
    for corner, x, y, z in zip(_CORNERS, *tile.vertices.T.tolist(), strict=False):
        corner[0], corner[1], corner[2] = x, y, z
    _VERTICES[:] = _CORNERS[: len(tile.vertices)]
    _INDICES[:] = tile.triangles.ravel().tolist()
    shape: int = pybullet.createCollisionShape(
        pybullet.GEOM_MESH,
        vertices=_VERTICES,
        indices=_INDICES,
        flags=pybullet.GEOM_FORCE_CONCAVE_TRIMESH,
        physicsClientId=client,
    )
    return shape


def _heights_shape(client: int, heights: NDArray[Any], **options: int) -> int:
    """A shape of heights (X, Y), or another one's new heights."""
    columns, rows = heights.shape
    shape: int = pybullet.createCollisionShape(
        pybullet.GEOM_HEIGHTFIELD,
        meshScale=[CELL, CELL, 1.0],
        heightfieldData=heights.T.ravel().tolist(),
        numHeightfieldRows=columns,
        numHeightfieldColumns=rows,
        physicsClientId=client,
        **options,
    )
    return shape


def _add_body(client: int, shape: int, position: tuple[float, float, float]) -> int:
    # A body without a visual shape gets one of all its triangles, which is never drawn: for
    # heights that takes two thirds of the time of an upload.
    speck = pybullet.createVisualShape(
        pybullet.GEOM_BOX, halfExtents=[0.001, 0.001, 0.001], physicsClientId=client
    )
    body: int = pybullet.createMultiBody(
        0.0, shape, speck, basePosition=position, physicsClientId=client
    )
    return body


def _colour(client: int, body: int, chunk: Chunk) -> None:
    """Put a body into the collision groups of a chunk."""
    colour = COLOURS[2 * (chunk[0] & 1) + (chunk[1] & 1)]
    pybullet.setCollisionFilterGroupMask(
        body, -1, GROUND_GROUP | colour, _ALL, physicsClientId=client
    )


class HeightSlots:
    """Chunks without edges: shapes are refilled and moved.

    Attributes:
        client: where they are.
    """

    def __init__(self, client: int) -> None:
        """Begin with none."""
        self.client = client
        self._stored: list[tuple[int, int]] = []  # shape and body of each slot

    def store(self, slot: int, chunk: Chunk, tile: HeightTile) -> None:
        """Put a chunk into a slot, in place of another or as a new one."""
        if slot == len(self._stored):
            # A shape keeps the origin and the bounds of its first data: level 0, and all heights.
            first = np.zeros(tile.heights.shape)
            first[0, 0], first[0, 1] = -LEVEL, LEVEL
            shape = _heights_shape(self.client, first)
            self._stored.append((shape, _add_body(self.client, shape, (0.0, 0.0, 0.0))))
        shape, body = self._stored[slot]
        _heights_shape(self.client, tile.heights, replaceHeightfieldIndex=shape)
        middle = (*(corner + 0.5 * CELL * CELLS for corner in tile.origin), tile.level)
        pybullet.resetBasePositionAndOrientation(
            body, middle, (0.0, 0.0, 0.0, 1.0), physicsClientId=self.client
        )
        _colour(self.client, body, chunk)

    def tidy(self) -> None:
        """There is nothing to do."""

    def close(self) -> None:
        """End the client."""
        disconnect(self.client)


@dataclass
class _Client:
    """A client of pybullet with chunks.

    Attributes:
        client: its number.
        bodies: by slot, with their numbers of triangles.
        leaked: triangles of bodies that were removed.
    """

    client: int
    bodies: dict[int, tuple[int, int]] = field(default_factory=dict)
    leaked: int = 0

    def put(self, slot: int, chunk: Chunk, tile: MeshTile) -> None:
        if slot in self.bodies:
            body, count = self.bodies[slot]
            pybullet.removeBody(body, physicsClientId=self.client)
            self.leaked += count
        body = _add_mesh(self.client, tile)
        _colour(self.client, body, chunk)
        self.bodies[slot] = body, len(tile.triangles)

    @property
    def max_leaked(self) -> int:
        return max(MAX_LEAKED, sum(count for _, count in self.bodies.values()))


class MeshSlots:
    """Chunks with edges: meshes that are removed and made anew.

    pybullet frees removed meshes only when their client is closed: from time to time the chunks in
    use move to another client, one by one, and the old one is closed. Rays find the same in both,
    as a chunk is the same mesh in both.
    """

    def __init__(self, client: int) -> None:
        """Begin with none."""
        self._current = _Client(client)
        self._next: _Client | None = None
        self._stored: dict[int, tuple[Chunk, MeshTile]] = {}

    @property
    def client(self) -> int:
        """Number of the client that holds all chunks at present."""
        return self._current.client

    def store(self, slot: int, chunk: Chunk, tile: MeshTile) -> None:
        """Put a chunk into a slot, in place of another or as a new one."""
        self._current.put(slot, chunk, tile)
        self._stored[slot] = chunk, tile
        if self._next is not None and slot in self._next.bodies:
            self._next.put(slot, chunk, tile)
        while self._current.leaked > 2 * self._current.max_leaked:  # without a call of tidy
            self.tidy()

    def tidy(self) -> None:
        """Move one chunk to the next client, if the old one holds too many leaked triangles."""
        if self._next is None:
            if self._current.leaked > self._current.max_leaked:
                self._next = _Client(connect())
            return
        for slot, stored in self._stored.items():
            if slot not in self._next.bodies:
                self._next.put(slot, *stored)
                return
        disconnect(self.client)
        self._current, self._next = self._next, None

    def close(self) -> None:
        """End all clients."""
        for held in (self._current, self._next):
            if held is not None:
                disconnect(held.client)
