"""Kinds of ground, centred on the origin of the world: 64 x 64 m, or without end."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from creature_sim.definitions.base import (
    Angle,
    Count,
    Definition,
    NotNegative,
    Number,
    Positive,
    Share,
)

MOST_STONES = 20_000
SQUARE = 16.0
"""Side of the squares in which endless ground is computed [m]."""
MOST_IN_SQUARE = 4_096
"""Endless stones in such a square, at most."""
FARTHEST = 65_536.0
"""Endless ground ends this far from the origin along X and Y [m]."""

Clearing = Annotated[
    float,
    Field(
        strict=True,
        allow_inf_nan=False,
        ge=0.0,
        le=30.0,
        description="ground is level this far around the origin, along X and Y [m]",
    ),
]
Start = Annotated[
    float,
    Field(
        strict=True,
        allow_inf_nan=False,
        ge=0.1,
        le=30.0,
        description="ground is level this far before and behind the origin, along X [m]",
    ),
]


def check_fits(size: float, spacing: float) -> None:
    """Refuse things that are larger [m] than the squares of the grid that they stand in."""
    if size > spacing:
        raise ValueError(f"size: expected at most the spacing, {spacing:g} m, found {size:g}")


class Boundless(Definition):
    """Ground that can be computed at any place, however far."""

    endless: bool = Field(
        False,
        strict=True,
        description="ground goes on without a border, computed where somebody walks",
    )


class SmoothGround(Boundless):
    """Ground without edges: heights at nodes."""


class FlatDef(SmoothGround):
    """Level ground at height 0."""

    kind: Literal["flat"]


class HillsDef(SmoothGround):
    """Several octaves of simplex noise; few and low ones make a meadow."""

    kind: Literal["hills"]
    amplitude: NotNegative = Field(le=50.0, description="height of the largest waves [m]")
    wavelength: Positive = Field(ge=0.5, description="length of the largest waves [m]")
    octaves: Count = Field(le=10, description="each has half the wavelength of the one before")
    gain: Share = Field(0.5, description="amplitude of an octave over that of the one before")
    shape: Literal["rolling", "ridged", "billowed"] = Field(
        "rolling", description="ridged has sharp crests, billowed round ones with sharp valleys"
    )
    warp: NotNegative = Field(
        0.0, le=100.0, description="noise is looked up this far aside, which winds it [m]"
    )


class SlopeDef(SmoothGround):
    """A plane that rises in one direction."""

    kind: Literal["slope"]
    grade: Number = Field(ge=-2.0, le=2.0, description="rise over run")
    heading: Angle = Field(0.0, description="direction of the rise, from X towards Y [rad]")
    clearing: NotNegative = Field(
        0.0, le=30.0, description="it is level this far before and behind the origin [m]"
    )


class StairsDef(Boundless):
    """Flights of stairs along X: up, landing, down, landing, and again; vertical risers."""

    kind: Literal["stairs"]
    riser: Positive = Field(le=2.0, description="height of a step [m]")
    tread: Positive = Field(ge=0.1, le=10.0, description="depth of a step [m]")
    count: Count = Field(le=100, description="steps in a flight")
    landing: Positive = Field(ge=0.1, le=30.0, description="level ground between flights [m]")


class StepsDef(Boundless):
    """A grid of boxes of random heights with vertical faces."""

    kind: Literal["steps"]
    cell: Positive = Field(ge=0.2, le=16.0, description="side of a box [m]")
    height: NotNegative = Field(le=5.0, description="heights lie between 0 and this [m]")
    clearing: Clearing = 0.0


class RoughDef(SmoothGround):
    """Random heights at the nodes of a grid, even slopes between them."""

    kind: Literal["rough"]
    amplitude: NotNegative = Field(le=5.0, description="heights lie within +- this [m]")
    spacing: Positive = Field(
        ge=0.25, le=16.0, description="distance of neighbouring random heights [m]"
    )
    clearing: Clearing = 0.0


class WaveDef(SmoothGround):
    """Sine waves along X and along Y."""

    kind: Literal["wave"]
    amplitude: NotNegative = Field(le=10.0, description="heights lie within +- this [m]")
    wavelength: Positive = Field(ge=0.5, le=64.0, description="from crest to crest [m]")
    clearing: Clearing = 0.0


class ObstaclesDef(Boundless):
    """Boxes of random size that stand about on level ground, one in each square of a grid."""

    kind: Literal["obstacles"]
    height: NotNegative = Field(le=5.0, description="boxes are half of this to this high [m]")
    size: Positive = Field(ge=0.1, le=16.0, description="sides are half of this to this long [m]")
    spacing: Positive = Field(ge=0.3, le=32.0, description="side of the grid's squares [m]")
    clearing: Clearing = 0.0

    @model_validator(mode="after")
    def _boxes_fit(self) -> "ObstaclesDef":
        """Refuse boxes that are larger than their squares."""
        check_fits(self.size, self.spacing)
        return self


class TiltedGridDef(Boundless):
    """A grid of square tiles, each tilted at random, with vertical faces between them."""

    kind: Literal["tilted_grid"]
    cell: Positive = Field(ge=0.2, le=16.0, description="side of a tile [m]")
    grade: NotNegative = Field(
        le=2.0, description="steepest rise over run of a tile, along X and along Y"
    )
    clearing: Clearing = 0.0


class SteppingStonesDef(Boundless):
    """Rows of square stones with nothing between them; each row is shifted at random."""

    kind: Literal["stepping_stones"]
    size: Positive = Field(ge=0.02, le=16.0, description="side of a stone [m]")
    gap: Positive = Field(ge=0.01, le=8.0, description="way from one stone to the next [m]")
    depth: Positive = Field(le=20.0, description="from the top of the stones to the ground [m]")
    extent: Positive | None = Field(
        None,
        le=32.0,
        description="stones lie up to this far from the origin along X and Y; none where they are "
        "endless [m]",
    )
    clearing: Start

    @model_validator(mode="after")
    def _stones_can_be_laid(self) -> "SteppingStonesDef":
        """Refuse stones that are too many, or none."""
        if self.endless and self.extent is not None:
            raise ValueError(f"extent: expected none for endless stones, found {self.extent:g}")
        if not self.endless and self.extent is None:
            raise ValueError("extent: expected how far stones lie, or endless stones, found none")
        pitch, reach = self.size + self.gap, self.extent or 0.5 * SQUARE
        count, most = (2.0 * reach / pitch) ** 2, MOST_STONES if self.extent else MOST_IN_SQUARE
        if count > most:
            raise ValueError(
                f"size: expected at most {most} stones, found {count:.0f} stones of "
                f"{self.size:g} m within {reach:g} m"
            )
        if self.extent and self.clearing + self.gap + self.size > self.extent:
            raise ValueError(
                f"extent: expected room for a stone beyond the clearing of {self.clearing:g} m, "
                f"found {self.extent:g}"
            )
        return self


class GapDef(Boundless):
    """Ditches across X."""

    kind: Literal["gap"]
    width: Positive = Field(le=16.0, description="from edge to edge [m]")
    depth: Positive = Field(le=20.0, description="[m]")
    spacing: Positive = Field(ge=0.1, le=32.0, description="level ground between ditches [m]")
    clearing: Start


class PitDef(Boundless):
    """Square pits in rows along X and Y, one row ahead of the origin."""

    kind: Literal["pit"]
    depth: Positive = Field(le=20.0, description="[m]")
    size: Positive = Field(ge=0.1, le=32.0, description="side of a pit [m]")
    spacing: Positive = Field(ge=0.1, le=32.0, description="level ground between pits [m]")
    clearing: Start


class RailsDef(Boundless):
    """Long narrow bars across X, to be stepped over."""

    kind: Literal["rails"]
    height: NotNegative = Field(le=5.0, description="[m]")
    thickness: Positive = Field(ge=0.01, le=4.0, description="of a bar, along X [m]")
    spacing: Positive = Field(ge=0.1, le=32.0, description="level ground between bars [m]")
    clearing: Start
