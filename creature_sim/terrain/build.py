"""Builds the ground of a definition, of whatever kind, from a seed."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np

from creature_sim.errors import TerrainError
from creature_sim.maths import Floats
from creature_sim.terrain.files import imports
from creature_sim.terrain.ground import GroundDef, is_endless
from creature_sim.terrain.registry import kind_of
from creature_sim.terrain.tiles.blocks import block_mesh
from creature_sim.terrain.tiles.chunks import Chunks
from creature_sim.terrain.tiles.mesh_chunks import MeshChunks
from creature_sim.terrain.tiles.tiles import MeshTile, Tile
from creature_sim.terrain.tiles.tiling import (
    FARTHEST,
    HALF_SIZE,
    MAX_HEIGHT,
    WHOLE,
    Stretch,
    block_tiles,
    height_nodes,
    height_tiles,
)


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


def build_terrain(definition: GroundDef, seed: int) -> Terrain:
    """Make the ground of a definition from the seed and its imports."""
    imports.with_imports(definition, imports.check_data)
    if not is_endless(definition):
        tiles = tuple(tiles_of(definition, seed))
        return Terrain(tiles, _digest(tiles))
    chunks: Chunks | MeshChunks
    if kind_of(definition).heights is not None:
        chunks = Chunks(partial(heights_of, definition, seed=seed))
    else:
        chunks = MeshChunks(partial(_mesh_between, definition, seed))
    corner = np.full(2, HALF_SIZE)
    tiles = tuple(chunks.between(-corner, np.nextafter(corner, 0.0)))
    return Terrain(tiles, _digest((*tiles, *(chunks.tile(chunk) for chunk in FAR))), chunks)


def tiles_of(definition: GroundDef, seed: int) -> Iterable[Tile]:
    """The tiles of a ground with a border."""
    kind = kind_of(definition)
    if kind.heights is not None:
        return height_tiles(checked_heights(definition, height_nodes(), seed, "terrain"))
    if kind.blocks is not None:
        return block_tiles(*kind.blocks(definition, seed, WHOLE, WHOLE))
    assert kind.tiles is not None
    return kind.tiles(definition, seed)


def heights_of(definition: GroundDef, x: Floats, y: Floats, seed: int) -> Floats:
    """Heights of a ground without edges, (X, Y) [m], at nodes x (X,) and y (Y,) [m]."""
    heights = kind_of(definition).heights
    assert heights is not None
    return heights(definition, x, y, seed)


def checked_heights(definition: GroundDef, nodes: Floats, seed: int, key: str) -> Floats:
    """Heights of ground with a border, (N, N) [m]; TerrainError where layers pile them too high.

    Args:
        definition: of ground without edges.
        nodes: (N,) along X and along Y [m].
        seed: of the ground.
        key: of the ground, for the message.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        heights = heights_of(definition, nodes, nodes, seed)
    if not (abs(heights) <= MAX_HEIGHT).all():
        raise TerrainError(
            f"{key}: expected heights from {-MAX_HEIGHT:g} to {MAX_HEIGHT:g} m, found "
            f"{heights.min():g} to {heights.max():g} m"
        )
    return heights


def _mesh_between(definition: GroundDef, seed: int, x: Stretch, y: Stretch) -> MeshTile:
    """The part of endless ground with edges that meets two stretches, as a mesh."""
    kind = kind_of(definition)
    if kind.between is not None:
        return kind.between(definition, seed, x, y)
    assert kind.blocks is not None
    return block_mesh(*kind.blocks(definition, seed, x, y), slice(None), slice(None))


def _digest(tiles: Iterable[Tile]) -> str:
    """Hash of every height and vertex of tiles."""
    digest = hashlib.blake2b(digest_size=16)
    for tile in tiles:
        for array in tile.mesh():
            digest.update(np.ascontiguousarray(array + 0).tobytes())  # + 0: no negative zero
    return digest.hexdigest()
