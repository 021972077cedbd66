"""What the tip of a chain, or a joint of a tree, follows."""

from math import hypot
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from creature_sim.files.definition import Definition, Name, Positive

FARTHEST = 1e4
"""No position lies farther from the origin than this on any axis [m]."""

Coordinate = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-FARTHEST, le=FARTHEST)]
Place = tuple[Coordinate, Coordinate, Coordinate]
Index = Annotated[int, Field(strict=True, ge=0)]


def _is_direction(value: tuple[float, float, float]) -> tuple[float, float, float]:
    if hypot(*value) < 1e-6:
        raise ValueError(f"expected a direction, found {list(value)}")
    return value


Direction = Annotated[Place, AfterValidator(_is_direction)]


class SplineDef(Definition):
    """A curve through keyframes that the target runs along, again and again.

    The keyframes are given in the frame of the root: the world's, or the body's on a creature.
    """

    kind: Literal["spline"]
    keyframes: Annotated[tuple[Place, ...], Field(min_length=2, max_length=1000)] = Field(
        description="positions that the curve goes through [m]"
    )
    closed: bool = Field(
        True, strict=True, description="on from the last to the first; if not, there and back"
    )
    ease: Literal["each", "whole", "none"] = Field(
        "each", description="smoothstep: rests at each keyframe, or at the ends of the curve only"
    )
    period: Positive = Field(ge=0.001, description="time until it repeats [s]")
    shift: Annotated[float, Field(strict=True, ge=0.0, lt=1.0)] = Field(
        0.0, description="fraction of the period that is over at the start"
    )


class MouseDef(Definition):
    """A target that is dragged in the window; until then, and without one, it stays."""

    kind: Literal["mouse"]
    start: Place = Field(description="[m, world]")


class CommandDef(Definition):
    """A target that is set from outside: `--target X,Y,Z`, or an event."""

    kind: Literal["command"]
    start: Place = Field(description="until it is set [m, world]")


class BodyTargetDef(Definition):
    """A creature's body."""

    kind: Literal["creature-body"]
    creature: Index = Field(description="its index in `creatures`")
    offset: Place = Field((0.0, 0.0, 0.0), description="from the body's centre [m, body]")


class TipTargetDef(Definition):
    """The tip of another chain, where it was after the last tick."""

    kind: Literal["chain-tip"]
    chain: Name


TargetDef = Annotated[
    SplineDef | MouseDef | CommandDef | BodyTargetDef | TipTargetDef, Field(discriminator="kind")
]
