"""Robots in MuJoCo: it finds links where our own kinematics has them, and plays a walk."""

from itertools import pairwise
from math import fsum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from creature_sim.library.loader import builtin_names, load_creature
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths
from creature_sim.robots import Robot
from creature_sim.robots.kinematics import frames_of
from creature_sim.robots.mjcf import mjcf_of
from creature_sim.robots.urdf import urdf_of
from tests.commands import sim
from tests.marks import sample_of
from tests.robots.robots import CREATURES, limits, poses, robot
from tests.robots.tables import Table

mujoco = pytest.importorskip("mujoco", reason="mujoco is in the extra robots")

POSES = 1_000
SECONDS = 20.0
WALKERS = sample_of((name for name in CREATURES if name != "biped"), "hexapod")


def loaded(made: Robot) -> Any:
    return mujoco.MjModel.from_xml_string(mjcf_of(made, "a test").decode())


@pytest.mark.slow
@pytest.mark.parametrize("creature", CREATURES)
def test_links_are_where_ours_are(creature: str) -> None:
    made = robot(creature)
    model = loaded(made)
    data = mujoco.MjData(model)
    assert [model.body(k + 1).name for k in range(model.nbody - 1)] == [
        link.name for link in made.links
    ]
    assert [model.joint(k + 1).name for k in range(model.njnt - 1)] == [
        joint.name for joint in made.joints
    ]
    angles, positions, turns = poses(made, POSES)
    places, frames = frames_of(made, angles, positions, turns)
    for row in range(POSES):
        data.qpos[:] = *positions[row], *turns[row, [3, 0, 1, 2]], *angles[row]
        mujoco.mj_kinematics(model, data)
        assert abs(data.xpos[1:] - places[row]).max() < 1e-9
        assert abs(data.xmat[1:].reshape(-1, 3, 3) - frames[row]).max() < 1e-9


@pytest.mark.parametrize("creature", CREATURES)
def test_it_is_as_heavy_and_as_strong_as_the_robot(creature: str) -> None:
    made, model = robot(creature), loaded(robot(creature))
    assert fsum(model.body_mass) == load_creature(creature).body.mass
    low, high = limits(made)
    assert np.array_equal(model.jnt_range[1:], np.stack((low, high), axis=1))
    assert np.array_equal(model.actuator_ctrlrange, model.jnt_range[1:])
    efforts = [joint.effort for joint in made.joints]
    assert np.array_equal(model.actuator_forcerange[:, 1], efforts)
    assert [model.site(k).name for k in range(model.nsite)] == [
        made.links[foot].name for foot in made.feet
    ]


@pytest.mark.parametrize("creature", CREATURES)
def test_at_rest_only_feet_touch_and_only_the_floor(creature: str) -> None:
    made, model = robot(creature), loaded(robot(creature))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    data.qpos[2] -= 0.002  # pads are round: the ground is a little below them
    mujoco.mj_forward(model, data)
    names = {frozenset(names_of(model, contact)) for contact in data.contact}
    assert names == {frozenset(("world", made.links[foot].name)) for foot in made.feet}


def names_of(model: Any, contact: Any) -> tuple[str, str]:
    """The bodies that touch."""
    first, second = (
        model.body(model.geom_bodyid[geom]).name for geom in (contact.geom1, contact.geom2)
    )
    return first, second


@pytest.mark.parametrize("creature", CREATURES)
def test_it_reads_the_urdf_as_the_same_robot(creature: str) -> None:
    """Its own reader of URDF has no free base: the base is in the world."""
    made = robot(creature)
    model = mujoco.MjModel.from_xml_string(urdf_of(made, "a test").decode())
    data = mujoco.MjData(model)
    assert [model.joint(k).name for k in range(model.njnt)] == [j.name for j in made.joints]
    assert np.array_equal(model.jnt_range, np.stack(limits(made), axis=1))
    angles, _, _ = poses(made, 50)
    here = np.zeros((50, 3)), np.repeat([[0.0, 0.0, 0.0, 1.0]], 50, axis=0)
    places, _ = frames_of(made, angles, *here)
    links = {link.name: k for k, link in enumerate(made.links)}
    for row in range(50):
        data.qpos[:] = angles[row]
        mujoco.mj_kinematics(model, data)
        for body in range(1, model.nbody):
            link = links[model.body(body).name]
            assert abs(data.xpos[body] - places[row, link]).max() < 1e-9


class Walk(NamedTuple):
    """A walk that was played: way and least uprightness, and the way that it should have gone."""

    way: Floats
    kinematic: Floats
    upright: float


def played(folder: Path, creature: str) -> Walk:
    """A creature's exported walk, played by its exported motors."""
    for words in (["robot.xml"], ["angles.csv", "--angles", "--seconds", f"{SECONDS:g}"]):
        done = sim("export", creature, "-o", *words, cwd=folder)
        assert (done.returncode, done.stderr) == (0, "")
    model = mujoco.MjModel.from_xml_path(str(folder / "robot.xml"))
    data = mujoco.MjData(model)
    table = Table(folder / "angles.csv")
    names = [model.actuator(k).name for k in range(model.nu)]
    angles = table.columns(names)
    position, turn = table.positions, table.orientations
    data.qpos[:] = *position[0], *turn[0, [3, 0, 1, 2]], *angles[0]
    upright = 1.0
    for before, after in pairwise(range(len(angles))):
        while data.time < table.times[after]:
            fraction = (data.time - table.times[before]) * 60.0
            data.ctrl[:] = angles[before] + fraction * (angles[after] - angles[before])
            mujoco.mj_step(model, data)
        upright = min(upright, float(data.body("body").xmat[8]))
    return Walk(data.qpos[:2] - position[0, :2], position[-1, :2] - position[0, :2], upright)


@pytest.mark.slow
@pytest.mark.parametrize("creature", WALKERS)
def test_motors_walk_as_far_and_stay_upright(creature: str, tmp_path: Path) -> None:
    walk = played(tmp_path, creature)
    far, error = lengths(np.stack((walk.kinematic, walk.way - walk.kinematic)))
    assert far > 0.2 * SECONDS
    assert error < 0.15 * far
    assert walk.upright > 0.95


def test_all_creatures_are_tried() -> None:
    assert set(CREATURES) == set(builtin_names("creature"))
    assert len(CREATURES) == 8
