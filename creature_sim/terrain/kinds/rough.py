"""Random heights at the nodes of a grid."""

from typing import Literal

import numpy as np
from pydantic import Field

from creature_sim.files.definition import NotNegative, Positive
from creature_sim.maths import Floats, random_unit
from creature_sim.maths.jit import kernel
from creature_sim.terrain.ground import Clearing, GroundDef, SmoothGround
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.patterns.cells import lattice_number
from creature_sim.terrain.patterns.clearing import level_until
from creature_sim.terrain.tiles.tiles import CELL

_STREAM = 1001
EXAMPLE = """\
kind = "rough"
amplitude = 0.06              # heights lie within +- this
spacing = 0.25                # distance of neighbouring random heights
clearing = 1.0                # level ground around the start"""


class RoughDef(SmoothGround):
    """Random heights at the nodes of a grid, even slopes between them."""

    kind: Literal["rough"]
    amplitude: NotNegative = Field(le=5.0, description="heights lie within +- this [m]")
    spacing: Positive = Field(
        ge=0.25, le=16.0, description="distance of neighbouring random heights [m]"
    )
    clearing: Clearing = 0.0


def heights(definition: RoughDef, x: Floats, y: Floats, seed: int) -> Floats:
    """Random heights on a grid that has a node at the origin."""
    made = np.empty((len(x), len(y)))
    level = level_until(definition.clearing, 1.0 + definition.spacing / CELL)
    fill_rough(made, x, y, seed, definition.amplitude, definition.spacing, level)
    return made


@kernel
def fill_rough(
    heights: Floats, x: Floats, y: Floats, seed: int, amplitude: float, spacing: float, level: float
) -> None:
    """Write bilinear mixes of the random heights around every node into `heights` (X, Y) [m].

    Random heights nearer than `level` to the origin are 0.

    Args:
        heights: (X, Y) to be written [m].
        x: (X,) of the nodes [m].
        y: (Y,) of the nodes [m].
        seed: of the ground.
        amplitude: heights lie within +- this [m].
        spacing: distance of neighbouring random heights [m].
        level: random heights nearer to the origin than this are 0 [m].
    """
    for ix in range(heights.shape[0]):
        u = x[ix] / spacing
        i = int(np.floor(u))
        for iy in range(heights.shape[1]):
            v = y[iy] / spacing
            j = int(np.floor(v))
            low = _rough_height(seed, i, j, amplitude, level, spacing) * (1.0 - (v - j))
            low += _rough_height(seed, i, j + 1, amplitude, level, spacing) * (v - j)
            high = _rough_height(seed, i + 1, j, amplitude, level, spacing) * (1.0 - (v - j))
            high += _rough_height(seed, i + 1, j + 1, amplitude, level, spacing) * (v - j)
            heights[ix, iy] = low * (1.0 - (u - i)) + high * (u - i)


@kernel
def _rough_height(
    seed: int, i: int, j: int, amplitude: float, level: float, spacing: float
) -> float:
    """Height of a random node (i, j) of the grid [m]; 0 up to `level` from the origin.

    Args:
        seed: of the ground.
        i: number of the node along X.
        j: number of the node along Y.
        amplitude: heights lie within +- this [m].
        level: nodes nearer to the origin than this have height 0 [m].
        spacing: distance of neighbouring nodes [m].
    """
    if max(abs(i), abs(j)) * spacing < level:  # what touches the clearing is level too
        return 0.0
    number = lattice_number(i, j)
    return amplitude * (2.0 * random_unit(seed, _STREAM, number) - 1.0)


def trial(challenge: Challenge) -> GroundDef:
    """Heights within +-0.05 d, 0.25 m apart."""
    spacing = max(0.25, 0.25 * challenge.scale)
    return RoughDef(
        kind="rough",
        amplitude=0.05 * challenge.d * challenge.scale,
        spacing=spacing,
        clearing=challenge.clearing,
    )


KIND = TerrainKind(RoughDef, heights=heights, example=EXAMPLE, trial=trial)
