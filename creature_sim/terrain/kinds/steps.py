"""A grid of boxes of random heights."""

from typing import Literal

import numpy as np
from pydantic import Field

from creature_sim.files.definition import NotNegative, Positive
from creature_sim.maths import Floats, random_unit
from creature_sim.maths.jit import kernel
from creature_sim.terrain.ground import Boundless, Clearing, GroundDef
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.patterns.cells import Numbers, cell_number, cells_between, lowest_cell
from creature_sim.terrain.tiles.tiling import Blocks, Stretch, is_near

_STREAM = 1000
EXAMPLE = """\
kind = "steps"
cell = 0.5                    # side of a box
height = 0.10                 # heights lie between 0 and this"""


class StepsDef(Boundless):
    """A grid of boxes of random heights with vertical faces."""

    kind: Literal["steps"]
    cell: Positive = Field(ge=0.2, le=16.0, description="side of a box [m]")
    height: NotNegative = Field(le=5.0, description="heights lie between 0 and this [m]")
    clearing: Clearing = 0.0


def blocks(definition: StepsDef, seed: int, x: Stretch, y: Stretch) -> Blocks:
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
    """Write heights of the cells with numbers i (X,) and j (Y,) into (X, Y) [m].

    Args:
        heights: (X, Y) to be written [m].
        i: (X,) numbers of cells along X.
        j: (Y,) numbers of cells along Y.
        lowest: number of the first cell of ground with a border.
        seed: of the ground.
        height: of the highest box [m].
    """
    for a in range(len(i)):
        for b in range(len(j)):
            number = cell_number(i[a], j[b], lowest, -2 * lowest)
            heights[a, b] = height * random_unit(seed, _STREAM, number)


def trial(challenge: Challenge) -> GroundDef:
    """Boxes 0.45 m wide, with heights from 0 to 0.05 + 0.15 d."""
    cell, height = max(0.3, 0.45 * challenge.scale), (0.05 + 0.15 * challenge.d) * challenge.scale
    return StepsDef(kind="steps", cell=cell, height=height, clearing=challenge.clearing)


KIND = TerrainKind(StepsDef, blocks=blocks, example=EXAMPLE, trial=trial)
