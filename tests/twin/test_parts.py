"""The parts of a twin: its links, goals of its hinges, forces of its feet."""

from itertools import product
from typing import Any

import numpy as np
import pybullet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.ground.bodies import GROUND_GROUP
from creature_sim.library.loader import load_creature
from creature_sim.maths import Floats, Vec, vec
from creature_sim.props.dynamics import TWIN
from creature_sim.robots.angles import angles_of
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import pose_of
from creature_sim.twin.building import machine_of, mass_matrix
from creature_sim.twin.forces import into_cone, share_out
from creature_sim.twin.goals import find_goals
from creature_sim.twin.links import Feet
from creature_sim.twin.motion import motion_for, move_base, move_links
from creature_sim.twin.multibody import Multibody, groups_of
from tests.scenes import scene

CREATURES = ("hexapod", "ant", "spider4", "spider8", "crab", "centipede", "biped")
UP = np.array([0.0, 0.0, 1.0])
ORIGIN: Vec = (0.0, 0.0, 0.0)


@pytest.mark.parametrize("creature", CREATURES)
def test_links_are_where_pybullet_has_them(creature: str) -> None:
    definition = load_creature(creature)
    machine = machine_of(definition, None)
    client = pybullet.connect(pybullet.DIRECT)
    try:
        body = Multibody(machine.robot, client, 1.0)
        count = len(machine.links.parent)
        masses = [
            pybullet.getDynamicsInfo(body.number, link - 1, physicsClientId=client)[0]
            for link in range(count)
        ]
        assert sum(masses) == pytest.approx(definition.body.mass)
        rng = np.random.default_rng(1)
        angles = np.array([rng.uniform(joint.lo, joint.hi) for joint in machine.robot.joints])
        for hinge, angle in enumerate(angles):
            pybullet.resetJointState(body.number, hinge, angle, physicsClientId=client)
        motion = motion_for(count)
        move_base(motion, machine.links, ORIGIN, (0.0, 0.0, 0.0, 1.0), ORIGIN, ORIGIN)
        move_links(motion, machine.links, angles, np.zeros(count - 1))
        for link in range(1, count):
            state = pybullet.getLinkState(
                body.number, link - 1, computeForwardKinematics=True, physicsClientId=client
            )
            assert np.abs(motion.position[link] - state[4]).max() < 1e-6
            assert np.abs(motion.centre[link] - state[0]).max() < 1e-6
    finally:
        pybullet.disconnect(client)


@pytest.mark.slow
@pytest.mark.parametrize("creature", CREATURES)
def test_goals_are_the_angles_of_the_exported_robot(creature: str) -> None:
    definition = load_creature(creature)
    machine = machine_of(definition, None)
    angles = np.array([[joint.rest for joint in machine.robot.joints]])
    with Simulation(scene("hills", creature)) as simulation:
        for _ in range(60):
            simulation.step()
            (herd,), (pose,) = simulation.snapshot.herds, pose_of(simulation.snapshot).herds
            trunks: Any = herd.parts["body"]["records"]
            heads: Any = herd.parts["head"]["records"]
            bones = herd.parts["leg_chain"]["rotations"]
            find_goals(machine.links, trunks, heads, bones, angles)
            expected = angles_of(
                definition, pose.orientations[:1], pose.joints[:1], pose.headings[:1]
            )[0]
            off = np.remainder(angles[0] - expected + np.pi, 2.0 * np.pi) - np.pi
            assert np.abs(off).max() < 1e-9


def test_the_mass_matrix_is_that_of_pybullet() -> None:
    """Energy of random motions against the sum of what pybullet says of every link."""
    machine = machine_of(load_creature("hexapod"), None)
    matrix = mass_matrix(machine.robot, machine.links)
    count = len(machine.links.parent)
    rng = np.random.default_rng(2)
    speeds = rng.normal(size=5 + count)
    motion = motion_for(count)
    rest = np.array([joint.rest for joint in machine.robot.joints])
    move_base(
        motion, machine.links, ORIGIN, (0.0, 0.0, 0.0, 1.0), vec(speeds[:3]), vec(speeds[3:6])
    )
    move_links(motion, machine.links, rest, speeds[6:])
    energy = 0.0
    for k in range(count):
        arm = motion.centre[k] - motion.position[k]
        goes = motion.velocity[k] + np.cross(motion.spin[k], arm)
        x, y, z, w = motion.orientation[k]
        turn = np.array(pybullet.getMatrixFromQuaternion((x, y, z, w))).reshape(3, 3)
        own = turn @ machine.links.inertia[k] @ turn.T
        energy += machine.links.mass[k] * goes @ goes + motion.spin[k] @ own @ motion.spin[k]
    assert speeds @ matrix @ speeds == pytest.approx(energy)


