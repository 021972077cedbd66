"""Kinds of generated ground, 64 x 64 m each, centred on the origin of the world."""

from typing import Annotated, Literal

from pydantic import Field

from creature_sim.definitions.base import (
    Angle,
    Count,
    Definition,
    NotNegative,
    Number,
    Positive,
    Share,
)


class FlatDef(Definition):
    """Level ground at height 0."""

    kind: Literal["flat"]


class HillsDef(Definition):
    """Several octaves of simplex noise; few and low ones make a meadow."""

    kind: Literal["hills"]
    amplitude: NotNegative = Field(le=50.0, description="height of the largest waves [m]")
    wavelength: Positive = Field(ge=0.5, description="length of the largest waves [m]")
    octaves: Count = Field(le=10, description="each has half the wavelength of the one before")
    gain: Share = Field(0.5, description="amplitude of an octave over that of the one before")


class SlopeDef(Definition):
    """A plane that rises in one direction."""

    kind: Literal["slope"]
    grade: Number = Field(ge=-2.0, le=2.0, description="rise over run")
    heading: Angle = Field(0.0, description="direction of the rise, from X towards Y [rad]")


class StairsDef(Definition):
    """Flights of stairs along X: up, landing, down, landing, and again; vertical risers."""

    kind: Literal["stairs"]
    riser: Positive = Field(le=2.0, description="height of a step [m]")
    tread: Positive = Field(ge=0.1, le=10.0, description="depth of a step [m]")
    count: Count = Field(le=100, description="steps in a flight")
    landing: Positive = Field(ge=0.1, le=30.0, description="level ground between flights [m]")


class StepsDef(Definition):
    """A grid of boxes of random heights with vertical faces."""

    kind: Literal["steps"]
    cell: Positive = Field(ge=0.2, le=16.0, description="side of a box [m]")
    height: NotNegative = Field(le=5.0, description="heights lie between 0 and this [m]")


TerrainDef = Annotated[
    FlatDef | HillsDef | SlopeDef | StairsDef | StepsDef, Field(discriminator="kind")
]
