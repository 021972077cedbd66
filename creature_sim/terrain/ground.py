"""What the definitions of all kinds of ground share: whether they go on, and their level parts."""

from typing import Annotated

from pydantic import Field

from creature_sim.files.definition import Definition

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


class GroundDef(Definition):
    """Ground of any kind: the table `[terrain]` of a world, a layer's ground or a patch.

    Attributes:
        kind: name of the kind; each model declares it as a `Literal` of its own name.
    """

    kind: str


class Boundless(GroundDef):
    """Ground that can be computed anywhere, however far from the origin."""

    endless: bool = Field(
        False,
        strict=True,
        description="ground goes on without a border, computed where creatures walk",
    )


class SmoothGround(Boundless):
    """Ground without edges: heights at nodes."""


def is_endless(definition: GroundDef) -> bool:
    """Whether a ground goes on without a border."""
    return isinstance(definition, Boundless) and definition.endless


def check_fits(size: float, spacing: float) -> None:
    """Refuse things that are larger [m] than the squares of the grid that they stand in."""
    if size > spacing:
        raise ValueError(f"size: expected at most the spacing, {spacing:g} m, found {size:g}")


FARTHEST_EDGE = 31.0
"""Walls and roofs keep within this distance of the origin along X and Y [m]."""


def check_inside(end: float, key: str, what: str, found: str) -> None:
    """Refuse what would end beyond FARTHEST_EDGE."""
    if end > FARTHEST_EDGE:
        raise ValueError(f"{key}: expected {what} within {FARTHEST_EDGE:g} m, found {found}")
