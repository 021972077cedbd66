"""What the feet of a creature that climbs hold on to, and how firmly."""

from collections.abc import Sequence
from math import cos, fsum, pi, sqrt

from pydantic import Field

from creature_sim.definitions.legs import LegDef
from creature_sim.files.definition import Definition, NotNegative, Number, Positive

LEAST_OVERHANG = 0.8
"""Feet of who does not climb stand on ground as steep as this [rad]."""


class ClimbDef(Definition):
    """What its feet hold on to: with it a creature climbs, without it walls stop it."""

    overhang: Number = Field(
        pi,
        ge=LEAST_OVERHANG,
        le=pi,
        description="steepest ground that feet hold on to; 1.5708: walls, 3.1416: ceilings [rad]",
    )
    grip: Positive = Field(
        0.5,
        le=100.0,
        description="pull that one foot holds, as a multiple of the creature's weight: with 0.5 "
        "two of its feet hold it on a ceiling",
    )
    hold: NotNegative = Field(
        0.0, description="narrowest ground that a foot steps onto; 0: whatever its rays find [m]"
    )
    weight_keeps: bool = Field(
        False,
        strict=True,
        description="whether it falls where the feet that stand hold less than its weight; if not, "
        "any of them is enough",
    )

    @property
    def pull(self) -> float:
        """How much of its weight feet have to hold on the steepest ground that they hold on to."""
        cosine = max(0.0, cos(self.overhang))
        return sqrt(1.0 - cosine * cosine)

    def problems(self, legs: Sequence[LegDef]) -> list[str]:
        """What is wrong with it on these legs."""
        found = []
        if self.grip * len(legs) < self.pull:
            found.append(
                f"climb.grip: expected at least {self.pull / len(legs):.3g}, with which all "
                f"{len(legs)} feet together hold the creature where it is steepest "
                f"(climb.overhang {self.overhang:g}), found {self.grip:g}"
            )
        reach = fsum(leg.reach for leg in legs) / len(legs)
        if self.hold > reach:
            found.append(
                f"climb.hold: expected at most {reach:.3g}, the reach of its legs, "
                f"found {self.hold:g}: feet would stand on nothing"
            )
        return found
