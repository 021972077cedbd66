"""A creature: body, legs, gait, motion, colours."""

from typing import Annotated

from pydantic import Field, model_validator

from creature_sim.definitions.gait import (
    MIN_SUPPORT,
    FasterDef,
    GaitDef,
    PhaseGaitDef,
    lifted_together,
)
from creature_sim.definitions.legs import MAX_STRETCH, LegDef, LegPairDef
from creature_sim.files.definition import Angle, Count, Definition, Name, NotNegative, Positive

MAX_LEGS = 40
MAX_SEGMENTS = 40

Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$", description="#rrggbb")]


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
    count: Count = Field(1, le=MAX_SEGMENTS, description="how many of them in a row")


class MotionDef(Definition):
    """How fast the body moves at the driver's full deflection, and how it carries itself."""

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
        assert isinstance(self.gait, PhaseGaitDef)
        legs = [(leg.pair, leg.side == "right") for leg in self.all_legs]
        return self.gait.cycles[number].timing(legs)

    @property
    def imbalance(self) -> str:
        """Why the gait does not keep the body over its feet at all times; empty if it means to."""
        legs, gait = self.all_legs, self.gait
        if len(legs) < 4:
            return f"{len(legs)} legs"
        if isinstance(gait, PhaseGaitDef):
            support = min(
                len(legs) - len(lifted)
                for number in range(len(gait.cycles))
                for lifted in lifted_together(*self.cycle(number))
            )
            return "" if support >= MIN_SUPPORT else f"{support} feet on the ground by design"
        return "" if len(legs) > 4 else "two of four legs may be in the air"

    @model_validator(mode="after")
    def _is_able_to_walk(self) -> "CreatureDef":
        """Refuse a plan whose legs cannot do what its gait asks of them."""
        problems = self._segment_problems() or [*self._leg_problems(), *self._gait_problems()]
        if problems:
            raise ValueError("\n".join(problems))
        return self

    def _segment_problems(self) -> list[str]:
        """What is wrong with the counts of segments and legs, and with where legs are attached."""
        count = len(self.trunk)
        if count > MAX_SEGMENTS:
            return [f"segments: expected at most {MAX_SEGMENTS} in all, found {count}"]
        found = [
            f"{key}[{index}].segment: expected 0 to {count - 1}, found {leg.segment}"
            for key, legs in (("leg_pairs", self.leg_pairs), ("legs", self.legs))
            for index, leg in enumerate(legs)
            if leg.segment != "all" and leg.segment >= count
        ]
        legs = len(self.all_legs)
        if not found and not 2 <= legs <= MAX_LEGS:
            return [f"leg_pairs: expected 2 to {MAX_LEGS} legs in all, found {legs}"]
        return found

    def _leg_problems(self) -> list[str]:
        return [
            problem
            for key, leg in self._written_legs()
            for problem in leg.problems(key, self.body.ride_height)
        ]

    def _gait_problems(self) -> list[str]:
        if isinstance(self.gait, PhaseGaitDef):
            return self._cycle_problems(self.gait)
        return self._stride_problem("gait.trigger_distance", self.gait.trigger_distance, 1.0)

    def _stride_problem(self, key: str, value: float, fraction: float) -> list[str]:
        """Whether the body, moving by a fraction of `value` [m], takes a foot out of reach."""
        height = self.body.ride_height
        for leg_key, leg in self._written_legs():
            stretch = leg.stretch(height, fraction * value)
            if leg.stretch(height) <= MAX_STRETCH * leg.reach < stretch:
                return [
                    f"{key}: expected feet that stay within {100 * MAX_STRETCH:.0f} % of "
                    f"their leg's reach; found {value}, which takes the foot of {leg_key} "
                    f"{stretch:.3f} m from the hip of a leg that reaches {leg.reach:.3f} m"
                ]
        return []

    def _cycle_problems(self, gait: PhaseGaitDef) -> list[str]:
        """What is wrong with the cycles of a phase gait."""
        slower = 0.0
        for number, cycle in enumerate(gait.cycles):
            key = f"gait.faster[{number - 1}]" if number else "gait"
            problem = cycle.problem(len(self.all_legs), key)
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
        for lifted in lifted_together(offsets, duty):
            pairs = [legs[index].pair for index in lifted]
            both = [pair for pair in pairs if pairs.count(pair) > 1]
            if both and len(legs) - len(lifted) < MIN_SUPPORT:
                return [
                    f"{key}.offsets: expected three feet on the ground while both legs of a pair "
                    f"are in the air, found {len(legs) - len(lifted)} while pair {both[0]} is"
                ]
        return []

    def _written_legs(self) -> list[tuple[str, LegPairDef]]:
        """The legs as they stand in the file (the left one of a pair), with their key paths."""
        named: list[tuple[str, LegPairDef]] = [
            (f"leg_pairs[{i}]", leg) for i, leg in enumerate(self.leg_pairs)
        ]
        return [*named, *((f"legs[{i}]", leg) for i, leg in enumerate(self.legs))]
