"""A creature: body, legs, gait, motion, colours."""

from collections.abc import Sequence
from itertools import pairwise
from math import fsum, log, prod
from typing import Annotated

from pydantic import Field, model_validator

from creature_sim.definitions.climbing import ClimbDef
from creature_sim.definitions.gait import (
    MIN_SUPPORT,
    FasterDef,
    GaitDef,
    PhaseGaitDef,
    lifted_together,
)
from creature_sim.definitions.hinging import Joint
from creature_sim.definitions.legs import MAX_STRETCH, NEAREST, LegDef, LegPairDef
from creature_sim.definitions.model import ModelDef
from creature_sim.files.definition import (
    Angle,
    Count,
    Definition,
    Name,
    NotNegative,
    Number,
    Positive,
)
from creature_sim.files.problems import COLOUR_PATTERN

MAX_LEGS = 40
MAX_SEGMENTS = 40
MAX_PARTS = 4_096
"""Tables of legs, pairs and segments that are read before they are counted."""

Colour = Annotated[str, Field(pattern=COLOUR_PATTERN, description="#rrggbb")]


class BodyDef(Definition):
    """The trunk: a box whose centre is the origin of the body frame."""

    size: tuple[Positive, Positive, Positive] = Field(description="length, width, height [m]")
    ride_height: Positive = Field(description="centre of the body above the ground [m]")
    mass: Positive = Field(description="whole creature [kg]")


class SegmentDef(Definition):
    """One more part of the trunk, or several alike: it hangs on the one before it and follows."""

    size: tuple[Positive, Positive, Positive] = Field(description="length, width, height [m]")
    bend: Number = Field(
        0.6, ge=0.05, le=1.5, description="largest angle against the segment before it [rad]"
    )
    count: Count = Field(1, le=MAX_SEGMENTS, description="how many of them in a row")
    mass: Positive | None = Field(
        None,
        description="of each, of body.mass, for robots; its share by volume if not written [kg]",
    )


class HeadDef(Definition):
    """A head: a box that turns on its neck, which is in the middle of its rear."""

    mount: tuple[Number, Number, Number] = Field(description="of the neck [m, body]")
    size: tuple[Positive, Positive, Positive] = Field(description="length, width, height [m]")
    yaw: Positive = Field(1.0, le=1.5, description="largest to either side [rad]")
    pitch: Positive = Field(0.6, le=1.2, description="largest up and down [rad]")
    mass: Positive | None = Field(
        None, description="of body.mass, for robots; its share by volume if not written [kg]"
    )


