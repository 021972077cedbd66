"""The legs of a creature: pairs that mirror each other, and single ones."""

from math import fsum, hypot
from typing import Annotated, Literal

from pydantic import Field

from creature_sim.files.definition import Definition, Fraction, Positive, Vector2, Vector3

MAX_STRETCH = 0.95
"""Distance from hip to foot that a stride may ask for, as a fraction of the leg's reach."""

Bones = Annotated[
    tuple[Positive, ...], Field(min_length=2, max_length=12, description="hip to tip [m]")
]


class LegPairDef(Definition):
    """A left leg and its mirror image on the right; X forward, Y left, Z up in the body frame."""

    mount: Vector3 = Field(description="hip of the left leg [m, body]")
    bones: Bones
    home: Vector2 = Field(description="x, y where the left foot rests on level ground [m, body]")
    pole: Vector3 = Field((0.0, 0.0, 1.0), description="direction that knees point to [body]")
    comfort: Fraction = Field(
        0.9,
        description="soft limit: stretched beyond this fraction of its reach it slows the body",
    )
    segment: Annotated[int, Field(strict=True, ge=0)] | Literal["all"] = Field(
        0, description='that it hangs on: 0 is the body; "all": one such pair on every segment'
    )

    @property
    def reach(self) -> float:
        """Sum of the bone lengths [m]."""
        return fsum(self.bones)  # exact: what `sum` gives depends on the version of Python

    @property
    def min_reach(self) -> float:
        """Distance from the hip below which the tip cannot come, as one bone is too long [m]."""
        return max(0.0, 2.0 * max(self.bones) - self.reach)

    def stretch(self, ride_height: float, sway: float = 0.0) -> float:
        """Largest distance from the hip to a foot on level ground [m].

        Args:
            ride_height: of the body's centre [m].
            sway: the foot is this far before or behind its home [m].
        """
        x = abs(self.home[0] - self.mount[0]) + sway
        return hypot(x, self.home[1] - self.mount[1], ride_height + self.mount[2])

    def problems(self, key: str, ride_height: float) -> list[str]:
        """Why the leg cannot stand at its home, as messages that begin with its key."""
        found = []
        stand = self.stretch(ride_height)
        if stand > MAX_STRETCH * self.reach:
            found.append(
                f"{key}.bones: expected a leg that reaches the ground at its home, "
                f"{stand:.3f} m from the hip, with {100 * MAX_STRETCH:.0f} % of its "
                f"reach; found a reach of {self.reach:.3f} m"
            )
        elif stand < self.min_reach:
            found.append(
                f"{key}.home: expected a foot at least {self.min_reach:.3f} m from the hip (one "
                f"bone is longer than all the others), found {stand:.3f} m"
            )
        if not 0.0 < self.comfort <= MAX_STRETCH:
            found.append(
                f"{key}.comfort: expected a fraction of the reach up to {MAX_STRETCH:g}, "
                f"found {self.comfort:g}"
            )
        elif stand > self.comfort * self.reach:
            found.append(
                f"{key}.comfort: expected a foot at home within comfort, {stand:.3f} m from "
                f"the hip; found {self.comfort:g} of a reach of {self.reach:.3f} m"
            )
        if hypot(*self.pole) < 1e-6:
            found.append(f"{key}.pole: expected a direction, found {list(self.pole)}")
        return found


class LegDef(LegPairDef):
    """One leg of its own."""

    segment: Annotated[int, Field(strict=True, ge=0)] = 0
    side: Literal["left", "right"]
    pair: Annotated[int, Field(strict=True, ge=0, lt=1000)] = Field(
        description="legs of one pair share this number; it counts from front to back"
    )
