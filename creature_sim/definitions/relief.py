"""More kinds of generated ground: dunes, canyon, craters, terraces, islands, pyramid."""

from typing import Literal

from pydantic import Field, model_validator

from creature_sim.definitions.base import Angle, Count, NotNegative, Number, Positive, Share
from creature_sim.definitions.terrain import Boundless, Clearing, SmoothGround, check_fits


class DunesDef(SmoothGround):
    """Long crests across the wind, gentle on its side and steep in their lee."""

    kind: Literal["dunes"]
    height: NotNegative = Field(le=20.0, description="from trough to crest [m]")
    wavelength: Positive = Field(ge=1.0, le=64.0, description="from crest to crest [m]")
    heading: Angle = Field(0.0, description="where the wind blows to, from X towards Y [rad]")
    lee: Share = Field(0.3, description="share of the wavelength on the steep side")
    bend: NotNegative = Field(
        2.0, le=32.0, description="crests wander this far forward and back [m]"
    )
    clearing: Clearing = 0.0


class CanyonDef(SmoothGround):
    """A winding valley along X with a level floor, in a level plain."""

    kind: Literal["canyon"]
    depth: NotNegative = Field(le=30.0, description="from the plain to the floor [m]")
    width: Positive = Field(le=60.0, description="of the floor [m]")
    wall: Positive = Field(ge=0.25, le=30.0, description="width of each of its sides [m]")
    bend: NotNegative = Field(0.0, le=20.0, description="it winds this far to each side [m]")
    wavelength: Positive = Field(24.0, ge=2.0, description="length of its bends [m]")


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


class TerracesDef(SmoothGround):
    """Hills cut into level terraces with slopes between them."""

    kind: Literal["terraces"]
    amplitude: NotNegative = Field(le=50.0, description="height of the largest waves [m]")
    wavelength: Positive = Field(ge=0.5, description="length of the largest waves [m]")
    octaves: Count = Field(2, le=10, description="each has half the wavelength of the one before")
    gain: Share = Field(0.3, description="amplitude of an octave over that of the one before")
    riser: Positive = Field(le=10.0, description="from one terrace to the next [m]")
    ramp: Share = Field(0.3, description="share of the height, before it was cut, that slopes keep")


class IslandsDef(SmoothGround):
    """Level islands above a level sea bed, with shores between them."""

    kind: Literal["islands"]
    size: Positive = Field(ge=1.0, description="from island to island, about [m]")
    depth: NotNegative = Field(le=20.0, description="of the sea bed below the islands [m]")
    sea: Number = Field(0.0, ge=-1.0, le=1.0, description="-1 is all land, 1 all sea")
    shore: Share = Field(0.3, description="how wide shores are: about this share of an island")
    octaves: Count = Field(2, le=10, description="more of them make shores ragged")
    clearing: Clearing = 0.0


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
