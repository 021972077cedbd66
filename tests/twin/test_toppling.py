"""Twins whose hips are balls topple over, with their legs over their backs."""

import esper
import numpy as np
import pytest

from creature_sim.components import ROLLS_OVER, STANDING, UNFOLDING, UPRIGHT, WALKING, Twin
from creature_sim.library.loader import load_creature
from creature_sim.library.variants import with_twins
from creature_sim.maths import Floats
from creature_sim.simulation import Simulation
from creature_sim.twin.building import machine_of
from creature_sim.twin.links import Links
from creature_sim.twin.motion import motion_for, move_base, move_links, tip_of
from creature_sim.twin.toppling import come_back, poses_of, topple_over
from tests.tools.twins import creature_of, world_of
from tests.twin.test_twins import STILL, first

UP = (0.0, 0.0, 1.0)
STILL_NOW = (0.0, 0.0, 0.0)


def links_of(name: str) -> Links:
    creature = load_creature(name) if name != "a1" else creature_of(name)
    return machine_of(creature, None).links


def tips_of(links: Links, angles: Floats) -> Floats:
    """Tips of all feet (L, 3) at angles of hinges [m, base]."""
    motion = motion_for(len(links.parent))
    move_base(motion, links, STILL_NOW, (0.0, 0.0, 0.0, 1.0), STILL_NOW, STILL_NOW)
    move_links(motion, links, angles, angles)
    return np.array([tip_of(motion, links, leg) for leg in range(len(links.bone))])


@pytest.mark.slow
def test_legs_of_a_robot_reach_over_its_back_and_to_either_side_of_it() -> None:
    links = links_of("a1")
    right, above, left = (tips_of(links, pose) for pose in poses_of(links))
    hips = links.position[links.first[links.bone[:, 0]]]
    assert (above[:, 2] > 0.35).all()
    assert np.abs(above - hips)[:, :2].max() < 0.03
    assert (left - above)[:, 1].min() > 0.15
    assert (above - right)[:, 1].min() > 0.15


def test_legs_of_hips_that_yaw_roll_over_otherwise() -> None:
    assert len(poses_of(links_of("hexapod"))) == 0


@pytest.mark.slow
def test_feet_go_to_one_side_and_then_to_the_other() -> None:
    """The left legs push: feet to the left, so that it falls to the right; then to the right."""
    poses = np.arange(3.0)[:, None] * np.ones((3, 16))
    with Simulation(with_twins(world_of(creature_of("a1"), "level", 0))) as simulation:
        with simulation.context():
            ((_, twin),) = esper.get_component(Twin)
        base = twin.records[0]
        base.stage, base.side = ROLLS_OVER, 1
        found = []
        for roll, ticks in ((np.pi, 10), (np.pi, 60), (0.5 * np.pi, 60), (0.1, 60)):
            base.orientation[:] = (np.sin(0.5 * roll), 0.0, 0.0, np.cos(0.5 * roll))
            base.ticks = ticks
            goals = np.full(16, 7.0)
            topple_over(poses, base, UP, goals, 1.0 / 60.0)
            found.append(goals[0])
        base.orientation[:] = (0.0, np.sin(0.25 * np.pi), 0.0, np.cos(0.25 * np.pi))
        topple_over(poses, base, UP, goals, 1.0 / 60.0)
    assert found == [1.0, 2.0, 0.0, 7.0]
    assert goals[0] == 1.0  # on its nose


@pytest.mark.slow
def test_hips_turn_back_the_way_they_came_once_their_knees_are_bent() -> None:
    links = links_of("a1")
    hip, knee = links.first[links.bone[0, 0]] - 1, links.bone[0, 1] - 1
    old = poses_of(links)[1]
    goals = old.copy()
    goals[hip], goals[knee] = -0.8 - 2.0 * np.pi, 2.3
    come_back(links, old, goals)
    assert goals[hip] == old[hip]
    assert goals[knee] > 2.2
    old[knee] = goals[knee]
    goals[hip] = -0.8 - 2.0 * np.pi
    come_back(links, old, goals)
    assert goals[hip] == pytest.approx(-0.8)


@pytest.mark.slow
def test_who_stands_up_stands_where_its_feet_rest() -> None:
    """It does not step on the spot once it is up: footholds go along with a body that slides."""
    with Simulation(with_twins(world_of(creature_of("a1"), "level", 0))) as simulation:
        with simulation.context():
            ((_, twin),) = esper.get_component(Twin)
        twin.records[0].orientation[:] = (np.sqrt(0.5), 0.0, 0.0, -np.sqrt(0.5))  # on its left
        twin.records[0].position[2] += 0.35
        stages, lifted = [], 0
        for _ in range(300):
            simulation.step(STILL)
            state = first(simulation.snapshot)
            parts = state.herd.parts
            stages.append((int(parts["twin"]["records"][0].stage), int(state.flight.stage)))
            if stages[-1] == (UPRIGHT, WALKING) and (UPRIGHT, UNFOLDING) in stages:
                lifted += int((parts["foot_target"]["records"][0]["phase"] != STANDING).sum())
        assert stages[-60:] == [(UPRIGHT, WALKING)] * 60
        assert lifted == 0
