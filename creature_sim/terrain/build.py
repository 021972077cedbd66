"""The tables of kinds of ground, and what builds one."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from creature_sim.definitions import (
    CanyonDef,
    CratersDef,
    DunesDef,
    FlatDef,
    GapDef,
    HillsDef,
    IslandsDef,
    ObstaclesDef,
    PitDef,
    PyramidDef,
    RailsDef,
    RoughDef,
    SlopeDef,
    StairsDef,
    SteppingStonesDef,
    StepsDef,
    TerracesDef,
    TerrainDef,
    TiltedGridDef,
    WaveDef,
)
from creature_sim.maths import Floats
from creature_sim.terrain import boxes, ditches, relief, smooth
from creature_sim.terrain.tiles import Tile
from creature_sim.terrain.tiling import height_nodes, height_tiles


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
    tiles = tuple(_tiles(definition, seed))
    digest = hashlib.blake2b(digest_size=16)
    for tile in tiles:
        for array in tile.mesh():
            digest.update(np.ascontiguousarray(array + 0).tobytes())  # + 0: no negative zero
    return Terrain(tiles, digest.hexdigest())


def _tiles(definition: TerrainDef, seed: int) -> Iterator[Tile]:
    """The tiles of a ground of any kind."""
    if type(definition) in _HEIGHTS:
        nodes = height_nodes()
        return height_tiles(heights_of(definition, nodes, nodes, seed))
    return _KINDS[type(definition)](definition, seed)


def heights_of(definition: TerrainDef, x: Floats, y: Floats, seed: int) -> Floats:
    """Heights of a ground without edges, (X, Y) [m], at nodes x (X,) and y (Y,) [m]."""
    return _HEIGHTS[type(definition)](definition, x, y, seed)


_HEIGHTS: dict[type[Any], Callable[[Any, Floats, Floats, int], Floats]] = {
    FlatDef: smooth.flat,
    HillsDef: smooth.hills,
    SlopeDef: smooth.slope,
    RoughDef: smooth.rough,
    WaveDef: smooth.wave,
    DunesDef: relief.dunes,
    CanyonDef: relief.canyon,
    CratersDef: relief.craters,
    TerracesDef: relief.terraces,
    IslandsDef: relief.islands,
}
"""Kinds without edges: heights at nodes."""

_KINDS: dict[type[Any], Callable[[Any, int], Iterator[Tile]]] = {
    StairsDef: boxes.stairs,
    PyramidDef: boxes.pyramid,
    StepsDef: boxes.steps,
    ObstaclesDef: boxes.obstacles,
    TiltedGridDef: boxes.tilted_grid,
    GapDef: ditches.gap,
    PitDef: ditches.pit,
    RailsDef: ditches.rails,
    SteppingStonesDef: ditches.stepping_stones,
}
"""Kinds with edges: meshes."""
