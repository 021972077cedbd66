"""The table of kinds of ground, and what builds one."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from creature_sim.definitions import (
    FlatDef,
    GapDef,
    HeightsDef,
    HillsDef,
    MeshDef,
    ObstaclesDef,
    PitDef,
    RailsDef,
    RoughDef,
    SlopeDef,
    StairsDef,
    SteppingStonesDef,
    StepsDef,
    TerrainDef,
    TiltedGridDef,
    WaveDef,
)
from creature_sim.terrain import boxes, ditches, imports, smooth
from creature_sim.terrain.tiles import Tile


@dataclass(frozen=True)
class Terrain:
    """Ground, tile by tile.

    Attributes:
        tiles: all of it.
        digest: hash of every height and vertex, hexadecimal.
    """

    tiles: tuple[Tile, ...]
    digest: str


def build_terrain(definition: TerrainDef, seed: int) -> Terrain:
    """Generate the ground of a definition from the seed."""
    tiles = tuple(_KINDS[type(definition)](definition, seed))
    digest = hashlib.blake2b(digest_size=16)
    for tile in tiles:
        for array in tile.mesh():
            digest.update(np.ascontiguousarray(array + 0).tobytes())  # + 0: no negative zero
    return Terrain(tiles, digest.hexdigest())


_KINDS: dict[type[Any], Callable[[Any, int], Iterator[Tile]]] = {
    FlatDef: smooth.flat,
    HillsDef: smooth.hills,
    SlopeDef: smooth.slope,
    RoughDef: smooth.rough,
    WaveDef: smooth.wave,
    StairsDef: boxes.stairs,
    StepsDef: boxes.steps,
    ObstaclesDef: boxes.obstacles,
    TiltedGridDef: boxes.tilted_grid,
    GapDef: ditches.gap,
    PitDef: ditches.pit,
    RailsDef: ditches.rails,
    SteppingStonesDef: ditches.stepping_stones,
    HeightsDef: imports.heights,
    MeshDef: imports.mesh,
}
