"""The legs of a creature: pairs that mirror each other, and single ones."""

from math import fsum, hypot
from typing import Annotated, Literal

from pydantic import Field

from creature_sim.files.definition import Definition, Fraction, Positive, Vector2, Vector3

MAX_STRETCH = 0.95
"""Distance from hip to foot that a stride may ask for, as a fraction of the leg's reach."""
NEAREST = 0.3
"""No foot is planted nearer to its hip than this fraction of its reach."""
HIP, TIP = 0.050, 0.019
"""Radius of a leg at its hip and at its tip over its reach."""
PAD = 0.050
"""Radius of the pad of a foot over the reach of its leg."""
THICKEST = 0.27
"""Largest radius of a leg at its hip, over the height of the body."""
FARTHEST_PLANTED = 1.5
"""Where it would be too near, it is planted at most this many times as far beside the hip."""

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
    def pad(self) -> float:
        """Radius of the foot's pad [m]: what is drawn, and what it stands on."""
        return PAD * self.reach

    @property
    def min_reach(self) -> float:
        """Distance from the hip below which the tip cannot come, as one bone is too long [m]."""
        return max(0.0, 2.0 * max(self.bones) - self.reach)

    def radii(self, body_height: float) -> tuple[float, ...]:
        """Radius of the leg at each of its joints, hip to tip [m]: what is drawn and collides.

        Args:
            body_height: of the creature's body [m].
        """
        hip = min(HIP * self.reach, THICKEST * body_height)
        tip = TIP * self.reach
        done = [fsum(self.bones[:count]) / self.reach for count in range(len(self.bones) + 1)]
        return tuple(hip + (tip - hip) * fraction for fraction in done)

    def stretch(self, ride_height: float, sway: float = 0.0) -> float:
        """Largest distance from the hip to a foot on level ground [m].

        Args:
            ride_height: of the body's centre [m].
            sway: the foot is this far before or behind its home [m].
        """
        x = abs(self.home[0] - self.mount[0]) + sway
        return hypot(x, self.home[1] - self.mount[1], ride_height + self.mount[2])

    def stance_problem(self, ride_height: float, key: str) -> str:
        """Why the leg cannot stand at its home, as "expected, found"; empty if it can.

        Args:
            ride_height: of the body's centre [m].
            key: of the leg.
        """
        stand, reach = self.stretch(ride_height), self.reach
        beside = hypot(self.home[0] - self.mount[0], self.home[1] - self.mount[1])
        farthest = hypot(FARTHEST_PLANTED * beside, ride_height + self.mount[2])
        if stand > MAX_STRETCH * reach:
            limit = f"at most {MAX_STRETCH * reach:.3f} m"
            why = f"{100 * MAX_STRETCH:.0f} % of the reach of {key}.bones"
        elif stand < self.min_reach:
            limit = f"at least {self.min_reach:.3f} m"
            why = f"one of {key}.bones is longer than all the others"
        elif farthest < NEAREST * reach:
            limit = f"at least {NEAREST * reach:.3f} m"
            why = f"{100 * NEAREST:.0f} % of the reach of {key}.bones"
        else:
            return ""
        return (
            f"expected a foot that stands {limit} from its hip ({why}), found it {stand:.3f} m "
            f"away (home, mount; body.ride_height {ride_height:g})"
        )

    def other_problems(self, ride_height: float, key: str) -> list[str]:
        """What else is wrong with a leg that can stand at its home."""
        found = []
        stand, reach = self.stretch(ride_height), self.reach
        if self.comfort > MAX_STRETCH:
            found.append(f"{key}.comfort: expected at most {MAX_STRETCH:g}, found {self.comfort:g}")
        elif stand > self.comfort * reach:
            found.append(
                f"{key}.comfort: expected more than {stand / reach:.3f}, for the foot stands "
                f"{stand:.3f} m from the hip (home, mount; body.ride_height {ride_height:g}) of a "
                f"leg that reaches {reach:.3f} m (bones), found {self.comfort:g}"
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
