"""Joints of a leg: how each of its bones may turn against the one before it."""

from math import pi, tau
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from creature_sim.definitions.target import Direction
from creature_sim.files.definition import Definition

Angle = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-tau, le=tau)]
HalfAngle = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0.0, le=tau / 2.0)]
Angles = tuple[Angle, Angle]


def _paired(value: object) -> object:
    """One half-angle as the two of a round cone."""
    return (value, value) if isinstance(value, int | float) else value


Cone = Annotated[
    tuple[HalfAngle, HalfAngle],
    BeforeValidator(_paired, json_schema_input_type=HalfAngle | tuple[HalfAngle, HalfAngle]),
]

PARALLEL = 1e-6
"""Sine of the angle up to which an axis is taken for one of the frame's."""


def _is_along(axis: Direction, index: int) -> bool:
    """Whether an axis is one of its frame's, to either side."""
    length = abs(axis[index])
    return all(abs(part) <= PARALLEL * length for i, part in enumerate(axis) if i != index)


class HingeJointDef(Definition):
    """A joint that turns about one axis; 0 is straight on from the bone before it."""

    kind: Literal["hinge"]
    axis: Direction = Field(
        description="in the frame of the bone before it: X along it, Z to the side of the pole, so "
        "that [0, 1, 0] bends away from the pole; of the first bone X points from the hip to home, "
        "level, and Z up"
    )
    lo: Angle = Field(description="least angle [rad]")
    hi: Angle = Field(description="greatest angle [rad]")
    rest: Angle | None = Field(None, description="angle at rest; none: as the foot at home asks")

    @property
    def mirrored(self) -> "HingeJointDef":
        """The same joint of the other leg of a pair."""
        return self.model_copy(update={"axis": _mirror(self.axis)})

    @model_validator(mode="after")
    def _has_room(self) -> "HingeJointDef":
        _raise(_interval_problems(("lo", "hi"), self.lo, self.hi, self.rest, "rest"))
        return self


class BallJointDef(Definition):
    """A joint that swings within a cone about its rest and twists within an interval."""

    kind: Literal["ball"]
    cone: Cone = Field(
        description="half-angle [rad]; two of them: in the plane of the leg, and out of it"
    )
    twist: Angles = Field(
        (-pi, pi), description="least and greatest turn about the bone itself [rad]"
    )
    rest: Direction | None = Field(
        None,
        description="direction of the bone in the middle of the cone, in the frame that a hinge's "
        "axis has; none: as the foot at home asks",
    )
    swing: Angles | None = Field(
        None,
        description="least and greatest angle from rest in the plane of the leg that its motor "
        "reaches; walks stay within the cone, and a twin that gets up goes beyond [rad]",
    )

    @property
    def mirrored(self) -> "BallJointDef":
        """The same joint of the other leg of a pair."""
        low, high = self.twist
        rest = self.rest and (self.rest[0], -self.rest[1], self.rest[2])
        return self.model_copy(update={"twist": (-high, -low), "rest": rest})

    @model_validator(mode="after")
    def _has_room(self) -> "BallJointDef":
        found = _interval_problems(("twist", "twist"), *self.twist, 0.0, "0, the rest")
        if self.swing:
            found += _interval_problems(("swing", "swing"), *self.swing, 0.0, "0, the rest")
        _raise(found)
        return self


