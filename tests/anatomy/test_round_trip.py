"""Creatures on upright legs that go out as robots come back as creatures that walk."""

from itertools import product
from pathlib import Path

import pytest

from creature_sim.advice.plans import plan_advice
from creature_sim.anatomy import creature_text, robot_anatomy
from creature_sim.definitions import CreatureDef
from creature_sim.definitions.hinging import CONE
from creature_sim.lab.course import Trial
from creature_sim.lab.run import run_trial
from creature_sim.library.loader import load_creature
from creature_sim.maths import X, rotate
from creature_sim.robots.building import robot_of
from creature_sim.robots.mjcf import mjcf_of
from creature_sim.robots.urdf import urdf_of
from tests.marks import sample_of

BODY = """
name = "upright"

[body]
size = [0.9, 0.36, 0.34]
ride_height = {height}
mass = 40.0

[motion]
speed = 0.8
turn_rate = 0.6
acceleration = 1.0
turn_acceleration = 2.0

[gait]
kind = "phase"
pattern = "{pattern}"
stride_length = 0.5
step_height = 0.1
"""
PAIR = """
[[leg_pairs]]
mount = [{x}, 0.14, -0.05]
bones = {bones}
home = [{x}, 0.18]
pole = [{pole}, 0.0, 0.0]
"""
BONES = {
    "two": [0.55, 0.55],
    "three": [0.45, 0.4, 0.25],
    "three alike": [0.37, 0.37, 0.36],
    "a short thigh": [0.2, 0.5, 0.4],
    "four": [0.3, 0.3, 0.3, 0.2],
}
KNEES = {
    "inwards": (-1.0, 1.0),
    "outwards": (1.0, -1.0),
    "ahead": (1.0, 1.0),
    "back": (-1.0, -1.0),
    "two legs, ahead": (1.0,),
    "two legs, back": (-1.0,),
}
FEET = ("on points", "on soles")
BODIES = [", ".join(words) for words in product(BONES, KNEES, FEET)]
SAMPLE = (
    "three, inwards, on points",
    "three, outwards, on soles",
    "three alike, back, on soles",
    "two, ahead, on soles",
    "three, two legs, ahead, on soles",
    "four, two legs, back, on points",
)
ANKLE = 0.08


def made(body: str, folder: Path, joints: str = "") -> CreatureDef:
    """A creature of one of the bodies, with such joints."""
    bones, knees = next(
        (BONES[one], KNEES[other])
        for one, other in product(BONES, KNEES)
        if body.startswith(f"{one}, {other}, ")
    )
    has_soles = body.endswith("soles")
    pattern = "amble" if len(knees) > 1 else "wave"
    text = BODY.format(height=1.0 + ANKLE * has_soles, pattern=pattern)
    for x, pole in zip((0.38, -0.38) if len(knees) > 1 else (0.0,), knees, strict=True):
        text += PAIR.format(x=x, bones=[*bones, ANKLE] if has_soles else bones, pole=pole)
        text += "foot = { heel = 0.08, toe = 0.18 }\n" if has_soles else ""
        text += joints
    (folder / "upright.toml").write_text(text)
    return load_creature(folder / "upright.toml")


def come_back(creature: CreatureDef, suffix: str, folder: Path) -> CreatureDef:
    """A creature that went out as a robot."""
    path = folder / f"out{suffix}"
    path.write_bytes((urdf_of if suffix == ".urdf" else mjcf_of)(robot_of(creature), "a robot"))
    anatomy, model = robot_anatomy(path)
    (folder / "back.glb").write_bytes(model)
    (folder / "back.toml").write_text(creature_text(anatomy, "back", "back.glb", "x.json"))
    return load_creature(folder / "back.toml")


@pytest.mark.parametrize("body", sample_of(BODIES, slow=SAMPLE))
def test_upright_creatures_come_back_and_walk(body: str, tmp_path: Path) -> None:
    creature = made(body, tmp_path)
    back = come_back(creature, ".urdf", tmp_path)
    assert come_back(creature, ".xml", tmp_path).leg_pairs == back.leg_pairs
    for leg, known in zip(back.leg_pairs, creature.leg_pairs, strict=True):
        above = slice(-1) if known.foot else slice(None)
        assert leg.mount == pytest.approx(known.mount, abs=1e-4)
        assert leg.bones[above] == pytest.approx(known.bones[above], abs=1e-4)
        assert leg.pole == known.pole
        assert (leg.foot is None) == (known.foot is None)
        if leg.foot and known.foot:
            assert leg.bones[-1] == pytest.approx(ANKLE, abs=0.005)  # it leans a little
            assert (leg.foot.heel, leg.foot.toe) == pytest.approx(
                (known.foot.heel, known.foot.toe), abs=0.01
            )
    assert not any("stands at home" in one.reason for one in plan_advice(back))
    assert run_trial(back, Trial("hills", 0.25, 0)).verdict == "success"


@pytest.mark.slow
def test_a_hip_that_turns_all_the_way_round_has_no_end_anywhere(tmp_path: Path) -> None:
    """Its legs fold: their thighs stand near where the turns of its hinges begin and end."""
    creature = load_creature("evolved-9")
    back = come_back(creature, ".urdf", tmp_path)
    assert [len(leg.bones) for leg in back.leg_pairs] == [4, 4]
    assert all(hip.cone == pytest.approx((CONE, CONE), abs=1e-3) for hip, *_ in back.leg_joints)


@pytest.mark.slow
def test_the_cone_of_a_hip_comes_back(tmp_path: Path) -> None:
    """Its hinges are those of a ball: they swing the thigh sideways, wherever it points."""
    hinge = '{ kind = "hinge", axis = [0.0, 1.0, 0.0], lo = 0.0, hi = 2.5 }'
    joints = f'joints = [{{ kind = "ball", cone = [0.9, 0.4] }}, {hinge}, {hinge}]\n'
    creature = made("three, inwards, on points", tmp_path, joints)
    back = come_back(creature, ".urdf", tmp_path)
    for (hip, *_), (known, *_) in zip(back.leg_joints, creature.leg_joints, strict=True):
        assert hip.cone == pytest.approx(known.cone, abs=0.05)
        assert rotate(hip.rotation, X) == pytest.approx(rotate(known.rotation, X), abs=0.02)
