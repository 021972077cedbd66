"""What is found in the models of the library, and in the same ones in other frames."""

from dataclasses import replace

import numpy as np
import pytest

from creature_sim.anatomy.anatomy import found_in
from creature_sim.anatomy.legs import _is_girdle, leg_of
from creature_sim.anatomy.limbs import limbs_of
from creature_sim.anatomy.skeleton import Skeleton
from creature_sim.errors import DefinitionError
from creature_sim.maths import Floats
from tests.anatomy.models import BACKWARDS, LYING, SIDEWAYS, Z_UP, built_in, changed, renamed

LEGS = {"spider": 4, "beetle": 3, "crab": 4, "dog": 2, "bird": 1, "humanoid": 1, "centipede": 6}
"""Pairs of legs."""


@pytest.mark.parametrize("name", LEGS)
def test_all_legs_are_found(name: str) -> None:
    anatomy = found_in(built_in(name), name)
    assert len(anatomy.legs) == LEGS[name]
    assert (anatomy.frame.up, anatomy.frame.forward, anatomy.frame.scale) == ("+Y", "+Z", 1.0)
    assert not anatomy.frame.doubts or name == "crab"
    for left, right in anatomy.legs:
        np.testing.assert_allclose(left.joints * [1, -1, 1], right.joints, atol=1e-3)
        assert left.joints[0][1] > 0.0


@pytest.mark.slow
@pytest.mark.parametrize("name", LEGS)
def test_geometry_alone_finds_the_same_legs(name: str) -> None:
    named, found = (found_in(one, name) for one in (built_in(name), renamed(built_in(name))))
    assert len(found.legs) == LEGS[name]
    assert found.frame.up == "+Y"
    assert found.frame.forward in ("+Z", "-Z")
    if found.frame.forward == "+Z":
        for (one, _), (other, _) in zip(named.legs, found.legs, strict=True):
            np.testing.assert_allclose(one.joints[0], other.joints[0], atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("turn", "up", "forward"),
    [(Z_UP, "+Z", "-Y"), (BACKWARDS, "+Y", "-Z"), (SIDEWAYS, "+Y", "+X"), (LYING, "+X", "+Z")],
)
@pytest.mark.parametrize("name", ["spider", "dog", "humanoid"])
def test_frames_are_found(name: str, turn: Floats, up: str, forward: str) -> None:
    usual = found_in(built_in(name), name)
    anatomy = found_in(changed(built_in(name), turn), name)
    assert (anatomy.frame.up, anatomy.frame.forward) == (up, forward)
    assert ("up" in anatomy.frame.doubts) == (up != "+Y")
    for pairs in zip(usual.legs, anatomy.legs, strict=True):
        (one, _), (other, _) = pairs
        np.testing.assert_allclose(one.joints, other.joints, atol=1e-6)
        assert one.pole == other.pole


@pytest.mark.parametrize(("scale", "expected"), [(100.0, 0.01), (0.02, 100.0), (1.7, 1.0)])
def test_sizes_become_metres(scale: float, expected: float) -> None:
    model = changed(built_in("spider"), np.eye(3), scale, 3.0 * scale)
    anatomy = found_in(model, "spider")
    assert anatomy.frame.scale == pytest.approx(expected)
    assert ("scale" in anatomy.frame.doubts) == (expected != 1.0)
    assert anatomy.legs[0][0].lengths.sum() == pytest.approx(
        found_in(built_in("spider"), "spider").legs[0][0].lengths.sum() * scale * expected
    )


def test_heads_tails_and_arms_are_found() -> None:
    dog = found_in(built_in("dog"), "dog")
    assert dog.head is not None
    assert dog.skeleton.names[dog.head] == "head"
    assert [[dog.skeleton.names[bone] for bone in tail] for tail in dog.tails] == [
        ["tail.1", "tail.2", "tail.3"]
    ]
    person = found_in(built_in("humanoid"), "humanoid")
    assert [person.skeleton.names[limb.root] for limb in person.arms] == [
        "mixamorig:LeftShoulder",
        "mixamorig:RightShoulder",
    ]


