import numpy as np

from creature_sim.ik import solve, solve_batch, solve_path
from creature_sim.maths import Floats
from tests.ik_scenes import LEG, chain, directions, spline_targets


def turned(quaternions: Floats, vectors: Floats) -> Floats:
    """Vectors (..., 3) turned by quaternions (..., 4)."""
    u, w = quaternions[..., :3], quaternions[..., 3:]
    twice = 2.0 * np.cross(u, vectors)
    return vectors + w * twice + np.cross(u, twice)


def test_rotations_turn_the_start_bones_onto_the_solved_ones() -> None:
    starts = np.array([chain(LEG, "random", seed) for seed in range(200)])
    solution = solve_batch(starts, directions(200) * 2.5)
    assert np.allclose(np.linalg.norm(solution.rotations, axis=2), 1.0, atol=1e-14)
    moved = turned(solution.rotations, np.diff(starts, axis=1))
    assert np.allclose(moved, np.diff(solution.joints, axis=1), atol=1e-12)
    # The shortest turns: none about the bone itself.
    bones = np.diff(starts, axis=1) / LEG[:, None]
    assert np.abs(np.sum(solution.rotations[..., :3] * bones, axis=2)).max() < 1e-12
    assert (solution.rotations[..., 3] >= 0.0).all()


def test_a_pose_that_stays_has_no_rotation() -> None:
    start = chain(LEG, "bent")
    assert np.allclose(solve(start, start[-1]).rotations, [0.0, 0.0, 0.0, 1.0], atol=1e-15)


def test_half_a_turn_is_a_rotation_too() -> None:
    start = chain(np.ones(2))
    solution = solve(start, [-5.0, 0.0, 0.0])
    moved = turned(solution.rotations, np.diff(start, axis=0))
    assert np.allclose(moved, np.diff(solution.joints, axis=0), atol=1e-12)
    nearly = solve(start, [-5.0, 1e-9, 2e-9])
    moved = turned(nearly.rotations, np.diff(start, axis=0))
    assert np.allclose(moved, np.diff(nearly.joints, axis=0), atol=1e-12)


def test_signs_are_continuous_along_a_path() -> None:
    # A start that points away from the path, so that the turns pass through half a turn.
    start = chain(np.full(4, 2.5))
    turns = np.linspace(0.0, 4.0 * np.pi, 400)
    circle = np.stack([np.cos(turns), np.sin(turns), 0.1 + 0.0 * turns], axis=1) * 6.0
    for targets in (circle, spline_targets()):
        rotations = solve_path(start, targets, pole=[0.0, 0.0, 20.0]).rotations
        assert (np.sum(rotations[1:] * rotations[:-1], axis=2) >= 0.0).all()
        assert (rotations[0, :, 3] >= 0.0).all()


def test_the_effector_takes_the_targets_rotation() -> None:
    start = chain(LEG, "bent")
    half = np.sqrt(0.5)
    solution = solve(start, [1.0, 1.0, 1.0], target_rotation=[0.0, 0.0, 2.0 * half, 2.0 * half])
    assert np.allclose(solution.effector_rotation, [0.0, 0.0, half, half])
    free = solve(start, [1.0, 1.0, 1.0])
    assert (free.effector_rotation == free.rotations[-1]).all()
    path = solve_path(start, directions(3), target_rotation=np.tile([0.0, 0.0, 0.0, 2.0], (3, 1)))
    assert (path.effector_rotation == [0.0, 0.0, 0.0, 1.0]).all()
    assert path.effector_rotation.shape == (3, 4)
    batch = solve_batch(np.tile(start, (3, 1, 1)), directions(3), target_rotation=[0, 0, 0, 1])
    assert batch.effector_rotation.shape == (3, 4)
