"""Scenes that tests and benchmarks share."""

from collections.abc import Iterator, Sequence
from itertools import count, islice
from math import atan2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import STANDING
from creature_sim.definitions import CreatureDef, PlacementDef, WorldDef
from creature_sim.inputs import Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.maths import Floats
from creature_sim.score.reading import spans
from creature_sim.score.support import support_margin
from creature_sim.score.track import Track
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot

CREATURES = ("hexapod", "spider4", "spider8")
WORLDS = ("meadow", "hills", "slope", "stairs", "steps")
RIGS = ("arm", "tentacle", "playground", "humanoid")
"""Worlds of one chain or tree each."""


def scene(world: str, creature: str, **changes: Any) -> WorldDef:
    """A built-in world with one built-in creature."""
    made = with_creature(load_world(world), load_creature(creature))
    return made.model_copy(update=changes)


def at_rest(world: WorldDef) -> WorldDef:
    """A world whose creatures stand still where they stand: they neither breathe nor look about."""
    plans = {
        name: plan.model_copy(update={"motion": plan.motion.model_copy(update={"idle": 0.0})})
        for name, plan in world.species.items()
    }
    return world.model_copy(update={"species": plans})


def leaper(creature: str) -> CreatureDef:
    """A built-in creature that leaps of its own accord."""
    plain = load_creature(creature)
    motion = plain.motion.model_copy(update={"leaps": True})
    return plain.model_copy(update={"motion": motion})


def herd(world: str, creature: str, places: list[tuple[float, float]], **changes: Any) -> WorldDef:
    """A built-in world with creatures of one kind at several places."""
    made = scene(world, creature, **changes)
    placements = tuple(PlacementDef(creature=creature, position=place) for place in places)
    return made.model_copy(update={"creatures": placements})


def walk(world: WorldDef, ticks: int) -> Iterator[Snapshot]:
    """Snapshots of ticks 0 to `ticks`, driven by the world's own driver."""
    with Simulation(world) as simulation:
        yield simulation.snapshot
        for _ in range(ticks):
            simulation.step()
            yield simulation.snapshot


VIOLENT = ("reverse", "strafe", "spin", "random")


def violent(kind: str) -> Iterator[Input]:
    """Inputs at 60 Hz that no walk is made for: sticks thrown about, to no end."""
    rng = np.random.default_rng(5)
    axes: tuple[float, ...] = ()
    for tick in count():
        if kind == "reverse":
            axes = (1.0 if tick // 45 % 2 == 0 else -1.0,)
        elif kind == "strafe":
            axes = (0.0, 0.0, 1.0 if tick // 45 % 2 == 0 else -1.0)
        elif kind == "spin":
            axes = (0.0, 1.0 if tick // 300 % 2 == 0 else -1.0)
        elif tick % 6 == 0:
            axes = tuple(rng.uniform(-1.0, 1.0, 4).tolist())
        yield Input.of([axes])


def thrown_about(world: WorldDef, kind: str, ticks: int) -> Iterator[Snapshot]:
    """Snapshots of ticks 0 to `ticks` under violent inputs."""
    with Simulation(world) as simulation:
        yield simulation.snapshot
        for given in islice(violent(kind), ticks):
            simulation.step(given)
            yield simulation.snapshot


class Footprints:
    """Feet of the first creature over a walk, as arrays with the tick as first axis."""

    def __init__(self, snapshots: Iterator[Snapshot]) -> None:
        feet, tips, joints, positions, orientations = [], [], [], [], []
        for snapshot in snapshots:
            creature = snapshot.creatures[0]
            feet.append(creature.feet)
            tips.append(creature.tips)
            joints.append(creature.joints)
            positions.append(creature.position)
            orientations.append(creature.orientation)
        self.definition = creature.definition
        self.legs = self.definition.all_legs
        self.reach = np.array([leg.reach for leg in self.legs])
        self.feet = np.array(feet)
        self.tips: Floats = np.array(tips)
        self.joints: Floats = np.array(joints)
        self.positions: Floats = np.array(positions)
        self.orientations: Floats = np.array(orientations)
        self.is_swinging = self.feet["phase"] != STANDING

    def stances(self) -> Iterator[tuple[int, int, int]]:
        """Leg, first tick and last tick + 1 of every time that a foot stood."""
        yield from spans(~self.is_swinging)


def share_inside(track: Track, first: int = 0) -> float:
    """Share of the ticks from a first one on in which the weight is held, where that is known."""
    margins = support_margin(track)[first:]
    known = margins[~np.isnan(margins)]
    assert len(known)
    return float((known > 0.0).mean())


def heading_of(orientation: Sequence[float] | NDArray[Any]) -> float:
    """From X to Y, of what has an orientation xyzw [rad]."""
    x, y, z, w = orientation
    return atan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z))
