"""A room with things in it."""

from collections.abc import Iterator
from typing import Literal

from pydantic import Field, model_validator

from creature_sim.files.definition import Positive
from creature_sim.terrain.ground import GroundDef, check_inside
from creature_sim.terrain.kind import Roof, TerrainKind
from creature_sim.terrain.kinds.solids import Solids
from creature_sim.terrain.patterns.shapes import box_mesh, check_solids, on_floor, solid_mesh
from creature_sim.terrain.tiles.tiles import MeshTile, Tile

EXAMPLE = """\
kind = "room"
length = 8.0                  # along X, from wall to wall; its middle is the start
width = 6.0                   # along Y
height = 2.4                  # from floor to ceiling
thickness = 0.3               # of walls and ceiling
doorway = [1.4, 1.6]          # width and height of the opening in the wall ahead

[[terrain.solids]]            # a pillar from floor to ceiling
shape = "cylinder"
radius = 0.25
length = 2.4
position = [-2.0, 1.5, 1.2]   # of its middle

[[terrain.solids]]            # the top of a table, and its leg
shape = "box"
size = [1.8, 1.2, 0.1]
position = [-1.5, -1.6, 0.75]

[[terrain.solids]]
shape = "cylinder"
radius = 0.12
length = 0.7
position = [-1.5, -1.6, 0.35]"""


class RoomDef(GroundDef):
    """A room of four walls and a ceiling about the origin, with solids in it."""

    kind: Literal["room"]
    length: Positive = Field(ge=0.5, le=62.0, description="from wall to wall along X [m]")
    width: Positive = Field(ge=0.5, le=62.0, description="from wall to wall along Y [m]")
    height: Positive = Field(ge=0.1, le=30.0, description="from the floor to the ceiling [m]")
    thickness: Positive = Field(0.3, ge=0.05, le=10.0, description="of walls and ceiling [m]")
    doorway: tuple[Positive, Positive] | None = Field(
        None, description="width and height of an opening in the wall ahead, along X [m]"
    )
    solids: Solids = Field((), description="boxes and cylinders in it, alone or in rows")

    @model_validator(mode="after")
    def _fits(self) -> "RoomDef":
        for key in ("length", "width"):
            side = getattr(self, key)
            found = f"{side:g} m and {self.thickness:g} m of thickness"
            check_inside(0.5 * side + self.thickness, key, "walls that end", found)
        if self.doorway is not None and not (
            self.doorway[0] < self.width and self.doorway[1] < self.height
        ):
            raise ValueError(
                f"doorway: expected one in a wall of width {self.width:g} m and height "
                f"{self.height:g} m, found {list(self.doorway)}"
            )
        check_solids(self.solids)
        return self


def shell(definition: RoomDef) -> list[MeshTile]:
    """The walls, and the ceiling that lies on them."""
    length, width, height = definition.length, definition.width, definition.height
    thick = definition.thickness
    x, y, z = 0.5 * (length + thick), 0.5 * (width + thick), 0.5 * height
    outside = length + 2.0 * thick
    parts = [
        box_mesh((outside, width + 2.0 * thick, thick), (0.0, 0.0, height + 0.5 * thick)),
        box_mesh((outside, thick, height), (0.0, y, z)),
        box_mesh((outside, thick, height), (0.0, -y, z)),
        box_mesh((thick, width, height), (-x, 0.0, z)),
    ]
    if definition.doorway is None:
        return [*parts, box_mesh((thick, width, height), (x, 0.0, z))]
    door, lintel = definition.doorway
    beside, middle = 0.5 * (width - door), 0.25 * (width + door)
    return [
        *parts,
        box_mesh((thick, beside, height), (x, middle, z)),
        box_mesh((thick, beside, height), (x, -middle, z)),
        box_mesh((thick, door, height - lintel), (x, 0.0, 0.5 * (height + lintel))),
    ]


def tiles(definition: RoomDef, _seed: int) -> Iterator[Tile]:
    """The floor, the walls and all that is in the room."""
    return on_floor([*shell(definition), *(solid_mesh(solid) for solid in definition.solids)])


def walls(definition: RoomDef) -> tuple[float, float]:
    """How far its walls are from the origin, along X and along Y [m]."""
    return 0.5 * definition.length, 0.5 * definition.width


def roof(definition: RoomDef) -> Roof:
    """The ceiling over the floor between the walls, which rays find by themselves."""
    x, y = walls(definition)
    return Roof(definition.height, (-x, x), (-y, y), ())


KIND = TerrainKind(
    RoomDef,
    tiles=tiles,
    ends="which is one thing at the origin",
    in_patches=False,
    roof=roof,
    walls=walls,
    has_unknown_roofs=True,
    example=EXAMPLE,
)
