import numpy as np
import pytest

from creature_sim.ik import Limit, Status, solve, solve_batch
from tests.ik_scenes import bone_lengths, chain, directions

TURNING = ["ccd", "jacobian_transpose", "pseudo_inverse", "damped_least_squares"]


@pytest.mark.parametrize("method", TURNING)
def test_other_methods_reach_what_is_within_easy_reach(method: str) -> None:
    start = chain(np.ones(4), "bent")
    targets = directions(60) * 2.4
    solution = solve_batch(np.tile(start, (60, 1, 1)), targets, method=method, max_iterations=500)
    assert (solution.status == Status.REACHED).mean() > 0.9
    assert np.allclose(bone_lengths(solution.joints), 1.0, rtol=1e-12)
    assert np.isfinite(solution.rotations).all()


def test_fabrik_needs_fewest_iterations() -> None:
    start = chain(np.ones(4), "bent")
    targets = directions(60) * np.linspace(0.5, 3.9, 60)[:, None]
    starts = np.tile(start, (60, 1, 1))
    mean = {
        method: solve_batch(starts, targets, method=method, max_iterations=500).iterations.mean()
        for method in ["fabrik", *TURNING]
    }
    assert min(mean, key=lambda method: float(mean[method])) == "fabrik"


@pytest.mark.parametrize("method", TURNING)
def test_other_methods_keep_limits(method: str) -> None:
    start = chain(np.ones(4))
    limits = [Limit.ball(0.3)] * 4
    for direction in directions(20):
        solution = solve(start, direction * 2.0, limits=limits, method=method, max_iterations=100)
        bones = np.diff(np.concatenate([[[-1.0, 0.0, 0.0]], solution.joints]), axis=0)
        turn = np.linalg.norm(np.cross(bones[1:], bones[:-1]), axis=1)
        angle = np.arctan2(turn, np.sum(bones[1:] * bones[:-1], axis=1))
        assert angle.max() <= 0.3 + 1e-9


@pytest.mark.parametrize("method", TURNING[1:])
def test_a_line_stops_the_jacobians_but_not_fabrik(method: str) -> None:
    start = chain(np.ones(4))
    stuck = solve(start, [2.5, 0.0, 0.0], method=method, max_iterations=100)
    assert stuck.status is Status.MAX_ITERATIONS
    assert np.isfinite(stuck.joints).all()
    assert solve(start, [2.5, 0.0, 0.0]).status is Status.REACHED


@pytest.mark.parametrize("method", TURNING)
def test_others_come_near_what_is_out_of_reach(method: str) -> None:
    solution = solve(chain(np.ones(3), "bent"), [6.0, 1.0, 0.0], method=method, max_iterations=300)
    assert solution.status is Status.TOO_FAR
    assert solution.error < np.hypot(6.0, 1.0) - 3.0 + 0.2
