"""Where a creature starts."""

from pydantic import Field, model_validator

from creature_sim.files.definition import Angle, Definition, Number, Vector2, Vector3


class PlacementDef(Definition):
    """One creature and where it starts."""

    creature: str = Field(
        min_length=1,
        description="name of a built-in creature or of one in `species`, or a path to a file",
    )
    climb: bool = Field(
        False,
        strict=True,
        description="whether its feet hold on walls and ceilings, if its file has no [climb]",
    )
    physical: bool = Field(
        False,
        strict=True,
        description="whether forces move it: its joints have motors, its feet push, it can fall",
    )
    position: Vector2 = Field((0.0, 0.0), description="x, y of the start [m, world]")
    height: Number | None = Field(
        None,
        ge=-1e4,
        le=1e4,
        description="z from which its ground is looked for against `up`; if not written, its ride "
        "height above the floor [m, world]",
    )
    up: Vector3 | None = Field(
        None,
        description="where the ground that it starts on faces: [0, 0, -1] for a ceiling, [1, 0, 0] "
        "for a wall that faces along X; if not written, the topmost ground [world]",
    )
    heading: Angle = Field(
        0.0,
        description="from X towards Y; on a wall from straight up to the creature's left [rad]",
    )
    folded: bool = Field(
        False, strict=True, description="whether it starts lying, with folded legs"
    )
    overturned: bool = Field(
        False, strict=True, description="whether it starts on its back, and turns over"
    )
    alone: bool = Field(
        False,
        strict=True,
        description="whether it is a herd of its own, apart from others of its body plan",
    )

    @model_validator(mode="after")
    def _has_a_direction(self) -> "PlacementDef":
        """Refuse keys that say nothing without others, or against them."""
        if self.up is None:
            if self.height is not None:
                raise ValueError(
                    f"height: expected it beside up, which says on what side the ground is, "
                    f"found {self.height:g} without"
                )
            return self
        if not 1e-3 < max(map(abs, self.up)) <= 1e4:
            raise ValueError(
                f"up: expected a direction, as [0, 0, -1] below a ceiling, found {list(self.up)}"
            )
        for key in ("folded", "overturned"):
            if getattr(self, key):
                raise ValueError(f"{key}: expected a start without up, found {list(self.up)}")
        return self
