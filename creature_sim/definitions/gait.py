"""How a creature walks: the two kinds of gait."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from creature_sim.definitions.patterns import PATTERNS, PatternName, duty_factor, offsets, pairs_of
from creature_sim.files.definition import Definition, Fraction, Positive

MIN_SUPPORT = 3
"""Feet on the ground that keep a body balanced."""

MAX_OFFSETS = 4_096
"""Offsets that are read before they are counted."""


class ReactiveGaitDef(Definition):
    """A foot steps when it is far from where it should stand and its neighbours are down."""

    kind: Literal["reactive"]
    trigger_distance: Positive = Field(description="foot to predicted foothold [m]")
    step_duration: Positive = Field(
        le=5.0, description="time of one swing at full speed, if feet can go so fast [s]"
    )
    step_height: Positive = Field(description="height of the foot in the middle of a swing [m]")
    alternation: Literal["side", "opposite"] = Field(
        description="side: one airborne leg per side; opposite: the other leg of the pair waits"
    )


class CycleDef(Definition):
    """Who steps when: each leg has its offset in a cycle that advances with the distance walked."""

    pattern: PatternName | None = Field(
        None, description="a named gait: gives the offsets, and the duty factor if none is written"
    )
    offsets: tuple[Annotated[float, Field(ge=0.0, lt=1.0, strict=True)], ...] = Field(
        (),
        max_length=MAX_OFFSETS,
        description="position of each leg in the cycle, in [0, 1); pair by pair, left before right",
    )
    duty_factor: Fraction | None = Field(
        None, description="fraction of the cycle that a foot is on the ground"
    )
    stride_length: Positive = Field(description="distance walked in one cycle [m]")

    def timing(self, legs: Sequence[tuple[int, bool]]) -> tuple[tuple[float, ...], float]:
        """Offsets of legs, given as their pair and whether right, and the duty factor."""
        if self.pattern is None:
            assert self.duty_factor is not None
            return self.offsets, self.duty_factor
        duty = self.duty_factor or duty_factor(self.pattern, pairs_of(legs))
        return offsets(self.pattern, legs, duty), duty

    def problem(self, leg_count: int, key: str, source: str) -> str:
        """What is wrong with the pattern or the offsets; empty if nothing.

        Args:
            leg_count: of the creature.
            key: of the cycle.
            source: keys that the number of legs comes from.
        """
        if self.pattern is None:
            if not self.offsets:
                return f"{key}: expected a pattern, or offsets of {source}, found neither"
            if len(self.offsets) != leg_count:
                return (
                    f"{key}.offsets: expected one number per leg, {leg_count} of {source}, "
                    f"found {len(self.offsets)}"
                )
            if self.duty_factor is None:
                return f"{key}.duty_factor: expected a number, found none"
            return ""
        if self.offsets:
            return f"{key}.offsets: expected none beside pattern {self.pattern!r}, found some"
        needed = PATTERNS[self.pattern].leg_count
        if needed is not None and leg_count != needed:
            return (
                f"{key}.pattern: expected {needed} legs for {self.pattern!r}, "
                f"found {leg_count} of {source}"
            )
        return ""


class FasterDef(CycleDef):
    """Another cycle for higher speeds."""

    froude: Positive = Field(
        le=10.0, description="used from this v^2 / (9.81 reach) on, left again below 0.7 of it"
    )


class PhaseGaitDef(CycleDef):
    """A cycle, and others that take over at higher speeds."""

    kind: Literal["phase"]
    step_height: Positive = Field(description="height of the foot in the middle of a swing [m]")
    faster: tuple[FasterDef, ...] = Field((), max_length=8, description="from slow to fast")

    @property
    def cycles(self) -> tuple[CycleDef, ...]:
        """All of them, from slow to fast."""
        return (self, *self.faster)


GaitDef = Annotated[ReactiveGaitDef | PhaseGaitDef, Field(discriminator="kind")]


def lifted_together(offsets: tuple[float, ...], duty: float) -> Iterator[list[int]]:
    """Legs that are in the air at the same time, at every moment at which one lifts."""
    for lifting in offsets:
        phase = (duty - lifting) % 1.0
        yield [
            index for index, offset in enumerate(offsets) if (phase + offset + 1e-9) % 1.0 >= duty
        ]
