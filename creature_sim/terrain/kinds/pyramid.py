"""Stairs to all four sides."""

from typing import Literal

import numpy as np
from pydantic import Field

from creature_sim.files.definition import Count, Number, Positive
from creature_sim.terrain.ground import Boundless, GroundDef
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.patterns.flights import flights
from creature_sim.terrain.tiles.tiling import Blocks, Stretch

EXAMPLE = """\
kind = "pyramid"
riser = 0.10                  # height of a step; below 0 they go down first
tread = 0.31                  # and its depth
count = 8                     # steps in a flight, to all four sides
landing = 2.4                 # level ground in the middle and between flights"""


class PyramidDef(Boundless):
    """Stairs to all four sides: square rings of steps up, landing, down, landing, and again."""

    kind: Literal["pyramid"]
    riser: Number = Field(
        ge=-2.0, le=2.0, description="height of a step; below 0 they go down first [m]"
    )
    tread: Positive = Field(ge=0.2, le=10.0, description="depth of a step [m]")
    count: Count = Field(le=100, description="steps in a flight")
    landing: Positive = Field(
        ge=0.1, le=30.0, description="level ground in the middle and between flights [m]"
    )


def blocks(definition: PyramidDef, _seed: int, x: Stretch, y: Stretch) -> Blocks:
    """The origin lies in the middle of the first landing; steps are rings around it."""
    row, heights = flights(definition.riser, definition.tread, definition.count, definition.landing)
    (edges_x, numbers_x), (edges_y, numbers_y) = row.between(*x), row.between(*y)
    return edges_x, edges_y, heights[row.first(np.maximum(numbers_x[:, None], numbers_y))]


def trial(challenge: Challenge) -> GroundDef:
    """Stairs that go down first, to all sides: risers of 0.05 + 0.18 d, treads of 0.31 m."""
    return PyramidDef(
        kind="pyramid",
        riser=-(0.05 + 0.18 * challenge.d) * challenge.scale,
        tread=max(0.2, 0.31 * challenge.scale),
        count=8,
        landing=2.0 * challenge.clearing,
    )


KIND = TerrainKind(PyramidDef, blocks=blocks, example=EXAMPLE, trial=trial)
