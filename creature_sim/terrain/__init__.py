"""Generated ground: a definition and a seed become tiles, the same bits on every machine."""

from creature_sim.definitions import Definition, SmoothGround, TerrainKind
from creature_sim.terrain.build import Terrain, build_terrain
from creature_sim.terrain.tiles.tiles import HeightTile, MeshTile, Tile
from creature_sim.terrain.tiles.tiling import HALF_SIZE

__all__ = [
    "HALF_SIZE",
    "Definition",
    "HeightTile",
    "MeshTile",
    "SmoothGround",
    "Terrain",
    "TerrainKind",
    "Tile",
    "build_terrain",
]
