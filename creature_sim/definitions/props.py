"""Objects that stay, move and turn, or are pushed: boxes, planks, ramps, balls, cylinders."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from creature_sim.definitions.target import Place
from creature_sim.files.definition import Angle, Definition, NotNegative, Positive
from creature_sim.files.problems import shown

MOST_PROPS = 256

Length = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0.01, le=60.0)]
Rate = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-20.0, le=20.0)]

_SIZES = {
    "ball": {"radius": "a length"},
    "cylinder": {"radius": "a length", "length": "a length"},
}
"""What shapes need, other than a size."""


class PropDef(Definition):
    """An object on the ground; feet that stand on it move with it."""

    shape: Literal["box", "plank", "ramp", "ball", "cylinder"] = Field(
        description="a ramp is half a box, cut along its diagonal: it rises along its X; "
        "the axis of a cylinder is its own Z"
    )
    size: tuple[Length, Length, Length] | None = Field(
        None, description="along its own X, Y and Z; of boxes, planks and ramps [m]"
    )
    radius: Length | None = Field(None, description="of a ball or a cylinder [m]")
    length: Length | None = Field(None, description="of a cylinder along its axis [m]")
    position: Place | None = Field(
        None, description="of its middle, where there are no waypoints [m, world]"
    )
    rotation: tuple[Angle, Angle, Angle] = Field(
        (0.0, 0.0, 0.0), description="roll, pitch, yaw: about X, then Y, then Z [rad]"
    )
    motion: Literal["static", "kinematic", "dynamic"] = Field(
        "static", description="stays; follows its waypoints, turns; is pushed, and falls"
    )
    waypoints: Annotated[tuple[Place, ...], Field(max_length=1000)] = Field(
        (), description="that its middle goes through, round and round; kinematic [m, world]"
    )
    period: Positive | None = Field(None, ge=0.001, description="of one round; kinematic [s]")
    phase: Annotated[float, Field(strict=True, ge=0.0, lt=1.0)] = Field(
        0.0, description="fraction of the round that is done at the start; kinematic"
    )
    spin: tuple[Rate, Rate, Rate] | None = Field(
        None,
        description="angular velocity with which it turns about its middle, for ever; "
        "kinematic [rad/s, world]",
    )
    mass: Positive | None = Field(None, description="dynamic [kg]")
    friction: NotNegative = Field(
        0.6, description="coefficient of friction of dynamic objects against it"
    )

    @model_validator(mode="after")
    def _is_whole(self) -> "PropDef":
        """Refuse what a shape or a motion needs and has not, or has and does not need."""
        problems = []
        what = f"where shape is {self.shape!r}"
        needed = _SIZES.get(self.shape, {"size": "three lengths"})
        for key in ("size", "radius", "length"):
            if key in needed:
                problems += self._needs(key, what, needed[key])
            else:
                problems += self._needs_not(key, what)
        what = f"where motion is {self.motion!r}"
        if self.motion == "kinematic":
            problems += self._moves(what)
        else:
            problems += self._needs("position", what, "a position")
            for key in ("waypoints", "period", "phase", "spin"):
                problems += self._needs_not(key, what)
        if self.motion == "dynamic":
            problems += self._needs("mass", what, "a mass")
        else:
            problems += self._needs_not("mass", what)
        if problems:
            raise ValueError("\n".join(problems))
        return self

    def _moves(self, what: str) -> list[str]:
        """Problems of what has waypoints, or a spin, or both."""
        problems = []
        if self.spin is not None and not any(self.spin):
            problems.append(f"spin: expected one that is not 0, found {shown(self.spin)}")
        if self.waypoints:
            problems += self._needs("period", what, "a time")
            problems += self._needs_not("position", "where there are waypoints")
            if len(self.waypoints) < 2:
                problems.append(
                    f"waypoints: expected two or more {what}, found {len(self.waypoints)}"
                )
            return problems
        if self.spin is None:
            return [f"waypoints: expected two or more, or a spin, {what}, found neither"]
        what = "where there are no waypoints"
        problems += self._needs("position", what, "a position")
        for key in ("period", "phase"):
            problems += self._needs_not(key, what)
        return problems

    def _needs(self, key: str, what: str, expected: str) -> list[str]:
        missing = getattr(self, key) is None
        return [f"{key}: expected {expected} {what}, found none"] if missing else []

    def _needs_not(self, key: str, what: str) -> list[str]:
        found = getattr(self, key)
        return [f"{key}: expected none {what}, found {shown(found)}"] if found else []
