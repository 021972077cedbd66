"""A creature: body, legs, gait, motion, colours."""

from collections.abc import Iterator
from math import fsum, hypot
from typing import Annotated, Literal

from pydantic import Field, model_validator

from creature_sim.definitions.base import (
    Angle,
    Count,
    Definition,
    Name,
    NotNegative,
    Positive,
    Share,
    Vector2,
    Vector3,
)
from creature_sim.definitions.gaits import PATTERNS, PatternName, duty_factor, offsets, pairs_of

COMFORTABLE_REACH = 0.95
"""Largest distance from hip to foot, as a share of the leg's reach, that a stride may ask for."""
MOST_LEGS = 40
MOST_SEGMENTS = 40

Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$", description="#rrggbb")]
Bones = Annotated[
    tuple[Positive, ...], Field(min_length=2, max_length=12, description="hip to tip [m]")
]


class BodyDef(Definition):
    """The trunk: a box whose centre is the origin of the body frame."""

    size: tuple[Positive, Positive, Positive] = Field(description="length, width, height [m]")
    ride_height: Positive = Field(description="centre of the body above the ground [m]")
    mass: Positive = Field(description="whole creature [kg]")


class SegmentDef(Definition):
    """One more part of the trunk, or several alike: it hangs on the one before it and follows."""

    size: tuple[Positive, Positive, Positive] = Field(description="length, width, height [m]")
    bend: Angle = Field(
        0.6, ge=0.05, le=1.5, description="largest angle against the segment before it [rad]"
    )
    count: Count = Field(1, le=MOST_SEGMENTS, description="so many in a row")


class MotionDef(Definition):
    """How fast the driver's full deflection moves the body, and how it carries itself."""

    speed: Positive = Field(description="forward and back [m/s]")
    strafe_speed: Positive | None = Field(
        None, description="sideways [m/s]; 0.6 of the speed if not written"
    )
    heading: Angle = Field(
        0.0, description="where forward is: 1.5708 walks to its left, as crabs do [rad, body]"
    )
    turn_rate: Positive = Field(description="to either side [rad/s]")
    acceleration: Positive = Field(description="[m/s^2]")
    turn_acceleration: Positive = Field(description="[rad/s^2]")
    lean: NotNegative = Field(
        0.2, le=1.0, description="into accelerations and curves; 1 balances them wholly"
    )
    bob: NotNegative = Field(0.0, le=1.0, description="rise and fall with the steps [m]")
    sway: NotNegative = Field(0.0, le=1.0, description="to the side that stands [m]")


class ReactiveGaitDef(Definition):
    """A foot steps when it is far from where it should stand and its neighbours are down."""

    kind: Literal["reactive"]
    trigger_distance: Positive = Field(description="foot to predicted foothold [m]")
    step_duration: Positive = Field(le=5.0, description="time of one swing [s]")
    step_height: Positive = Field(description="lift at the middle of a swing [m]")
    alternation: Literal["side", "opposite"] = Field(
        description="side: one airborne leg per side; opposite: the other leg of the pair waits"
    )


class CycleDef(Definition):
    """Who steps when: each leg has its place in a cycle that advances with the distance walked."""

    pattern: PatternName | None = Field(
        None, description="a named gait: gives the offsets, and the duty factor if none is written"
    )
    offsets: tuple[Annotated[float, Field(ge=0.0, lt=1.0, strict=True)], ...] = Field(
        (), description="place in the cycle of each leg, in [0, 1); pair by pair, left before right"
    )
    duty_factor: Share | None = Field(
        None, description="share of the cycle that a foot is on the ground"
    )
    stride_length: Positive = Field(description="distance walked in one cycle [m]")


class FasterDef(CycleDef):
    """Another cycle for higher speeds."""

    froude: Positive = Field(
        le=10.0, description="used from this v^2 / (9.81 reach) on, left again below 0.7 of it"
    )


