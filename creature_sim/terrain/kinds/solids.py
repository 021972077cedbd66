"""Boxes, posts and pipes on level ground."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, model_validator

from creature_sim.terrain.ground import GroundDef
from creature_sim.terrain.kind import TerrainKind
from creature_sim.terrain.patterns.shapes import SolidDef, check_solids, on_floor, solid_mesh
from creature_sim.terrain.tiles.tiles import Tile

EXAMPLE = """\
kind = "solids"               # boxes and cylinders on level ground

[[terrain.solids]]            # two crates
shape = "box"
size = [1.0, 1.0, 1.0]
position = [3.0, 0.6, 0.5]    # of its middle
rotation = [0.0, 0.0, 0.3]    # roll, pitch, yaw
count = 2
step = [0.1, -1.3, 0.0]       # from one to the next

[[terrain.solids]]            # a pipe to walk through
shape = "cylinder"
radius = 1.1
bore = 1.0                    # radius of its hole
length = 4.0
position = [-4.0, 0.0, 1.0]
rotation = [0.0, 1.5708, 0.0]  # its axis is its own Z: now along X"""

Solids = Annotated[tuple[SolidDef, ...], Field(max_length=256)]


class SolidsDef(GroundDef):
    """Boxes, posts and pipes that are listed, on level ground."""

    kind: Literal["solids"]
    solids: Solids = Field(description="boxes and cylinders, alone or in rows")

    @model_validator(mode="after")
    def _fit(self) -> "SolidsDef":
        if not self.solids:
            raise ValueError("solids: expected at least one, found none")
        check_solids(self.solids)
        return self


def tiles(definition: SolidsDef, _seed: int) -> Iterator[Tile]:
    """The floor, and all solids."""
    return on_floor([solid_mesh(solid) for solid in definition.solids])


KIND = TerrainKind(
    SolidsDef,
    tiles=tiles,
    ends="which is a list of things",
    in_patches=False,
    has_unknown_roofs=True,
    example=EXAMPLE,
)
