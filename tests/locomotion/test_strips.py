"""Gaps between legs seen from above: closed forms, symmetry, and feet that get out of the way."""

from math import cos, hypot, pi, sin

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from creature_sim.locomotion.outlines import Outline, clear_foot, gap_to
from creature_sim.locomotion.strips import Strip, crosses, gap_between

coordinates = st.floats(-1.0, 1.0)
widths = st.floats(0.0, 0.05)
strips = st.builds(
    Strip,
    *(coordinates, coordinates, widths),
    *(coordinates, coordinates, widths),
    *(st.just(1.0), st.just(0.0), st.just(0.0)),
)


def strip(hip: tuple[float, float], foot: tuple[float, float], width: float = 0.0) -> Strip:
    """A strip of one width."""
    return Strip(*hip, width, *foot, width, 1.0, 0.0, 0.0)


def test_parallel_strips_are_their_distance_less_their_widths_apart() -> None:
    """Two legs side by side."""
    gap = gap_between(strip((0, 0), (0, 1), 0.02), strip((0.3, 0), (0.3, 1), 0.05))
    assert gap.size == pytest.approx(0.3 - 0.07)
    assert (gap.x, gap.y) == (-1.0, 0.0)


def test_strips_taper() -> None:
    """What is near is as wide as it is there: half-way between hip and foot."""
    tapering = Strip(0.0, 0.0, 0.06, 1.0, 0.0, 0.02, 1.0, 0.0, 0.0)
    gap = gap_between(strip((0.5, 1.0), (0.5, 0.3)), tapering)
    assert gap.size == pytest.approx(0.3 - 0.04)


@pytest.mark.parametrize("through", [0.01, 0.1, 0.3])
def test_a_strip_across_another_overlaps_as_far_as_its_foot_has_come_through(
    through: float,
) -> None:
    """Deeper the farther it goes on, and its way out is back."""
    gap = gap_between(strip((0.0, -1.0), (0.0, through)), strip((-1.0, 0.0), (1.0, 0.0)))
    assert gap.size == pytest.approx(-through)
    assert (gap.x, gap.y) == pytest.approx((0.0, -1.0))


@pytest.mark.slow
@given(strips, strips)
def test_gaps_are_the_same_from_both_sides(a: Strip, b: Strip) -> None:
    """Of feet that are as wide as each other, also where axes cross."""
    assert gap_between(a, b).size == pytest.approx(gap_between(b, a).size, abs=1e-9)


@pytest.mark.slow
@given(strips, strips, st.floats(0.0, 2.0 * pi), coordinates, coordinates)
def test_gaps_do_not_depend_on_the_frame(
    a: Strip, b: Strip, angle: float, x: float, y: float
) -> None:
    """Strips that are turned and moved together."""

    def moved(s: Strip) -> Strip:
        c, d = cos(angle), sin(angle)
        hip = (c * s.hx - d * s.hy + x, d * s.hx + c * s.hy + y)
        foot = (c * s.fx - d * s.fy + x, d * s.fx + c * s.fy + y)
        return Strip(*hip, s.hip, *foot, s.foot, 1.0, 0.0, 0.0)

    assume(crosses(a, b) == crosses(moved(a), moved(b)))
    assert gap_between(moved(a), moved(b)).size == pytest.approx(gap_between(a, b).size, abs=1e-9)


@pytest.mark.slow
@given(strips, strips)
def test_no_point_of_two_axes_is_nearer_than_the_gap_says(a: Strip, b: Strip) -> None:
    """Against the smallest distance of 50 points of each, less the widths there."""
    assume(not crosses(a, b))
    t = np.linspace(0.0, 1.0, 50)

    def points(s: Strip) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        return np.stack([s.hx + t * (s.fx - s.hx), s.hy + t * (s.fy - s.hy)], axis=-1)

    far = np.hypot(*(points(a)[:, None] - points(b)[None]).transpose(2, 0, 1)).min()
    gap = gap_between(a, b)
    widest = max(a.hip, a.foot) + max(b.hip, b.foot)
    assert far - widest - 0.05 <= gap.size <= far + 1e-9


def leaning(hip: tuple[float, float], foot: tuple[float, float]) -> Strip:
    """A leg with a ball for a hip, 2 m high."""
    return Strip(*hip, 0.1, *foot, 0.05, 1.0, 2.0, 0.0)


def test_legs_that_lean_to_one_side_are_as_far_apart_as_their_hips() -> None:
    """From above one's foot is below the other one's hip, 2 m lower."""
    left, right = leaning((0.0, 0.2), (0.0, -0.2)), leaning((0.0, -0.2), (0.0, -0.6))
    assert gap_between(left, right).size == pytest.approx(0.2)


def test_legs_that_cross_are_as_near_however_both_of_them_lean() -> None:
    upright = leaning((0.0, 0.2), (0.0, -0.3)), leaning((0.0, -0.2), (0.0, 0.3))
    both = leaning((0.0, 0.2), (0.0, -0.8)), leaning((0.0, -0.2), (0.0, -0.2))
    assert gap_between(*upright).size < -0.1
    assert gap_between(*both).size == pytest.approx(gap_between(*upright).size)


@pytest.mark.slow
@given(st.floats(-0.3, 0.3), st.floats(0.5, 0.9))
def test_a_foot_goes_aside_until_its_leg_is_clear(x: float, y: float) -> None:
    """Of a neighbour that stands straight out: in two goes nearly as far as it was asked for."""
    own, other = strip((0.0, 0.0), (x, y), 0.01), strip((0.2, 0.0), (0.2, 0.6), 0.01)
    assume(hypot(x, y) > 0.4)
    there = Outline(other, other, False)
    before = gap_to(own, there).size
    for _ in range(4):
        own = clear_foot(own, there, 0.03, 0.2)
    assert gap_to(own, there).size >= min(0.025, before - 1e-12)
