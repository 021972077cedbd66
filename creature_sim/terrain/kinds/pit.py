"""Square pits in rows."""

from typing import Literal

import numpy as np
from pydantic import Field

from creature_sim.files.definition import Positive
from creature_sim.terrain.ground import Boundless, GroundDef, Start
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.kinds.flat import FlatDef
from creature_sim.terrain.patterns.bands import mirrored_bands
from creature_sim.terrain.tiles.tiling import Blocks, Stretch

EXAMPLE = """\
kind = "pit"
depth = 0.10
size = 1.5                    # side of a pit
spacing = 1.5                 # level ground between pits
clearing = 1.0                # level ground before and behind the start"""


class PitDef(Boundless):
    """Square pits in rows along X and Y, one row ahead of the origin."""

    kind: Literal["pit"]
    depth: Positive = Field(le=20.0, description="[m]")
    size: Positive = Field(ge=0.1, le=32.0, description="side of a pit [m]")
    spacing: Positive = Field(ge=0.1, le=32.0, description="level ground between pits [m]")
    clearing: Start


def blocks(definition: PitDef, _seed: int, x: Stretch, y: Stretch) -> Blocks:
    """Pits where a band along X meets one along Y; the origin lies between two of them."""
    edges_x, in_x = mirrored_bands(
        definition.clearing, definition.size, definition.spacing
    ).between(*x)
    edges_y, in_y = mirrored_bands(
        0.5 * definition.size, definition.spacing, definition.size
    ).between(*y)
    is_pit = (in_x % 2 == 1)[:, None] & (in_y % 2 == 0)
    return edges_x, edges_y, np.where(is_pit, -definition.depth, 0.0)


def trial(challenge: Challenge) -> GroundDef:
    """Pits 2 m wide and d deep, 1.6 m of level ground between them."""
    if challenge.d == 0.0:
        return FlatDef(kind="flat")
    return PitDef(
        kind="pit",
        depth=challenge.d * challenge.scale,
        size=2.0 * challenge.scale,
        spacing=1.6 * challenge.scale,
        clearing=challenge.clearing,
    )


KIND = TerrainKind(PitDef, blocks=blocks, example=EXAMPLE, trial=trial)
