"""The tables of kinds of ground, and what builds one."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from creature_sim.definitions import (
    FARTHEST,
    CanyonDef,
    CratersDef,
    DunesDef,
    FlatDef,
    GapDef,
    HeightsDef,
    HillsDef,
    IslandsDef,
    LayersDef,
    MeshDef,
    ObstaclesDef,
    OverhangDef,
    PatchesDef,
    PillarDef,
    PitDef,
    PyramidDef,
    RailsDef,
    RoughDef,
    SlopeDef,
    SphereDef,
    StairsDef,
    SteppingStonesDef,
    StepsDef,
    TerracesDef,
    TerrainDef,
    TiltedGridDef,
    TunnelDef,
    WallDef,
    WaveDef,
    is_endless,
    load_plugin,
)
from creature_sim.errors import TerrainError
from creature_sim.maths import Floats
from creature_sim.terrain.files import imports
from creature_sim.terrain.kinds import boxes, ditches, overhangs, patches, relief, smooth
from creature_sim.terrain.kinds.layers import apply_layer, layer_seed
from creature_sim.terrain.plugins import plugin_heights, plugin_tiles
from creature_sim.terrain.tiles.chunks import Chunks
from creature_sim.terrain.tiles.mesh_chunks import MeshChunks
from creature_sim.terrain.tiles.rows import WHOLE, Blocks, Stretch
from creature_sim.terrain.tiles.tiles import MeshTile, Tile, block_mesh
from creature_sim.terrain.tiles.tiling import HALF_SIZE, block_tiles, height_nodes, height_tiles


@dataclass(frozen=True)
class Terrain:
    """Ground, tile by tile.

    Attributes:
        tiles: all of it; of endless ground the 64 x 64 m around the origin.
        digest: hash of every height and vertex of the tiles, hexadecimal; of endless ground also
            of the chunks FAR.
        chunks: what computes endless ground; None: it has a border.
    """

    tiles: tuple[Tile, ...]
    digest: str
    chunks: Chunks | MeshChunks | None = None

    @property
    def half_size(self) -> float:
        """Ground spans -half_size to half_size along X and Y [m]."""
        return HALF_SIZE if self.chunks is None else FARTHEST


FAR = ((-4000, 700), (1000, -2000))
"""Chunks far away, whose heights are a part of what identifies endless ground."""


def build_terrain(definition: TerrainDef, seed: int) -> Terrain:
    """Make the ground of a definition from the seed and its imports."""
    imports.with_imports(definition, imports.check_data)
    if not is_endless(definition):
        tiles = tuple(_tiles(definition, seed))
        return Terrain(tiles, _digest(tiles))
    chunks: Chunks | MeshChunks
    if _is_smooth(definition):
        chunks = Chunks(partial(heights_of, definition, seed=seed))
    else:
        chunks = MeshChunks(partial(_things, definition, seed))
    corner = np.full(2, HALF_SIZE)
    tiles = tuple(chunks.between(-corner, np.nextafter(corner, 0.0)))
    return Terrain(tiles, _digest((*tiles, *(chunks.tile(chunk) for chunk in FAR))), chunks)


def _digest(tiles: Iterable[Tile]) -> str:
    """Hash of every height and vertex of tiles."""
    digest = hashlib.blake2b(digest_size=16)
    for tile in tiles:
        for array in tile.mesh():
            digest.update(np.ascontiguousarray(array + 0).tobytes())  # + 0: no negative zero
    return digest.hexdigest()


def _tiles(definition: Any, seed: int) -> Iterator[Tile]:
    """The tiles of a ground of any kind."""
    if isinstance(definition, PatchesDef):
        return _patch_tiles(definition, seed)
    if type(definition) in _BLOCKS:
        return block_tiles(*_BLOCKS[type(definition)](definition, seed, WHOLE, WHOLE))
    if type(definition) in _MESHES:
        return _MESHES[type(definition)](definition, seed)
    if _is_smooth(definition):
        nodes = height_nodes()
        return height_tiles(_checked_heights(definition, nodes, seed, "terrain"))
    return plugin_tiles(definition, seed)


def _is_smooth(definition: Any) -> bool:
    """Whether a ground is heights at nodes."""
    if type(definition) in _HEIGHTS or isinstance(definition, LayersDef):
        return True
    is_known = type(definition) in _BLOCKS or type(definition) in _MESHES
    return not is_known and load_plugin(definition.kind).heights is not None


def _things(definition: Any, seed: int, x: Stretch, y: Stretch) -> MeshTile:
    """What of a ground with edges and without end meets two stretches."""
    if type(definition) in _THINGS:
        return _THINGS[type(definition)](definition, seed, x, y)
    edges_x, edges_y, heights = _BLOCKS[type(definition)](definition, seed, x, y)
    return block_mesh(edges_x, edges_y, heights, slice(None), slice(None))


def heights_of(definition: Any, x: Floats, y: Floats, seed: int) -> Floats:
    """Heights of a ground without edges, (X, Y) [m], at nodes x (X,) and y (Y,) [m]."""
    if isinstance(definition, LayersDef):
        heights = np.zeros((len(x), len(y)))
        for index, layer in enumerate(definition.layers):
            found = heights_of(layer.ground, x, y, layer_seed(seed, index))
            heights = apply_layer(layer, heights, found, x, y)
        return heights
    if type(definition) in _HEIGHTS:
        return _HEIGHTS[type(definition)](definition, x, y, seed)
    return plugin_heights(definition, x, y, seed)


def _checked_heights(definition: Any, nodes: Floats, seed: int, key: str) -> Floats:
    """Heights of ground with a border, (N, N) [m]; TerrainError where layers pile them too high."""
    with np.errstate(over="ignore", invalid="ignore"):
        heights = heights_of(definition, nodes, nodes, seed)
    most = imports.MOST_HEIGHT
    if not (abs(heights) <= most).all():
        raise TerrainError(
            f"{key}: expected heights from {-most:g} to {most:g} m, found {heights.min():g} to "
            f"{heights.max():g} m"
        )
    return heights


def _patch_tiles(definition: PatchesDef, seed: int) -> Iterator[Tile]:
    """Patches around their own origins, and the level ground around them."""
    yield patches.surroundings(definition)
    for index, ground in enumerate(definition.patches):
        centre, own_seed = patches.centre_of(definition, index), patches.patch_seed(seed, index)
        if _is_smooth(ground):
            nodes = patches.patch_nodes(definition)
            heights = _checked_heights(ground, nodes, own_seed, f"terrain.patches[{index}]")
            yield patches.faded(definition, heights, centre)
        else:
            for tile in _tiles(ground, own_seed):
                yield from patches.cut(tile, 0.5 * definition.size, centre)


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
    HeightsDef: imports.heights,
}
"""Kinds without edges: heights at nodes."""

_BLOCKS: dict[type[Any], Callable[[Any, int, Stretch, Stretch], Blocks]] = {
    StairsDef: boxes.stairs,
    PyramidDef: boxes.pyramid,
    StepsDef: boxes.steps,
    GapDef: ditches.gap,
    PitDef: ditches.pit,
    RailsDef: ditches.rails,
    WallDef: overhangs.wall,
}
"""Kinds with edges that are grids of boxes."""

_THINGS: dict[type[Any], Callable[[Any, int, Stretch, Stretch], MeshTile]] = {
    ObstaclesDef: boxes.obstacles_between,
    TiltedGridDef: boxes.tilted_between,
    SteppingStonesDef: ditches.stones_between,
    PillarDef: overhangs.pillars_between,
}
"""Other kinds with edges: what of them meets a rectangle."""

_MESHES: dict[type[Any], Callable[[Any, int], Iterator[Tile]]] = {
    ObstaclesDef: boxes.obstacles,
    TiltedGridDef: boxes.tilted_grid,
    SteppingStonesDef: ditches.stepping_stones,
    TunnelDef: overhangs.tunnel,
    OverhangDef: overhangs.overhang,
    PillarDef: overhangs.pillar,
    SphereDef: overhangs.sphere,
    MeshDef: imports.mesh,
}
"""Kinds that are meshes on ground with a border."""