def test_a_head_behind_the_toes_does_not_look_back() -> None:
    person = built_in("humanoid")
    matrices = person.nodes.matrices.copy()
    matrices[person.nodes.names.index("mixamorig:Head"), 2, 3] -= 0.03
    nodes = replace(person.nodes, matrices=matrices)
    found = found_in(replace(person, nodes=nodes, parts=()), "person")
    assert found.frame.forward == "+Z"
    assert not found.frame.doubts


def test_knees_point_where_they_are_bent_to() -> None:
    front, hind = (left for left, _ in found_in(built_in("dog"), "dog").legs)
    assert front.pole == (-1.0, 0.0, 0.0)
    assert hind.pole == (1.0, 0.0, 0.0)
    assert np.sign(hind.angles).tolist() == [1.0, -1.0]  # the knee, and the hock against it
    for left, _ in found_in(built_in("spider"), "spider").legs:
        assert left.pole == (0.0, 0.0, 1.0)
        assert left.has_coxa
    (person, _), *_ = found_in(built_in("humanoid"), "humanoid").legs
    assert person.pole == (1.0, 0.0, 0.0)
    assert person.sole is not None


def test_parts_of_a_skeleton_are_joined_where_their_nodes_are() -> None:
    """Some tools let no skin name the bones that others hang on."""
    dog = built_in("dog")
    hips, spine = (dog.nodes.names.index(name) for name in ("hips", "spine"))
    parts = [
        replace(part, joints=np.where(part.joints == hips, spine, part.joints))
        for part in dog.parts
    ]
    bones = tuple(bone for bone in dog.bones if bone != hips)
    found = found_in(replace(dog, bones=bones, parts=tuple(parts)), "dog")
    assert len(found.legs) == 2
    assert found.skeleton.names[found.body] == "hips"


def test_parts_of_a_skeleton_without_a_node_in_common_are_joined() -> None:
    dog = built_in("dog")
    hips, spine = (dog.nodes.names.index(name) for name in ("hips", "spine"))
    parents = tuple(
        -1 if node == spine else parent for node, parent in enumerate(dog.nodes.parents)
    )
    order = (hips, spine, *(node for node in dog.nodes.order if node not in (hips, spine)))
    nodes = replace(dog.nodes, parents=parents, order=order)
    assert len(found_in(replace(dog, nodes=nodes), "dog").legs) == 2


def test_a_bone_that_leads_aside_to_a_leg_is_of_a_girdle() -> None:
    joints = np.array([[0.0, 0.05, 0.9], [0.0, 0.2, 0.85], [0.05, 0.2, 0.45], [0.0, 0.2, 0.0]])
    assert _is_girdle("bone", joints)
    assert _is_girdle("clavicle.L", joints[1:])
    assert not _is_girdle("bone", joints[1:])
    assert not _is_girdle("bone", joints[:, [1, 2, 0]])  # of a leg beside its body


def test_straight_legs_below_a_body_have_knees_ahead() -> None:
    person = built_in("humanoid")
    matrices = person.nodes.matrices.copy()
    for side in ("Left", "Right"):
        hip, knee, ankle = (
            person.nodes.names.index(f"mixamorig:{side}{part}") for part in ("UpLeg", "Leg", "Foot")
        )
        matrices[knee, :3, 3] = 0.5 * (matrices[hip, :3, 3] + matrices[ankle, :3, 3])
    found = found_in(replace(person, nodes=replace(person.nodes, matrices=matrices)), "straight")
    ((left, right),) = found.legs
    assert left.is_straight
    assert (left.pole, right.pole) == ((1.0, 0.0, 0.0), (1.0, 0.0, 0.0))


def test_names_tell_knees_and_feet_where_the_pose_does_not() -> None:
    """Thighs and shins of two bones each, straight but below the hip; and feet on high heels."""
    chain = [(0.0, 0.9), (0.03, 0.82), (0.03, 0.5), (0.02, 0.3), (0.0, 0.13), (0.15, 0.0)]
    labels = ["upperleg01", "upperleg02", "lowerleg01", "lowerleg02", "foot", "end"]
    names, heads, parents = ["hips"], [np.array([0.0, 0.0, 1.0])], [-1]
    for side, letter in ((0.1, "L"), (-0.1, "R")):
        above = 0
        for label, (x, z) in zip(labels, chain, strict=True):
            names.append(f"{label}_{letter}")
            heads.append(np.array([x, side, z]))
            parents.append(above)
            above = len(names) - 1
    none = tuple(np.zeros((0, 3)) for _ in names)
    skeleton = Skeleton(tuple(names), tuple(parents), np.array(heads), none)
    limbs, ground = limbs_of(skeleton)
    for limb in limbs:
        leg = leg_of(skeleton, limb, ground, is_biped=True)
        found = [names[bone].split("_")[0] for bone in leg.bones]
        assert found == ["upperleg01", "lowerleg01", "foot"]
        assert leg.sole is not None
        assert leg.lengths[0] == pytest.approx(leg.lengths[1], abs=0.1)


