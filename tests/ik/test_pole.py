import numpy as np
import pytest

from creature_sim.ik import Status, solve, solve_batch, solve_leg, solve_path
from creature_sim.maths import Floats
from tests.ik_scenes import LEG, bone_lengths, chain, directions, span

CHAINS = [np.ones(2), np.array([1.0, 0.7]), np.ones(3), LEG, np.ones(5), np.ones(19)]


def poles_beside(axes: Floats, degrees: float, seed: int = 5) -> Floats:
    """Unit vectors at least so many degrees off the lines along unit vectors (N, 3)."""
    across = np.cross(axes, directions(len(axes), seed))
    across /= np.linalg.norm(across, axis=1)[:, None]
    angle = np.radians(np.random.default_rng(seed).uniform(degrees, 180 - degrees, len(axes)))
    return axes * np.cos(angle)[:, None] + across * np.sin(angle)[:, None]


def frames(axes: Floats, poles: Floats) -> tuple[Floats, Floats]:
    """Unit vectors (N, 3) towards the poles and across, both at right angles to the axes."""
    bend = poles - axes * np.sum(poles * axes, axis=1)[:, None]
    bend /= np.linalg.norm(bend, axis=1)[:, None]
    return bend, np.cross(axes, bend)


@pytest.mark.parametrize("lengths", CHAINS, ids=len)
def test_every_inner_joint_is_in_the_poles_half_plane(lengths: Floats) -> None:
    count = 500
    hole, reach = span(lengths)
    axes = directions(count)
    far = np.random.default_rng(1).uniform(max(hole + 1e-6, 0.02 * reach), 0.999 * reach, count)
    poles = poles_beside(axes, 1.0)
    starts = np.array([chain(lengths, "random", seed) for seed in range(count)])
    solution = solve_batch(starts, axes * far[:, None], poles=poles * 3.0)
    assert (solution.status == Status.REACHED).all()
    assert solution.error.max() < 1e-10 * reach
    assert solution.iterations.max() <= 8
    assert np.abs(bone_lengths(solution.joints) / lengths - 1.0).max() < 1e-12
    bend, across = frames(axes, poles)
    inner = solution.joints[:, 1:-1]
    height = np.einsum("nji,ni->nj", inner, bend)
    beside = np.einsum("nji,ni->nj", inner, across)
    off_line = np.hypot(height, beside) > 1e-6 * reach
    angle = np.degrees(np.arctan2(np.abs(beside), height))
    assert angle[off_line].max() < 1e-3


@pytest.mark.parametrize("lengths", [c for c in CHAINS if len(c) < 4], ids=len)
def test_a_target_that_moves_a_little_moves_no_joint_much(lengths: Floats) -> None:
    # Seen from the half-plane. The half-plane itself turns by cot(angle of the pole) radians for
    # each radian that the target moves across it, whatever the solver.
    count = 4000
    hole, reach = span(lengths)
    axes = directions(count)
    far = np.random.default_rng(1).uniform(max(1.2 * hole, 0.15 * reach), 0.98 * reach, count)
    targets = axes * far[:, None]
    step = 1e-4 * reach
    moved = targets + directions(count, 2) * step
    poles = poles_beside(axes, 10.0) * reach
    starts = np.tile(chain(lengths), (count, 1, 1))
    before = solve_batch(starts, targets, poles=poles).joints
    after = solve_batch(starts, moved, poles=poles).joints
    flat = []
    for pose, goal in ((before, targets), (after, moved)):
        axis = goal / np.linalg.norm(goal, axis=1)[:, None]
        bend, _ = frames(axis, poles)
        flat.append(np.stack([np.einsum("nji,ni->nj", pose, v) for v in (axis, bend)], axis=2))
    in_plane = np.linalg.norm(flat[1] - flat[0], axis=2).max(axis=1) / step
    assert in_plane.max() < 5.0
    in_space = np.linalg.norm(after - before, axis=2).max(axis=1) / step
    cosine = np.sum(poles * axes, axis=1) / reach
    turn = np.abs(cosine) / np.sqrt(1.0 - cosine * cosine) / far
    height = flat[0][:, :, 1].max(axis=1)
    assert (in_space <= 5.0 + height * turn).all()
    is_easy = (np.abs(cosine) < np.cos(np.radians(30.0))) & (far > 0.3 * reach)
    assert in_space[is_easy].max() < 5.0


@pytest.mark.parametrize("lengths", CHAINS, ids=len)
def test_the_pose_does_not_depend_on_what_came_before(lengths: Floats) -> None:
    targets = directions(30) * 0.6 * sum(lengths)
    pole = [0.3, 0.2, 9.0]
    there = solve_path(chain(lengths), targets, pole=pole).joints
    back = solve_path(chain(lengths, "bent"), targets[::-1], pole=pole).joints[::-1]
    assert np.allclose(there, back, atol=1e-12 * sum(lengths))


def test_a_pole_on_the_line_keeps_the_last_bend() -> None:
    bent = solve(chain(LEG), [2.0, 0.0, 0.0], pole=[1.0, 5.0, 0.0])
    for pole in ([4.0, 0.0, 0.0], [-4.0, 0.0, 0.0], [0.0, 0.0, 0.0]):
        kept = solve(bent.joints, [2.0, 0.0, 0.0], pole=pole)
        assert np.allclose(kept.joints, bent.joints, atol=1e-9)
    zigzag = [[0, 0, 0], [1, 1, 0], [2, -1, 0], [3, 1, 0], [4, 0, 0]]
    solution = solve(zigzag, [3.0, 0.0, 0.0], pole=[9.0, 0.0, 0.0])
    assert solution.status is Status.REACHED
    assert (solution.joints[1:-1, 1] > 0.0).all()
    straight = solve(chain(LEG), [2.0, 0.0, 0.0], pole=[9.0, 0.0, 0.0])
    assert straight.status is Status.REACHED


def test_a_pole_where_the_target_is_out_of_reach_changes_nothing() -> None:
    for distance, status in ((9.0, Status.TOO_FAR), (1.0, Status.TOO_NEAR)):
        solution = solve(chain([5.0, 1.0, 1.0]), [0.0, distance, 0.0], pole=[3.0, 0.0, 0.0])
        assert solution.status is status
        assert np.allclose(solution.joints[:, [0, 2]], 0.0, atol=1e-12)


def test_a_leg_folds_at_its_hip() -> None:
    for distance in (0.4, 0.04, 1e-6, 0.0):
        solution = solve(chain(np.ones(3)), [distance, 0.0, 0.0], pole=[0.0, 0.0, 5.0])
        assert solution.status is Status.REACHED
        assert np.isfinite(solution.joints).all()
        assert np.allclose(bone_lengths(solution.joints), 1.0, rtol=1e-12)


def test_the_leg_kernel_agrees_with_solve() -> None:
    for lengths in CHAINS:
        joints = chain(lengths, "random")
        lengths = bone_lengths(joints)
        target = 0.5 * sum(lengths) * directions(1)[0]
        solution = solve(joints, target, pole=[1.0, 2.0, 3.0])
        iterations, error = solve_leg(
            joints, lengths, (0.0, 0.0, 0.0), tuple(target), (1.0, 2.0, 3.0)
        )
        assert (joints == solution.joints).all()
        assert (iterations, error) == (solution.iterations, solution.error)


def test_flat_legs_bend_to_the_poles_side() -> None:
    start = chain(np.ones(3))[:, :2]
    for side in (-1.0, 1.0):
        solution = solve(start, [2.0, 0.0], pole=[1.0, side])
        assert (side * solution.joints[1:-1, 1] > 0.0).all()
