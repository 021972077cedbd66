"""A body plan, and what several pieces of advice need of it."""

from functools import cached_property
from math import hypot

import numpy as np

from creature_sim.advice.advice import rounded
from creature_sim.advice.sizes import written_legs
from creature_sim.components import Plan
from creature_sim.definitions import CreatureDef
from creature_sim.definitions.legs import LegPairDef
from creature_sim.locomotion.workspace import longest_stroke, room_to_step, wanted_twist
from creature_sim.maths.geometry import hull_margin
from creature_sim.spawn.plans import plan_of

ROOM = 1.2
"""A leg wants this many times the room that its stride needs on level ground; no ground is."""
GOOD_STRETCH = 0.66
"""Distance from hip to foot at rest over the reach: about that of the built-in creatures."""
UPRIGHT = 0.25
"""Feet that rest no farther beside their hips than this fraction of the reach are below them."""
ALOFT = 0.15
"""An ankle that is less than this fraction of its leg's arm below its hip is as high as that."""
PHASES = 24
"""Phases of a cycle that are looked at."""


class Shape:
    """A body plan, and what several pieces of advice need of it."""

    def __init__(self, definition: CreatureDef) -> None:
        """Take a valid definition."""
        self.definition = definition

    @cached_property
    def plan(self) -> Plan:
        """Its numbers."""
        return plan_of(self.definition)

    @cached_property
    def legs(self) -> list[tuple[str, LegPairDef]]:
        """The legs as written, with their keys."""
        return written_legs(self.definition)

    @cached_property
    def stretch(self) -> float:
        """Distance from hip to foot at rest over the reach, of the leg that is stretched most."""
        height = self.definition.body.ride_height
        return max(leg.stretch(height) / leg.reach for _, leg in self.legs)

    @cached_property
    def need(self) -> float:
        """How far a foot goes from its home in a stride [m]."""
        return 0.5 * longest_stroke(self.plan.cycles)

    def room(self, height: float, comfort: float | None = None) -> float:
        """How far every foot may go from home along the way, at a ride height [m]."""
        x, y, _ = self.plan.body[0].ahead
        found = np.inf
        for leg in self.plan.legs.copy():
            leg.soft_reach = comfort or leg.soft_reach
            found = min(found, room_to_step(leg, height, float(x), float(y)))
        return float(found)

    @cached_property
    def top_speed(self) -> float:
        """The speed that the gait carries when the driver asks for all of it [m/s]."""
        plan = self.plan
        x, y, _ = wanted_twist(plan.body[0], plan.cycles, plan.legs, 1.0, 0.0, 0.0, 0.0)
        return hypot(x, y)

    def edge(
        self,
        number: int,
        stride_length: float,
        duty_factor: float | None = None,
        phases: int = PHASES,
    ) -> float:
        """Least distance of the weight inside its feet in a cycle, on a straight way [m].

        Feet stand along their strokes about home, the trunk in a row.

        Args:
            number: of the cycle.
            stride_length: of the cycle [m].
            duty_factor: of the cycle; its own if not given.
            phases: of the cycle that are looked at.
        """
        plan, stride = self.plan, stride_length
        duty, offsets = duty_factor or plan.cycles[number].duty_factor, plan.offsets[number]
        fronts, rears = plan.segments["front"], plan.segments["rear"]
        centres = np.concatenate(([0.0], np.cumsum(rears[:-1] - fronts[1:])))
        homes = plan.legs["home"][:, :2].copy()
        homes[:, 0] += centres[plan.legs["segment"]] - centres @ np.array(self.definition.shares)
        least = np.inf
        for phase in np.arange(phases) / phases:
            own = (phase + offsets) % 1.0
            ahead = (0.5 - own / duty)[:, None] * duty * stride * plan.body[0].ahead[:2]
            least = min(least, hull_margin((homes + ahead)[own < duty]))
        return float(least)

    @property
    def is_upright(self) -> bool:
        """Whether feet stand below their hips, as those of mammals and birds: legs are columns."""
        return all(
            hypot(leg.home[0] - leg.mount[0], leg.home[1] - leg.mount[1]) < UPRIGHT * leg.reach
            for _, leg in self.legs
        )

    @property
    def lowest_on_soles(self) -> float:
        """Ride height below which an ankle is as high as its hip [m]; 0 where no leg has a sole."""
        heights = [
            leg.bones[-1] - leg.mount[2] + ALOFT * (leg.reach - leg.bones[-1])
            for _, leg in self.legs
            if leg.foot
        ]
        return max(heights, default=0.0)

    @property
    def is_tall(self) -> bool:
        """Whether legs are stretched at rest, and the body can be lower."""
        is_stretched = self.stretch > 1.05 * GOOD_STRETCH
        return is_stretched and self.lower() < self.definition.body.ride_height

    def lower(self) -> float:
        """A ride height at which the legs have room to step and are not stretched [m].

        Legs that stand upright may be stretched: lower, they crouch, and knees meet.
        """
        height = self.definition.body.ride_height
        lowest = max(0.75 * self.definition.body.size[2], 0.5 * height, self.lowest_on_soles)
        for _ in range(100):
            stretch = max(leg.stretch(height) / leg.reach for _, leg in self.legs)
            has_room = self.room(height) >= 1.25 * ROOM * self.need
            if height < lowest or ((self.is_upright or stretch <= GOOD_STRETCH) and has_room):
                break
            height *= 0.98
        return rounded(height)