class PhaseGaitDef(CycleDef):
    """A cycle, and others that take over at higher speeds."""

    kind: Literal["phase"]
    step_height: Positive = Field(description="lift at the middle of a swing [m]")
    faster: tuple[FasterDef, ...] = Field((), max_length=8, description="from slow to fast")

    @property
    def cycles(self) -> tuple[CycleDef, ...]:
        """All of them, from slow to fast."""
        return (self, *self.faster)


GaitDef = Annotated[ReactiveGaitDef | PhaseGaitDef, Field(discriminator="kind")]


class LegPairDef(Definition):
    """A left leg and its mirror image on the right; X forward, Y left, Z up in the body frame."""

    mount: Vector3 = Field(description="hip of the left leg [m, body]")
    bones: Bones
    home: Vector2 = Field(description="x, y where the left foot rests on level ground [m, body]")
    pole: Vector3 = Field((0.0, 0.0, 1.0), description="direction that knees point to [body]")
    comfort: Share = Field(
        0.9, description="stretched beyond this share of its reach it slows the body down"
    )
    segment: Annotated[int, Field(strict=True, ge=0)] | Literal["all"] = Field(
        0, description='that it hangs on: 0 is the body; "all": one such pair on every segment'
    )

    @property
    def reach(self) -> float:
        """Sum of the bone lengths [m]."""
        return fsum(self.bones)  # exact: what `sum` gives depends on the version of Python

    @property
    def hole(self) -> float:
        """Radius around the hip that the tip cannot enter: one bone longer than all others [m]."""
        return max(0.0, 2.0 * max(self.bones) - self.reach)


class LegDef(LegPairDef):
    """One leg of its own."""

    segment: Annotated[int, Field(strict=True, ge=0)] = 0
    side: Literal["left", "right"]
    pair: Annotated[int, Field(strict=True, ge=0, lt=1000)] = Field(
        description="legs of one pair share this number; it counts from front to back"
    )


class ColoursDef(Definition):
    """Colours of the parts."""

    body: Colour = "#c8673c"
    legs: Colour = "#4a5a6a"
    feet: Colour = "#e8d8b8"


