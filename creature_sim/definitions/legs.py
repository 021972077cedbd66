"""The legs of a creature: pairs that mirror each other, and single ones."""

from math import fsum, hypot
from typing import Annotated, Literal

from pydantic import Field, model_validator

from creature_sim.definitions.forbidding import forbidding
from creature_sim.definitions.hinging import Hip, Joint
from creature_sim.definitions.joints import JointDef, kind_problems
from creature_sim.files.definition import (
    Definition,
    Fraction,
    NotNegative,
    Positive,
    Vector2,
    Vector3,
)

MAX_STRETCH = 0.95
"""Distance from hip to foot that a stride may ask for, as a fraction of the leg's reach."""
NEAREST = 0.3
"""No foot is planted nearer to its hip than this fraction of its reach."""
HIP, TIP = 0.050, 0.019
"""Radius of a leg at its hip and at its tip over its reach."""
PAD = 0.050
"""Radius of the pad of a foot, and half of the width of a sole, over the reach of its leg..."""
PAD_OVER_TIP = (1.15, 2.6)
"""...and its least and largest over the radius of the leg there, where that is written."""
FLATNESS = 0.45
"""Height of a foot's pad over its width."""
SOLE = 0.022
"""Height of a sole over the reach of its leg: its underside is at the tip."""
THICKEST = 0.27
"""Largest radius of a leg at its hip, over the height of the body."""
FARTHEST_PLANTED = 1.5
"""Where it would be too near, it is planted at most this many times as far beside the hip."""

Bones = Annotated[
    tuple[Positive, ...], Field(min_length=2, max_length=12, description="hip to tip [m]")
]


class FootDef(Definition):
    """A flat sole below the last bone, which stands upright on it; it touches at both its ends."""

    heel: NotNegative = Field(description="behind the last bone [m]")
    toe: NotNegative = Field(description="ahead of it [m]")


class LegPairDef(Definition):
    """A left leg and its mirror image on the right; X forward, Y left, Z up in the body frame."""

    mount: Vector3 = Field(description="hip of the left leg [m, body]")
    bones: Bones
    home: Vector2 = Field(description="x, y where the left foot rests on level ground [m, body]")
    pole: Vector3 = Field((0.0, 0.0, 1.0), description="direction that knees point to [body]")
    joints: tuple[JointDef, ...] = Field(
        (), max_length=12, description="one at the root of each bone; none: as home and pole ask"
    )
    thickness: tuple[Positive, ...] = Field(
        (), max_length=12, description="diameter of each bone [m]; none: tapers with the reach"
    )
    foot: FootDef | None = Field(
        None, description="flat sole: the last bone goes from the ankle down to it"
    )
    comfort: Fraction = Field(
        0.9,
        description="soft limit: stretched beyond this fraction of its reach it slows the body",
    )
    mass: Positive | None = Field(
        None,
        description="of each, of body.mass, for robots; its share by volume if not written [kg]",
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
        """Radius of the foot's pad, or half of the width of its sole [m]: what it stands on."""
        usual = PAD * self.reach
        if not self.thickness:
            return usual
        least, largest = (0.5 * self.thickness[-1] * ratio for ratio in PAD_OVER_TIP)
        return min(max(usual, least), largest)

    @property
    def toes_side(self) -> float:
        """1 where toes point along the Z of the last bone, -1 where knees point back: against."""
        return 1.0 if self.pole[0] >= 0.0 else -1.0

    @property
    def sole(self) -> tuple[tuple[float, float, float], float]:
        """Half of the size of its sole, and how far its middle is ahead of the tip [m].

        Of a leg with a foot.
        """
        foot = self.foot or FootDef(heel=0.0, toe=0.0)
        half = 0.5 * (foot.heel + foot.toe), self.pad, 0.5 * SOLE * self.reach
        return half, 0.5 * (foot.toe - foot.heel)

    @property
    def contacts(self) -> tuple[float, float]:
        """How far ahead of its tip a foot's pad, or the ends of its sole, stand on the ground [m].

        Discs of radius `pad` about them are what it stands on: they end at its heel and its toe.
        """
        if self.foot is None:
            return (0.0, 0.0)
        middle = 0.5 * (self.foot.toe - self.foot.heel)
        half = max(0.0, 0.5 * (self.foot.toe + self.foot.heel) - self.pad)
        return (middle - half, middle + half)

    @property
    def min_reach(self) -> float:
        """Distance from the hip below which the tip cannot come, as one bone is too long [m]."""
        return max(0.0, 2.0 * max(self.bones) - self.reach)

    def radii(self, body_height: float) -> tuple[float, ...]:
        """Radius of the leg at each of its joints, hip to tip [m]: what is drawn and collides.

        Args:
            body_height: of the creature's body [m].
        """
        if self.thickness:
            halves = [0.5 * width for width in self.thickness]
            return (*halves, halves[-1])
        hip = min(HIP * self.reach, THICKEST * body_height)
        tip = TIP * self.reach
        done = [fsum(self.bones[:count]) / self.reach for count in range(len(self.bones) + 1)]
        return tuple(hip + (tip - hip) * fraction for fraction in done)

    def joint_numbers(self, ride_height: float, sway: float = 0.0) -> tuple[Joint, ...]:
        """The joint at the root of each bone; see `Joint`.

        Args:
            ride_height: of the body's centre [m].
            sway: the foot goes this far from its home in a stride [m].
        """
        return Hip(self, ride_height).joints(sway)

    @model_validator(mode="after")
    def _has_whole_bones(self) -> "LegPairDef":
        """Refuse joints and thicknesses that do not fit the bones."""
        count = len(self.bones)
        found = [
            f"{key}: expected one for each of bones, {count}, found {len(given)}"
            for key, given in (("joints", self.joints), ("thickness", self.thickness))
            if given and len(given) != count
        ]
        if self.foot and count < 3:
            found.append(f"bones: expected at least 3 of a leg with a foot, found {count}")
        if not found:
            found += kind_problems(self.joints, self.foot is not None)
            found += [
                f"thickness[{index}]: expected at most {bone:g}, the length of bones[{index}], "
                f"found {width:g}"
                for index, (width, bone) in enumerate(zip(self.thickness, self.bones, strict=False))
                if width > bone
            ]
        if found:
            raise ValueError("\n".join(found))
        return self

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
        elif self.joints and not found:
            home = (*self.home, -ride_height)
            forbidden = forbidding(Hip(self, ride_height), self.joints, home)
            if forbidden:
                found.append(
                    f"{key}.joints[{forbidden.joint}]: expected limits within which the foot "
                    f"stands at home, found that it would need {forbidden.text} (home, mount, "
                    f"bones; body.ride_height {ride_height:g})"
                )
        return found


class LegDef(LegPairDef):
    """One leg of its own, where it is: nothing of it is mirrored."""

    mount: Vector3 = Field(description="hip [m, body]; Y is to the left, negative on the right")
    home: Vector2 = Field(
        description="x, y where the foot rests on level ground [m, body]; Y as that of mount"
    )
    segment: Annotated[int, Field(strict=True, ge=0)] = 0
    side: Literal["left", "right"]
    pair: Annotated[int, Field(strict=True, ge=0, lt=1000)] = Field(
        description="legs of one pair share this number; it counts from front to back"
    )
