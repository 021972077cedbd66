"""Narrow bars across X."""

from typing import Literal

from pydantic import Field

from creature_sim.files.definition import NotNegative, Positive
from creature_sim.terrain.ground import Boundless, GroundDef, Start
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.patterns.bands import across_bands, mirrored_bands
from creature_sim.terrain.tiles.tiling import Blocks, Stretch

EXAMPLE = """\
kind = "rails"
height = 0.08
thickness = 0.10              # of a bar, along X
spacing = 1.0                 # level ground between bars
clearing = 1.0                # level ground before and behind the start"""


class RailsDef(Boundless):
    """Long narrow bars across X, to be stepped over."""

    kind: Literal["rails"]
    height: NotNegative = Field(le=5.0, description="[m]")
    thickness: Positive = Field(ge=0.01, le=4.0, description="of a bar, along X [m]")
    spacing: Positive = Field(ge=0.1, le=32.0, description="level ground between bars [m]")
    clearing: Start


def blocks(definition: RailsDef, _seed: int, x: Stretch, y: Stretch) -> Blocks:
    """Bars across the whole ground."""
    bands = mirrored_bands(definition.clearing, definition.thickness, definition.spacing)
    return across_bands(bands, definition.height, x, y)


def trial(challenge: Challenge) -> GroundDef:
    """Bars 0.05 + 0.15 d high and 0.1 m thick, 1 m of level ground between them."""
    return RailsDef(
        kind="rails",
        height=(0.05 + 0.15 * challenge.d) * challenge.scale,
        thickness=0.1 * challenge.scale,
        spacing=challenge.scale,
        clearing=challenge.clearing,
    )


KIND = TerrainKind(RailsDef, blocks=blocks, example=EXAMPLE, trial=trial)
