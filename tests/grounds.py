"""Ground that tests share: half of the time of a short simulation is the upload of its ground.

A client of pybullet with nothing but bounded ground in it is not closed with its simulation, but
kept for the next one on the same ground; at no time do two simulations use the same client. What a
ray finds there depends on the ground alone. Processes upload their own, as users do, and so do slow
tests of just that (`OWN_GROUND` in tests/conftest.py).
"""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import pybullet
import pytest

from creature_sim import simulation
from creature_sim.definitions import TerrainDef
from creature_sim.ground.bodies import disconnect
from creature_sim.ground.rays import Physics
from creature_sim.terrain import Terrain, build_terrain

KEPT = 6
"""Clients that nobody uses now, each of up to 150 MB."""

PLAIN = ("flat", "hills", "slope", "stairs", "steps", "sphere")
"""Kinds of most worlds, which are made of no files, of no packages and of no other kinds."""

_idle: OrderedDict[tuple[str, int], int] = OrderedDict()
"""Clients by the digest and the number of tiles of their ground; the oldest first."""


class SharedPhysics(Physics):
    """A client that is taken from those that are idle, and goes back to them."""

    def __init__(self, terrain: Terrain, creature_count: int = 1) -> None:
        self._key = (terrain.digest, len(terrain.tiles))
        client = None if terrain.chunks else _idle.pop(self._key, None)
        if client is None:
            super().__init__(terrain, creature_count)
        else:
            self._client, self._cache, self.ray_count = client, None, 0
            self.tiles = terrain.tiles

    def close(self) -> None:
        if self._client < 0 or self.is_endless or self._key in _idle or self._has_props():
            super().close()
            return
        _idle[self._key], self._client = self._client, -1
        while len(_idle) > KEPT:
            _, oldest = _idle.popitem(last=False)
            disconnect(oldest)

    def _has_props(self) -> bool:
        return _body_count(self._client) != self._key[1]


def _body_count(client: int) -> int:
    """Bodies in a client; -1: it has been disconnected."""
    if not pybullet.isConnected(client):
        return -1
    return int(pybullet.getNumBodies(physicsClientId=client))


def spoilt() -> list[str]:
    """What somebody did to clients that are kept, as by a call of pybullet that names no client.

    Such a call means client 0, whoever has it. What is spoilt is not kept any longer.
    """
    found = []
    for key, client in list(_idle.items()):
        count = _body_count(client)
        if count != key[1]:
            del _idle[key]
            found.append(f"client {client}, kept with {key[1]} bodies, has {count}")
            if count >= 0:
                disconnect(client)
    return found


@lru_cache(maxsize=32)
def _built(definition: TerrainDef, seed: int) -> Terrain:
    return build_terrain(definition, seed)


def shared_terrain(definition: TerrainDef, seed: int) -> Terrain:
    """The ground of a definition, built once if the definition alone says what it is."""
    return (_built if definition.kind in PLAIN else build_terrain)(definition, seed)


def shared_physics(definition: TerrainDef, seed: int) -> Physics:
    """Ground to cast rays on, which is kept when it is closed."""
    return SharedPhysics(shared_terrain(definition, seed))


@contextmanager
def shared_grounds() -> Iterator[None]:
    """Simulations made within it share their ground."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulation, "Physics", SharedPhysics)
        patch.setattr(simulation, "build_terrain", shared_terrain)
        yield
