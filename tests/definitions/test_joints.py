"""Joints of legs: as written, mirrored, derived; what is refused, and which joint is named."""

from math import pi
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from creature_sim.definitions import CreatureDef
from creature_sim.definitions.bending import bend_to, tip_of
from creature_sim.definitions.forbidding import forbidding
from creature_sim.definitions.hinging import BALL, HINGE, UNIVERSAL, Hip, Joint
from creature_sim.definitions.legs import LegDef
from creature_sim.files.definition import explain
from creature_sim.library.loader import builtin_names, load_creature
from creature_sim.library.scaffold import new_creature
from creature_sim.maths import Floats, quat_about, quat_multiply, rotate
from tests.advice.spoiling import put, table_of

CREATURES = builtin_names("creature")
COXA = {"kind": "hinge", "axis": [0.0, 0.0, 1.0], "lo": -1.0, "hi": 1.0}
FEMUR = {"kind": "hinge", "axis": [0.0, 1.0, 0.0], "lo": -2.1, "hi": 1.5}
TIBIA = {"kind": "hinge", "axis": [0.0, 1.0, 0.0], "lo": 0.05, "hi": 2.65}
LEG = "leg_pairs[0]"


def made(changes: dict[str, Any], name: str = "hexapod") -> CreatureDef:
    table = table_of(name)
    for key, value in changes.items():
        put(table, key, value)
    return CreatureDef.model_validate(table)


def problems(changes: dict[str, Any], name: str = "hexapod") -> list[str]:
    with pytest.raises(ValidationError) as raised:
        made(changes, name)
    return explain(raised.value)


def without_joints(name: str) -> CreatureDef:
    table = table_of(name)
    for pair in table["leg_pairs"]:
        pair.pop("joints", None)
    return CreatureDef.model_validate(table)


def posed(leg: LegDef, joints: tuple[Joint, ...], ride_height: float, yaw: float = 0.0) -> Floats:
    """Joints (J, 3) of a leg with hinges only at rest, turned by a yaw [m, segment]."""
    hip = Hip(leg, ride_height)
    turn = quat_about((0.0, 0.0, 1.0), yaw)
    x = rotate(turn, hip.ahead)
    found, heading = [np.array(leg.mount)], 0.0
    for bone, joint in zip(leg.bones, joints, strict=True):
        heading += joint.rest if joint is not joints[0] else 0.0
        level, fall = np.cos(heading) * bone, -np.sin(heading) * bone
        found.append(found[-1] + np.array([level * x[0], level * x[1], fall]))
    return np.array(found)


@pytest.mark.parametrize("name", CREATURES)
@pytest.mark.parametrize("is_written", [True, False])
def test_every_bone_has_a_joint_and_rests_within_its_limits(name: str, is_written: bool) -> None:
    creature = load_creature(name) if is_written else without_joints(name)
    for leg, joints in zip(creature.all_legs, creature.leg_joints, strict=True):
        assert len(joints) == len(leg.bones)
        for joint in joints[joints[0].kind == BALL :]:
            assert joint.lo <= joint.rest <= joint.hi
            assert joint.second_lo <= joint.second_rest <= joint.second_hi


@pytest.mark.parametrize("name", sorted(set(CREATURES) - {"biped"}))
@pytest.mark.parametrize("is_written", [True, False])
def test_legs_at_rest_end_at_home_with_a_level_coxa(name: str, is_written: bool) -> None:
    creature = load_creature(name) if is_written else without_joints(name)
    height = creature.body.ride_height
    for leg, joints in zip(creature.all_legs, creature.leg_joints, strict=True):
        pose = posed(leg, joints, height)
        assert pose[-1] == pytest.approx((*leg.home, -height), abs=1e-9)
        assert pose[1, 2] == leg.mount[2]
        assert (joints[0].kind, joints[0].rest) == (HINGE, 0.0)


@pytest.mark.parametrize("name", sorted(set(CREATURES) - {"biped"}))
def test_joints_of_a_pair_mirror_each_other(name: str) -> None:
    table = table_of(name)
    for pair in table["leg_pairs"]:
        pair["joints"][0] |= {"lo": -0.7, "hi": 0.4}
    creature = CreatureDef.model_validate(table)
    legs = {(leg.pair, leg.side): leg for leg in creature.all_legs}
    numbers = dict(zip(legs, creature.leg_joints, strict=True))
    height = creature.body.ride_height
    for (pair, side), leg in legs.items():
        if side == "left":
            left, right = numbers[pair, "left"], numbers[pair, "right"]
            assert (right[0].lo, right[0].hi) == (-left[0].hi, -left[0].lo) == (-0.4, 0.7)
            assert right[1:] == left[1:]
            mine = posed(leg, left, height, left[0].lo)
            other = posed(legs[pair, "right"], right, height, right[0].hi)
            assert other == pytest.approx(mine * (1, -1, 1), abs=1e-12)


