"""Ground with walls, roofs and undersides: wall, tunnel, overhang, pillar, sphere."""

from typing import Literal

from pydantic import Field, model_validator

from creature_sim.definitions.base import Definition, NotNegative, Positive
from creature_sim.definitions.terrain import Boundless

FARTHEST_EDGE = 31.0
"""What stands on the ground keeps within this of the origin along X and Y [m]."""


def _keep_inside(end: float, key: str, what: str, found: str) -> None:
    """Refuse what would end beyond FARTHEST_EDGE."""
    if end > FARTHEST_EDGE:
        raise ValueError(f"{key}: expected {what} within {FARTHEST_EDGE:g} m, found {found}")


class WallDef(Boundless):
    """A wall before and one behind the origin, across X, with a gate in each."""

    kind: Literal["wall"]
    height: Positive = Field(le=30.0, description="[m]")
    distance: Positive = Field(
        ge=0.1, le=30.0, description="from the origin to their near faces, along X [m]"
    )
    thickness: Positive = Field(0.3, ge=0.05, le=10.0, description="[m]")
    gate: NotNegative = Field(
        0.0, le=40.0, description="width of the opening in the middle; 0 leaves none [m]"
    )

    @model_validator(mode="after")
    def _is_inside(self) -> "WallDef":
        found = f"{self.distance:g} m and {self.thickness:g} m of thickness"
        _keep_inside(self.distance + self.thickness, "distance", "walls that end", found)
        return self


class TunnelDef(Definition):
    """A straight tunnel along X, whose middle is the origin: two walls and a level roof."""

    kind: Literal["tunnel"]
    width: Positive = Field(ge=0.2, le=30.0, description="from wall to wall [m]")
    height: Positive = Field(ge=0.1, le=30.0, description="from the floor to the ceiling [m]")
    length: Positive = Field(12.0, ge=0.5, le=62.0, description="[m]")
    thickness: Positive = Field(0.3, ge=0.05, le=10.0, description="of walls and roof [m]")

    @model_validator(mode="after")
    def _is_inside(self) -> "TunnelDef":
        found = f"{self.width:g} m and {self.thickness:g} m of thickness"
        _keep_inside(0.5 * self.width + self.thickness, "width", "walls that end", found)
        return self


class OverhangDef(Definition):
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
        _keep_inside(self.depth - self.distance, "depth", "a ledge that ends", found)
        return self


class PillarDef(Boundless):
    """Round pillars on level ground; the origin is in the middle of four."""

    kind: Literal["pillar"]
    radius: Positive = Field(ge=0.02, le=10.0, description="[m]")
    height: Positive = Field(le=30.0, description="[m]")
    spacing: Positive = Field(ge=1.5, le=32.0, description="from axis to axis [m]")

    @model_validator(mode="after")
    def _pillars_fit(self) -> "PillarDef":
        if 2.0 * self.radius >= self.spacing:
            raise ValueError(
                f"radius: expected less than half the spacing, {0.5 * self.spacing:g} m, found "
                f"{self.radius:g}"
            )
        return self


class SphereDef(Definition):
    """A small planet: a ball whose top is the origin; weight points to its middle."""

    kind: Literal["sphere"]
    radius: Positive = Field(ge=1.0, le=30.0, description="[m]")
