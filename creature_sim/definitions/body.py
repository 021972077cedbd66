"""The parts of a creature's body: its box, the segments behind it, its head, their colours."""

from typing import Annotated

from pydantic import Field

from creature_sim.files.definition import Count, Definition, Number, Positive
from creature_sim.files.problems import COLOUR_PATTERN

MAX_SEGMENTS = 40

Colour = Annotated[str, Field(pattern=COLOUR_PATTERN, description="#rrggbb")]


class BodyDef(Definition):
    """The trunk: a box whose centre is the origin of the body frame."""

    size: tuple[Positive, Positive, Positive] = Field(description="length, width, height [m]")
    ride_height: Positive = Field(ge=1e-6, description="centre of the body above the ground [m]")
    mass: Positive = Field(description="whole creature [kg]")


class SegmentDef(Definition):
    """One more part of the trunk, or several alike: it hangs on the one before it and follows."""

    size: tuple[Positive, Positive, Positive] = Field(description="length, width, height [m]")
    bend: Number = Field(
        0.6, ge=0.05, le=1.5, description="largest angle against the segment before it [rad]"
    )
    count: Count = Field(1, le=MAX_SEGMENTS, description="how many of them in a row")
    mass: Positive | None = Field(
        None,
        description="of each, of body.mass, for robots; its share by volume if not written [kg]",
    )


class HeadDef(Definition):
    """A head: a box that turns on its neck, which is in the middle of its rear."""

    mount: tuple[Number, Number, Number] = Field(description="of the neck [m, body]")
    size: tuple[Positive, Positive, Positive] = Field(description="length, width, height [m]")
    yaw: Positive = Field(1.0, le=1.5, description="largest to either side [rad]")
    pitch: Positive = Field(0.6, le=1.2, description="largest up and down [rad]")
    mass: Positive | None = Field(
        None, description="of body.mass, for robots; its share by volume if not written [kg]"
    )


class ColoursDef(Definition):
    """Colours of the parts."""

    body: Colour = "#c8673c"
    legs: Colour = "#4a5a6a"
    feet: Colour = "#e8d8b8"
