"""A straight tunnel along X."""

from collections.abc import Iterator
from typing import Literal

from pydantic import Field, model_validator

from creature_sim.files.definition import Positive
from creature_sim.terrain.ground import GroundDef, check_inside
from creature_sim.terrain.kind import Box, Challenge, Roof, TerrainKind
from creature_sim.terrain.patterns.solids import box, floor
from creature_sim.terrain.tiles.tiles import Tile, join

EXAMPLE = """\
kind = "tunnel"
width = 2.5                   # from wall to wall
height = 1.2                  # from floor to ceiling
length = 12.0                 # along X; its middle is the start
thickness = 0.3               # of walls and roof"""


class TunnelDef(GroundDef):
    """A straight tunnel along X, whose middle is the origin: two walls and a level roof."""

    kind: Literal["tunnel"]
    width: Positive = Field(ge=0.2, le=30.0, description="from wall to wall [m]")
    height: Positive = Field(ge=0.1, le=30.0, description="from the floor to the ceiling [m]")
    length: Positive = Field(12.0, ge=0.5, le=62.0, description="[m]")
    thickness: Positive = Field(0.3, ge=0.05, le=10.0, description="of walls and roof [m]")

    @model_validator(mode="after")
    def _is_inside(self) -> "TunnelDef":
        found = f"{self.width:g} m and {self.thickness:g} m of thickness"
        check_inside(0.5 * self.width + self.thickness, "width", "walls that end", found)
        return self


def tiles(definition: TunnelDef, _seed: int) -> Iterator[Tile]:
    """Two walls and the roof that lies on them."""
    yield from floor(0.0)
    end, inner = 0.5 * definition.length, 0.5 * definition.width
    outer, top = inner + definition.thickness, definition.height + definition.thickness
    yield join(
        [
            box((-end, -outer, 0.0), (end, -inner, definition.height)),
            box((-end, inner, 0.0), (end, outer, definition.height)),
            box((-end, -outer, definition.height), (end, outer, top)),
        ]
    )


def roof(definition: TunnelDef) -> Roof:
    """The roof over the floor between the walls, as two halves, since a prop may not be as long."""
    half, height = 0.5 * definition.length, definition.height + 0.5 * definition.thickness
    size = (half, definition.width + 2.0 * definition.thickness, definition.thickness)
    return Roof(
        definition.height,
        (-half, half),
        (-0.5 * definition.width, 0.5 * definition.width),
        tuple(Box((x, 0.0, height), size) for x in (-0.5 * half, 0.5 * half)),
    )


def trial(challenge: Challenge) -> GroundDef:
    """A tunnel 2.4 - 1.2 d wide and 1.0 - 0.4 d high along the whole course."""
    return TunnelDef(
        kind="tunnel",
        width=(2.4 - 1.2 * challenge.d) * challenge.scale,
        height=(1.0 - 0.4 * challenge.d) * challenge.scale,
        length=min(62.0, 2.0 * (challenge.extent + challenge.scale)),
    )


KIND = TerrainKind(
    TunnelDef,
    tiles=tiles,
    ends="which is one thing at the origin",
    in_patches=False,
    roof=roof,
    example=EXAMPLE,
    trial=trial,
)
