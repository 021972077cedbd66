"""Trees that look like a model: nodes lie on joints, and turn with the bones that begin there."""

from pathlib import Path

import numpy as np
import pytest

from creature_sim.definitions import WorldDef
from creature_sim.drivers import make_driver
from creature_sim.errors import DefinitionError
from creature_sim.export.animation.turns import turned
from creature_sim.figures.creatures import Figures
from creature_sim.figures.skins import RigSkin
from creature_sim.library.loader import files_of
from creature_sim.library.variants import with_target
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.models.binding import binding_of
from creature_sim.models.rigs import limbs_of
from creature_sim.replay import open_replay, record
from creature_sim.snapshots.poses import pose_of
from tests.models.test_skins import skinned
from tests.models.trees import people, people_text
from tests.scenes import walk

UNTURNED = np.array([0.0, 0.0, 0.0, 1.0])


def skin_of(world: WorldDef) -> RigSkin:
    (tree,) = world.trees
    binding = binding_of(tree)
    assert binding is not None
    return RigSkin(tree, binding)


def test_a_tree_is_boxes_and_limbs(tmp_path: Path) -> None:
    (tree,) = people(tmp_path).trees
    limbs = limbs_of(tree)
    names = tree.joint_names
    assert [names[joint] for joint in limbs.boxes] == ["root", "chest"]
    found = [[names[joint] for joint in row] for row in limbs.rows]
    assert ["belly", "chest"] in found
    assert ["neck", "head"] in found
    assert ["left_hip", "left_knee", "left_ankle", "left_toe"] in found
    assert len(found) == 6


def test_the_model_of_a_tree_is_watched(tmp_path: Path) -> None:
    people(tmp_path)
    assert any(file.suffix == ".glb" for file in files_of("world", tmp_path / "people.toml"))


def test_nodes_lie_on_joints(tmp_path: Path) -> None:
    world = people(tmp_path)
    skin, figures = skin_of(world), Figures(world)
    ends = np.concatenate((skin.joints, np.ones((len(skin.joints), 1))), axis=1)
    for snapshot in walk(world, 60):
        pose = pose_of(snapshot)
        (matrices,) = figures.skins(pose, np.zeros(0, np.int64)).values()
        joints = pose.chains[0].joints
        for joint, bone in enumerate(skin.limbs.joint_bones):
            found = matrices[0, bone] @ ends[joint]
            assert np.abs(found - joints[joint]).max() < 2e-3  # tips: bones stretch a little
        for bone, joint in enumerate(skin.limbs.bone_joints):
            assert np.abs(matrices[0, bone] @ ends[joint] - joints[joint]).max() < 1e-9
        vertices = skinned(skin.binding, matrices)[0]
        assert vertices[:, 2].min() > -0.1
        assert vertices[:, 2].max() < 2.0


def test_at_rest_nothing_is_moved(tmp_path: Path) -> None:
    skin = skin_of(people(tmp_path))
    (matrices,) = skin.matrices(skin.joints, UNTURNED)
    assert np.abs(matrices - np.eye(4)[:3]).max() < 1e-12


@pytest.mark.parametrize("seed", range(5))
def test_a_pose_that_is_turned_as_a_whole_turns_all(seed: int, tmp_path: Path) -> None:
    skin = skin_of(people(tmp_path))
    turn = np.random.default_rng(seed).normal(size=4)
    turn /= np.sqrt((turn**2).sum())
    (matrices,) = skin.matrices(turned(turn, skin.joints), UNTURNED)
    wanted = rotation_matrices(turn)
    # Straight limbs do not say how they are turned about themselves; boxes and bent ones do.
    for bone in range(len(skin.limbs.boxes)):
        assert np.abs(matrices[bone, :, :3] - wanted).max() < 1e-9


def test_a_chest_turns_with_its_shoulders(tmp_path: Path) -> None:
    world = people(tmp_path)
    skin, names = skin_of(world), world.trees[0].joint_names
    joints, angle = skin.joints.copy(), 0.4
    about = np.array([0.0, 0.0, np.sin(0.5 * angle), np.cos(0.5 * angle)])
    for name in ("left_shoulder", "right_shoulder"):
        index = names.index(name)
        chest = skin.joints[names.index("chest")]
        joints[index] = chest + turned(about, skin.joints[index] - chest)
    (matrices,) = skin.matrices(joints, UNTURNED)
    assert np.abs(matrices[1, :, :3] - rotation_matrices(about)).max() < 1e-6


def test_variants_and_replays_keep_the_model(tmp_path: Path) -> None:
    text = people_text().replace(
        "kind = 'spline'\nperiod = 1.6\nshift = 0.0", "kind = 'command'", 1
    )
    head = text.index("keyframes = ")
    text = text[:head] + "start = [0.1, 0.27, 0.9]\n" + text[text.index("\n", head) + 1 :]
    world = with_target(people(tmp_path, text), "0.2,0.2,1.0")
    assert binding_of(world.trees[0]) is not None
    record(world, tmp_path / "people.mcap", 10, driver=make_driver(world))
    assert binding_of(open_replay(tmp_path / "people.mcap").world.trees[0]) is not None


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("g:Hips'", "g:Hops'", "trees[0].model.nodes.root: expected a node of humanoid.glb, found"),
        ("neck = 'mix", "nock = 'mix", "trees[0].model.nodes.nock: expected 'root' or the name of"),
        ("head = 'mixamorig:Head'", "", "trees[0].model.nodes: expected a node for each joint, or"),
        ("humanoid.glb", "../humanoid.glb", "trees[0].model.file: expected a path below the"),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, error: str, tmp_path: Path) -> None:
    assert old in people_text()
    with pytest.raises(DefinitionError) as refused:
        people(tmp_path, people_text().replace(old, new))
    assert error in str(refused.value)


def test_a_place_stands_for_a_node(tmp_path: Path) -> None:
    text = people_text().replace("head = 'mixamorig:Head'", "")
    world = people(tmp_path, text + "[trees.model.places]\nhead = [0.0, 1.58, 0.0]\n")
    assert np.abs(skin_of(world).joints - skin_of(people(tmp_path)).joints).max() < 1e-6
