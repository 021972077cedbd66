"""After a reset a run is the run again, to the bit."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import esper
import numpy as np
import pytest

from creature_sim.components import Herd, Part
from creature_sim.definitions import PlacementDef, WorldDef
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import builtin_names, load_creature, load_world
from creature_sim.maths import Floats
from creature_sim.simulation import Simulation
from creature_sim.systems import SYSTEMS
from tests.marks import sample_of
from tests.props.test_props import BALL, CRATE, world_of
from tests.scenes import RIGS, scene

RUN = 100
"""Ticks that are compared."""


def crowd(world: str, *creatures: str) -> WorldDef:
    """A built-in world with these creatures at its first creature's place: none minds another."""
    made = load_world(world)
    species = {name: load_creature(name) for name in creatures}
    start = made.creatures[0].position
    placements = tuple(PlacementDef(creature=name, position=start) for name in creatures)
    return made.model_copy(update={"creatures": placements, "species": species})


def steered(count: int, seed: int) -> Iterator[Input]:
    """Sticks that change four times a second, to no end, the same for all creatures."""
    rng = np.random.default_rng(seed)
    while True:
        axes = tuple(rng.uniform(-1.0, 1.0, 4).tolist())
        for _ in range(15):
            yield Input.of([axes] * count)


def digests(simulation: Simulation, count: int) -> list[Any]:
    """Digests of all creatures and chains after each tick of a run."""
    found = []
    for given in islice(steered(len(simulation.world.creatures), 3), count):
        simulation.step(given)
        found.append((simulation.snapshot.digests, simulation.snapshot.chain_digests))
    return found


def harass(simulation: Simulation, ticks: int) -> None:
    """Push and maim creatures, pull at chains, let another come and go, at odd ticks."""
    count = len(simulation.world.creatures)
    for tick, given in enumerate(islice(steered(count, 8), ticks)):
        events: list[Event] = []
        if tick % 23 == 5:
            events += [Event("push", n, velocity=(0.4, -0.3, 0.2)) for n in range(count)]
        if tick in (31, 52):
            events += [Event("disable_leg", n, leg=tick % 2) for n in range(count)]
        if tick % 40 == 7:
            events += [
                Event("set_target", chain=chain, target=target, point=(0.3, 0.1, 0.8))
                for chain, targets in enumerate(simulation.world.settable_targets)
                for target, is_settable in enumerate(targets)
                if is_settable
            ]
        simulation.step(Input(given.commands, tuple(events)))


def put_back(simulation: Simulation) -> None:
    """Reset all creatures and chains, as the window does, in the first tick of a run."""
    creatures, chains = len(simulation.world.creatures), len(simulation.world.rigs)
    (given,) = islice(steered(creatures, 3), 1)
    events = [Event("reset_props")] if simulation.world.props else []
    events += [Event("reset", n) for n in range(creatures)]
    events += [Event("reset", chain=n) for n in range(chains)]
    simulation.step(Input(given.commands, tuple(events)))


def check(world: WorldDef, before: int) -> None:
    """Run, harass, reset and run again: the same digests."""
    with Simulation(world) as simulation:
        begin = digests(simulation, RUN)
        harass(simulation, before)
        put_back(simulation)
        again = [(simulation.snapshot.digests, simulation.snapshot.chain_digests)]
        for given in islice(steered(len(world.creatures), 3), 1, RUN):
            simulation.step(given)
            again.append((simulation.snapshot.digests, simulation.snapshot.chain_digests))
    for tick, (first, second) in enumerate(zip(begin, again, strict=True)):
        assert first == second, f"tick {tick + 1} after the reset"


@pytest.mark.parametrize("before", [40, 41, 42])
def test_after_a_reset_the_run_is_the_run_again(before: int) -> None:
    check(scene("hills", "hexapod"), before)


@pytest.mark.parametrize(
    "world",
    sample_of(
        # On a wheel there is room for one, and it has turned since.
        (name for name in builtin_names("world") if name not in (*RIGS, "wheel")),
        slow=("planet", "platforms"),
    ),
)
def test_after_a_reset_every_creature_walks_as_before_on_every_world(world: str) -> None:
    check(crowd(world, *builtin_names("creature")), 89)


@pytest.mark.slow
@pytest.mark.parametrize("world", RIGS)
def test_after_a_reset_chains_and_trees_move_as_before(world: str) -> None:
    check(load_world(world), 77)


@pytest.mark.slow
def test_one_that_came_later_walks_again_as_it_did() -> None:
    with Simulation(scene("steps", "spider8")) as simulation:
        for given in islice(steered(1, 1), 37):
            simulation.step(given)
        number = simulation.spawn(load_creature("crab"), (1.0, 2.0))
        runs: list[list[Any]] = []
        for _ in range(2):
            run = []
            for tick, given in enumerate(islice(steered(2, 3), RUN)):
                events = () if tick or not runs else (Event("reset", number),)
                simulation.step(Input(given.commands, events))
                run.append(simulation.snapshot.digests[1])
            runs.append(run)
            for given in islice(steered(2, 4), 31):
                simulation.step(given)
        assert runs[0] == runs[1]


@pytest.mark.slow
def test_what_was_pushed_is_pushed_again_in_the_same_way() -> None:
    """For things that move by themselves, see `carry_from_start`: they know only the tick."""
    with Simulation(world_of(CRATE | {"position": [1.0, 0.4, 0.2]}, BALL)) as simulation:
        runs: list[list[Any]] = []
        for _ in range(3):
            run = []
            for tick in range(200):
                events = [Event("reset_props"), Event("reset", 0)] if runs and not tick else []
                simulation.step(Input.of([(1.0,)], events))
                run.append((simulation.snapshot.digests, simulation.snapshot.prop_digests))
            runs.append(run)
            for given in islice(steered(1, 4), 31):
                simulation.step(given)
        assert runs[0] == runs[1] == runs[2]


class Steps(Part):
    """Ticks of each creature, counted by a system of a user's own."""

    name = "steps"

    def __init__(self, count: Floats) -> None:
        self.count = count

    def arrays(self) -> dict[str, Any]:
        return {"count": self.count}


class CountSteps(esper.Processor):
    def process(self, dt: float) -> None:
        del dt
        for entity, herd in esper.get_component(Herd):
            if not esper.has_component(entity, Steps):
                esper.add_component(entity, Steps(np.zeros(len(herd.members))))
            esper.component_for_entity(entity, Steps).count += 1.0


def test_a_reset_puts_parts_of_a_users_own_to_zero() -> None:
    with Simulation(scene("meadow", "hexapod"), systems=(*SYSTEMS, CountSteps)) as simulation:
        for _ in range(9):
            simulation.step(Input.of([()]))
        simulation.step(Input.of([()], [Event("reset", 0)]))
        assert simulation.snapshot.herds[0].parts["steps"]["count"].tolist() == [1.0]