class UniversalJointDef(Definition):
    """Two hinges in one place: about an axis, then about another across it and the bone."""

    kind: Literal["universal"]
    axis: Direction = Field(
        description="of the first, as a hinge's; the second turns about [0, 1, 0] if the first "
        "does about [0, 0, 1], and about [0, 0, 1] if it does about [0, 1, 0]"
    )
    lo: Angles = Field(description="least angles [rad]")
    hi: Angles = Field(description="greatest angles [rad]")
    rest: Angles | None = Field(None, description="angles at rest; none: as the foot at home asks")
    turn: Angles | None = Field(
        None,
        description="of an ankle: least and greatest turn of its sole about the last bone, from "
        "where it points at home; none: the sole points to where the plane of its leg does [rad]",
    )

    @property
    def mirrored(self) -> "UniversalJointDef":
        """The same joint of the other leg of a pair."""
        changes: dict[str, object] = {"axis": _mirror(self.axis)}
        if _is_along(self.axis, 1):  # the second turns about Z, which a mirror turns round
            changes["lo"] = (self.lo[0], -self.hi[1])
            changes["hi"] = (self.hi[0], -self.lo[1])
            changes["rest"] = self.rest and (self.rest[0], -self.rest[1])
        changes["turn"] = self.turn and (-self.turn[1], -self.turn[0])
        return self.model_copy(update=changes)

    @model_validator(mode="after")
    def _has_room(self) -> "UniversalJointDef":
        found = []
        for i in range(2):
            rest = None if self.rest is None else self.rest[i]
            found += _interval_problems(
                (f"lo[{i}]", f"hi[{i}]"), self.lo[i], self.hi[i], rest, f"rest[{i}]"
            )
        if self.turn:
            found += _interval_problems(("turn", "turn"), *self.turn, 0.0, "0, as it stands")
        _raise(found)
        return self


JointDef = Annotated[HingeJointDef | BallJointDef | UniversalJointDef, Field(discriminator="kind")]


def _mirror(axis: Direction) -> Direction:
    """An axis of rotation seen in a mirror at the XZ plane, so that its angle stays as it is."""
    return (-axis[0], axis[1], -axis[2])


def _interval_problems(
    keys: tuple[str, str], low: float, high: float, rest: float | None, rest_key: str
) -> list[str]:
    """What is wrong with the limits of an angle [rad]."""
    names = " and ".join(dict.fromkeys(keys))
    if not low <= high <= low + tau:
        return [
            f"{keys[0]}: expected angles in order, at most a turn apart, found {low:g} and "
            f"{high:g} ({names})"
        ]
    if rest is not None and not low <= rest <= high:
        key = rest_key if rest_key.startswith("rest") else keys[0]
        found = f"{rest:g}" if rest_key.startswith("rest") else f"{low:g} and {high:g}"
        what = (
            f"an angle from {low:g} to {high:g} ({names})"
            if rest_key.startswith("rest")
            else f"angles around {rest_key}"
        )
        return [f"{key}: expected {what}, found {found}"]
    return []


def _raise(problems: list[str]) -> None:
    if problems:
        raise ValueError("\n".join(problems))


def kind_problems(joints: tuple[JointDef, ...], has_foot: bool) -> list[str]:
    """What is wrong with the kinds of joints of a leg: it must stay in a plane that can turn.

    Args:
        joints: of its bones.
        has_foot: whether the last bone stands on a sole.
    """
    found = []
    for index, joint in enumerate(joints):
        key = f"joints[{index}]"
        is_ankle = has_foot and index == len(joints) - 1
        if isinstance(joint, UniversalJointDef) and joint.turn and not is_ankle:
            found.append(
                f"{key}.turn: expected it of the ankle of a foot only, found {list(joint.turn)}"
            )
        if index == 0:
            if not isinstance(joint, BallJointDef) and not _is_along(joint.axis, 2):
                found.append(
                    f"{key}.axis: expected [0, 0, 1] or [0, 0, -1], about which a first joint "
                    f"turns the plane of its leg, found {list(joint.axis)}; others take a ball"
                )
        elif isinstance(joint, BallJointDef) or (
            isinstance(joint, UniversalJointDef) and not is_ankle
        ):
            wanted = '"hinge" or "universal"' if is_ankle else '"hinge"'
            without = "" if has_foot else " without a foot"
            found.append(
                f"{key}.kind: expected {wanted}, for a leg{without} bends in one plane below its "
                f"first joint, found {joint.kind!r}"
            )
        elif not _is_along(joint.axis, 1):
            found.append(
                f"{key}.axis: expected [0, 1, 0] or [0, -1, 0], for a leg bends in one plane "
                f"below its first joint, found {list(joint.axis)}"
            )
    return found