def test_toes_that_bend_far_are_no_hocks() -> None:
    """A hind leg whose hock stands out farther than its knee, and whose toes bend most."""
    chain = [(0.0, 0.94), (0.05, 0.62), (-0.06, 0.3), (-0.04, 0.13), (0.08, 0.0)]
    names, heads = ["hips", "chest"], [np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 1.0])]
    parents = [-1, 0]
    for base, along in ((0, 0.0), (1, 1.0)):
        for side, letter in ((0.2, "L"), (-0.2, "R")):
            above = base
            for number, (x, z) in enumerate(chain):
                names.append(f"bone.{base}.{number}.{letter}")
                heads.append(np.array([x + along, side, z]))
                parents.append(above)
                above = len(names) - 1
    none = tuple(np.zeros((0, 3)) for _ in names)
    skeleton = Skeleton(tuple(names), tuple(parents), np.array(heads), none)
    limbs, ground = limbs_of(skeleton)
    assert len(limbs) == 4
    for limb in limbs:
        leg = leg_of(skeleton, limb, ground, is_biped=False)
        assert [names[bone].split(".")[2] for bone in leg.bones] == ["0", "1", "2"]
        assert leg.pole == (1.0, 0.0, 0.0)
        assert leg.angles[0] > 0.0 > leg.angles[1]


def test_an_arm_has_no_legs() -> None:
    with pytest.raises(DefinitionError, match=r"expected legs .*, found 9 bones"):
        found_in(built_in("arm"), "arm.glb")


def test_legs_of_one_bone_are_refused_by_name() -> None:
    """As of figures made of blocks: their legs do not bend."""
    person = built_in("humanoid")
    hips = [person.nodes.names.index(f"mixamorig:{side}UpLeg") for side in ("Left", "Right")]
    below = {
        bone: hip
        for hip, side in zip(hips, ("Left", "Right"), strict=True)
        for part in ("Leg", "Foot", "ToeBase")
        for bone in [person.nodes.names.index(f"mixamorig:{side}{part}")]
    }
    moved = np.arange(len(person.nodes.names))
    for bone, hip in below.items():
        moved[bone] = hip
    parts = tuple(replace(part, joints=moved[part.joints]) for part in person.parts)
    bones = tuple(bone for bone in person.bones if bone not in below)
    expected = (
        r"steve.glb: expected legs of two bones or more, which bend at a knee, found legs of one "
        r"bone: 'mixamorig:LeftUpLeg', 'mixamorig:RightUpLeg'; cut each"
    )
    with pytest.raises(DefinitionError, match=expected):
        found_in(replace(person, bones=bones, parts=parts), "steve.glb")


def test_without_a_skeleton_there_is_nothing_to_walk() -> None:
    model = built_in("dog")
    with pytest.raises(DefinitionError, match=r"dog.glb: expected a skeleton .* found 1 nodes"):
        found_in(replace(model, bones=model.bones[:1]), "dog.glb")


def test_too_many_bones_are_refused() -> None:
    model = built_in("dog")
    nodes = model.nodes
    more = range(len(nodes.names), len(nodes.names) + 800)
    many = replace(
        nodes,
        names=nodes.names + tuple(f"more {index}" for index in more),
        parents=nodes.parents + (0,) * 800,
        order=nodes.order + tuple(more),
        matrices=np.concatenate([nodes.matrices, np.tile(np.eye(4), (800, 1, 1))]),
    )
    with pytest.raises(DefinitionError, match="expected at most 600 bones, found 826"):
        found_in(replace(model, nodes=many, bones=(*model.bones, *more)), "dog.glb")
