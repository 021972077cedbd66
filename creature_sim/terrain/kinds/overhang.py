"""A ledge that juts out from a cliff."""

from collections.abc import Iterator
from math import inf
from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from creature_sim.files.definition import Positive
from creature_sim.terrain.ground import GroundDef, check_inside
from creature_sim.terrain.kind import Box, Challenge, Roof, TerrainKind
from creature_sim.terrain.patterns.solids import box
from creature_sim.terrain.tiles.tiles import Tile
from creature_sim.terrain.tiles.tiling import HALF_SIZE, block_tiles

EXAMPLE = """\
kind = "overhang"
height = 1.2                  # of the underside of the ledge
distance = 5.0                # from the start to the cliff
depth = 4.0                   # how far the ledge juts out from it
thickness = 0.4               # of the ledge"""


class OverhangDef(GroundDef):
    """A cliff across X before the origin, from whose top a ledge juts out over level ground."""

    kind: Literal["overhang"]
    height: Positive = Field(ge=0.1, le=30.0, description="of the ledge's underside [m]")
    distance: Positive = Field(
        ge=0.1, le=30.0, description="from the origin to the cliff's face, along X [m]"
    )
    depth: Positive = Field(
        ge=0.1, le=60.0, description="how far the ledge juts out from that face [m]"
    )
    thickness: Positive = Field(0.4, ge=0.05, le=10.0, description="of the ledge [m]")

    @model_validator(mode="after")
    def _is_inside(self) -> "OverhangDef":
        found = f"{self.depth:g} m from {self.distance:g} m"
        check_inside(self.depth - self.distance, "depth", "a ledge that ends", found)
        return self


def tiles(definition: OverhangDef, _seed: int) -> Iterator[Tile]:
    """A cliff that goes on to the border, and its ledge."""
    cliff, top = definition.distance, definition.height + definition.thickness
    x, y = np.array([-HALF_SIZE, cliff, HALF_SIZE]), np.array([-HALF_SIZE, HALF_SIZE])
    yield from block_tiles(x, y, np.array([[0.0], [top]]))
    low = (cliff - definition.depth, -HALF_SIZE, definition.height)
    yield box(low, (cliff, HALF_SIZE, top))


def roof(definition: OverhangDef) -> Roof:
    """The ledge from border to border, as two halves, since a prop may not be as long."""
    middle = definition.distance - 0.5 * definition.depth
    height = definition.height + 0.5 * definition.thickness
    size = (definition.depth, HALF_SIZE, definition.thickness)
    return Roof(
        definition.height,
        (definition.distance - definition.depth, definition.distance),
        (-inf, inf),
        tuple(Box((middle, y, height), size) for y in (-0.5 * HALF_SIZE, 0.5 * HALF_SIZE)),
    )


def trial(challenge: Challenge) -> GroundDef:
    """A ledge 1.0 - 0.4 d above the floor along the whole course."""
    distance = min(30.0, challenge.extent + challenge.scale)
    return OverhangDef(
        kind="overhang",
        height=(1.0 - 0.4 * challenge.d) * challenge.scale,
        distance=distance,
        depth=min(60.0, distance + 4.0 * challenge.scale),
    )


KIND = TerrainKind(
    OverhangDef,
    tiles=tiles,
    ends="which is one thing at the origin",
    in_patches=False,
    roof=roof,
    example=EXAMPLE,
    trial=trial,
)
