"""Creatures that stand live, each in its own way."""

import numpy as np
import pytest

from creature_sim.components import STANDING
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import builtin_names
from creature_sim.maths import Floats
from creature_sim.simulation import Simulation
from tests.scenes import herd, scene

STAND = Input.of([()])


def heights(simulation: Simulation, ticks: int, given: Input = STAND) -> Floats:
    """Heights of all bodies over so many ticks, (T, N) [m]."""
    found = []
    for _ in range(ticks):
        simulation.step(given)
        found.append([creature.position[2] for creature in simulation.snapshot.creatures])
    return np.array(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", builtin_names("creature"))
def test_a_creature_that_stands_breathes_on_feet_that_stay(name: str) -> None:
    with Simulation(scene("meadow", name)) as simulation:
        heights(simulation, 180)
        start = simulation.snapshot.creatures[0]
        found = heights(simulation, 600)
        now = simulation.snapshot.creatures[0]
    height = start.definition.body.ride_height
    assert 0.01 * height < np.ptp(found) < 0.06 * height
    assert abs(np.diff(found, axis=0)).max() < 0.002 * height  # a tick
    assert now.tips == pytest.approx(start.tips, abs=1e-9)


@pytest.mark.slow
def test_a_creature_glances_about_within_what_its_neck_can_do() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        yaws = []
        for _ in range(1800):
            simulation.step(STAND)
            head = simulation.snapshot.creatures[0].herd.parts["head"]["records"]
            yaws.append(float(head["yaw"][0]))
    assert np.ptp(yaws) > 0.2
    assert max(map(abs, yaws)) <= 1.0
    assert sum(abs(yaw) < 0.02 for yaw in yaws) > 300  # mostly it looks ahead


@pytest.mark.slow
def test_no_two_of_a_herd_breathe_alike() -> None:
    places = [(x, y) for x in (-2.0, 0.0, 2.0) for y in (-2.0, 2.0)]
    with Simulation(herd("meadow", "hexapod", places)) as simulation:
        given = Input.of([()] * len(places))
        heights(simulation, 180, given)
        found = heights(simulation, 600, given)
    alike = np.corrcoef((found - found.mean(axis=0)).T)
    assert alike[~np.eye(len(places), dtype=bool)].max() < 0.9


@pytest.mark.slow
def test_it_ends_with_the_first_step_and_with_idle_0() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        heights(simulation, 300)
        heights(simulation, 120, Input.of([(1.0,)]))
        pose = simulation.snapshot.creatures[0].herd.parts["body_pose"]["records"]
        assert abs(pose["shift"]).max() < 1e-5
    world = scene("meadow", "hexapod")
    motion = world.species["hexapod"].motion.model_copy(update={"idle": 0.0})
    quiet = world.species["hexapod"].model_copy(update={"motion": motion})
    with Simulation(world.model_copy(update={"species": {"hexapod": quiet}})) as simulation:
        heights(simulation, 180)
        assert np.ptp(heights(simulation, 300)) < 1e-6


@pytest.mark.slow
def test_a_reset_begins_it_anew() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        first = heights(simulation, 300)
        simulation.step(Input.of([()], [Event("reset", 0)]))
        again = heights(simulation, 299)
    assert again == pytest.approx(first[1:], abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hexapod", "spider4", "spider8"])
def test_now_and_then_it_sets_a_foot_anew(name: str) -> None:
    with Simulation(scene("meadow", name)) as simulation:
        lifts, feet = [], simulation.snapshot.creatures[0].feet["phase"] != STANDING
        for tick in range(60 * 80):
            simulation.step(STAND)
            now = simulation.snapshot.creatures[0].feet["phase"] != STANDING
            lifts += [(tick / 60, leg) for leg in np.flatnonzero(now & ~feet)]
            feet = now
    lifts = [(second, leg) for second, leg in lifts if second > 2.0]
    assert len(lifts) == 2  # in 80 s
    assert lifts[0][0] > 16.0
    assert lifts[1][0] - lifts[0][0] > 20.0