class CreatureDef(Definition):
    """A body plan and how it walks."""

    name: Name
    body: BodyDef
    motion: MotionDef
    gait: GaitDef
    segments: tuple[SegmentDef, ...] = Field((), description="of the trunk, behind the body")
    leg_pairs: tuple[LegPairDef, ...] = ()
    legs: tuple[LegDef, ...] = ()
    colours: ColoursDef = ColoursDef()

    @property
    def trunk(self) -> tuple[SegmentDef, ...]:
        """Every segment, from the head on."""
        behind = (
            segment.model_copy(update={"count": 1})
            for segment in self.segments
            for _ in range(segment.count)
        )
        return (SegmentDef(size=self.body.size), *behind)

    @property
    def all_legs(self) -> tuple[LegDef, ...]:
        """Every leg, segment by segment.

        Pairs come from front to back, left before right, then the single ones.
        """
        found = []
        pair = 0
        for segment in range(len(self.trunk)):
            for written in self.leg_pairs:
                if written.segment in (segment, "all"):
                    both = {**written.model_dump(), "segment": segment, "pair": pair}
                    found.append(LegDef(**both, side="left"))
                    for key in ("mount", "home", "pole"):
                        both[key] = (both[key][0], -both[key][1], *both[key][2:])
                    found.append(LegDef(**both, side="right"))
                    pair += 1
        return tuple(sorted((*found, *self.legs), key=lambda leg: leg.segment))

    def cycle(self, number: int = 0) -> tuple[tuple[float, ...], float]:
        """Offsets of all legs and the duty factor of one of a phase gait's cycles."""
        gait = self.gait
        assert isinstance(gait, PhaseGaitDef)
        written = gait.cycles[number]
        if written.pattern is None:
            assert written.duty_factor is not None
            return written.offsets, written.duty_factor
        legs = [(leg.pair, leg.side == "right") for leg in self.all_legs]
        duty = written.duty_factor or duty_factor(written.pattern, pairs_of(legs))
        return offsets(written.pattern, legs, duty), duty

    @property
    def imbalance(self) -> str:
        """Why the gait does not keep the body over its feet at all times; empty if it means to."""
        legs, gait = self.all_legs, self.gait
        if len(legs) < 4:
            return f"{len(legs)} legs"
        if isinstance(gait, PhaseGaitDef):
            fewest = min(
                len(legs) - len(lifted)
                for number in range(len(gait.cycles))
                for lifted in _lifted_together(*self.cycle(number))
            )
            return "" if fewest >= 3 else f"{fewest} feet on the ground by design"
        return "" if len(legs) > 4 else "two of four legs may be in the air"

    @model_validator(mode="after")
    def _is_able_to_walk(self) -> "CreatureDef":
        """Refuse a plan whose legs cannot do what its gait asks of them."""
        problems = self._segment_problems() or [*self._leg_problems(), *self._gait_problems()]
        if problems:
            raise ValueError("\n".join(problems))
        return self

    def _segment_problems(self) -> list[str]:
        """What is wrong with how many there are of everything, and where legs hang."""
        count = len(self.trunk)
        if count > MOST_SEGMENTS:
            return [f"segments: expected at most {MOST_SEGMENTS} in all, found {count}"]
        found = [
            f"{key}[{index}].segment: expected 0 to {count - 1}, found {leg.segment}"
            for key, legs in (("leg_pairs", self.leg_pairs), ("legs", self.legs))
            for index, leg in enumerate(legs)
            if leg.segment != "all" and leg.segment >= count
        ]
        legs = len(self.all_legs)
        if not found and not 2 <= legs <= MOST_LEGS:
            return [f"leg_pairs: expected 2 to {MOST_LEGS} legs in all, found {legs}"]
        return found

    def _leg_problems(self) -> list[str]:
        found = []
        for key, leg in self._written_legs():
            stand = self._distance_to_foot(leg, 0.0)
            if stand > COMFORTABLE_REACH * leg.reach:
                found.append(
                    f"{key}.bones: expected a leg that reaches the ground at its home, "
                    f"{stand:.3f} m from the hip, with {100 * COMFORTABLE_REACH:.0f} % of its "
                    f"reach; found a reach of {leg.reach:.3f} m"
                )
            elif stand < leg.hole:
                found.append(
                    f"{key}.home: expected a foot at least {leg.hole:.3f} m from the hip (one bone "
                    f"is longer than all the others), found {stand:.3f} m"
                )
            if not 0.0 < leg.comfort <= COMFORTABLE_REACH:
                found.append(
                    f"{key}.comfort: expected a share of the reach up to {COMFORTABLE_REACH:g}, "
                    f"found {leg.comfort:g}"
                )
            elif stand > leg.comfort * leg.reach:
                found.append(
                    f"{key}.comfort: expected a foot at home within comfort, {stand:.3f} m from "
                    f"the hip; found {leg.comfort:g} of a reach of {leg.reach:.3f} m"
                )
            if hypot(*leg.pole) < 1e-6:
                found.append(f"{key}.pole: expected a direction, found {list(leg.pole)}")
        return found

    def _gait_problems(self) -> list[str]:
        if isinstance(self.gait, PhaseGaitDef):
            return self._cycle_problems(self.gait)
        return self._stride_problem("gait.trigger_distance", self.gait.trigger_distance, 1.0)

    def _stride_problem(self, key: str, value: float, share: float) -> list[str]:
        """Whether a way of the body of `share` of `value` [m] takes a foot out of reach."""
        for leg_key, leg in self._written_legs():
            stretch = self._distance_to_foot(leg, share * value)
            standing = self._distance_to_foot(leg, 0.0)
            if standing <= COMFORTABLE_REACH * leg.reach < stretch:
                return [
                    f"{key}: expected feet that stay within {100 * COMFORTABLE_REACH:.0f} % of "
                    f"their leg's reach; found {value}, which takes the foot of {leg_key} "
                    f"{stretch:.3f} m from the hip of a leg that reaches {leg.reach:.3f} m"
                ]
        return []

    def _cycle_problems(self, gait: PhaseGaitDef) -> list[str]:
        """What is wrong with the cycles of a phase gait."""
        slower = 0.0
        for number, cycle in enumerate(gait.cycles):
            key = f"gait.faster[{number - 1}]" if number else "gait"
            problem = self._pattern_problem(cycle, key)
            if problem:
                return [problem]
            if isinstance(cycle, FasterDef):
                if cycle.froude <= slower:
                    return [f"{key}.froude: expected more than {slower:g}, found {cycle.froude:g}"]
                slower = cycle.froude
            offsets, duty = self.cycle(number)
            found = self._stride_problem(f"{key}.stride_length", cycle.stride_length, 0.5 * duty)
            if not found and cycle.pattern is None:
                found = self._balance_problem(offsets, duty, key)
            if found:
                return found
        return []

    def _balance_problem(self, offsets: tuple[float, ...], duty: float, key: str) -> list[str]:
        """Whether offsets lift both legs of a pair while too few others stand to balance."""
        legs = self.all_legs
        if len(legs) < 4:
            return []
        for lifted in _lifted_together(offsets, duty):
            pairs = [legs[index].pair for index in lifted]
            both = [pair for pair in pairs if pairs.count(pair) > 1]
            if both and len(legs) - len(lifted) < 3:
                return [
                    f"{key}.offsets: expected three feet on the ground while both legs of a pair "
                    f"are in the air, found {len(legs) - len(lifted)} while pair {both[0]} is"
                ]
        return []

    def _pattern_problem(self, cycle: CycleDef, key: str) -> str:
        """What is wrong with the pattern or the offsets of a cycle; empty if nothing."""
        count = len(self.all_legs)
        if cycle.pattern is None:
            if len(cycle.offsets) != count:
                return (
                    f"{key}.offsets: expected one number per leg, {count}, "
                    f"found {len(cycle.offsets)}"
                )
            if cycle.duty_factor is None:
                return f"{key}.duty_factor: expected a value, found none"
            return ""
        if cycle.offsets:
            return f"{key}.offsets: expected none beside pattern {cycle.pattern!r}, found some"
        needed = PATTERNS[cycle.pattern].leg_count
        if needed is not None and count != needed:
            return f"{key}.pattern: expected {needed} legs for {cycle.pattern!r}, found {count}"
        return ""

    def _written_legs(self) -> list[tuple[str, LegPairDef]]:
        """The legs as they stand in the file (the left one of a pair), with their key paths."""
        named: list[tuple[str, LegPairDef]] = [
            (f"leg_pairs[{i}]", leg) for i, leg in enumerate(self.leg_pairs)
        ]
        return [*named, *((f"legs[{i}]", leg) for i, leg in enumerate(self.legs))]

    def _distance_to_foot(self, leg: LegPairDef, sway: float) -> float:
        """Largest distance [m] from the hip to a foot that is `sway` before or behind its home."""
        x = abs(leg.home[0] - leg.mount[0]) + sway
        return hypot(x, leg.home[1] - leg.mount[1], self.body.ride_height + leg.mount[2])


def _lifted_together(offsets: tuple[float, ...], duty: float) -> Iterator[list[int]]:
    """Legs that are in the air at the same time, at every moment at which one lifts."""
    for lifting in offsets:
        phase = (duty - lifting) % 1.0
        yield [
            index for index, offset in enumerate(offsets) if (phase + offset + 1e-9) % 1.0 >= duty
        ]
