"""Ground of boxes to climb on: stairs, pyramid, steps, obstacles, tilted_grid."""

from collections.abc import Iterator

import numpy as np

from creature_sim.definitions import (
    ObstaclesDef,
    PyramidDef,
    StairsDef,
    StepsDef,
    TiltedGridDef,
)
from creature_sim.maths import Floats, random_unit
from creature_sim.terrain.tiles import MeshTile, Tile, block_mesh, join, tilted_mesh
from creature_sim.terrain.tiling import (
    HALF_SIZE,
    TILE,
    block_tiles,
    grid_edges,
    grid_parts,
    is_near,
)

# Noise octaves use the streams below, rough ground 1001, stepping stones 1003.
_STEPS_STREAM = 1000
_OBSTACLES_STREAM = 1002
_TILTS_STREAM = 1004


def stairs(definition: StairsDef, _seed: int) -> Iterator[Tile]:
    """The origin lies in the middle of a lower landing; the flights mirror about it."""
    x, heights = _flights(definition)
    y = np.arange(-HALF_SIZE, HALF_SIZE + 0.5 * TILE, TILE)
    return block_tiles(x, y, np.repeat(heights[:, None], len(y) - 1, axis=1))


def pyramid(definition: PyramidDef, _seed: int) -> Iterator[Tile]:
    """The origin lies in the middle of the first landing; steps are rings around it."""
    edges, heights = _flights(definition)
    ring = abs(np.arange(len(heights)) - len(heights) // 2)
    outer = np.maximum(ring[:, None], ring)
    return block_tiles(edges, edges, heights[len(heights) // 2 + outer])


def _flights(definition: StairsDef | PyramidDef) -> tuple[Floats, Floats]:
    """Edges of steps and landings along an axis, (B + 1,), and their heights, (B,) [m]."""
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
    return x, np.concatenate((tops[kept:0:-1], [0.0], tops[1 : kept + 1]))


def steps(definition: StepsDef, seed: int) -> Iterator[Tile]:
    """A grid of boxes; those that reach into the clearing have height 0."""
    edges = grid_edges(definition.cell)
    count = len(edges) - 1
    heights = np.array(
        [
            [
                definition.height * random_unit(seed, _STEPS_STREAM, i * count + j)
                for j in range(count)
            ]
            for i in range(count)
        ]
    )
    near = is_near(edges[:-1], edges[1:], definition.clearing)
    heights[near[:, None] & near] = 0.0
    return block_tiles(edges, edges, heights)


def obstacles(definition: ObstaclesDef, seed: int) -> Iterator[Tile]:
    """One box somewhere in each square, but for squares whose box is in the clearing or cut off.

    The origin is the middle of a square: whoever walks along X meets boxes, not their alleys.
    """
    edges = grid_edges(definition.spacing, 0.5)
    for rows, columns in grid_parts(edges, edges):
        squares = [
            _square(definition, seed, edges[i], edges[i + 1], edges[j], edges[j + 1], (i, j))
            for i in range(rows.start, rows.stop)
            for j in range(columns.start, columns.stop)
        ]
        yield join(squares)


def _square(
    definition: ObstaclesDef,
    seed: int,
    x0: float,
    x1: float,
    y0: float,
    y1: float,
    place: tuple[int, int],
) -> MeshTile:
    """A square of level ground with one box on it."""
    counter = 5 * ((place[0] << 12) + place[1])
    draws = [random_unit(seed, _OBSTACLES_STREAM, counter + k) for k in range(5)]
    height = definition.height * (0.5 + 0.5 * draws[0])
    length, width = (definition.size * (0.5 + 0.5 * draw) for draw in draws[1:3])
    x = x0 + draws[3] * (definition.spacing - length)
    y = y0 + draws[4] * (definition.spacing - width)
    level = definition.clearing
    is_cleared = x < level and x + length > -level and y < level and y + width > -level
    if is_cleared or x + length >= x1 or y + width >= y1 or x <= x0 or y <= y0:
        edges_x, edges_y = np.array([x0, x1]), np.array([y0, y1])
        return block_mesh(edges_x, edges_y, np.zeros((1, 1)), slice(None), slice(None))
    heights = np.zeros((3, 3))
    heights[1, 1] = height
    edges_x, edges_y = np.array([x0, x, x + length, x1]), np.array([y0, y, y + width, y1])
    return block_mesh(edges_x, edges_y, heights, slice(None), slice(None))


def tilted_grid(definition: TiltedGridDef, seed: int) -> Iterator[Tile]:
    """Tiles whose middles have height 0; those that reach into the clearing are level."""
    edges = grid_edges(definition.cell)
    count = len(edges) - 1
    near = is_near(edges[:-1], edges[1:], definition.clearing)
    corners = np.zeros((count, count, 2, 2))
    sides = 0.5 * (edges[1:] - edges[:-1])[:, None] * np.array([-1.0, 1.0])
    for i in range(count):
        for j in range(count):
            if not (near[i] and near[j]):
                draws = [random_unit(seed, _TILTS_STREAM, 2 * (i * count + j) + k) for k in (0, 1)]
                along_x, along_y = (definition.grade * (2.0 * draw - 1.0) for draw in draws)
                corners[i, j] = along_x * sides[i][:, None] + along_y * sides[j]
    for rows, columns in grid_parts(edges, edges):
        yield tilted_mesh(edges, edges, corners, rows, columns)
