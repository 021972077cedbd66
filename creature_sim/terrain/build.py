"""One function per kind of ground, and the table that finds it."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from creature_sim.definitions import FlatDef, HillsDef, SlopeDef, StairsDef, StepsDef, TerrainDef
from creature_sim.maths import Floats, random_unit, sin_cos
from creature_sim.terrain.noise import fill_hills
from creature_sim.terrain.tiles import CELL, CELLS, HeightTile, Tile, block_mesh

HALF_SIZE = 32.0
"""Ground spans -HALF_SIZE to HALF_SIZE along X and Y [m]."""
TILE = CELL * CELLS
_STEPS_STREAM = 1000  # noise octaves use the streams below


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


def _nodes() -> Floats:
    """Coordinates of the height nodes along one axis, (257,) [m]."""
    count = round(2.0 * HALF_SIZE / CELL)
    return np.arange(count + 1, dtype=np.float64) * CELL - HALF_SIZE


def _height_tiles(heights: Floats) -> Iterator[Tile]:
    """Cut a (257, 257) grid into tiles that share their border nodes."""
    stored = heights.astype(np.float32)
    count = (heights.shape[0] - 1) // CELLS
    for i in range(count):
        for j in range(count):
            part = stored[
                i * CELLS : (i + 1) * CELLS + 1,
                j * CELLS : (j + 1) * CELLS + 1,
            ]
            yield HeightTile((i * TILE - HALF_SIZE, j * TILE - HALF_SIZE), part.copy())


def _block_tiles(x: Floats, y: Floats, heights: Floats) -> Iterator[Tile]:
    """Cut a grid of boxes into meshes of about a tile each, by the boxes' centres."""
    cuts = np.arange(-HALF_SIZE, HALF_SIZE + 0.5 * TILE, TILE)
    first = np.searchsorted(0.5 * (x[1:] + x[:-1]), cuts)
    second = np.searchsorted(0.5 * (y[1:] + y[:-1]), cuts)
    for i in range(len(cuts) - 1):
        for j in range(len(cuts) - 1):
            rows, columns = slice(first[i], first[i + 1]), slice(second[j], second[j + 1])
            if rows.start < rows.stop and columns.start < columns.stop:
                yield block_mesh(x, y, heights, rows, columns)


def _flat(_definition: FlatDef, _seed: int) -> Iterator[Tile]:
    nodes = _nodes()
    return _height_tiles(np.zeros((len(nodes), len(nodes))))


def _hills(definition: HillsDef, seed: int) -> Iterator[Tile]:
    nodes = _nodes()
    heights = np.empty((len(nodes), len(nodes)))
    fill_hills(
        heights,
        nodes,
        nodes,
        seed,
        definition.amplitude,
        definition.wavelength,
        definition.octaves,
        definition.gain,
    )
    return _height_tiles(heights)


def _slope(definition: SlopeDef, _seed: int) -> Iterator[Tile]:
    nodes = _nodes()
    sine, cosine = sin_cos(definition.heading)
    run = nodes[:, None] * cosine + nodes[None, :] * sine
    return _height_tiles(run * definition.grade)


def _stairs(definition: StairsDef, _seed: int) -> Iterator[Tile]:
    """The origin lies in the middle of a lower landing; the flights mirror about it."""
    edges, tops = [0.5 * definition.landing], [0.0]
    direction, height = 1.0, 0.0
    while edges[-1] < HALF_SIZE:
        for step in range(definition.count):
            height += direction * definition.riser
            is_last = step == definition.count - 1
            tops.append(height if not (is_last and direction < 0.0) else 0.0)
            edges.append(edges[-1] + (definition.landing if is_last else definition.tread))
        direction = -direction
    kept = int(np.searchsorted(edges, HALF_SIZE))
    right = np.array([*edges[:kept], HALF_SIZE])
    x = np.concatenate((-right[::-1], right))
    heights = np.concatenate((tops[kept:0:-1], [0.0], tops[1 : kept + 1]))
    y = np.arange(-HALF_SIZE, HALF_SIZE + 0.5 * TILE, TILE)
    return _block_tiles(x, y, np.repeat(heights[:, None], len(y) - 1, axis=1))


def _steps(definition: StepsDef, seed: int) -> Iterator[Tile]:
    count = int(np.ceil(HALF_SIZE / definition.cell))
    edges = np.clip(np.arange(-count, count + 1) * definition.cell, -HALF_SIZE, HALF_SIZE)
    heights = np.array(
        [
            [
                definition.height * random_unit(seed, _STEPS_STREAM, i * 2 * count + j)
                for j in range(2 * count)
            ]
            for i in range(2 * count)
        ]
    )
    return _block_tiles(edges, edges, heights)


_KINDS: dict[type[Any], Callable[[Any, int], Iterator[Tile]]] = {
    FlatDef: _flat,
    HillsDef: _hills,
    SlopeDef: _slope,
    StairsDef: _stairs,
    StepsDef: _steps,
}
