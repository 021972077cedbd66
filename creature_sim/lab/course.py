"""The course that a creature has to cross in a trial, and the world with it."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum, sqrt

from creature_sim.definitions import CreatureDef, PlacementDef, WorldDef
from creature_sim.errors import DefinitionError
from creature_sim.lab.climbs import CLIMBS
from creature_sim.lab.difficulty import REACH, ground
from creature_sim.lab.way import Way, length_of
from creature_sim.locomotion.workspace import wanted_twist
from creature_sim.maths import random_unit
from creature_sim.spawn.plans import plan_of
from creature_sim.terrain import Challenge

LENGTH, MAX_LENGTH = 8.0, 24.0
"""Length of a course for legs that reach 0.5 m, and largest length of any course [m]."""
SECONDS = 20.0
"""Time for that course [s]; times scale with the root of lengths, as for pendulums."""
SLACK = 1.5
"""A slow creature has this many times the time that it needs at top speed."""
CLIMB_SLACK = 3.0
"""And everyone that many times where a course leaves the floor."""
MIN_REACH, MAX_REACH = 0.2, 4.0
"""Reach of legs whose courses fit on the ground [m]."""
ASIDE = 0.25
"""Starts lie within this fraction of the reach from the origin, along X and Y."""
ASKEW = 0.1
"""Headings at the start lie within this angle from X [rad]."""
_START_STREAM = 3000  # terrain uses streams below 2000, wanderers those above


@dataclass(frozen=True)
class Trial:
    """One run.

    Attributes:
        kind: of the ground, see `difficulty.check_kind`.
        difficulty: from 0 to 1.
        seed: of the ground and of the start.
    """

    kind: str
    difficulty: float
    seed: int

    @property
    def name(self) -> str:
        """Name of its replay and its world."""
        return f"{self.kind}-{self.difficulty:g}-{self.seed}"


def plan(kinds: Iterable[str], difficulties: Iterable[float], seeds: int) -> list[Trial]:
    """Every kind at every difficulty with seeds from 0 on."""
    levels = list(difficulties)
    return [Trial(kind, d, seed) for kind in kinds for d in levels for seed in range(seeds)]


@dataclass(frozen=True)
class Course:
    """What a creature has to do, scaled by its size.

    Attributes:
        reach: L, the mean over its legs [m].
        length: it has crossed a straight course when it is this far from the origin along X [m].
        seconds: the time that it has for a straight course [s].
        clearing: ground is level this far around the origin [m].
        top_speed: of the creature [m/s].
        climbs: whether the creature leaves the floor where a course does.
    """

    reach: float
    length: float
    seconds: float
    clearing: float
    top_speed: float
    climbs: bool = False

    @staticmethod
    def of(creature: CreatureDef) -> "Course":
        """The course of a creature; DefinitionError if it is too small, large or long for one."""
        legs = creature.all_legs
        reach = fsum(leg.reach for leg in legs) / len(legs)  # exact on every Python, as roots are
        if not MIN_REACH <= reach <= MAX_REACH:
            raise DefinitionError(
                f"{creature.name}: expected legs that reach {MIN_REACH:g} to "
                f"{MAX_REACH:g} m on a course, found {reach:.3g} m"
            )
        scale = reach / REACH
        length = min(LENGTH * scale, MAX_LENGTH)
        spread = sqrt(max(leg.home[0] * leg.home[0] + leg.home[1] * leg.home[1] for leg in legs))
        clearing = max(spread, 0.5 * creature.body.size[0]) + 2.0 * ASIDE * reach
        if clearing > 0.5 * length:
            raise DefinitionError(
                f"{creature.name}: expected a creature that stands within {0.5 * length:.3g} m of "
                f"its middle, half of the course for its legs, found {clearing:.3g} m"
            )
        numbers = plan_of(creature)
        x, y, _ = wanted_twist(numbers.body[0], numbers.cycles, numbers.legs, 1.0, 0.0, 0.0, 0.0)
        top_speed = sqrt(x * x + y * y)
        seconds = max(SECONDS * sqrt(scale), SLACK * length / top_speed)
        climbs = creature.climb is not None
        return Course(reach, length, seconds, clearing, top_speed, climbs)

    def way(self, trial: Trial) -> Way:
        """The way over the course of a trial."""
        climb = CLIMBS.get(trial.kind) if self.climbs else None
        if climb is None:
            return Way((), self.length, self.reach)
        points = climb.way(
            Challenge(trial.difficulty, self.reach / REACH, self.clearing, self.length)
        )
        return Way(points, length_of(((0.0, 0.0, 0.0), *points)), self.reach)

    def seconds_for(self, way: Way) -> float:
        """The time that it has for a way [s]."""
        return max(self.seconds, CLIMB_SLACK * way.length / self.top_speed if way.points else 0.0)

    def world(self, creature: CreatureDef, trial: Trial) -> WorldDef:
        """The world of a trial, level around the start, which the seed moves and turns a little."""
        draws = [2.0 * random_unit(trial.seed, _START_STREAM, k) - 1.0 for k in range(3)]
        aside = ASIDE * self.reach
        start = PlacementDef(
            creature=creature.name,
            position=(aside * draws[0], aside * draws[1]),
            heading=ASKEW * draws[2] - creature.motion.heading,
        )
        return WorldDef(
            name=trial.name,
            seed=trial.seed,
            driver=f"goto {self.length:g},0",
            terrain=ground(
                trial.kind,
                trial.difficulty,
                self.reach,
                self.clearing,
                self.length,
                climbs=self.climbs,
            ),
            creatures=(start,),
            species={creature.name: creature},
        )