def test_the_hips_and_ankles_of_a_biped_mirror_each_other() -> None:
    joints = table_of("biped")["leg_pairs"][0]["joints"]
    joints[0]["twist"], joints[2]["lo"], joints[2]["hi"] = [-0.5, 0.9], [-1.4, -0.3], [1.0, 0.6]
    left, right = made({f"{LEG}.joints": joints}, "biped").leg_joints
    assert (left[0].twist_lo, left[0].twist_hi) == (-0.5, 0.9)
    assert (right[0].twist_lo, right[0].twist_hi) == (-0.9, 0.5)
    assert right[0].cone == left[0].cone
    assert (right[2].second_lo, right[2].second_hi) == (-0.6, 0.3)
    assert right[2].second_rest == pytest.approx(-left[2].second_rest, abs=1e-12)
    for axis, sign in (((1.0, 0.0, 0.0), 1), ((0.0, 1.0, 0.0), -1), ((0.0, 0.0, 1.0), 1)):
        mine, other = rotate(left[0].rotation, axis), rotate(right[0].rotation, axis)
        assert np.array(other) * sign == pytest.approx(np.array(mine) * (1, -1, 1), abs=1e-12)


def test_a_biped_at_rest_stands_on_its_sole() -> None:
    creature = load_creature("biped")
    for leg, (hip, knee, ankle) in zip(creature.all_legs, creature.leg_joints, strict=True):
        assert (hip.kind, knee.kind, ankle.kind) == (BALL, HINGE, UNIVERSAL)
        turn, at = hip.rotation, np.array(leg.mount)
        pitches = (0.0, knee.rest, ankle.rest)
        for bone, pitch, roll in zip(
            leg.bones, pitches, (0.0, 0.0, ankle.second_rest), strict=True
        ):
            turn = quat_multiply(turn, quat_about((0.0, 1.0, 0.0), pitch))
            turn = quat_multiply(turn, quat_about((0.0, 0.0, 1.0), roll))
            at = at + bone * np.array(rotate(turn, (1.0, 0.0, 0.0)))
        assert at == pytest.approx((*leg.home, -creature.body.ride_height), abs=1e-9)
        assert rotate(turn, (1.0, 0.0, 0.0)) == pytest.approx((0.0, 0.0, -1.0), abs=1e-12)


@pytest.mark.parametrize("name", CREATURES)
def test_built_in_knees_allow_near_and_far_feet_and_never_flip(name: str) -> None:
    creature = load_creature(name)
    for leg, joints in zip(creature.all_legs, creature.leg_joints, strict=True):
        count = len(leg.bones) - (leg.foot is not None)
        has_coxa = joints[0].kind == HINGE
        lengths = leg.bones[has_coxa:count]
        assert all(joint.lo > 0.0 for joint in joints[1 + has_coxa : count])
        for part in (0.3, 0.5, 0.7, 0.9, 0.97):
            for height in (0.0, creature.body.ride_height, creature.body.ride_height + 0.3):
                distance = part * sum(lengths)
                if height <= distance and has_coxa:
                    x = np.sqrt(distance**2 - height**2)
                    limits = [(joint.lo, joint.hi) for joint in joints[1:count]]
                    assert bend_to(lengths, limits, x, -height).is_there, (part, height)


@pytest.mark.parametrize("count", [2, 3, 5, 12])
@pytest.mark.parametrize("pole", [(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 0.0, -1.0)])
def test_legs_without_joints_get_joints_that_reach_home(
    count: int, pole: tuple[float, float, float]
) -> None:
    leg = {"bones": [0.6 / count] * count, "home": [0.4, 0.38], "pole": list(pole), "joints": []}
    creature = made({f"{LEG}.{key}": value for key, value in leg.items()})
    joints = creature.leg_joints[0]
    kind = BALL if pole[0] else HINGE if count > 2 else UNIVERSAL
    assert [joint.kind for joint in joints] == [kind] + [HINGE] * (count - 1)
    hip = Hip(creature.all_legs[0], creature.body.ride_height)
    home = (0.4, 0.38, -creature.body.ride_height)
    assert forbidding(hip, hip.derived(0.1), home) is None


