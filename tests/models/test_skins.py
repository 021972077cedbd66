"""Models that follow creatures: rest poses, poses, parts without a skin."""

from pathlib import Path

import numpy as np
import pytest

from creature_sim.figures.skins import SkinFigure
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths, rotation_matrices
from creature_sim.models.binding import Binding, binding_of
from creature_sim.snapshots.poses import HerdPose, pose_of
from tests.models.rigs import ARMS, GAIN, file_of, joints_of, standing, write_rig
from tests.scenes import scene, walk

CREATURES = ("hexapod", "spider8", "biped", "centipede")
TURN = np.array([0.1, -0.2, 0.3, np.sqrt(1.0 - 0.14)])


def at_rest(binding: Binding, turn: Floats, shift: Floats) -> HerdPose:
    """Two creatures at rest, one as it is and one moved."""
    matrix = rotation_matrices(turn)
    legs = len(binding.joints)
    both = [np.eye(3), matrix]
    return HerdPose(
        np.arange(2),
        np.array([binding.boxes @ m.T + k * shift for k, m in enumerate(both)]),
        np.array([np.tile(q, (len(binding.boxes), 1)) for q in (np.array([0, 0, 0, 1.0]), turn)]),
        np.array([binding.joints @ m.T + k * shift for k, m in enumerate(both)]),
        np.array([np.tile(m[:, 2], (legs, 1)) for m in both]),
        np.array([np.tile(m[:, 0], (legs, 1)) for m in both]),
        *(np.zeros((2, legs, 3)), np.zeros((2, legs, 3))),
        *(np.zeros((2, legs), np.bool_), np.ones(2, np.bool_)),
    )


def skinned(binding: Binding, matrices: Floats) -> Floats:
    """Vertices (N, V, 3) by matrices (N, B, 3, 4)."""
    points = np.concatenate((binding.vertices, np.ones((len(binding.vertices), 1))), axis=1)
    moved = np.einsum("nvkij,vj->nvki", matrices[:, binding.bones], points)
    found: Floats = (moved * binding.weights[..., None]).sum(axis=2)
    return found


@pytest.mark.parametrize("name", CREATURES)
@pytest.mark.parametrize("is_skinned", [True, False])
def test_a_creature_at_rest_shows_its_model_at_rest(
    name: str, is_skinned: bool, tmp_path: Path
) -> None:
    plan = write_rig(name, tmp_path / "model.glb", is_skinned=is_skinned)
    binding = binding_of(plan)
    assert binding is not None
    assert np.abs(binding.joints - joints_of(name)).max() < 1e-6
    shift = np.array([3.0, -2.0, 1.0])
    found = skinned(
        binding, SkinFigure(plan, binding).matrices(at_rest(binding, TURN, shift), np.arange(2))
    )
    assert np.abs(found[0] - binding.vertices).max() < 1e-9
    moved = binding.vertices @ rotation_matrices(TURN).T + shift
    assert np.abs(found[1] - moved).max() < 1e-6


@pytest.mark.parametrize("name", CREATURES)
def test_bones_of_a_model_lie_on_those_of_the_pose(name: str, tmp_path: Path) -> None:
    plan = write_rig(name, tmp_path / "model.glb")
    binding = binding_of(plan)
    assert binding is not None
    figure = SkinFigure(plan, binding)
    before: Floats | None = None
    for snapshot in walk(scene("hills", name), 60):
        herd = pose_of(snapshot).herds[0]
        matrices = figure.matrices(herd, np.array([0]))
        turns = matrices[..., :3]
        assert np.abs(turns @ turns.swapaxes(-1, -2) - np.eye(3)).max() < 1e-9
        assert np.abs(np.linalg.det(turns) - 1.0).max() < 1e-9
        check_ends(figure, binding, herd, matrices[0], has_soles=name == "biped")
        if before is not None:  # nothing flips
            assert np.abs(turns - before).max() < 0.7
        before = turns


def check_ends(
    figure: SkinFigure, binding: Binding, herd: HerdPose, matrices: Floats, *, has_soles: bool
) -> None:
    """Both ends of every bone are where the pose has its joints."""
    bone = len(binding.boxes)
    for index, leg in enumerate(figure.plan.all_legs):
        for joint in range(len(leg.bones)):
            turn, place = matrices[bone, :, :3], matrices[bone, :, 3]
            ends = binding.joints[index, joint : joint + 2] @ turn.T + place
            gaps = lengths(ends - herd.joints[0, index, joint : joint + 2])
            assert gaps[0] < 1e-9
            is_sole = has_soles and joint == len(leg.bones) - 1
            assert gaps[1] < (0.02 if is_sole else 1e-4)
            bone += 1


def test_arms_swing_against_the_legs(tmp_path: Path) -> None:
    plan = write_rig("biped", tmp_path / "model.glb", has_arms=True)
    binding = binding_of(plan)
    assert binding is not None
    assert binding.swings.names == ARMS
    figure = SkinFigure(plan, binding)
    rest = at_rest(binding, TURN, np.zeros(3))
    found = skinned(binding, figure.matrices(rest, np.arange(2)))
    assert np.abs(found[0] - binding.vertices).max() < 1e-9
    ahead = []
    for snapshot in walk(scene("meadow", "biped"), 180):
        herd = pose_of(snapshot).herds[0]
        (matrices,) = figure.matrices(herd, np.array([0]))
        body = matrices[0, :, :3]
        for side in (0, 1):
            turn = body.T @ matrices[len(matrices) - 2 + side, :, :3]
            leg = (herd.joints[0, 1 - side, -1] - herd.joints[0, 1 - side, 0]) @ body
            still = binding.joints[1 - side, -1] - binding.joints[1 - side, 0]
            angle = np.arctan2(leg[0], -leg[2]) - np.arctan2(still[0], -still[2])
            ahead.append(angle)
            assert (
                np.abs(turn @ [0, 0, -1] - [np.sin(GAIN * angle), 0, -np.cos(GAIN * angle)]).max()
                < 1e-9
            )
            place = matrices[len(matrices) - 2 + side] @ [*binding.swings.places[side], 1.0]
            assert np.abs(place - matrices[0] @ [*binding.swings.places[side], 1.0]).max() < 1e-9
    assert max(ahead) > 0.15
    assert min(ahead) < -0.15


def test_a_standing_creature_looks_as_its_model(tmp_path: Path) -> None:
    plan = write_rig("hexapod", tmp_path / "model.glb")
    binding = binding_of(plan)
    assert binding is not None
    pose = standing("hexapod")
    herd = pose.herd
    found = skinned(binding, SkinFigure(plan, binding).matrices(herd, np.array([0])))[0]
    turn = rotation_matrices(pose.orientation)
    assert np.abs(found - (binding.vertices @ turn.T + pose.position)).max() < 1e-5


def test_files_count_as_they_say(tmp_path: Path) -> None:
    points = np.array([[1.0, 2.0, 3.0]])
    assert np.abs(file_of(points) - [[200.0, 380.0, 100.0]]).max() < 1e-9
