"""Shortest paths against the plainest way to find them."""

import numpy as np
import pytest

from creature_sim.maths.graphs import paths_to


@pytest.mark.parametrize("seed", range(4))
def test_paths_are_as_short_as_relaxing_every_edge_finds_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size, count = 60, 110
    a, b = rng.integers(0, size, (2, count))
    far = rng.uniform(0.1, 2.0, count)
    ends, others, lengths = np.append(a, b), np.append(b, a), np.append(far, far)
    order = np.argsort(ends, kind="stable")
    first = np.searchsorted(ends[order], np.arange(size + 1))
    distances, nexts = np.empty(size), np.empty(size, np.int64)
    paths_to(0, first, others[order], lengths[order], distances, nexts)

    expected = np.full(size, np.inf)
    expected[0] = 0.0
    for _ in range(size):
        np.minimum.at(expected, ends, expected[others] + lengths)
    np.testing.assert_allclose(distances, expected)
    for node in range(size):
        steps = 0.0
        while nexts[node] >= 0 and np.isfinite(distances[node]):
            (edges,) = np.nonzero((ends == node) & (others == nexts[node]))
            steps += lengths[edges].min()
            assert distances[node] == pytest.approx(distances[nexts[node]] + lengths[edges].min())
            node = int(nexts[node])
        assert node == 0 or not np.isfinite(distances[node])
