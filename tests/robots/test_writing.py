"""Robots as text: numbers that come back, angles of frames, shapes, and who may not collide."""

import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.definitions import CreatureDef
from creature_sim.library.loader import load_creature
from creature_sim.maths import X, Y, Z, quat_about, quat_multiply
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.robots import Robot, Shape
from creature_sim.robots.building import robot_of
from creature_sim.robots.mjcf import mjcf_of
from creature_sim.robots.robot import Link, RobotJoint
from creature_sim.robots.texts import rgba_of, rpy_of, text_of, xml_of
from creature_sim.robots.touching import touching
from creature_sim.robots.urdf import urdf_of
from tests.commands import sim
from tests.export.recordings import with_changes
from tests.marks import few
from tests.robots.robots import CREATURES, robot

angles = st.floats(-3.2, 3.2)


@pytest.mark.slow
@given(angles, st.one_of(angles, st.sampled_from([np.pi / 2, -np.pi / 2])), angles)
def test_roll_pitch_and_yaw_are_the_rotation(roll: float, pitch: float, yaw: float) -> None:
    turn = quat_multiply(
        quat_about(Z, yaw), quat_multiply(quat_about(Y, pitch), quat_about(X, roll))
    )
    a, b, c = rpy_of(turn)
    again = quat_multiply(quat_about(Z, c), quat_multiply(quat_about(Y, b), quat_about(X, a)))
    assert rotation_matrices(np.array(again)) == pytest.approx(
        rotation_matrices(np.array(turn)), abs=1e-9
    )


@few
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_numbers_come_back(numbers: list[float]) -> None:
    assert [float(word) for word in text_of(numbers).split()] == numbers
    assert "-0 " not in f"{text_of([-0.0])} "


def test_colours_and_comments() -> None:
    assert rgba_of("#ff0080") == "1 0 0.502 1"
    assert rgba_of("") == rgba_of("#808080")
    text = xml_of(ET.Element("robot"), "a--b---c")
    assert ET.fromstring(text).tag == "robot"


@pytest.mark.slow
@pytest.mark.parametrize("writer", [urdf_of, mjcf_of])
@pytest.mark.parametrize("creature", CREATURES)
def test_documents_are_the_same_every_time(
    creature: str, writer: Callable[[Robot, str], bytes]
) -> None:
    again = robot_of(load_creature(creature))
    assert writer(robot(creature), "made") == writer(again, "made")


def any_robot() -> Robot:
    """A robot with all that creatures have not: slides, wheels, meshes, products of inertia."""
    inertia = (0.02, 0.03, 0.04, 0.001, 0.0, -0.002)
    base = Link("base", -1, None, mass=2.0, inertia=inertia, shapes=(Shape("sphere", (0.1,)),))
    slide = RobotJoint("slide", "prismatic", X, -0.1, 0.2, 0.0, 5.0, 1.0)
    wheel = RobotJoint("wheel", "continuous", Y, effort=2.0, velocity=9.0)
    mesh = Shape("mesh", (1.0, 1.0, 1.0), file="part.stl", collides=False)
    tyre = Shape("cylinder", (0.1, 0.05), colour="#102030", is_drawn=False)
    cart = Link("cart", 0, slide, (0.2, 0.0, 0.0), mass=1.0, inertia=inertia, shapes=(mesh,))
    roller = Link("roller", 1, wheel, (0.3, 0.0, 0.0), mass=1.0, inertia=inertia, shapes=(tyre,))
    return Robot("any", (base, cart, roller), 0.5, (2,))


def test_what_creatures_have_not_is_written_too() -> None:
    root = ET.fromstring(urdf_of(any_robot(), "made"))
    joints = {node.get("name"): node for node in root.iter("joint")}
    assert joints["slide"].get("type") == "prismatic"
    assert "lower" not in joints["wheel"].find("limit").attrib
    assert root.find(".//mesh").get("filename") == "part.stl"
    assert [node.get("name") for node in root.findall("link") if node.find("collision")] == [
        "base",
        "roller",
    ]
    drawn = [node.get("name") for node in root.findall("link") if node.find("visual")]
    assert drawn == ["base", "cart"]


