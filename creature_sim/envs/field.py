"""Creatures of one kind that are to go somewhere: what they do, see, and get for it."""

from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import STANDING, Records
from creature_sim.definitions import CreatureDef, PlacementDef, WorldDef
from creature_sim.errors import DefinitionError
from creature_sim.inputs import FULL, Event, Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import HerdState

ACTIONS = 4
"""Forward, turn, strafe and height, from -1 to 1."""
RAYS = np.array([(x, y) for x in (0.0, 0.7, 1.4, 2.1) for y in (-0.7, 0.0, 0.7)])
"""Where the ground is sampled: ahead and aside of the body, as multiples of the reach."""
SIGHT = 2.0
"""Ground is seen up to so many reaches above and below a body."""
ARRIVED = 0.5
"""A goal counts as reached within so many reaches."""
TIPPED = 0.5
"""Cosine of the angle from upright at which a creature has fallen."""
LARGEST = 10.0
"""What creatures see is cut off here."""
ARRIVAL, FALL, JERK = 10.0, -10.0, 0.05
"""Rewards of an arrival and a fall; what the square of a change of the action costs."""

Words = NDArray[np.float32]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Task:
    """What creatures are to do, and where.

    Attributes:
        world: built-in name or file; its creatures do not count.
        creature: built-in name or file.
        distance: of the goal from the start, straight ahead [m].
        seconds: after which an episode is cut off.
        ticks: of the simulation in one step of the environment.
        grounds: number of different grounds; 1: the world's own.
        spread: headings at the start differ by up to this from that of the goal [rad].
    """

    world: str = "meadow"
    creature: str = "hexapod"
    distance: float = 6.0
    seconds: float = 20.0
    ticks: int = 6
    grounds: int = 1
    spread: float = 0.5

    def __post_init__(self) -> None:
        """Refuse numbers that mean nothing: DefinitionError."""
        for name in ("distance", "seconds", "ticks", "grounds"):
            if not getattr(self, name) > 0:
                raise DefinitionError(f"{name}: expected more than 0, found {getattr(self, name)}")
        if not 0.0 <= self.spread <= 3.2:
            raise DefinitionError(f"spread: expected an angle from 0 to 3.2, found {self.spread}")


class Outcome(NamedTuple):
    """What a step has led to, of each creature.

    Attributes:
        observation: (N, D).
        reward: (N,).
        arrived: (N,) whether it is at its goal.
        fell: (N,) whether it lies, or has sunk into the ground.
        left: (N,) distance to the goal [m].
    """

    observation: Words
    reward: Floats
    arrived: Flags
    fell: Flags
    left: Floats