def test_a_leg_whose_level_coxa_could_not_stand_gets_one_that_pitches() -> None:
    creature = made({f"{LEG}.bones": [0.45, 0.05, 0.05], f"{LEG}.joints": []})
    assert creature.leg_joints[0][0].kind == UNIVERSAL


def test_strides_widen_a_derived_yaw() -> None:
    creature = made({f"{LEG}.joints": []})
    leg, height = creature.all_legs[0], creature.body.ride_height
    narrow, wide = leg.joint_numbers(height)[0], leg.joint_numbers(height, 0.33)[0]
    assert (narrow.lo, narrow.hi) == pytest.approx((-pi / 3, pi / 3))
    assert wide.hi > 1.1
    assert leg.joint_numbers(height, 2.0)[0].kind == BALL


@pytest.mark.parametrize("skewed", [False, True])
def test_bends_reach_their_point(skewed: bool) -> None:
    lengths, limits = (0.2, 0.3, 0.25), ((-1.0, 0.2) if skewed else (-3.0, 3.0), (0.0, 2.0))
    bend = bend_to(lengths, (*limits, (0.1, 1.8)), 0.5, 0.1)
    assert bend.is_there
    assert tip_of(lengths, bend.angles) == pytest.approx((0.5, 0.1), abs=1e-9)
    for angle, (low, high) in zip(bend.angles, (*limits, (0.1, 1.8)), strict=True):
        assert low <= angle <= high


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "axis of zero": (
        {"joints": [COXA, {**FEMUR, "axis": [0.0, 0.0, 0.0]}, TIBIA]},
        "joints[1].axis: expected a direction, found [0.0, 0.0, 0.0]",
    ),
    "other axes": (
        {"joints": [COXA, {**FEMUR, "axis": [1.0, 0.0, 0.0]}, TIBIA]},
        "joints[1].axis: expected [0, 1, 0] or [0, -1, 0], for a leg bends in one plane below its "
        "first joint, found [1.0, 0.0, 0.0]",
    ),
    "a first joint that does not turn the plane": (
        {"joints": [FEMUR, FEMUR, TIBIA]},
        "joints[0].axis: expected [0, 0, 1] or [0, 0, -1], about which a first joint turns the "
        "plane of its leg, found [0.0, 1.0, 0.0]; others take a ball",
    ),
    "a ball for a knee": (
        {"joints": [COXA, {"kind": "ball", "cone": 1.0}, TIBIA]},
        'joints[1].kind: expected "hinge", for a leg without a foot bends in one plane below its '
        "first joint, found 'ball'",
    ),
    "lower above upper": (
        {"joints": [COXA, FEMUR, {**TIBIA, "lo": 2.0, "hi": 1.0}]},
        "joints[2].lo: expected angles in order, at most a turn apart, found 2 and 1 (lo and hi)",
    ),
    "beyond a turn": (
        {"joints": [COXA, {**FEMUR, "lo": -4.0, "hi": 4.0}, TIBIA]},
        "joints[1].lo: expected angles in order, at most a turn apart, found -4 and 4 (lo and hi)",
    ),
    "a rest outside": (
        {"joints": [COXA, {**FEMUR, "rest": 1.6}, TIBIA]},
        "joints[1].rest: expected an angle from -2.1 to 1.5 (lo and hi), found 1.6",
    ),
    "a twist without its rest": (
        {"joints": [{"kind": "ball", "cone": 1.0, "twist": [0.1, 1.0]}, TIBIA, TIBIA]},
        "joints[0].twist: expected angles around 0, the rest, found 0.1 and 1",
    ),
    "a home out of limits": (
        {"joints": [COXA, FEMUR, {**TIBIA, "hi": 1.5}]},
        "joints[2]: expected limits within which the foot stands at home, found that it would "
        "need 1.85 rad, which its limits 0.05 to 1.5 forbid (home, mount, bones; "
        "body.ride_height 0.26)",
    ),
    "a coxa that does not look home": (
        {"joints": [{**COXA, "lo": 0.2}, FEMUR, TIBIA]},
        "joints[0]: expected limits within which the foot stands at home, found that it would "
        "need 0.00 rad, which its limits 0.2 to 1 forbid (home, mount, bones; "
        "body.ride_height 0.26)",
    ),
    "too few": (
        {"joints": [COXA, TIBIA]},
        "joints: expected one for each of bones, 3, found 2",
    ),
    "a motor that does not reach the rest": (
        {"joints": [{"kind": "ball", "cone": 1.5, "swing": [0.5, 1.5]}, FEMUR, TIBIA]},
        "joints[0].swing: expected angles around 0, the rest, found 0.5 and 1.5",
    ),
    "thick bones": (
        {"thickness": [0.1, 0.03, 0.02]},
        "thickness[0]: expected at most 0.09, the length of bones[0], found 0.1",
    ),
    "too few thicknesses": (
        {"thickness": [0.03, 0.02]},
        "thickness: expected one for each of bones, 3, found 2",
    ),
    "a heel ahead": (
        {"foot": {"heel": -0.1, "toe": 0.1}},
        "foot.heel: expected at least 0, found -0.1",
    ),
    "a toe behind": (
        {"foot": {"heel": 0.1, "toe": -0.1}},
        "foot.toe: expected at least 0, found -0.1",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_no_leg_can_have_gets_one_clear_message(case: str) -> None:
    changes, text = REFUSED[case]
    found = problems({f"{LEG}.{key}": value for key, value in changes.items()})
    assert found == [f"{LEG}.{text}"]


ANKLES: dict[str, tuple[dict[str, Any], str]] = {
    "that does not pitch so far": (
        {"lo": [0.5, -0.7]},
        "-0.70 rad, which its limits 0.5 to 1.2 forbid",
    ),
    "that does not roll so far": (
        {"lo": [-1.9, 0.3]},
        "-0.11 rad out of the plane of the leg, which its limits 0.3 to 0.7 forbid",
    ),
    "that is a hinge": (
        {"kind": "hinge", "lo": -1.9, "hi": 1.2},
        "-0.11 rad out of the plane of the leg, in which a hinge turns",
    ),
}


@pytest.mark.parametrize("case", ANKLES)
def test_an_ankle_whose_sole_cannot_lie_flat_at_home_is_named(case: str) -> None:
    changes, text = ANKLES[case]
    joints = table_of("biped")["leg_pairs"][0]["joints"]
    joints[2] |= changes
    assert problems({f"{LEG}.joints": joints}, "biped") == [
        f"{LEG}.joints[2]: expected limits within which the foot stands at home, found that it "
        f"would need {text} (home, mount, bones; body.ride_height 0.46)"
    ]


def test_an_ankle_turns_to_either_side_of_its_axis() -> None:
    joints = table_of("biped")["leg_pairs"][0]["joints"]
    joints[2] |= {"axis": [0.0, -1.0, 0.0], "lo": [0.5, -0.7], "hi": [1.9, 0.7]}
    assert made({f"{LEG}.joints": joints}, "biped").leg_joints[0][2].hi == -0.5


def test_a_hinge_is_an_ankle_below_its_hip() -> None:
    joints = table_of("biped")["leg_pairs"][0]["joints"]
    joints[2] |= {"kind": "hinge", "lo": -1.9, "hi": 1.2}
    assert made({f"{LEG}.joints": joints, f"{LEG}.home": [0.0, 0.11]}, "biped")


def test_a_foot_needs_a_bone_above_the_shin() -> None:
    found = problems({f"{LEG}.bones": [0.2, 0.3], f"{LEG}.joints": []}, "biped")
    assert found == [f"{LEG}.bones: expected at least 3 of a leg with a foot, found 2"]


def test_thickness_is_the_diameter_of_the_bones() -> None:
    creature = made({f"{LEG}.thickness": [0.06, 0.04, 0.02]})
    assert creature.all_legs[0].radii(creature.body.size[2]) == (0.03, 0.02, 0.01, 0.01)
    assert creature.all_legs[2].radii(0.14) == load_creature("hexapod").all_legs[2].radii(0.14)


@pytest.mark.parametrize(("thickness", "pad"), [(0.01, 0.013), (0.05, 0.0325), (0.09, 0.05175)])
def test_a_foot_is_not_much_wider_than_the_leg_that_stands_on_it(
    thickness: float, pad: float
) -> None:
    creature = made({f"{LEG}.bones": [0.1, 0.25, 0.3], f"{LEG}.thickness": [thickness] * 3})
    assert creature.all_legs[0].pad == pytest.approx(pad)


def test_a_new_creature_says_its_joints() -> None:
    assert "joints" in new_creature("bug", 6)