def test_mujoco_reads_slides_and_wheels() -> None:
    mujoco = pytest.importorskip("mujoco", reason="mujoco is in the extra robots")
    made = any_robot()
    cart = replace(made.links[1], shapes=())  # there is no such file
    model = mujoco.MjModel.from_xml_string(
        mjcf_of(replace(made, links=(made.links[0], cart, made.links[2])), "made").decode()
    )
    kinds = mujoco.mjtJoint
    assert model.jnt_type.tolist() == [kinds.mjJNT_FREE, kinds.mjJNT_SLIDE, kinds.mjJNT_HINGE]
    assert model.jnt_limited.tolist() == [0, 1, 0]


def crowded() -> CreatureDef:
    """Hips so near to each other that coxae are in each other."""
    fields = load_creature("crab").model_dump()
    for pair, x in zip(fields["leg_pairs"], (0.06, 0.02, -0.02, -0.06), strict=True):
        pair["mount"] = (x, *pair["mount"][1:])
    return CreatureDef.model_validate(fields)


def test_links_that_are_in_each_other_at_rest_do_not_collide() -> None:
    made = robot_of(crowded())
    names = [link.name for link in made.links]
    pairs = {frozenset((names[a], names[b])) for a, b in touching(made)}
    assert frozenset(("L1_bone_1", "L2_bone_1")) in pairs
    assert frozenset(("L1_bone_1", "L4_bone_1")) not in pairs
    assert frozenset(("body", "head")) in pairs  # with only the neck's motor between them
    assert frozenset(("body", "L1_bone_1")) not in pairs  # simulators know that by themselves
    mujoco = pytest.importorskip("mujoco", reason="mujoco is in the extra robots")
    model = mujoco.MjModel.from_xml_string(mjcf_of(made, "made").decode())
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    assert 0 in [model.geom_bodyid[contact.geom1] for contact in data.contact]
    assert all(model.geom_bodyid[contact.geom1] == 0 for contact in data.contact)


# --- the command -------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_command_writes_both(tmp_path: Path) -> None:
    for name, tag in (("bug.xml", "mujoco"), ("bug.URDF", "robot")):
        done = sim("export", "hexapod", "-o", name, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(f"wrote {name}: ")
        assert ET.parse(tmp_path / name).getroot().tag == tag


@pytest.mark.slow
def test_a_creature_of_a_world_or_a_recording(tmp_path: Path) -> None:
    with_changes(tmp_path / "a.mcap")
    for words, name in (
        ("hexapod", "hexapod"),
        ("hills", "hexapod"),
        ("hills --creature crab", "crab"),
        ("hills --creature 0", "hexapod"),
        ("hexapod --climb", "hexapod-climbing"),
        ("a.mcap --creature 2", "spider4"),
    ):
        path = tmp_path / "a.urdf"
        done = sim("export", *words.split(), "-o", "a.urdf", "--force", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, ""), words
        assert ET.parse(path).getroot().get("name") == name


REFUSED = [
    ("hills --creature 1", "--creature: expected the number of a creature, 0 to 0, found 1"),
    ("a.mcap", "--creature: expected the number of one creature, 0 to 2, for a.urdf holds one"),
    ("arm", "-o: expected a creature to write to a.urdf, found none"),
    ("hexapod --seconds 3", "--seconds: expected a file of a run, found a.urdf, a robot that"),
    ("hexapod --drive wander", "--drive: expected a file of a run, found a.urdf, a robot that"),
    (
        "hexapod --fps 30",
        "--fps: expected a file .glb, .bvh, .usda, .csv, .parquet, found 'a.urdf'",
    ),
    ("hexapod --from 1", "--from: expected a file .glb, .bvh, .usda, .csv, .parquet, found"),
    ("hexapod --creature ant", "--creature: expected a world, found the creature hexapod"),
    ("hexapod --verify", "--verify: expected a replay, found the creature hexapod"),
    ("nobody.toml", "nobody.toml: expected a readable TOML file, found none"),
]


@pytest.mark.parametrize(("words", "expected"), REFUSED, ids=[words for words, _ in REFUSED])
def test_what_does_not_fit_is_refused(words: str, expected: str, tmp_path: Path) -> None:
    if "mcap" in words:
        with_changes(tmp_path / "a.mcap")
    done = sim("export", *words.split(), "-o", "a.urdf", cwd=tmp_path)
    assert done.returncode == 2
    assert expected in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.glob("*.urdf"))


def test_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text("mine")
    done = sim("export", "hexapod", "-o", "a.xml", cwd=tmp_path)
    assert done.returncode == 2
    assert (tmp_path / "a.xml").read_text() == "mine"
