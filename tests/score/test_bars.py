"""Bars and bodies: depths against closed forms and against many samples."""

import numpy as np
import pytest

from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths, segments_nearest
from creature_sim.score.bars import Bars, body_distances, depths_between, depths_in_bodies

HALVES = np.array([0.22, 0.14, 0.09])


def bars(starts: object, ends: object, first: object, last: object) -> Bars:
    return Bars(*(np.array(part, float) for part in (starts, ends, first, last)))


def some_bars(seed: int, count: int) -> Bars:
    rng = np.random.default_rng(seed)
    starts, ends = rng.uniform(-0.3, 0.3, (2, count, 3))
    first = rng.uniform(0.01, 0.05, count)
    return Bars(starts, ends, first, 0.4 * first)


def test_crossing_bars_are_as_deep_as_their_radii_less_the_gap() -> None:
    a = bars([[-1, 0, 0]], [[1, 0, 0]], [0.1], [0.1])
    b = bars([[0, -1, 0.15]], [[0, 1, 0.15]], [0.05], [0.25])
    assert depths_between(a, b) == pytest.approx([0.1 + 0.15 - 0.15])
    assert depths_between(b, a) == pytest.approx(depths_between(a, b))


def test_parallel_bars_are_deepest_at_their_thick_ends() -> None:
    a = bars([[0, 0, 0], [0, 0, 0]], [[1, 0, 0], [1, 0, 0]], [0.1, 0.01], [0.02, 0.03])
    b = bars([[0, 0.15, 0], [1, 0.15, 0]], [[1, 0.15, 0], [0, 0.15, 0]], [0.1, 0.13], [0.02, 0.01])
    assert depths_between(a, b) == pytest.approx([0.05, 0.01])


def test_a_bar_without_length_is_a_ball() -> None:
    a = bars([[0, 0, 0]], [[0, 0, 0]], [0.2], [0.2])
    b = bars([[0.3, -1, 0]], [[0.3, 1, 0]], [0.15], [0.15])
    assert depths_between(a, b) == pytest.approx([0.05])


def test_depths_are_those_of_the_deepest_of_many_places() -> None:
    a, b = some_bars(1, 200), some_bars(2, 200)
    steps = np.linspace(0.0, 1.0, 60)
    best = np.full(200, -np.inf)
    for s in steps:
        p, radius = a.at(np.full(200, s))
        for t in steps:
            q, other = b.at(np.full(200, t))
            best = np.maximum(best, radius + other - lengths(p - q))
    near = best > -0.05  # of bars far from each other the depth tells nobody anything
    off = (depths_between(a, b) - best)[near]
    assert near.sum() > 40
    assert off.min() > -0.002
    assert off.max() < 0.01  # between the samples


def test_the_nearest_places_of_segments_are_found_by_no_sample() -> None:
    a, b = some_bars(3, 300), some_bars(4, 300)
    first, second = segments_nearest(a.starts, a.ends, b.starts, b.ends)
    best = lengths(a.at(first)[0] - b.at(second)[0])
    for s in np.linspace(0.0, 1.0, 30):
        for t in np.linspace(0.0, 1.0, 30):
            gap = lengths(a.at(np.full(300, s))[0] - b.at(np.full(300, t))[0])
            assert (gap >= best - 1e-12).all()


def surface(count: int) -> Floats:
    """Points all over a body."""
    out = np.random.default_rng(5).normal(size=(count, 3))
    norms: Floats = (np.abs(out / HALVES) ** 2.7).sum(axis=1) ** (1.0 / 2.7)
    return out / norms[:, None]


@pytest.mark.slow
def test_distances_from_a_body() -> None:
    shell = surface(100_000)
    assert abs(body_distances(shell[:500], np.broadcast_to(HALVES, (500, 3)))).max() < 1e-12
    tops = np.diag(HALVES + 0.05)
    assert body_distances(tops, np.broadcast_to(HALVES, (3, 3))) == pytest.approx(0.05)
    points = np.random.default_rng(6).uniform(-1.3, 1.3, (60, 3)) * HALVES
    found = body_distances(points, np.broadcast_to(HALVES, points.shape))
    near = np.array([lengths(shell - point).min() for point in points])
    is_out = (np.abs(points / HALVES) ** 2.7).sum(axis=1) > 1.0
    assert ((found > 0.0) == is_out).all()
    assert (np.abs(found)[is_out] <= near[is_out]).all()
    assert abs(np.abs(found) - near)[near < 0.05].max() < 0.004  # no leg is thicker than that


def test_depths_in_a_body_are_those_of_the_deepest_of_many_places() -> None:
    some = some_bars(7, 200)
    halves = np.broadcast_to(HALVES, (200, 3))
    best = np.full(200, -np.inf)
    for fraction in np.linspace(0.0, 1.0, 400):
        points, radii = some.at(np.full(200, fraction))
        best = np.maximum(best, radii - body_distances(points, halves))
    found = depths_in_bodies(some, halves)
    assert abs(found - best)[best > 0.0].max() < 0.002
    assert (found[best <= -0.002] < 0.0).all()
