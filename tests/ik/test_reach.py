"""Targets at exactly full stretch, in any direction: met at once, with any budget."""

import numpy as np
import pytest

from creature_sim.ik import Status, solve


@pytest.mark.parametrize("budget", [32, 100, 1000])
@pytest.mark.parametrize("joints", [3, 4, 8, 20])
def test_exactly_at_reach(joints: int, budget: int) -> None:
    rng = np.random.default_rng(joints)
    for share in (1.0, 1.0 - 1e-16, 1.0 - 1e-14, 1.0 - 1e-12, 1.0 - 1e-9):
        for _ in range(40):
            lengths = rng.uniform(0.2, 2.0, joints - 1)
            chain = np.concatenate((np.zeros((1, 3)), np.cumsum(lengths[:, None] * (1, 0, 0), 0)))
            direction = rng.standard_normal(3)
            direction /= np.linalg.norm(direction)
            target = direction * lengths.sum() * share
            solution = solve(chain, target, max_iterations=budget)
            assert solution.error <= 1e-3
            assert solution.iterations <= 20
            assert solution.status in (Status.REACHED, Status.TOO_FAR)
