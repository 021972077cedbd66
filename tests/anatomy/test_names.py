"""Names of bones in the customs of several programs."""

import pytest

from creature_sim.anatomy.names import LEFT, RIGHT, mirrored, parts_of, side_of


@pytest.mark.parametrize(
    ("name", "side", "part"),
    [
        ("thigh.L", LEFT, "leg"),
        ("front_shin.R.001", RIGHT, "leg"),
        ("calf_l", LEFT, "leg"),
        ("hand_r", RIGHT, "arm"),
        ("mixamorig:LeftUpLeg", LEFT, "leg"),
        ("mixamorig:RightForeArm", RIGHT, "arm"),
        ("J_Bip_L_LowerLeg", LEFT, "leg"),
        ("Bip001 R Foot", RIGHT, "leg"),
        ("LeftFoot", LEFT, "leg"),
        ("upperLeg_left", LEFT, "leg"),
        ("Head", 0, "head"),
        ("tail.003", 0, "tail"),
        ("clavicle_l", LEFT, "girdle"),
        ("Spine1", 0, "trunk"),
        ("LeftWing2", LEFT, "wing"),
    ],
)
def test_sides_and_parts(name: str, side: int, part: str) -> None:
    assert side_of(name) == side
    assert part in parts_of(name)


@pytest.mark.parametrize("name", ["Bone", "node 12", "Rleft", "L_R", "Lamp"])
def test_some_say_no_side(name: str) -> None:
    assert side_of(name) == 0


def test_names_of_a_pair_are_alike() -> None:
    assert mirrored("thigh.L") == mirrored("thigh.R")
    assert mirrored("mixamorig:LeftLeg") == mirrored("mixamorig:RightLeg")
    assert mirrored("thigh.L") != mirrored("shin.R")