def shared(force: Vec, torque: Vec, tips: Floats, loads: Floats, friction: float = 1.0) -> Floats:
    normals = np.tile(UP, (len(tips), 1))
    still = np.zeros((len(tips), 3))
    feet = Feet(normals, still, loads, still.copy())
    share_out(force, torque, ORIGIN, 0.5, tips, np.arange(len(tips)), feet, friction)
    return feet.forces


SQUARE = np.array([(x, y, -0.2) for x, y in product((0.3, -0.3), (0.2, -0.2))])


def test_four_feet_in_a_square_carry_a_quarter_each() -> None:
    forces = shared((0.0, 0.0, 40.0), ORIGIN, SQUARE, np.ones(4))
    assert forces == pytest.approx(np.tile((0.0, 0.0, 10.0), (4, 1)), abs=0.05)


def test_forces_add_up_to_what_is_asked_for() -> None:
    force, torque = (6.0, -3.0, 40.0), (1.0, 2.0, -0.5)
    forces = shared(force, torque, SQUARE, np.ones(4))
    assert forces.sum(axis=0) == pytest.approx(force, abs=0.2)
    assert np.cross(SQUARE, forces).sum(axis=0) == pytest.approx(torque, abs=0.1)


def test_who_carries_half_as_much_has_half_the_force() -> None:
    row = np.array([(0.3, 0.0, -0.2), (-0.3, 0.2, -0.2), (-0.3, -0.2, -0.2), (-0.3, 0.0, -0.2)])
    forces = shared((0.0, 0.0, 40.0), ORIGIN, row, np.array([1.0, 1.0, 1.0, 0.0]))
    assert not forces[3].any()
    assert forces[0, 2] == pytest.approx(20.0, abs=0.2)


def test_a_foot_that_is_not_needed_presses_too() -> None:
    """Three of four feet below a body that leans on them carry it; the fourth would slide."""
    centre = np.array([0.12, 0.1, 0.0])
    forces = shared((0.0, 0.0, 40.0), ORIGIN, SQUARE - centre, np.ones(4))
    assert forces[3, 2] >= 0.4 * 10.0 - 0.1
    assert forces[:, 2].sum() == pytest.approx(40.0, abs=0.5)
    beside = np.array([0.24, 0.0, 0.0])
    three = shared((0.0, 0.0, 40.0), ORIGIN, SQUARE[:3] - beside, np.ones(3))
    assert three[2, 2] == pytest.approx(4.0, abs=0.1)  # of three each is needed as it is


@pytest.mark.slow
@given(
    st.tuples(*[st.floats(-60.0, 60.0)] * 3),
    st.tuples(*[st.floats(-20.0, 20.0)] * 3),
    st.floats(0.1, 2.0),
)
def test_no_foot_pulls_or_slips_whatever_is_asked_for(
    force: Vec, torque: Vec, friction: float
) -> None:
    forces = shared(force, torque, SQUARE, np.ones(4), friction)
    aside = np.linalg.norm(forces[:, :2], axis=1)
    assert (forces[:, 2] >= -1e-9).all()
    assert (aside <= friction * forces[:, 2] + 1e-6).all()


@pytest.mark.slow
@given(st.tuples(*[st.floats(-10.0, 10.0)] * 3), st.floats(0.1, 2.0))
def test_nothing_in_a_cone_is_nearer_than_the_projection(force: Vec, friction: float) -> None:
    found = np.array(into_cone(force, (0.0, 0.0, 1.0), friction))
    for angle in np.linspace(0.0, 2.0 * np.pi, 24):
        for height in np.linspace(0.0, 12.0, 24):
            edge = height * np.array((friction * np.cos(angle), friction * np.sin(angle), 1.0))
            assert np.linalg.norm(found - force) <= np.linalg.norm(edge - force) + 1e-9


@given(st.lists(st.integers(0, 2047), min_size=2, max_size=2, unique=True))
def test_links_of_one_body_are_no_pairs_and_those_of_two_are(numbers: list[int]) -> None:
    (one, meets), (other, met) = map(groups_of, numbers)
    assert not one & meets
    assert one & met
    assert other & meets
    assert max(one, meets) < 2**31
    assert one & TWIN  # props name it
    assert meets & GROUND_GROUP


def test_a_twin_passes_through_itself_and_meets_another() -> None:
    machine = machine_of(load_creature("hexapod"), None)
    client = pybullet.connect(pybullet.DIRECT)
    try:
        one, other = (Multibody(machine.robot, client, 1.0).number for _ in range(2))
        pybullet.performCollisionDetection(physicsClientId=client)
        assert not pybullet.getContactPoints(one, one, physicsClientId=client)
        assert pybullet.getContactPoints(one, other, physicsClientId=client)
    finally:
        pybullet.disconnect(client)
