"""Boxes that stand about on level ground."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from creature_sim.files.definition import NotNegative, Positive
from creature_sim.maths import Floats, random_unit
from creature_sim.maths.jit import kernel
from creature_sim.terrain.ground import Boundless, Clearing, GroundDef, check_fits
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.patterns.cells import Numbers, cells_between, lowest_cell, square_number
from creature_sim.terrain.tiles.blocks import fill_blocks
from creature_sim.terrain.tiles.tiles import MeshTile, Tile, join_quads
from creature_sim.terrain.tiles.tiling import Stretch, grid_edges, grid_parts

_STREAM = 1002
EXAMPLE = """\
kind = "obstacles"
height = 0.12                 # boxes are half of this to this high
size = 1.0                    # and half of this to this long and wide
spacing = 2.0                 # one in each square of this side
clearing = 1.0                # level ground around the start"""


class ObstaclesDef(Boundless):
    """Boxes of random size that stand about on level ground, one in each square of a grid."""

    kind: Literal["obstacles"]
    height: NotNegative = Field(le=5.0, description="boxes are half of this to this high [m]")
    size: Positive = Field(ge=0.1, le=16.0, description="sides are half of this to this long [m]")
    spacing: Positive = Field(ge=0.3, le=32.0, description="side of the grid's squares [m]")
    clearing: Clearing = 0.0

    @model_validator(mode="after")
    def _boxes_fit(self) -> "ObstaclesDef":
        """Refuse boxes that are larger than their squares."""
        check_fits(self.size, self.spacing)
        return self


def tiles(definition: ObstaclesDef, seed: int) -> Iterator[Tile]:
    """Boxes on ground with a border, which boxes that would reach over it are left out of."""
    edges = grid_edges(definition.spacing, 0.5)
    lowest = lowest_cell(definition.spacing, 0.5)
    for rows, columns in grid_parts(edges, edges):
        x, y = edges[rows.start : rows.stop + 1], edges[columns.start : columns.stop + 1]
        i, j = (lowest + np.arange(part.start, part.stop) for part in (rows, columns))
        yield _squares(definition, seed, (x, i), (y, j))


def between(definition: ObstaclesDef, seed: int, x: Stretch, y: Stretch) -> MeshTile:
    """Squares that meet two stretches, whole."""
    along = (cells_between(*stretch, definition.spacing, 0.5) for stretch in (x, y))
    return _squares(definition, seed, *along)


def _squares(
    definition: ObstaclesDef, seed: int, x: tuple[Floats, Numbers], y: tuple[Floats, Numbers]
) -> MeshTile:
    """One box somewhere in each square, but for squares whose box is in the clearing or cut off.

    The origin is the middle of a square: a path along X meets boxes, not the alleys between.

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
def _fill_squares(  # noqa: PLR0913 - the keys of its kind
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
            length = size * (0.5 + 0.5 * random_unit(seed, _STREAM, number + 1))
            width = size * (0.5 + 0.5 * random_unit(seed, _STREAM, number + 2))
            low_x = x[a] + random_unit(seed, _STREAM, number + 3) * (spacing - length)
            low_y = y[b] + random_unit(seed, _STREAM, number + 4) * (spacing - width)
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
                fraction = 0.5 + 0.5 * random_unit(seed, _STREAM, number)
                heights[1, 1] = height * fraction
                count = fill_blocks(quads, count, edges_x, edges_y, heights, (0, 3), (0, 3))
            counts[a * len(j) + b] = count - before
    return count


def trial(challenge: Challenge) -> GroundDef:
    """Boxes up to 0.05 + 0.2 d high, 0.6 to 1.2 m long, one in every 2 x 2 m."""
    return ObstaclesDef(
        kind="obstacles",
        height=(0.05 + 0.2 * challenge.d) * challenge.scale,
        size=1.2 * challenge.scale,
        spacing=2.0 * challenge.scale,
        clearing=challenge.clearing,
    )


KIND = TerrainKind(ObstaclesDef, tiles=tiles, between=between, example=EXAMPLE, trial=trial)
