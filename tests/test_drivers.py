"""Drivers: timelines to the tick, a wanderer that stays inside, a goal that is reached."""

import numpy as np
import pytest

from creature_sim.drivers import make_driver
from creature_sim.inputs import FULL
from creature_sim.simulation import Simulation
from tests.scenes import CREATURES, herd, scene, walk


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


@pytest.mark.parametrize("creature", CREATURES)
def test_goto_gets_there_and_stops(creature: str) -> None:
    for goal in ((3.0, -2.0), (-2.0, 0.5)):
        world = scene("meadow", creature, driver=f"goto {goal[0]},{goal[1]}")
        *_, before, last = walk(world, 60 * 14)
        position = last.creatures[0].position
        assert np.hypot(*(position[:2] - goal)) < 0.4
        assert np.linalg.norm(position - before.creatures[0].position) < 1e-3


def test_wanderers_turn_back_at_the_border_and_differ() -> None:
    world = herd("meadow", "spider8", [(26.0, 26.0), (-26.0, 20.0), (0.0, -27.0)])
    *_, last = walk(world, 60 * 25)
    positions = np.array([creature.position[:2] for creature in last.creatures])
    assert abs(positions).max() < 26.0
    turns = [creature.body["yaw_rate"] for creature in last.creatures]
    assert len(set(turns)) == 3


def test_another_seed_wanders_elsewhere() -> None:
    ends = []
    for seed in (1, 1, 2):
        *_, last = walk(scene("stairs", "hexapod", seed=seed), 600)
        ends.append(last.digest)
    assert ends[0] == ends[1] != ends[2]
