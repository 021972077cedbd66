"""A creature: body, legs, gait, motion, colours."""

from math import fsum, hypot
from typing import Annotated, Literal

from pydantic import Field, model_validator

from creature_sim.definitions.base import (
    Definition,
    Name,
    Positive,
    Share,
    Vector2,
    Vector3,
)
from creature_sim.gaits import FOUR_LEGGED, Pattern, duty_factor, offsets

COMFORTABLE_REACH = 0.95
"""Largest distance from hip to foot, as a share of the leg's reach, that a stride may ask for."""

Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$", description="#rrggbb")]
Bones = Annotated[
    tuple[Positive, ...], Field(min_length=2, max_length=12, description="hip to tip [m]")
]


class BodyDef(Definition):
    """The trunk: a box whose centre is the origin of the body frame."""

    size: tuple[Positive, Positive, Positive] = Field(description="length, width, height [m]")
    ride_height: Positive = Field(description="centre of the body above the ground [m]")
    mass: Positive = Field(description="whole creature [kg]")


class MotionDef(Definition):
    """How fast the driver's full deflection moves the body."""

    speed: Positive = Field(description="forward and back [m/s]")
    turn_rate: Positive = Field(description="to either side [rad/s]")
    acceleration: Positive = Field(description="[m/s^2]")
    turn_acceleration: Positive = Field(description="[rad/s^2]")


class ReactiveGaitDef(Definition):
    """A foot steps when it is far from where it should stand and its neighbours are down."""

    kind: Literal["reactive"]
    trigger_distance: Positive = Field(description="foot to predicted foothold [m]")
    step_duration: Positive = Field(le=5.0, description="time of one swing [s]")
    step_height: Positive = Field(description="lift at the middle of a swing [m]")
    alternation: Literal["side", "opposite"] = Field(
        description="side: one airborne leg per side; opposite: the other leg of the pair waits"
    )


class PhaseGaitDef(Definition):
    """A cycle that advances with the distance walked; each leg has its place in it."""

    kind: Literal["phase"]
    pattern: Pattern | None = Field(
        None, description="a named gait: gives the offsets, and the duty factor if none is written"
    )
    offsets: tuple[Annotated[float, Field(ge=0.0, lt=1.0, strict=True)], ...] = Field(
        (), description="place in the cycle of each leg, in [0, 1); pair by pair, left before right"
    )
    duty_factor: Share | None = Field(
        None, description="share of the cycle that a foot is on the ground"
    )
    stride_length: Positive = Field(description="distance walked in one cycle [m]")
    step_height: Positive = Field(description="lift at the middle of a swing [m]")


GaitDef = Annotated[ReactiveGaitDef | PhaseGaitDef, Field(discriminator="kind")]


class LegPairDef(Definition):
    """A left leg and its mirror image on the right; X forward, Y left, Z up in the body frame."""

    mount: Vector3 = Field(description="hip of the left leg [m, body]")
    bones: Bones
    home: Vector2 = Field(description="x, y where the left foot rests on level ground [m, body]")
    pole: Vector3 = Field((0.0, 0.0, 1.0), description="direction that knees point to [body]")


