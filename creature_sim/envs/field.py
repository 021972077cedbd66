"""Creatures of one kind that are to go somewhere: what all of them do, see, and get for it."""

from itertools import count as count_from
from math import ceil, sqrt
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import Records
from creature_sim.definitions import CreatureDef, PlacementDef, WorldDef
from creature_sim.definitions.world import MAX_CREATURES
from creature_sim.envs.task import Task
from creature_sim.errors import DefinitionError
from creature_sim.files.output import open_folder
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.locomotion.gravity import TIPPED
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.replay import Recorder
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import HerdState

RAYS = np.array([(x, y) for x in (0.0, 0.7, 1.4, 2.1) for y in (-0.7, 0.0, 0.7)])
"""Where the ground is sampled: ahead and aside of the body, as multiples of the reach."""
SIGHT = 2.0
"""Ground is seen up to so many reaches above and below a body."""
ARRIVED = 0.5
"""A goal counts as reached within so many reaches."""
LARGEST = 10.0
"""What creatures see is cut off here."""
ARRIVAL, FALL, JERK = 10.0, -10.0, 0.2
"""Rewards of an arrival and a fall; what the mean square of changes of actions costs."""
AIM = 2.0
"""Who is led to its goal turns by this, for each unit that the direction to it is aside."""

Words = NDArray[np.float32]
Flags = NDArray[np.bool_]


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

    What their actions are, what they see of themselves and what that costs is said by those below:
    `Walkers` and `Machines`.

    Attributes:
        kinds: of actions; the first one is the usual one.
        is_physical: whether forces move the creatures.
        simulation: of the creatures; None before the first start.
        size: D, of what a creature sees.
        width: A, of its actions.
        last: number of steps after which an episode is cut off.
    """

    kinds: ClassVar[tuple[str, ...]]
    is_physical: ClassVar[bool] = False
    width: int
    size: int

    def __init__(self, task: Task, count: int) -> None:
        """Read the files; DefinitionError says what is wrong, or that so many do not fit."""
        self.actions = self.kinds[0] if task.actions is None else task.actions
        if self.actions not in self.kinds:
            raise DefinitionError(
                f"actions: expected {' or '.join(self.kinds)}, found {self.actions!r}"
            )
        self.task, self.count = task, count
        self.creature: CreatureDef = load_creature(task.creature)
        self.world = load_world(task.world)
        longest = ceil(task.seconds * self.world.tick_rate)
        if task.ticks > longest:
            raise DefinitionError(
                f"ticks: expected at most {longest}, an episode of {task.seconds:g} s, "
                f"found {task.ticks!r}"
            )
        self.reaches = np.array([leg.reach for leg in self.creature.all_legs])
        self.reach = float(self.reaches.mean())
        self._starts = _starts(self.world, count, task.distance, self.reach)
        self._goals = self._starts + np.array((task.distance, 0.0))
        self.seconds = task.ticks / self.world.tick_rate
        self.last = ceil(task.seconds * self.world.tick_rate / task.ticks)
        self.simulation: Simulation | None = None
        self._recorder: Recorder | None = None
        self._left = np.zeros(count)
        self._ahead = np.zeros((count, 2))

    def _measure(self, width: int, own: int) -> None:
        """Take the numbers of actions, and of what creatures see of themselves."""
        self.width = width
        self.size = 3 + 2 + 1 + own + len(RAYS) + width
        self._actions = np.zeros((self.count, width))

    def start(self, rng: np.random.Generator) -> Words:
        """Put everybody to a start, as the generator decides; what they see, (N, D)."""
        seed = self.world.seed
        if self.task.grounds > 1:
            seed = int(rng.integers(self.task.grounds))
        headings = rng.uniform(-self.task.spread, self.task.spread, self.count)
        heading = self.creature.motion.heading
        placements = tuple(
            PlacementDef(
                creature=self.creature.name,
                position=(float(x), float(y)),
                heading=float(turn) - heading,
                physical=self.is_physical,
            )
            for (x, y), turn in zip(self._starts, headings, strict=True)
        )
        self.close()
        self.simulation = Simulation(
            self.world.model_copy(
                update={
                    "seed": seed,
                    "creatures": placements,
                    "species": {self.creature.name: self.creature},
                }
            )
        )
        if self.task.recordings is not None:
            self._recorder = Recorder(_next_file(Path(self.task.recordings)), self.simulation)
        self._actions[:] = 0.0
        herd = self._herd()
        self._left[:] = self._distances(herd)
        return self._see(herd)

    def step(self, actions: Any, renewed: Flags) -> Outcome:  # noqa: ANN401 - whatever numpy takes
        """Go on by a step.

        Args:
            actions: (N, A); beyond [-1, 1] they are clipped.
            renewed: (N,) who is put back to its start instead of doing anything.

        Raises:
            DefinitionError: the actions have another shape, or are no numbers.
        """
        if self.simulation is None:
            raise DefinitionError("step: expected a reset before it, found none")
        wanted = self._checked(actions)
        wanted[renewed] = 0.0
        change = ((wanted - self._actions) ** 2).mean(axis=1)
        self._actions[:] = wanted
        commands, events = self._inputs(wanted)
        commands[renewed] = 0.0
        steady = Input.of_all(commands)
        resets = [Event("reset", number) for number in np.flatnonzero(renewed).tolist()]
        asked = [event for event in events if not renewed[event.creature]]
        costs = np.zeros(self.count)
        for number in range(self.task.ticks):
            given = steady if number else Input(steady.commands, (*resets, *asked))
            self.simulation.step(given)
            if self._recorder is not None:
                self._recorder.write(given, self.simulation.snapshot)
            costs += self._costs_of_tick()
        herd = self._herd()
        left = self._distances(herd)
        progress = (self._left - left) / (self.creature.motion.speed * self.seconds)
        self._left[:] = left
        arrived = left < ARRIVED * self.reach
        fell = self._fell(herd)
        costs += self._costs(herd)
        reward = progress - JERK * change - costs + ARRIVAL * arrived + FALL * fell
        reward[renewed] = 0.0
        return Outcome(self._see(herd), reward, arrived & ~renewed, fell & ~renewed, left)

    def close(self) -> None:
        """End the recording and free the simulation."""
        if self._recorder is not None:
            recorder, self._recorder = self._recorder, None
            recorder.close()
        if self.simulation is not None:
            self.simulation.close()
            self.simulation = None

    def _checked(self, actions: Any) -> Floats:  # noqa: ANN401
        """Actions (N, A) within [-1, 1]."""
        try:
            found = np.array(actions, np.float64)
        except (TypeError, ValueError):
            found = np.empty(0)
        if found.shape not in {(self.count, self.width), (self.count * self.width,)}:
            raise DefinitionError(
                f"actions: expected {self.width} numbers for each of {self.count}, found the "
                f"shape {np.shape(found)}"
            )
        if not np.isfinite(found).all():
            raise DefinitionError("actions: expected numbers from -1 to 1, found one that is none")
        clipped: Floats = np.clip(found, -1.0, 1.0).reshape(self.count, self.width)
        return clipped

    def _inputs(self, wanted: Floats) -> tuple[Floats, list[Event]]:
        """Axes (N, 4) for a step, from -1 to 1, and events at its beginning."""
        raise NotImplementedError

    def _goes(self, herd: HerdState, frames: Floats) -> tuple[Floats, ...]:
        """Velocities over the top speed and rates of turning over the largest, (N, ...) [body]."""
        raise NotImplementedError

    def _limbs(self, herd: HerdState, frames: Floats) -> tuple[Floats, ...]:
        """What creatures feel of their legs, (N, ...)."""
        raise NotImplementedError

    def _costs_of_tick(self) -> Floats | float:
        """What is taken from the reward for the last tick, (N,)."""
        return 0.0

    def _costs(self, herd: HerdState) -> Floats | float:
        """What is taken from the reward for the state after a step, (N,)."""
        del herd
        return 0.0

    def _herd(self) -> HerdState:
        assert self.simulation is not None
        (herd,) = self.simulation.snapshot.herds
        return herd

    def _led(self) -> Floats:
        """Axes (N, 4) of who is led straight to its goal at full speed."""
        axes = np.zeros((self.count, 4))
        axes[:, 0] = 1.0
        axes[:, 1] = np.clip(AIM * self._ahead[:, 1], -1.0, 1.0)
        return axes

    def _distances(self, herd: HerdState) -> Floats:
        """To the goals, (N,) [m]."""
        paths = self._goals - bodies(herd)["position"][:, :2]
        found: Floats = np.sqrt((paths * paths).sum(axis=1))
        return found

    def _fell(self, herd: HerdState) -> Flags:
        """Who lies on its side, or is below its feet, (N,)."""
        body = bodies(herd)
        ups = rotation_matrices(body["orientation"])[:, 2, 2]
        feet = herd.parts["leg_chain"]["joints"][:, :, -1, 2]
        found: Flags = (ups < TIPPED) | (body["position"][:, 2] < feet.min(axis=1))
        return found

    def _see(self, herd: HerdState) -> Words:
        """What creatures see, (N, D); lengths are multiples of the reach.

        Up (3) and how they go, in the frame of the body; the way to the goal: its direction (2) and
        length up to 10; their legs; the height of the body over the ground at RAYS; the last
        action.
        """
        body = bodies(herd)
        frames = rotation_matrices(body["orientation"])
        position = body["position"]
        way = np.zeros((self.count, 3))
        way[:, :2] = self._goals - position[:, :2]
        ahead = np.einsum("nji,nj->ni", frames, way)[:, :2]
        length = np.sqrt((ahead * ahead).sum(axis=1, keepdims=True))
        self._ahead[:] = ahead / np.maximum(length, 1e-9)
        seen = (
            frames[:, 2],
            *self._goes(herd, frames),
            self._ahead,
            np.minimum(self._left[:, None] / self.reach, 10.0),
            *self._limbs(herd, frames),
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


def bodies(herd: HerdState) -> Records[Any]:
    """The first segments of a herd, (N,)."""
    records: Records[Any] = herd.parts["body"].of("records")[:, 0]
    return records


def _next_file(folder: Path) -> Path:
    """Where the next episode is recorded: older ones stay."""
    open_folder(folder)
    files = (folder / f"episode-{number:04d}.mcap" for number in count_from(1))
    return next(file for file in files if not file.exists())


def _starts(world: WorldDef, count: int, distance: float, reach: float) -> Floats:
    """Starts in rows, far enough apart, from which all goals are inside the world, (N, 2) [m]."""
    spacing = 3.0 * reach
    rows = ceil(sqrt(count))
    columns = ceil(count / rows)
    limit = world.farthest_start
    length = spacing * (columns - 1) + (distance if count > 1 else 0.0)
    farthest = max(0.5 * length, 0.5 * spacing * (rows - 1))
    if count == 1 and distance > limit:
        raise DefinitionError(
            f"distance: expected a goal within {limit:g} m of the middle of the world, where the "
            f"creature starts, found {distance!r}"
        )
    if farthest > limit:
        raise DefinitionError(
            f"num_envs: expected creatures and goals within {limit:g} m of the middle of the "
            f"world, found {count} that need {farthest:.1f} m"
        )
    if count > MAX_CREATURES:
        raise DefinitionError(f"num_envs: expected at most {MAX_CREATURES}, found {count}")
    starts = spacing * np.array([(n // rows, n % rows) for n in range(count)], np.float64)
    starts -= 0.5 * np.array((length, spacing * (rows - 1)))
    return starts