class Field:
    """N creatures on one ground, one tick for all.

    Attributes:
        simulation: of the creatures; None before the first start.
        size: D, of what a creature sees.
        last: number of steps after which an episode is cut off.
    """

    def __init__(self, task: Task, count: int) -> None:
        """Read the files; DefinitionError says what is wrong, or that so many do not fit."""
        self.task, self.count = task, count
        self.creature: CreatureDef = load_creature(task.creature)
        self._world = load_world(task.world)
        legs = self.creature.all_legs
        self.reach = sum(leg.reach for leg in legs) / len(legs)
        self._starts = _starts(self._world, count, task.distance, self.reach)
        self._goals = self._starts + np.array((task.distance, 0.0))
        self.size = 3 + 3 + 1 + 3 + 4 * len(legs) + len(RAYS) + ACTIONS
        rate = self._world.tick_rate
        self.last = ceil(task.seconds * rate / task.ticks)
        self.simulation: Simulation | None = None
        self._actions = np.zeros((count, ACTIONS))
        self._left = np.zeros(count)

    def start(self, rng: np.random.Generator) -> Words:
        """Put everybody to a start, as the generator decides; what they see, (N, D)."""
        seed = self._world.seed
        if self.task.grounds > 1:
            seed = int(rng.integers(self.task.grounds))
        headings = rng.uniform(-self.task.spread, self.task.spread, self.count)
        heading = self.creature.motion.heading
        placements = tuple(
            PlacementDef(
                creature=self.creature.name,
                position=(float(x), float(y)),
                heading=float(turn) - heading,
            )
            for (x, y), turn in zip(self._starts, headings, strict=True)
        )
        self.close()
        self.simulation = Simulation(
            self._world.model_copy(
                update={
                    "seed": seed,
                    "creatures": placements,
                    "species": {self.creature.name: self.creature},
                }
            )
        )
        self._actions[:] = 0.0
        herd = self._herd()
        self._left[:] = self._distances(herd)
        return self._see(herd)

    def step(self, actions: Any, renewed: Flags) -> Outcome:  # noqa: ANN401 - whatever numpy takes
        """Go on by a step.

        Args:
            actions: (N, 4) forward, turn, strafe, height; beyond [-1, 1] they are clipped.
            renewed: (N,) who is put back to its start instead of doing anything.
        """
        assert self.simulation is not None
        wanted = np.clip(np.asarray(actions, np.float64), -1.0, 1.0).reshape(self.count, ACTIONS)
        wanted[renewed] = 0.0
        change = ((wanted - self._actions) ** 2).sum(axis=1)
        self._actions[:] = wanted
        # As `Input.of` does, of all at once: that takes a third of the time of a herd's tick.
        commands = Input(tuple(map(tuple, np.rint(wanted * FULL).astype(np.int64).tolist())))
        resets = tuple(Event("reset", number) for number in np.flatnonzero(renewed).tolist())
        self.simulation.step(Input(commands.commands, resets))
        for _ in range(self.task.ticks - 1):
            self.simulation.step(commands)
        herd = self._herd()
        left = self._distances(herd)
        seconds = self.task.ticks / self._world.tick_rate
        progress = (self._left - left) / (self.creature.motion.speed * seconds)
        self._left[:] = left
        arrived = left < ARRIVED * self.reach
        fell = self._fell(herd)
        reward = progress - JERK * change + ARRIVAL * arrived + FALL * fell
        reward[renewed] = 0.0
        return Outcome(self._see(herd), reward, arrived & ~renewed, fell & ~renewed, left)

    def close(self) -> None:
        """Free the simulation."""
        if self.simulation is not None:
            self.simulation.close()
            self.simulation = None

    def _herd(self) -> HerdState:
        assert self.simulation is not None
        (herd,) = self.simulation.snapshot.herds
        return herd

    def _distances(self, herd: HerdState) -> Floats:
        """To the goals, (N,) [m]."""
        paths = self._goals - _bodies(herd)["position"][:, :2]
        found: Floats = np.sqrt((paths * paths).sum(axis=1))
        return found

    def _fell(self, herd: HerdState) -> Flags:
        """Who lies on its side, or is below its feet, (N,)."""
        body = _bodies(herd)
        ups = rotation_matrices(body["orientation"])[:, 2, 2]
        feet = herd.parts["leg_chain"]["joints"][:, :, -1, 2]
        found: Flags = (ups < TIPPED) | (body["position"][:, 2] < feet.min(axis=1))
        return found

    def _see(self, herd: HerdState) -> Words:
        """What creatures see, (N, D); lengths are multiples of the reach.

        Up (3) and the velocity (3) in the frame of the body, the yaw rate, the way to the goal:
        its direction (2) and length up to 10; of each foot its place (3) and whether it stands;
        the height of the body over the ground at RAYS; the last action (4).
        """
        body, motion = _bodies(herd), self.creature.motion
        frames = rotation_matrices(body["orientation"])
        position = body["position"]
        feet = herd.parts["leg_chain"]["joints"][:, :, -1] - position[:, None]
        phases = herd.parts["foot_target"].of("records")["phase"]
        way = np.zeros((self.count, 3))
        way[:, :2] = self._goals - position[:, :2]
        ahead = np.einsum("nji,nj->ni", frames, way)[:, :2]
        length = np.sqrt((ahead * ahead).sum(axis=1, keepdims=True))
        seen = (
            frames[:, 2],
            body["velocity"] / motion.speed,
            body["yaw_rate"][:, None] / motion.turn_rate,
            ahead / np.maximum(length, 1e-9),
            np.minimum(self._left[:, None] / self.reach, 10.0),
            np.einsum("nji,nlj->nli", frames, feet).reshape(self.count, -1) / self.reach,
            phases == STANDING,
            self._clearances(position, frames) / self.reach,
            self._actions,
        )
        found: Words = np.clip(np.concatenate(seen, axis=1), -LARGEST, LARGEST).astype(np.float32)
        return found

    def _clearances(self, position: Floats, frames: Floats) -> Floats:
        """Heights of bodies over the ground at RAYS, within SIGHT, (N, R) [m]."""
        assert self.simulation is not None
        ahead = frames[:, :2, 0]
        ahead = ahead / np.maximum(np.sqrt((ahead * ahead).sum(axis=1, keepdims=True)), 1e-9)
        aside = np.stack((-ahead[:, 1], ahead[:, 0]), axis=1)
        places = RAYS[:, :1] * ahead[:, None] + RAYS[:, 1:] * aside[:, None]
        tops = np.repeat(position[:, None], len(RAYS), axis=1)
        tops[:, :, :2] += self.reach * places
        span = SIGHT * self.reach
        middles, up = tops.reshape(-1, 3), np.array((0.0, 0.0, span))
        fractions, _ = self.simulation.physics.cast(middles + up, middles - up)
        found: Floats = ((2.0 * fractions - 1.0) * span).reshape(self.count, -1)
        return found


def _bodies(herd: HerdState) -> Records[Any]:
    """The first segments of a herd, (N,)."""
    records: Records[Any] = herd.parts["body"].of("records")[:, 0]
    return records


def _starts(world: WorldDef, count: int, distance: float, reach: float) -> Floats:
    """Starts in rows, far enough apart, from which all goals are inside the world, (N, 2) [m]."""
    spacing = 3.0 * reach
    rows = ceil(sqrt(count))
    columns = ceil(count / rows)
    limit = world.farthest_start
    starts = spacing * np.array([(n // rows, n % rows) for n in range(count)], np.float64)
    length = spacing * (columns - 1) + (distance if count > 1 else 0.0)
    starts -= 0.5 * np.array((length, spacing * (rows - 1)))
    ends = starts + np.array((distance, 0.0))
    if max(np.abs(starts).max(), np.abs(ends).max()) > limit:
        raise DefinitionError(
            f"num_envs: expected creatures and goals within {limit:g} m of the middle of the "
            f"world, found {count} that need {np.abs(ends).max():.1f} m"
        )
    return starts
