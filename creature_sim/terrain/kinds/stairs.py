"""Flights of stairs along X."""

from typing import Literal

from pydantic import Field

from creature_sim.files.definition import Count, Positive
from creature_sim.terrain.ground import Boundless, GroundDef
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.patterns.flights import flights
from creature_sim.terrain.patterns.rows import across
from creature_sim.terrain.tiles.tiling import Blocks, Stretch

EXAMPLE = """\
kind = "stairs"
riser = 0.10                  # height of a step
tread = 0.31                  # and its depth
count = 8                     # steps in a flight
landing = 2.4                 # level ground between flights"""


class StairsDef(Boundless):
    """Flights of stairs along X: up, landing, down, landing, and again; vertical risers."""

    kind: Literal["stairs"]
    riser: Positive = Field(le=2.0, description="height of a step [m]")
    tread: Positive = Field(ge=0.1, le=10.0, description="depth of a step [m]")
    count: Count = Field(le=100, description="steps in a flight")
    landing: Positive = Field(ge=0.1, le=30.0, description="level ground between flights [m]")


def blocks(definition: StairsDef, _seed: int, x: Stretch, y: Stretch) -> Blocks:
    """The origin lies in the middle of a lower landing; the flights mirror about it."""
    row, heights = flights(definition.riser, definition.tread, definition.count, definition.landing)
    edges, numbers = row.between(*x)
    return across(edges, heights[row.first(numbers)], y)


def trial(challenge: Challenge) -> GroundDef:
    """Risers of 0.05 + 0.18 d, treads of 0.31 m, flights of 8."""
    return StairsDef(
        kind="stairs",
        riser=(0.05 + 0.18 * challenge.d) * challenge.scale,
        tread=0.31 * challenge.scale,
        count=8,
        landing=2.0 * challenge.clearing,
    )


KIND = TerrainKind(StairsDef, blocks=blocks, example=EXAMPLE, trial=trial)
