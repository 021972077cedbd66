"""Ditches across X."""

from typing import Literal

from pydantic import Field

from creature_sim.files.definition import Positive
from creature_sim.terrain.ground import Boundless, GroundDef, Start
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.kinds.flat import FlatDef
from creature_sim.terrain.patterns.bands import across_bands, mirrored_bands
from creature_sim.terrain.tiles.tiling import Blocks, Stretch

EXAMPLE = """\
kind = "gap"
width = 0.20                  # of a ditch, from edge to edge
depth = 1.0
spacing = 1.5                 # level ground between ditches
clearing = 1.0                # level ground before and behind the start"""


class GapDef(Boundless):
    """Ditches across X."""

    kind: Literal["gap"]
    width: Positive = Field(le=16.0, description="from edge to edge [m]")
    depth: Positive = Field(le=20.0, description="[m]")
    spacing: Positive = Field(ge=0.1, le=32.0, description="level ground between ditches [m]")
    clearing: Start


def blocks(definition: GapDef, _seed: int, x: Stretch, y: Stretch) -> Blocks:
    """Ditches across the whole ground."""
    bands = mirrored_bands(definition.clearing, definition.width, definition.spacing)
    return across_bands(bands, -definition.depth, x, y)


def trial(challenge: Challenge) -> GroundDef:
    """Ditches d wide and 1 m deep, 1.6 m of level ground between them."""
    if challenge.d == 0.0:
        return FlatDef(kind="flat")
    return GapDef(
        kind="gap",
        width=challenge.d * challenge.scale,
        depth=challenge.scale,
        spacing=1.6 * challenge.scale,
        clearing=challenge.clearing,
    )


KIND = TerrainKind(GapDef, blocks=blocks, example=EXAMPLE, trial=trial)
