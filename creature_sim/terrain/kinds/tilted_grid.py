"""A grid of tilted tiles."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from creature_sim.files.definition import NotNegative, Positive
from creature_sim.maths import Floats, random_unit
from creature_sim.maths.jit import kernel
from creature_sim.terrain.ground import Boundless, Clearing, GroundDef
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.patterns.cells import Numbers, cell_number, cells_between, lowest_cell
from creature_sim.terrain.tiles.tiles import MeshTile, Tile
from creature_sim.terrain.tiles.tiling import Stretch, grid_edges, grid_parts, is_near
from creature_sim.terrain.tiles.tilted import tilted_mesh

_STREAM = 1004
EXAMPLE = """\
kind = "tilted_grid"
cell = 0.6                    # side of a tile
grade = 0.2                   # steepest rise over run of a tile
clearing = 1.0                # level ground around the start"""


class TiltedGridDef(Boundless):
    """A grid of square tiles, each tilted at random, with vertical faces between them."""

    kind: Literal["tilted_grid"]
    cell: Positive = Field(ge=0.2, le=16.0, description="side of a tile [m]")
    grade: NotNegative = Field(
        le=2.0, description="steepest rise over run of a tile, along X and along Y"
    )
    clearing: Clearing = 0.0


def tiles(definition: TiltedGridDef, seed: int) -> Iterator[Tile]:
    """Tiles on ground with a border, where the outermost are smaller."""
    edges = grid_edges(definition.cell)
    numbers = lowest_cell(definition.cell) + np.arange(len(edges) - 1)
    corners = _tilts(definition, seed, (edges, numbers), (edges, numbers))
    for rows, columns in grid_parts(edges, edges):
        yield tilted_mesh(edges, edges, corners, rows, columns)


def between(definition: TiltedGridDef, seed: int, x: Stretch, y: Stretch) -> MeshTile:
    """Tiles that meet two stretches, whole."""
    along_x, along_y = (cells_between(*stretch, definition.cell) for stretch in (x, y))
    corners = _tilts(definition, seed, along_x, along_y)
    return tilted_mesh(along_x[0], along_y[0], corners, slice(None), slice(None))


def _tilts(
    definition: TiltedGridDef, seed: int, x: tuple[Floats, Numbers], y: tuple[Floats, Numbers]
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
def _fill_tilts(  # noqa: PLR0913 - the keys of its kind
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
    """Write heights of the corners of tiles that are not level into (X, Y, 2, 2) [m].

    Args:
        corners: (X, Y, 2, 2) to be written [m].
        is_level: (X, Y) tiles that are left as they are.
        i: (X,) numbers of tiles along X.
        j: (Y,) numbers of tiles along Y.
        sides_x: (X,) half the sides of tiles along X [m].
        sides_y: (Y,) half the sides of tiles along Y [m].
        lowest: number of the first tile of ground with a border.
        seed: of the ground.
        grade: steepest rise over run, along X and along Y.
    """
    for a in range(len(i)):
        for b in range(len(j)):
            if is_level[a, b]:
                continue
            number = 2 * cell_number(i[a], j[b], lowest, -2 * lowest)
            along_x = grade * (2.0 * random_unit(seed, _STREAM, number) - 1.0)
            along_y = grade * (2.0 * random_unit(seed, _STREAM, number + 1) - 1.0)
            for k in range(2):
                for m in range(2):
                    x, y = sides_x[a] * (2.0 * k - 1.0), sides_y[b] * (2.0 * m - 1.0)
                    corners[a, b, k, m] = along_x * x + along_y * y


def trial(challenge: Challenge) -> GroundDef:
    """Tiles of 0.5 m, tilted by up to 0.4 d along X and along Y."""
    cell = max(0.3, 0.5 * challenge.scale)
    return TiltedGridDef(
        kind="tilted_grid", cell=cell, grade=0.4 * challenge.d, clearing=challenge.clearing
    )


KIND = TerrainKind(TiltedGridDef, tiles=tiles, between=between, example=EXAMPLE, trial=trial)
