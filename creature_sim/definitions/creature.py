"""A creature: body, legs, gait, motion, colours."""

from itertools import pairwise
from math import fsum, prod
from typing import Annotated

from pydantic import Field, model_validator

from creature_sim.definitions.body import BodyDef, ColoursDef, HeadDef, SegmentDef
from creature_sim.definitions.climbing import ClimbDef
from creature_sim.definitions.gait import (
    MIN_SUPPORT,
    GaitDef,
    PhaseGaitDef,
    lifted_together,
)
from creature_sim.definitions.hinging import Joint
from creature_sim.definitions.legs import LegDef, LegPairDef
from creature_sim.definitions.model import ModelDef
from creature_sim.definitions.walkable import problems_of
from creature_sim.files.definition import (
    Angle,
    Definition,
    Name,
    NotNegative,
    Positive,
)

MAX_PARTS = 4_096
"""Tables of legs, pairs and segments that are read before they are counted."""


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
    leaps: bool = Field(
        False, strict=True, description="whether it leaps over what it cannot cross on foot"
    )


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
        problems = problems_of(self)
        if problems:
            raise ValueError("\n".join(problems))
        return self
