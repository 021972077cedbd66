"""Drivers: timelines to the tick, a wanderer that stays inside, a goal that is reached."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from creature_sim.definitions import WorldDef
from creature_sim.drivers import ARRIVED, Led, go_to, make_driver
from creature_sim.errors import DefinitionError
from creature_sim.inputs import FULL, Input
from creature_sim.maths import Floats, Vec
from creature_sim.simulation import Simulation
from tests.marks import sample_of
from tests.scenes import CREATURES, herd, scene, walk

RADIUS = 4.0
"""Of the world `planet`, whose top is the origin [m]."""


@pytest.mark.parametrize("rate", [30, 60, 100])
def test_a_timeline_changes_at_its_ticks_and_ends_in_rest(rate: int) -> None:
    world = scene("meadow", "hexapod", tick_rate=rate)
    driver = make_driver(world, "forward 1; left 0.5; back right 0.1")
    with Simulation(world) as simulation:
        commands = []
        for _ in range(2 * rate):
            given = driver(simulation.snapshot)
            commands.append(given.commands[0])
            simulation.step(given)
    expected = [(FULL, 0, 0, 0)] * rate
    expected += [(0, FULL, 0, 0)] * round(0.5 * rate)
    expected += [(-FULL, -FULL, 0, 0)] * round(0.1 * rate)
    assert commands == expected + [(0, 0, 0, 0)] * (2 * rate - len(expected))


def test_a_timeline_gives_the_same_input_as_long_as_nothing_changes() -> None:
    """It is checked once then."""
    world = scene("meadow", "hexapod")
    driver = make_driver(world, "forward 0.1; push 0,0.2; left 1")
    with Simulation(world) as simulation:
        given = []
        for _ in range(12):
            given.append(driver(simulation.snapshot))
            simulation.step(given[-1])
    same = [one is other for one, other in pairwise(given)]
    assert same.count(False) <= 3
    assert given[0] is given[1]
    assert given[-1] is given[-2]
    assert given[0].commands != given[-1].commands


def test_a_drive_that_is_no_text_is_told() -> None:
    drive: Any = 5
    with pytest.raises(DefinitionError, match=r"^driver: expected text like 'forward 5; .* 5$"):
        make_driver(scene("meadow", "hexapod"), drive)


@pytest.mark.parametrize("removed", [0, 1])
def test_blows_of_a_timeline_pass_those_who_were_removed(removed: int) -> None:
    places = [(0.0, 0.0), (3.0, 0.0), (6.0, 0.0)]
    world = herd("meadow", "hexapod", places, driver="stop 0.05; push 0,0.2; look 1; stop 1")
    with Simulation(world) as simulation:
        simulation.remove(removed)
        found = []
        for _ in range(5):
            simulation.step()
            found += [event for event in simulation.input.events if event.kind != "remove"]
    stayed = {0, 1, 2} - {removed}
    assert {event.creature for event in found if event.kind == "push"} == stayed
    assert {event.creature for event in found if event.kind == "look"} == (
        stayed if removed == 0 else set()
    )


def test_a_goal_is_reached_by_whoever_is_left() -> None:
    world = herd("meadow", "hexapod", [(0.0, 0.0), (3.0, 0.0)], driver="goto 0,0")
    with Simulation(world) as simulation:
        for number in (1, 0):
            simulation.remove(number)
            simulation.step()
            assert simulation.input.commands == ((0, 0, 0, 0),) * 2


def where_it_stops(world: WorldDef, ticks: int) -> Floats:
    """Where the first creature is when its feet have stood for a second; it has so many ticks."""
    feet: list[Floats] = []
    for snapshot in walk(world, ticks):
        creature = snapshot.creatures[0]
        feet.append(creature.tips.copy())
        if len(feet) > 120 and np.ptp(feet[-60:], axis=0).max() < 1e-3:
            return creature.position.copy()
    raise AssertionError(f"expected it to stop within {ticks} ticks, found it walking")


@pytest.mark.slow
@pytest.mark.parametrize("creature", CREATURES)
def test_goto_gets_there_and_stops(creature: str) -> None:
    for goal in ((3.0, -2.0), (-2.0, 0.5)):
        world = scene("meadow", creature, driver=f"goto {goal[0]},{goal[1]}")
        position = where_it_stops(world, 60 * 14)
        assert np.hypot(*(position[:2] - goal)) < 0.4


@pytest.mark.slow
def test_wanderers_turn_back_at_the_border_and_differ() -> None:
    world = herd("meadow", "spider8", [(26.0, 26.0), (-26.0, 20.0), (0.0, -27.0)])
    *_, last = walk(world, 60 * 25)
    positions = np.array([creature.position[:2] for creature in last.creatures])
    assert abs(positions).max() < 26.0
    turns = [creature.body["yaw_rate"] for creature in last.creatures]
    assert len(set(turns)) == 3


@pytest.mark.slow
def test_another_seed_wanders_elsewhere() -> None:
    ends = []
    for seed in (1, 1, 2):
        *_, last = walk(scene("stairs", "hexapod", seed=seed), 600)
        ends.append(last.digest)
    assert ends[0] == ends[1] != ends[2]


def round_ground(place: Floats | Vec, goal: Floats | Vec) -> float:
    """Length of the great circle between what is above two places of the planet [m]."""
    middle = np.array([0.0, 0.0, -RADIUS])
    a, b = np.array(place) - middle, np.array(goal) - middle
    return RADIUS * float(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b))


@pytest.mark.slow
@pytest.mark.parametrize("creature", sample_of([*CREATURES, "crab"], slow=("hexapod", "crab")))
@pytest.mark.parametrize("goal", [(3.0, -2.0), (-2.0, 0.5), (0.0, RADIUS)])
def test_goto_gets_there_on_a_planet_and_stops(creature: str, goal: tuple[float, float]) -> None:
    world = scene("planet", creature, driver=f"goto {goal[0]},{goal[1]}")
    position = where_it_stops(world, 60 * 18)
    height = np.sqrt(RADIUS**2 - goal[0] ** 2 - goal[1] ** 2) - RADIUS
    assert round_ground(position, (*goal, height)) < 0.4


@pytest.mark.slow
def test_whoever_is_sent_round_a_planet_takes_the_great_circle() -> None:
    below, beside = (0.0, 0.0, -2.0 * RADIUS), (-3.9, 0.0, -RADIUS - np.sqrt(RADIUS**2 - 3.9**2))
    with Simulation(scene("planet", "hexapod")) as simulation:
        for goal in (below, beside):  # the first is exactly opposite: any way is right
            start = simulation.snapshot.creatures[0].position
            went, shortest = 0.0, round_ground(start, goal)
            for _ in range(60 * 25):
                creature = simulation.snapshot.creatures[0]
                axes = go_to(simulation.snapshot, {0: goal})[0]
                if axes is None:
                    break
                simulation.step(Input.of([axes]))
                went += round_ground(creature.position, simulation.snapshot.creatures[0].position)
            assert axes is None
            assert round_ground(simulation.snapshot.creatures[0].position, goal) <= ARRIVED
            assert went < 1.15 * shortest


@pytest.mark.slow
def test_wanderers_roam_all_of_a_planet() -> None:
    world = scene("planet", "hexapod", driver="wander")
    on_large = world.terrain.model_copy(update={"radius": 30.0})
    far = scene("planet", "hexapod", driver="wander", terrain=on_large)
    far = far.model_copy(
        update={"creatures": (far.creatures[0].model_copy(update={"position": (23.0, 0.0)}),)}
    )
    with Simulation(far) as there, Simulation(world) as on_top:
        away, near = make_driver(far), make_driver(world)
        for _ in range(600):  # where flat ground turns back it gives the same commands
            given = away(there.snapshot)
            assert given.commands == near(on_top.snapshot).commands
            there.step(given)
            on_top.step(given)
    lowest = min(snapshot.creatures[0].position[2] for snapshot in walk(world, 60 * 40))
    assert lowest < -RADIUS


@pytest.mark.slow
def test_a_driver_remembers_nothing_so_that_every_run_of_it_is_the_same() -> None:
    made = scene("proving_ground", "spider8")
    driver, digests = make_driver(made), []
    for _ in range(2):
        with Simulation(made) as simulation:
            for _ in range(2600):  # it has been held up, and gone back, by then
                simulation.step(driver(simulation.snapshot))
            digests.append(simulation.digest)
    assert digests[0] == digests[1]


def test_who_is_left_alone_goes_all_the_way() -> None:
    """Nobody who has gone is in its way, or counts as a crowd."""
    goal = (2.0, 1.0)
    world = herd("meadow", "hexapod", [(0.0, 0.0), (3.0, 0.0)], driver="goto 2,1")
    driver = make_driver(world)
    with Simulation(world) as simulation:
        simulation.remove(1)
        for _ in range(9 * world.tick_rate):
            simulation.step(driver(simulation.snapshot))
        (left,) = simulation.snapshot.creatures
    assert np.hypot(*(left.position[:2] - goal)) < ARRIVED


@pytest.mark.parametrize(("seconds", "is_there"), [(2.0, False), (9.0, True)])
def test_a_goto_says_how_far_those_are_that_have_not_arrived(
    seconds: float, is_there: bool
) -> None:
    world = scene("meadow", "hexapod", driver="goto 2,1")
    driver = make_driver(world)
    assert isinstance(driver, Led)
    with Simulation(world) as simulation:
        for _ in range(round(seconds * world.tick_rate)):
            simulation.step(driver(simulation.snapshot))
        end = simulation.snapshot
    away = float(np.hypot(*(end.creatures[0].position[:2] - [2.0, 1.0])))
    assert driver.left(end) == ({} if is_there else {0: pytest.approx(away)})
    assert (away < ARRIVED) == is_there
