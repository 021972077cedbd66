"""Ground of boxes to climb on: stairs, pyramid, steps, obstacles, tilted_grid."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import ObstaclesDef, PyramidDef, StairsDef, StepsDef, TiltedGridDef
from creature_sim.maths import Floats, random_unit
from creature_sim.maths.jit import kernel
from creature_sim.terrain.tiles.rows import (
    Blocks,
    Numbers,
    Row,
    Stretch,
    across,
    cell_number,
    cells_between,
    lowest_cell,
    square_number,
)
from creature_sim.terrain.tiles.tiles import MeshTile, Tile, fill_blocks, join_quads, tilted_mesh
from creature_sim.terrain.tiles.tiling import HALF_SIZE, grid_edges, grid_parts, is_near

# Noise octaves use the streams below, rough ground 1001, stepping stones 1003.
_STEPS_STREAM = 1000
_OBSTACLES_STREAM = 1002
_TILTS_STREAM = 1004


def stairs(definition: StairsDef, _seed: int, x: Stretch, y: Stretch) -> Blocks:
    """The origin lies in the middle of a lower landing; the flights mirror about it."""
    row, heights = _flights(definition)
    edges, numbers = row.between(*x)
    return across(edges, heights[row.first(numbers)], y)


def pyramid(definition: PyramidDef, _seed: int, x: Stretch, y: Stretch) -> Blocks:
    """The origin lies in the middle of the first landing; steps are rings around it."""
    row, heights = _flights(definition)
    (edges_x, numbers_x), (edges_y, numbers_y) = row.between(*x), row.between(*y)
    return edges_x, edges_y, heights[row.first(np.maximum(numbers_x[:, None], numbers_y))]


def _flights(definition: StairsDef | PyramidDef) -> tuple[Row, Floats]:
    """Steps and landings along an axis, from the middle landing on, and their heights [m]."""
    edges, tops = [0.5 * definition.landing], [0.0]
    direction, height = 1.0, 0.0
    while edges[-1] < HALF_SIZE or direction < 0.0:
        for step in range(definition.count):
            height += direction * definition.riser
            is_last = step == definition.count - 1
            tops.append(height if not (is_last and direction < 0.0) else 0.0)
            edges.append(edges[-1] + (definition.landing if is_last else definition.tread))
        direction = -direction
    return Row(np.array(edges), 2 * definition.count), np.array(tops)


def steps(definition: StepsDef, seed: int, x: Stretch, y: Stretch) -> Blocks:
    """A grid of boxes; those that reach into the clearing have height 0."""
    (edges_x, i), (edges_y, j) = (cells_between(*stretch, definition.cell) for stretch in (x, y))
    heights = np.empty((len(i), len(j)))
    _fill_steps(heights, i, j, lowest_cell(definition.cell), seed, definition.height)
    near_x, near_y = (
        is_near(edges[:-1], edges[1:], definition.clearing) for edges in (edges_x, edges_y)
    )
    heights[near_x[:, None] & near_y] = 0.0
    return np.clip(edges_x, *x), np.clip(edges_y, *y), heights


@kernel
def _fill_steps(
    heights: Floats, i: Numbers, j: Numbers, lowest: int, seed: int, height: float
) -> None:
    """Write heights of the cells with numbers i (X,) and j (Y,) into (X, Y) [m]."""
    for a in range(len(i)):
        for b in range(len(j)):
            number = cell_number(i[a], j[b], lowest, -2 * lowest)
            heights[a, b] = height * random_unit(seed, _STEPS_STREAM, number)


def obstacles(definition: ObstaclesDef, seed: int) -> Iterator[Tile]:
    """Boxes on ground with a border, which boxes that would reach over it are left out of."""
    edges = grid_edges(definition.spacing, 0.5)
    lowest = lowest_cell(definition.spacing, 0.5)
    for rows, columns in grid_parts(edges, edges):
        x, y = edges[rows.start : rows.stop + 1], edges[columns.start : columns.stop + 1]
        i, j = (lowest + np.arange(part.start, part.stop) for part in (rows, columns))
        yield _squares(definition, seed, (x, i), (y, j))


def obstacles_between(definition: ObstaclesDef, seed: int, x: Stretch, y: Stretch) -> MeshTile:
    """Squares that meet two stretches, whole."""
    along = (cells_between(*stretch, definition.spacing, 0.5) for stretch in (x, y))
    return _squares(definition, seed, *along)


def _squares(
    definition: ObstaclesDef,
    seed: int,
    x: tuple[Floats, Numbers],
    y: tuple[Floats, Numbers],
) -> MeshTile:
    """One box somewhere in each square, but for squares whose box is in the clearing or cut off.

    The origin is the middle of a square: whoever walks along X meets boxes, not their alleys.

    Args:
        definition: of the boxes.
        seed: of the ground.
        x: (X + 1,) edges of squares [m], and their numbers (X,).
        y: the same along Y.
    """
    (edges_x, i), (edges_y, j) = x, y
    quads, counts = np.empty((13 * len(i) * len(j), 4, 3)), np.empty(len(i) * len(j), np.int64)
    numbers = (definition.spacing, definition.size, definition.height, definition.clearing)
    lowest = lowest_cell(definition.spacing, 0.5)
    total = _fill_squares(quads, counts, edges_x, i, edges_y, j, lowest, seed, *numbers)
    return join_quads(quads[:total].copy(), counts)


@kernel
def _fill_squares(
    quads: Floats,
    counts: Numbers,
    x: Floats,
    i: Numbers,
    y: Floats,
    j: Numbers,
    lowest: int,
    seed: int,
    spacing: float,
    size: float,
    height: float,
    clearing: float,
) -> int:
    """Write level ground with one box in each square into (Q, 4, 3); returns how many there are.

    Args:
        quads: (Q, 4, 3) [m].
        counts: (X * Y,) how many belong to each square, to be written.
        x: (X + 1,) edges [m].
        i: (X,) numbers of squares.
        y: (Y + 1,) edges [m].
        j: (Y,) numbers.
        lowest: number of the first square of ground with a border.
        seed: of the ground.
        spacing: side of the squares [m].
        size: largest side of a box [m].
        height: of the highest box [m].
        clearing: no box reaches nearer to the origin than this [m].
    """
    count = 0
    edges_x, edges_y = np.empty(4), np.empty(4)
    heights, level = np.zeros((3, 3)), np.zeros((1, 1))
    for a in range(len(i)):
        for b in range(len(j)):
            before = count
            number = 5 * square_number(i[a], j[b], lowest)
            length = size * (0.5 + 0.5 * random_unit(seed, _OBSTACLES_STREAM, number + 1))
            width = size * (0.5 + 0.5 * random_unit(seed, _OBSTACLES_STREAM, number + 2))
            low_x = x[a] + random_unit(seed, _OBSTACLES_STREAM, number + 3) * (spacing - length)
            low_y = y[b] + random_unit(seed, _OBSTACLES_STREAM, number + 4) * (spacing - width)
            high_x, high_y = low_x + length, low_y + width
            edges_x[0], edges_x[1], edges_x[2], edges_x[3] = x[a], low_x, high_x, x[a + 1]
            edges_y[0], edges_y[1], edges_y[2], edges_y[3] = y[b], low_y, high_y, y[b + 1]
            is_cleared = (
                low_x < clearing and high_x > -clearing and low_y < clearing and high_y > -clearing
            )
            is_cut = high_x >= x[a + 1] or high_y >= y[b + 1] or low_x <= x[a] or low_y <= y[b]
            if is_cleared or is_cut:
                edges_x[1], edges_y[1] = x[a + 1], y[b + 1]
                count = fill_blocks(quads, count, edges_x, edges_y, level, (0, 1), (0, 1))
            else:
                share = 0.5 + 0.5 * random_unit(seed, _OBSTACLES_STREAM, number)
                heights[1, 1] = height * share
                count = fill_blocks(quads, count, edges_x, edges_y, heights, (0, 3), (0, 3))
            counts[a * len(j) + b] = count - before
    return count


def tilted_grid(definition: TiltedGridDef, seed: int) -> Iterator[Tile]:
    """Tiles on ground with a border, where the outermost are smaller."""
    edges = grid_edges(definition.cell)
    numbers = lowest_cell(definition.cell) + np.arange(len(edges) - 1)
    corners = _tilts(definition, seed, (edges, numbers), (edges, numbers))
    for rows, columns in grid_parts(edges, edges):
        yield tilted_mesh(edges, edges, corners, rows, columns)


def tilted_between(definition: TiltedGridDef, seed: int, x: Stretch, y: Stretch) -> MeshTile:
    """Tiles that meet two stretches, whole."""
    along_x, along_y = (cells_between(*stretch, definition.cell) for stretch in (x, y))
    corners = _tilts(definition, seed, along_x, along_y)
    return tilted_mesh(along_x[0], along_y[0], corners, slice(None), slice(None))


def _tilts(
    definition: TiltedGridDef,
    seed: int,
    x: tuple[Floats, Numbers],
    y: tuple[Floats, Numbers],
) -> Floats:
    """Heights of the corners of tiles (X, Y, 2, 2) [m], whose middles have height 0.

    Those that reach into the clearing are level.

    Args:
        definition: of the tiles.
        seed: of the ground.
        x: (X + 1,) edges of tiles [m], and their numbers (X,).
        y: the same along Y.
    """
    (edges_x, i), (edges_y, j) = x, y
    near_x, near_y = (
        is_near(edges[:-1], edges[1:], definition.clearing) for edges in (edges_x, edges_y)
    )
    sides_x, sides_y = (0.5 * (edges[1:] - edges[:-1]) for edges in (edges_x, edges_y))
    corners = np.zeros((len(i), len(j), 2, 2))
    lowest = lowest_cell(definition.cell)
    is_level = near_x[:, None] & near_y
    _fill_tilts(corners, is_level, i, j, sides_x, sides_y, lowest, seed, definition.grade)
    return corners


@kernel
def _fill_tilts(
    corners: Floats,
    is_level: NDArray[np.bool_],
    i: Numbers,
    j: Numbers,
    sides_x: Floats,
    sides_y: Floats,
    lowest: int,
    seed: int,
    grade: float,
) -> None:
    """Write heights of the corners of tiles that are not level into (X, Y, 2, 2) [m]."""
    for a in range(len(i)):
        for b in range(len(j)):
            if is_level[a, b]:
                continue
            number = 2 * cell_number(i[a], j[b], lowest, -2 * lowest)
            along_x = grade * (2.0 * random_unit(seed, _TILTS_STREAM, number) - 1.0)
            along_y = grade * (2.0 * random_unit(seed, _TILTS_STREAM, number + 1) - 1.0)
            for k in range(2):
                for m in range(2):
                    x, y = sides_x[a] * (2.0 * k - 1.0), sides_y[b] * (2.0 * m - 1.0)
                    corners[a, b, k, m] = along_x * x + along_y * y
