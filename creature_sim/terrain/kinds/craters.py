"""Round bowls with raised rims."""

from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from creature_sim.files.definition import NotNegative, Positive
from creature_sim.maths import Floats, random_unit
from creature_sim.maths.jit import kernel
from creature_sim.terrain.ground import Clearing, GroundDef, SmoothGround, check_fits
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.patterns.cells import lattice_number
from creature_sim.terrain.patterns.clearing import level_until

_STREAM = 1005
APRON = 1.5
"""Radius at which a crater's rim ends, over the crater's own."""
EXAMPLE = """\
kind = "craters"
depth = 0.5                   # of the largest
rim = 0.1                     # and how high it stands above level ground
size = 4.0                    # they are half of this to this wide
spacing = 5.0                 # one in each square of this side
clearing = 1.0                # level ground around the start"""


class CratersDef(SmoothGround):
    """Round bowls with raised rims, one in each square of a grid."""

    kind: Literal["craters"]
    depth: NotNegative = Field(le=10.0, description="of the largest, below the level ground [m]")
    rim: NotNegative = Field(0.1, le=5.0, description="of the largest, above level ground [m]")
    size: Positive = Field(
        ge=0.5, le=32.0, description="they are half of this to this wide, from rim to rim [m]"
    )
    spacing: Positive = Field(ge=0.5, le=64.0, description="side of the grid's squares [m]")
    clearing: Clearing = 0.0

    @model_validator(mode="after")
    def _craters_fit(self) -> "CratersDef":
        """Refuse craters that are larger than their squares."""
        check_fits(self.size, self.spacing)
        return self


def heights(definition: CratersDef, x: Floats, y: Floats, seed: int) -> Floats:
    """Craters that would reach into the clearing are left out."""
    made = np.empty((len(x), len(y)))
    level = level_until(definition.clearing, 1.0)
    numbers = (definition.depth, definition.rim, definition.size, definition.spacing, level)
    fill_craters(made, x, y, seed, *numbers)
    return made


@kernel
def fill_craters(  # noqa: PLR0913 - the keys of its kind
    heights: Floats,
    x: Floats,
    y: Floats,
    seed: int,
    depth: float,
    rim: float,
    size: float,
    spacing: float,
    level: float,
) -> None:
    """Write the sum of all craters that reach a node into `heights` (X, Y) [m].

    A crater is a paraboloid up to its rim; outside, the rim falls to level ground with a zero
    slope. Depth and rim shrink with the radius.

    Args:
        heights: (X, Y) to be written [m].
        x: (X,) of the nodes [m].
        y: (Y,) of the nodes [m].
        seed: of the ground.
        depth: of the largest, below the level ground [m].
        rim: of the largest, above level ground [m].
        size: width of the largest, from rim to rim [m].
        spacing: side of the grid's squares [m].
        level: how far from the origin ground is level [m].
    """
    for ix in range(heights.shape[0]):
        i = int(np.floor(x[ix] / spacing))
        for iy in range(heights.shape[1]):
            j = int(np.floor(y[iy] / spacing))
            height = 0.0
            for k in range(9):  # a crater reaches no farther than the squares next to its own
                row, column = i + k // 3 - 1, j + k % 3 - 1
                counter = 3 * lattice_number(row, column)
                size_ratio = 0.5 + 0.5 * random_unit(seed, _STREAM, counter)
                radius = 0.5 * size * size_ratio
                cx = (row + random_unit(seed, _STREAM, counter + 1)) * spacing
                cy = (column + random_unit(seed, _STREAM, counter + 2)) * spacing
                if max(abs(cx), abs(cy)) - APRON * radius < level:
                    continue
                dx, dy = (x[ix] - cx) / radius, (y[iy] - cy) / radius
                squared = dx * dx + dy * dy
                if squared < 1.0:
                    height += size_ratio * ((depth + rim) * squared - depth)
                elif squared < APRON * APRON:
                    out = (APRON - np.sqrt(squared)) / (APRON - 1.0)
                    height += size_ratio * rim * out * out
            heights[ix, iy] = height


def trial(challenge: Challenge) -> GroundDef:
    """Bowls 0.5 d deep and 1 to 2 m wide in every 2.5 x 2.5 m, rims a quarter as high."""
    return CratersDef(
        kind="craters",
        depth=0.5 * challenge.d * challenge.scale,
        rim=0.125 * challenge.d * challenge.scale,
        size=max(1.0, 2.0 * challenge.scale),
        spacing=max(1.25, 2.5 * challenge.scale),
        clearing=challenge.clearing,
    )


KIND = TerrainKind(CratersDef, heights=heights, example=EXAMPLE, trial=trial)