class LegDef(LegPairDef):
    """One leg of its own."""

    side: Literal["left", "right"]
    pair: Annotated[int, Field(strict=True, ge=0, lt=1000)] = Field(
        description="legs of one pair share this number; it counts from front to back"
    )

    @property
    def reach(self) -> float:
        """Sum of the bone lengths [m]."""
        return fsum(self.bones)  # exact: what `sum` gives depends on the version of Python

    @property
    def hole(self) -> float:
        """Radius around the hip that the tip cannot enter: one bone longer than all others [m]."""
        return max(0.0, 2.0 * max(self.bones) - self.reach)


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
    leg_pairs: tuple[LegPairDef, ...] = ()
    legs: tuple[LegDef, ...] = ()
    colours: ColoursDef = ColoursDef()

    @property
    def all_legs(self) -> tuple[LegDef, ...]:
        """Every leg: the pairs from front to back, left before right, then the single ones."""
        found = []
        for index, pair in enumerate(self.leg_pairs):
            both = pair.model_dump()
            found.append(LegDef(**both, side="left", pair=index))
            for key in ("mount", "home", "pole"):
                both[key] = (both[key][0], -both[key][1], *both[key][2:])
            found.append(LegDef(**both, side="right", pair=index))
        return (*found, *self.legs)

    @property
    def cycle(self) -> tuple[tuple[float, ...], float]:
        """Offsets of all legs and the duty factor of a phase gait."""
        gait = self.gait
        assert isinstance(gait, PhaseGaitDef)
        if gait.pattern is None:
            assert gait.duty_factor is not None
            return gait.offsets, gait.duty_factor
        pairs = len(self.leg_pairs)
        duty = gait.duty_factor or duty_factor(gait.pattern, pairs)
        return offsets(gait.pattern, pairs, duty), duty

    @model_validator(mode="after")
    def _is_able_to_walk(self) -> "CreatureDef":
        """Refuse a plan whose legs cannot do what its gait asks of them."""
        problems = [*self._leg_problems(), *self._gait_problems()]
        if problems:
            raise ValueError("\n".join(problems))
        return self

    def _leg_problems(self) -> list[str]:
        legs = self.all_legs
        if len(legs) < 2:
            return [f"leg_pairs: expected at least 2 legs in all, found {len(legs)}"]
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
            if hypot(*leg.pole) < 1e-6:
                found.append(f"{key}.pole: expected a direction, found {list(leg.pole)}")
        return found

    def _gait_problems(self) -> list[str]:
        count = len(self.all_legs)
        if isinstance(self.gait, PhaseGaitDef):
            problem = self._pattern_problem(self.gait, count)
            if problem:
                return [problem]
            sway = 0.5 * self.cycle[1] * self.gait.stride_length
            key, value = "gait.stride_length", self.gait.stride_length
        else:
            sway = value = self.gait.trigger_distance
            key = "gait.trigger_distance"
        for leg_key, leg in self._written_legs():
            stretch = self._distance_to_foot(leg, sway)
            standing = self._distance_to_foot(leg, 0.0)
            if standing <= COMFORTABLE_REACH * leg.reach < stretch:
                return [
                    f"{key}: expected feet that stay within {100 * COMFORTABLE_REACH:.0f} % of "
                    f"their leg's reach; found {value}, which takes the foot of {leg_key} "
                    f"{stretch:.3f} m from the hip of a leg that reaches {leg.reach:.3f} m"
                ]
        return []

    def _pattern_problem(self, gait: PhaseGaitDef, count: int) -> str:
        """What is wrong with the cycle of a phase gait; empty if nothing."""
        if gait.pattern is None:
            if len(gait.offsets) != count:
                return (
                    f"gait.offsets: expected one number per leg, {count}, found {len(gait.offsets)}"
                )
            if gait.duty_factor is None:
                return "gait.duty_factor: expected a value, found none"
            return ""
        if gait.offsets:
            return f"gait.offsets: expected none beside pattern {gait.pattern!r}, found some"
        if self.legs:
            return f"gait.pattern: expected legs in pairs for {gait.pattern!r}, found single ones"
        if gait.pattern in FOUR_LEGGED and count != 4:
            return f"gait.pattern: expected 4 legs for {gait.pattern!r}, found {count}"
        return ""

    def _written_legs(self) -> list[tuple[str, LegDef]]:
        """The legs as they stand in the file (the left one of a pair), with their key paths."""
        pairs = self.all_legs[: 2 * len(self.leg_pairs) : 2]
        named = [(f"leg_pairs[{i}]", leg) for i, leg in enumerate(pairs)]
        return named + [(f"legs[{i}]", leg) for i, leg in enumerate(self.legs)]

    def _distance_to_foot(self, leg: LegDef, sway: float) -> float:
        """Largest distance [m] from the hip to a foot that is `sway` before or behind its home."""
        x = abs(leg.home[0] - leg.mount[0]) + sway
        return hypot(x, leg.home[1] - leg.mount[1], self.body.ride_height + leg.mount[2])
