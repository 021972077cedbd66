"""A chain: an arm, a tentacle, a crane; its bones, limits, and what its tip follows."""

from math import fsum, hypot, tau
from typing import Annotated, Literal

from pydantic import Field, model_validator

from creature_sim.definitions.body import Colour
from creature_sim.definitions.joints import Angle, Cone
from creature_sim.definitions.model import ChainModelDef
from creature_sim.definitions.target import Direction, Index, Place, TargetDef
from creature_sim.files.definition import Definition, Name

Length = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=1e-3, le=1e3)]


class FreeDef(Definition):
    """A joint that turns as it likes."""

    kind: Literal["free"]


class BallDef(Definition):
    """A joint that swings within a cone and twists within an interval."""

    kind: Literal["ball"]
    cone: Cone = Field(
        description="half-angle [rad]; two of them: about `axis`, and across it (elliptic)"
    )
    twist: tuple[Angle, Angle] = Field(
        (-tau / 2.0, tau / 2.0), description="least and greatest turn about the bone itself [rad]"
    )
    axis: Direction | None = Field(None, description="first axis of an elliptic cone")


class HingeDef(Definition):
    """A joint that turns about one axis; 0 is straight on."""

    kind: Literal["hinge"]
    axis: Direction = Field(description="at the start pose; the parent bone carries it")
    lo: Angle = Field(description="least angle [rad]")
    hi: Angle = Field(description="greatest angle [rad]")


class ShoulderDef(Definition):
    """A ball that swings 90 degrees to any side."""

    kind: Literal["shoulder"]


class ElbowDef(Definition):
    """A hinge that bends one way only, up to 150 degrees."""

    kind: Literal["elbow"]
    axis: Direction = Field(description="at the start pose; the parent bone carries it")


class WristDef(Definition):
    """A ball that swings 45 degrees about one axis, 30 about the other, and twists 90."""

    kind: Literal["wrist"]


LimitDef = Annotated[
    FreeDef | BallDef | HingeDef | ShoulderDef | ElbowDef | WristDef, Field(discriminator="kind")
]


class RigColoursDef(Definition):
    """Colours of the parts."""

    bones: Colour = "#4a5a6a"
    joints: Colour = "#c8673c"
    target: Colour = "#ffc81a"


class ChainDef(Definition):
    """Bones one after another from a root; the tip follows a target."""

    name: Name
    root: Place = Field(description="[m, world]; on a creature [m, body]")
    creature: Index | None = Field(
        None, description="index of the creature in `creatures` that carries the root"
    )
    bones: Annotated[tuple[Length, ...], Field(min_length=1, max_length=200)] = Field(
        description="root to tip [m]"
    )
    direction: Direction = Field(
        (0.0, 0.0, 1.0), description="of the chain at rest; the first limit is measured from it"
    )
    pose: tuple[Direction, ...] = Field(
        (),
        max_length=200,
        description="direction of each bone at the start; none: all along `direction`",
    )
    pole: Direction | None = Field(None, description="direction that inner joints bend to")
    limits: tuple[LimitDef, ...] = Field(
        (),
        max_length=200,
        description="one per bone, relative to its parent; or a single one, for all bones",
    )
    planar: bool = Field(
        False, strict=True, description="all joints stay in the XY plane through the root"
    )
    target: TargetDef
    radius: tuple[Length, Length] | None = Field(
        None, description="of the drawing at the root and at the tip [m]"
    )
    stand: bool = Field(False, strict=True, description="whether a post is drawn below the root")
    colours: RigColoursDef = RigColoursDef()
    model: ChainModelDef | None = None

    @property
    def reach(self) -> float:
        """Sum of the bone lengths [m]."""
        return fsum(self.bones)

    @model_validator(mode="after")
    def _is_whole(self) -> "ChainDef":
        """Refuse counts that do not fit, and limits that leave no angle."""
        problems = self._count_problems() + self._limit_problems()
        if self.planar:
            problems += self._plane_problems()
        if problems:
            raise ValueError("\n".join(problems))
        return self

    def _count_problems(self) -> list[str]:
        count = len(self.bones)
        found = self.model.count_problems(count) if self.model else []
        if len(self.pose) not in (0, count):
            found.append(f"pose: expected one for each of bones, {count}, found {len(self.pose)}")
        if len(self.limits) not in (0, 1, count):
            found.append(
                f"limits: expected one for each of bones, {count}, or one for all, "
                f"found {len(self.limits)}"
            )
        return found

    def _limit_problems(self) -> list[str]:
        found = []
        for index, limit in enumerate(self.limits):
            if isinstance(limit, HingeDef):
                key, (low, high) = "lo and hi", (limit.lo, limit.hi)
            elif isinstance(limit, BallDef):
                key, (low, high) = "twist", limit.twist
            else:
                continue
            if not low <= high <= low + tau:
                found.append(
                    f"limits[{index}].{key.split()[0]}: expected angles in order, at most a turn "
                    f"apart, found {low:g} and {high:g} ({key})"
                )
        return found

    def _plane_problems(self) -> list[str]:
        found = []
        given = [("direction", self.direction)]
        given += [(f"pose[{index}]", direction) for index, direction in enumerate(self.pose)]
        if self.pole is not None:
            given.append(("pole", self.pole))
        found = [
            f"{key}: expected a direction in the plane of a planar chain (z = 0), "
            f"found {list(direction)}"
            for key, direction in given
            if direction[2] != 0.0
        ]
        found += [
            f"limits[{index}].axis: expected the normal of a planar chain, [0, 0, 1] or "
            f"[0, 0, -1], found {list(limit.axis)}"
            for index, limit in enumerate(self.limits)
            if isinstance(limit, HingeDef | ElbowDef) and hypot(limit.axis[0], limit.axis[1]) > 0.0
        ]
        return found
