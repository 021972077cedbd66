"""Reciprocal avoidance: half-planes in closed form, and the best of them against brute force."""

from math import pi, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.locomotion.orca import APART, choose_velocity, half_plane
from creature_sim.maths import Floats

SIDE = np.linspace(-1.0, 1.0, 161)
GRID: Floats = np.stack(np.meshgrid(SIDE, SIDE), axis=-1).reshape(-1, 2)
DISC = GRID[(GRID**2).sum(axis=1) <= 1.0]
"""Velocities to try, 0.0125 apart."""


def test_two_who_run_into_each_other_share_the_change() -> None:
    """The cone's legs are at 30 degrees: to leave it, each turns half of the way."""
    gap, own, other = (4.0, 0.0), (1.0, 0.0), (-1.0, 0.0)
    half = half_plane(gap, own, other, 2.0, 0.5, 10.0)
    normal = (-0.5, -sqrt(0.75))
    change = 2.0 * 0.5  # relative velocity 2 along the normal of the leg
    assert half.normal == pytest.approx(normal)
    expected = (own[0] + 0.5 * change * normal[0], own[1] + 0.5 * change * normal[1])
    assert half.point == pytest.approx(expected)


def test_what_is_far_enough_off_is_bounded_by_the_time_that_is_looked_ahead() -> None:
    """At rest, 3 m between: 2 m of gap in 2 s allow half of 1 m/s towards each other."""
    half = half_plane((3.0, 0.0), (0.0, 0.0), (0.0, 0.0), 1.0, 0.5, 2.0)
    assert half.normal == pytest.approx((-1.0, 0.0))
    assert half.point == pytest.approx((0.5, 0.0))


def test_those_that_overlap_are_asked_to_part_in_time() -> None:
    """Sooner than they look ahead: .5 m too near, one of them makes way alone."""
    half = half_plane((0.5, 0.0), (0.0, 0.0), (0.0, 0.0), 1.0, 1.0, 2.0)
    assert half.normal == pytest.approx((-1.0, 0.0))
    assert half.point == pytest.approx((-0.5 / APART, 0.0))
    at_one_place = half_plane((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), 1.0, 1.0, 2.0)
    assert np.hypot(*at_one_place.point) == pytest.approx(1.0 / APART)


moves = st.tuples(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0))


@pytest.mark.slow
@given(st.tuples(st.floats(1.1, 3.0), st.floats(-pi, pi)), moves, moves)
def test_two_who_obey_do_not_meet(
    gap: tuple[float, float], own: tuple[float, float], other: tuple[float, float]
) -> None:
    """Theorem of section 4.1: both take velocities on the edges of their half-planes."""
    size, angle = gap
    ax, ay = own
    bx, by = other
    x, y = size * np.cos(angle), size * np.sin(angle)
    a = half_plane((x, y), (ax, ay), (bx, by), 1.0, 0.5, 2.0)
    b = half_plane((-x, -y), (bx, by), (ax, ay), 1.0, 0.5, 2.0)
    vx, vy = a.point[0] - b.point[0], a.point[1] - b.point[1]
    times = np.linspace(0.0, 2.0, 400)
    apart = np.hypot(x - vx * times, y - vy * times).min()
    assert apart > 1.0 - 1e-6
    assert a.normal == pytest.approx((-b.normal[0], -b.normal[1]), abs=1e-6)


thousandths = st.integers(-600, 600).map(lambda count: count / 1000.0)
lines = st.tuples(
    st.integers(-3141, 3141).map(lambda count: count / 1000.0), thousandths, thousandths
)


@pytest.mark.slow
@given(st.lists(lines, min_size=1, max_size=8), moves)
def test_the_best_velocity_is_as_good_as_any_that_is_tried(
    given_lines: list[tuple[float, float, float]], wished: tuple[float, float]
) -> None:
    halves = np.array([(x, y, np.cos(turn), np.sin(turn)) for turn, x, y in given_lines])
    count = len(halves)
    found = np.array(choose_velocity(halves, count, 1.0, wished))
    assert np.linalg.norm(found) < 1.0 + 1e-9

    def excesses(velocities: Floats) -> Floats:
        out = velocities[:, None] - halves[None, :, :2]
        return np.asarray(-(out * halves[None, :, 2:]).sum(axis=-1).min(axis=1))

    own, others = float(excesses(found[None])[0]), excesses(DISC)
    allowed = DISC[others <= 0.0]
    if len(allowed):
        best = np.linalg.norm(allowed - wished, axis=1).min()
        assert own < 1e-7
        assert np.linalg.norm(found - wished) < best + 1e-7
    elif own > 1e-7:  # nothing is allowed: the worst excess is least
        assert own < others.min() + 1e-6