class MotionDef(Definition):
    """How fast the body moves at the driver's full deflection, and how it carries itself."""

    speed: Positive = Field(description="forward and back [m/s]")
    run_speed: Positive | None = Field(
        None,
        description="forward, of one that is told to run, in cycles with a flight; it does not run "
        "if not written [m/s]",
    )
    strafe_speed: Positive | None = Field(
        None, description="sideways [m/s]; 0.6 of the speed if not written"
    )
    heading: Angle = Field(
        0.0, description="where forward is: 1.5708 walks to its left, as crabs do [rad, body]"
    )
    turn_rate: Positive = Field(description="to either side [rad/s]")
    acceleration: Positive = Field(description="[m/s^2]")
    turn_acceleration: Positive = Field(description="[rad/s^2]")
    load: NotNegative = Field(
        0.0, le=3.0, description="mass that it carries, as a fraction of its own"
    )
    lean: NotNegative = Field(
        0.2, le=1.0, description="into accelerations and curves; 1 balances them wholly"
    )
    bob: NotNegative = Field(0.0, le=1.0, description="rise and fall with the steps [m]")
    sway: NotNegative = Field(0.0, le=1.0, description="to the side that stands [m]")
    weight: NotNegative = Field(
        1.0, le=2.0, description="how much the body shows of its weight; 0: it goes as on rails"
    )
    idle: NotNegative = Field(
        1.0, le=2.0, description="how much the body moves while it stands; 0: it stands still"
    )
    frequency: Positive | None = Field(
        None,
        le=30.0,
        description="at which it oscillates on its legs, up and down; the root of g over the ride "
        "height if not written [1/s]",
    )
    damping: Positive = Field(
        0.4, ge=0.05, le=0.95, description="of that, as a fraction of the critical one"
    )
    leap_speed: Positive | None = Field(
        None,
        le=50.0,
        description="fastest take-off of a leap; twice the root of g times the reach of its legs "
        "if not written [m/s]",
    )
    leaps: bool = Field(False, description="whether it leaps over what it cannot cross on foot")


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
    head: HeadDef | None = None
    climb: ClimbDef | None = None
    segments: Annotated[tuple[SegmentDef, ...], Field(max_length=MAX_PARTS)] = Field(
        (), description="of the trunk, behind the body"
    )
    leg_pairs: Annotated[tuple[LegPairDef, ...], Field(max_length=MAX_PARTS)] = ()
    legs: Annotated[tuple[LegDef, ...], Field(max_length=MAX_PARTS)] = ()
    colours: ColoursDef = ColoursDef()
    model: ModelDef | None = None

    @property
    def climbing(self) -> "CreatureDef":
        """The same creature with feet that hold, as far as it has none: a species of its own."""
        if self.climb:
            return self
        fields = {**self.model_dump(), "model": self.model}  # with its data
        return type(self).model_validate(
            {**fields, "name": f"{self.name[:55]}-climbing", "climb": {}}
        )

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
    def centres(self) -> tuple[float, ...]:
        """Where the segments of the straight trunk have their centres, along X [m, body]."""
        found, trunk = [0.0], self.trunk
        for front, rear in pairwise(trunk):
            found.append(found[-1] - 0.5 * (front.size[0] + rear.size[0]))
        return tuple(found)

    @property
    def shares(self) -> tuple[float, ...]:
        """Which part of the trunk's weight each segment has.

        With their legs those that carry any weigh alike; a tail weighs by its volume.
        """
        legged = {leg.segment for leg in self.all_legs}
        volumes = [prod(segment.size) for segment in self.trunk]
        usual = fsum(volumes[s] for s in legged) / len(legged)
        weights = [1.0 if s in legged else volumes[s] / usual for s in range(len(volumes))]
        whole = fsum(weights)
        return tuple(weight / whole for weight in weights)

    @property
    def boxes(self) -> tuple[tuple[float, float, float], ...]:
        """Sizes of all boxes of the body: every segment from the front on, then the head."""
        sizes = tuple(segment.size for segment in self.trunk)
        return (*sizes, self.head.size) if self.head else sizes

    @property
    def face(self) -> int:
        """Which of the boxes has the eyes: the head, or the front of the trunk."""
        return len(self.trunk) if self.head else 0

    @property
    def all_legs(self) -> tuple[LegDef, ...]:
        """Every leg, segment by segment.

        Pairs come from front to back, left before right, then the single ones.
        """
        return tuple(leg for _, leg in self.named_legs())

    def named_legs(self) -> list[tuple[str, LegDef]]:
        """Every leg with the key that it is written at."""
        found = []
        pair = 0
        for segment in range(len(self.trunk)):
            for index, written in enumerate(self.leg_pairs):
                if written.segment in (segment, "all"):
                    key = f"leg_pairs[{index}]"
                    both = {**written.model_dump(), "segment": segment, "pair": pair}
                    found.append((key, LegDef(**both, side="left")))
                    for name in ("mount", "home", "pole"):
                        both[name] = (both[name][0], -both[name][1], *both[name][2:])
                    both["joints"] = tuple(joint.mirrored for joint in written.joints)
                    found.append((key, LegDef(**both, side="right")))
                    pair += 1
        found += [(f"legs[{index}]", leg) for index, leg in enumerate(self.legs)]
        return sorted(found, key=lambda named: named[1].segment)

    def cycle(self, number: int = 0) -> tuple[tuple[float, ...], float]:
        """Offsets of all legs and the duty factor of one of a phase gait's cycles."""
        assert isinstance(self.gait, PhaseGaitDef)
        legs = [(leg.pair, leg.side == "right") for leg in self.all_legs]
        return self.gait.cycles[number].timing(legs)

    def is_static(self, number: int = 0) -> bool:
        """Whether a cycle keeps three feet or more on the ground at all times.

        All others fall from foot to foot. A gait that reacts has one cycle.
        """
        count = len(self.all_legs)
        if not isinstance(self.gait, PhaseGaitDef):
            return count > MIN_SUPPORT + 1  # two of four legs may be in the air
        lifted = lifted_together(*self.cycle(number))
        return all(count - len(legs) >= MIN_SUPPORT for legs in lifted)

    def flies(self, number: int) -> bool:
        """Whether all feet are off the ground at times in one of a phase gait's cycles."""
        count = len(self.all_legs)
        return any(len(legs) == count for legs in lifted_together(*self.cycle(number)))

    @property
    def can_run(self) -> bool:
        """Whether it has a speed to run at, a cycle with a flight, and one segment."""
        return (
            self.motion.run_speed is not None
            and isinstance(self.gait, PhaseGaitDef)
            and any(map(self.flies, range(len(self.gait.cycles))))
            and len(self.trunk) == 1
        )

    @property
    def leg_joints(self) -> tuple[tuple[Joint, ...], ...]:
        """The joints of all legs, one at the root of each bone, as numbers."""
        if isinstance(self.gait, PhaseGaitDef):
            cycles = range(len(self.gait.cycles))
            sway = max(
                0.5 * self.cycle(number)[1] * self.gait.cycles[number].stride_length
                for number in cycles
            )
        else:
            sway = self.gait.trigger_distance
        height = self.body.ride_height
        return tuple(leg.joint_numbers(height, sway) for leg in self.all_legs)

    @property
    def is_dynamic(self) -> bool:
        """Whether it falls from foot to foot in one of its cycles, as two legs do."""
        cycles = self.gait.cycles if isinstance(self.gait, PhaseGaitDef) else (self.gait,)
        return not all(map(self.is_static, range(len(cycles))))

    @model_validator(mode="after")
    def _is_able_to_walk(self) -> "CreatureDef":
        """Refuse a plan whose legs cannot do what its gait asks of them."""
        problems = self._segment_problems() or [
            *self._leg_problems(),
            *self._gait_problems(),
            *self._mass_problems(),
        ]
        if self.climb and not problems:
            problems = self.climb.problems(self.all_legs)
        if self.model and not problems:
            problems = self.model.problems(self.all_legs, len(self.trunk), self.head is not None)
        if problems:
            raise ValueError("\n".join(problems))
        return self

    def _segment_problems(self) -> list[str]:
        """What is wrong with the counts of segments and legs, and with where legs are attached."""
        count = 1 + sum(segment.count for segment in self.segments)
        if count > MAX_SEGMENTS:
            return [f"segments: expected at most {MAX_SEGMENTS} in all, found {count}"]
        found = [
            f"{key}.segment: expected 0 to {count - 1} (the body and segments), found {leg.segment}"
            for key, leg in self._written_legs()
            if leg.segment != "all" and leg.segment >= count
        ]
        pairs = sum(count if leg.segment == "all" else 1 for leg in self.leg_pairs)
        legs = 2 * pairs + len(self.legs)
        if not found and not 2 <= legs <= MAX_LEGS:
            key = "leg_pairs" if self.leg_pairs or not self.legs else "legs"
            return [f"{key}: expected 2 to {MAX_LEGS} legs of {self._leg_source}, found {legs}"]
        return found

    @property
    def _leg_source(self) -> str:
        """Keys that the number of legs comes from."""
        on_all = any(leg.segment == "all" for leg in self.leg_pairs)
        keys = ["leg_pairs on all segments" if on_all else "leg_pairs"]
        return " and ".join(keys + ["legs"] * bool(self.legs))

    def _leg_problems(self) -> list[str]:
        height, legs = self.body.ride_height, self._written_legs()
        stances = {key: leg.stance_problem(height, key) for key, leg in legs}
        standing = [leg for key, leg in legs if not stances[key]]
        if not standing and self._is_ride_height_odd():
            return [f"body.ride_height: {stances[legs[0][0]]}"]
        found = []
        for key, leg in legs:
            if stances[key]:
                found.append(f"{key}.{self._odd_key(leg, standing)}: {stances[key]}")
            else:
                found += leg.other_problems(height, key)
        return found

    def _is_ride_height_odd(self) -> bool:
        """Whether, with no leg able to stand, the ride height is more likely wrong than the legs.

        It takes every leg out of reach by itself, or is what fits the size of the body least.
        """
        height, legs = self.body.ride_height, [leg for _, leg in self._written_legs()]
        too_high = all(height + leg.mount[2] > MAX_STRETCH * leg.reach for leg in legs)
        too_low = all(height + leg.mount[2] < NEAREST * leg.reach for leg in legs)
        size = max(self.body.size)
        reach = max(leg.reach for leg in legs)
        return (too_high or too_low) and _oddness(height, size) > _oddness(reach, size)

    def _odd_key(self, leg: LegPairDef, standing: Sequence[LegPairDef]) -> str:
        """The key that is most likely wrong where a foot cannot stand."""
        size = max(max(part.size) for part in self.trunk)
        if max(map(abs, leg.mount)) > size:
            return "mount"
        has_others_bones = any(
            len(leg.bones) == len(other.bones)
            and all(0.8 < a / b < 1.25 for a, b in zip(leg.bones, other.bones, strict=True))
            for other in standing
        )
        is_home_odd = _oddness(max(map(abs, leg.home)), size) > 0.5 + _oddness(leg.reach, size)
        return "home" if has_others_bones or is_home_odd else "bones"

    def _mass_problems(self) -> list[str]:
        """Whether parts weigh as much as the whole creature: the body itself weighs something."""
        masses = [segment.mass for segment in self.trunk[1:]]
        masses += [leg.mass for leg in self.all_legs]
        masses += [self.head.mass] if self.head else []
        total = fsum(mass for mass in masses if mass is not None)
        if total < self.body.mass:
            return []
        return [
            f"body.mass: expected more than the masses of segments, head and legs, {total:g}, for "
            f"it is that of the whole creature, found {self.body.mass:g}"
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
                    f"their leg's reach, found {value:g}, which takes the foot of {leg_key} "
                    f"{stretch:.3f} m from the hip of a leg that reaches {leg.reach:.3f} m "
                    f"(home, mount, bones; body.ride_height {height:g})"
                ]
        return []

    def _cycle_problems(self, gait: PhaseGaitDef) -> list[str]:
        """What is wrong with the cycles of a phase gait."""
        slower, slower_key = 0.0, ""
        for number, cycle in enumerate(gait.cycles):
            key = f"gait.faster[{number - 1}]" if number else "gait"
            problem = cycle.problem(len(self.all_legs), key, self._leg_source)
            if problem:
                return [problem]
            if isinstance(cycle, FasterDef):
                if cycle.froude <= slower:
                    return [
                        f"{key}.froude: expected more than {slower:g} of {slower_key}, "
                        f"found {cycle.froude:g}"
                    ]
                slower, slower_key = cycle.froude, key
            offsets, duty = self.cycle(number)
            found = self._stride_problem(f"{key}.stride_length", cycle.stride_length, 0.5 * duty)
            if not found and cycle.pattern is None:
                found = self._balance_problem(offsets, duty, key)
            if found:
                return found
        return []

    def _balance_problem(self, offsets: tuple[float, ...], duty: float, key: str) -> list[str]:
        """Whether offsets lift both legs of a pair while too few others stand to balance."""
        named = self.named_legs()
        if len(named) < 4:
            return []
        for lifted in lifted_together(offsets, duty):
            pairs = [named[index][1].pair for index in lifted]
            both = [index for index in lifted if pairs.count(named[index][1].pair) > 1]
            if both and len(named) - len(lifted) < MIN_SUPPORT:
                legs = [named[index] for index in both]
                names = " and ".join(f"{leg.side} {leg.pair + 1}" for _, leg in legs[:2])
                keys = ", ".join(dict.fromkeys(written for written, _ in legs[:2]))
                return [
                    f"{key}.offsets: expected three feet on the ground while both legs of a pair "
                    f"are in the air, found {len(named) - len(lifted)} while {names} ({keys}) are"
                ]
        return []

    def _written_legs(self) -> list[tuple[str, LegPairDef]]:
        """The legs as they stand in the file (the left one of a pair), with their key paths."""
        named: list[tuple[str, LegPairDef]] = [
            (f"leg_pairs[{i}]", leg) for i, leg in enumerate(self.leg_pairs)
        ]
        return [*named, *((f"legs[{i}]", leg) for i, leg in enumerate(self.legs))]


def _oddness(length: float, size: float) -> float:
    """How far a length is from a size, however they are scaled."""
    return abs(log(max(length, 1e-9) / size))
