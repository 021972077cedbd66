"""Robots in pybullet: it finds links where our own kinematics has them."""

from collections.abc import Iterator
from math import fsum
from pathlib import Path

import numpy as np
import pybullet
import pytest

from creature_sim.definitions import CreatureDef
from creature_sim.library.loader import load_creature
from creature_sim.maths import Floats
from creature_sim.robots import Robot
from creature_sim.robots.building import robot_of
from creature_sim.robots.kinematics import frames_of
from creature_sim.robots.robot import FIXED
from creature_sim.robots.urdf import urdf_of
from tests.marks import sample_of
from tests.robots.robots import CREATURES, poses, rest, robot

POSES = 1_000
FLAGS = pybullet.URDF_USE_SELF_COLLISION | pybullet.URDF_USE_SELF_COLLISION_EXCLUDE_ALL_PARENTS
TOO_MANY = 128
"""pybullet tells no state of bodies with more joints than that, fixed ones too."""


@pytest.fixture
def client() -> Iterator[int]:
    number = pybullet.connect(pybullet.DIRECT)
    yield number
    pybullet.disconnect(number)


def short_millipede() -> Robot:
    """One of ten segments: 109 joints."""
    fields = load_creature("millipede").model_dump()
    fields["segments"][0]["count"] = 9
    return robot_of(CreatureDef.model_validate(fields))


def made(creature: str) -> Robot:
    return short_millipede() if creature == "millipede" else robot(creature)


class Loaded:
    """A robot in pybullet, whose links are in the robot's order: it has the base apart."""

    def __init__(self, robot: Robot, folder: Path, client: int) -> None:
        path = folder / "robot.urdf"
        path.write_bytes(urdf_of(robot, "a test"))
        self._client = client
        self.body = pybullet.loadURDF(str(path), flags=FLAGS, physicsClientId=client)
        self.count = pybullet.getNumJoints(self.body, physicsClientId=client)
        self.info = [
            pybullet.getJointInfo(self.body, joint, physicsClientId=client)
            for joint in range(self.count)
        ]
        self._moving = [info[0] for info in self.info if info[2] != pybullet.JOINT_FIXED]

    def put(self, angles: Floats, position: Floats, turn: Floats) -> None:
        """Put it in a pose; pybullet means the base's centre of mass, which is at its origin."""
        pybullet.resetBasePositionAndOrientation(
            self.body, position.tolist(), turn.tolist(), physicsClientId=self._client
        )
        for joint, angle in zip(self._moving, angles.tolist(), strict=True):
            pybullet.resetJointState(self.body, joint, angle, physicsClientId=self._client)

    def places(self) -> Floats:
        """Where the frames of its links are, without the base [m, world]."""
        states = pybullet.getLinkStates(
            self.body,
            list(range(self.count)),
            computeForwardKinematics=True,
            physicsClientId=self._client,
        )
        return np.array([state[4] for state in states])

    def touching(self) -> list[tuple[int, int]]:
        """Links that touch each other."""
        pybullet.performCollisionDetection(physicsClientId=self._client)
        points = pybullet.getContactPoints(self.body, self.body, physicsClientId=self._client)
        return [(point[3], point[4]) for point in points]


@pytest.mark.parametrize("creature", sample_of(CREATURES, slow=("biped", "crab", "hexapod")))
def test_links_are_where_ours_are_to_a_micrometre(
    creature: str, tmp_path: Path, client: int
) -> None:
    """Its transforms have single precision in places: 2e-7 m."""
    known = made(creature)
    loaded = Loaded(known, tmp_path, client)
    angles, positions, turns = poses(known, POSES)
    places, _ = frames_of(known, angles, positions, turns)
    for row in range(POSES):
        loaded.put(angles[row], positions[row], turns[row])
        assert abs(loaded.places() - places[row, 1:]).max() < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("creature", CREATURES)
def test_names_limits_and_masses_are_the_robots(creature: str, tmp_path: Path, client: int) -> None:
    known = robot(creature)
    loaded = Loaded(known, tmp_path, client)
    assert [info[12].decode() for info in loaded.info] == [link.name for link in known.links[1:]]
    for info, link in zip(loaded.info, known.links[1:], strict=True):
        joint = link.joint
        assert joint is not None
        assert info[1].decode() == joint.name
        if joint.kind != FIXED:
            assert info[8:12] == (joint.lo, joint.hi, joint.effort, joint.velocity)
    if len(known.links) < TOO_MANY:
        masses = [
            pybullet.getDynamicsInfo(loaded.body, link, physicsClientId=client)[0]
            for link in range(-1, loaded.count)
        ]
        assert fsum(masses) == load_creature(creature).body.mass


@pytest.mark.parametrize("creature", CREATURES)
def test_no_links_touch_at_rest(creature: str, tmp_path: Path, client: int) -> None:
    known = made(creature)
    loaded = Loaded(known, tmp_path, client)
    loaded.put(rest(known)[0], np.zeros(3), np.array((0.0, 0.0, 0.0, 1.0)))
    assert loaded.touching() == []
