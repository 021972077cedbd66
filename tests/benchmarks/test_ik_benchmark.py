import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from creature_sim.ik import Limit, solve, solve_batch, solve_chain, solve_path, solve_tree
from tests.benchmarks.ik_peers import CPath, MissingError
from tests.ik_scenes import LEG, chain, directions, spline_targets


@pytest.mark.parametrize("joints", [5, 10, 15, 20])
def test_path(benchmark: BenchmarkFixture, joints: int) -> None:
    lengths = np.full(joints - 1, 10.0 / (joints - 1))
    solution = benchmark(solve_path, chain(lengths), spline_targets(), max_iterations=100)
    assert solution.error.max() <= 1e-3


@pytest.mark.parametrize("joints", [5, 10, 15, 20])
def test_path_in_plain_c(benchmark: BenchmarkFixture, joints: int) -> None:
    lengths = np.full(joints - 1, 10.0 / (joints - 1))
    try:
        run = CPath(lengths, spline_targets(), 1e-3)
    except MissingError as reason:
        pytest.skip(str(reason))
    benchmark(run)
    assert run.check() <= 1e-3


def test_one_kernel_call(benchmark: BenchmarkFixture) -> None:
    lengths = np.full(4, 2.5)
    joints = chain(lengths)
    targets = [target.copy() for target in spline_targets()]

    def call() -> None:
        for target in targets:
            solve_chain(joints, lengths, target, 1e-3, 100)

    benchmark(call)


def test_one_call(benchmark: BenchmarkFixture) -> None:
    assert benchmark(solve, chain(LEG, "bent"), [1.0, 1.0, 2.0]).error <= 1e-3


def test_legs_with_poles(benchmark: BenchmarkFixture) -> None:
    starts = np.tile(chain(LEG, "bent"), (8000, 1, 1))
    targets = directions(8000) * 2.0
    poles = directions(8000, 7) * 4.0
    solution = benchmark(solve_batch, starts, targets, poles=poles, rotations=False)
    assert solution.error.max() <= 1e-3


def test_limits(benchmark: BenchmarkFixture) -> None:
    lengths = np.full(5, 2.0)
    limits = [Limit.ball(0.5)] * 5
    benchmark(solve, chain(lengths), [8.0, 2.0, 2.0], limits=limits)


def test_tree(benchmark: BenchmarkFixture) -> None:
    joints = [[0, 0, 0], [1, 0, 0], [2, 1, 0], [3, 1, 0], [2, -1, 0], [3, -1, 0]]
    targets = {3: [1.5, 2.0, 0.5], 5: [1.5, -2.0, 0.5]}
    assert benchmark(solve_tree, joints, [-1, 0, 1, 2, 1, 4], targets).error <= 1e-3
