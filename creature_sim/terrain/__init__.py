"""Generated ground: a definition and a seed become tiles, the same bits on every machine."""

from creature_sim.files.definition import Definition
from creature_sim.terrain.build import Terrain, build_terrain
from creature_sim.terrain.files.data import DataDef
from creature_sim.terrain.files.imports import imports_of
from creature_sim.terrain.ground import Boundless, GroundDef, SmoothGround, is_endless
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.reading import TerrainDef, read_ground
from creature_sim.terrain.tiles.tiles import HeightTile, MeshTile, Tile
from creature_sim.terrain.tiles.tiling import FARTHEST, HALF_SIZE

__all__ = [
    "FARTHEST",
    "HALF_SIZE",
    "Boundless",
    "Challenge",
    "DataDef",
    "Definition",
    "GroundDef",
    "HeightTile",
    "MeshTile",
    "SmoothGround",
    "Terrain",
    "TerrainDef",
    "TerrainKind",
    "Tile",
    "build_terrain",
    "imports_of",
    "is_endless",
    "read_ground",
]
