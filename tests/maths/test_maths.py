"""Closed forms, against libm where a value is wanted and against algebra everywhere else."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim import maths
from creature_sim.maths.randomness import random_bits

angles = st.floats(-1e6, 1e6)
small = st.floats(-1e3, 1e3)
vectors = st.tuples(small, small, small)
quats = st.tuples(*[st.floats(-1, 1)] * 4).map(maths.quat_unit)


def ulps(found: float, expected: float) -> float:
    return abs(found - expected) / math.ulp(max(abs(expected), 1e-300))


@given(angles)
def test_sine_and_cosine_are_within_an_ulp_of_one(angle: float) -> None:
    sine, cosine = maths.sin_cos(angle)
    assert abs(sine - math.sin(angle)) <= 2.3e-16
    assert abs(cosine - math.cos(angle)) <= 2.3e-16


@given(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9))
def test_atan2(y: float, x: float) -> None:
    if (x, y) == (0.0, 0.0):
        assert maths.atan2(y, x) == 0.0
    elif abs(y) > 1e-290 and abs(x) > 1e-290:
        expected = math.atan2(y, x)
        assert ulps(maths.atan2(y, x), expected) <= 3


def test_atan2_on_the_axes() -> None:
    assert maths.atan2(0.0, 1.0) == 0.0
    assert maths.atan2(0.0, -1.0) == math.pi
    assert maths.atan2(1.0, 0.0) == math.pi / 2
    assert maths.atan2(-1.0, 0.0) == -math.pi / 2


@given(st.floats(-1, 1))
def test_arc_functions_invert_themselves(x: float) -> None:
    assert abs(maths.acos(x) - math.acos(x)) <= 5e-16
    assert abs(maths.asin(x) - math.asin(x)) <= 5e-16


@given(st.floats(0.01, 3.1), st.floats(0.0, 1.0))
def test_slerp_turns_evenly(angle: float, share: float) -> None:
    a, b = (1.0, 0.0, 0.0), (np.cos(angle), 0.0, np.sin(angle))
    expected = (np.cos(share * angle), 0.0, np.sin(share * angle))
    assert maths.slerp(a, b, share) == pytest.approx(expected, abs=1e-12)


@given(st.floats(0, 1))
def test_smoothstep_is_inverted(share: float) -> None:
    assert maths.smoothstep(maths.inverse_smoothstep(share)) == pytest.approx(share, abs=1e-14)


@given(st.floats(-700, 700))
def test_exp(x: float) -> None:
    assert maths.exp(x) == pytest.approx(math.exp(x), rel=5e-16)


@pytest.mark.parametrize(("x", "expected"), [(-1e9, 0.0), (0.0, 1.0), (1e9, math.exp(700.0))])
def test_exp_saturates(x: float, expected: float) -> None:
    assert maths.exp(x) == pytest.approx(expected, rel=5e-16)


@given(st.floats(0.001, 10), st.floats(0.01, 10), st.integers(1, 8))
def test_smoothing_does_not_depend_on_the_tick(dt: float, constant: float, parts: int) -> None:
    whole = 1.0 - maths.approach(dt, constant)
    split = (1.0 - maths.approach(dt / parts, constant)) ** parts
    assert split == pytest.approx(whole, rel=1e-12)


@given(quats, vectors)
def test_rotation_keeps_lengths_and_can_be_undone(q: maths.Quat, v: maths.Vec) -> None:
    turned = maths.rotate(q, v)
    assert maths.norm(turned) == pytest.approx(maths.norm(v), rel=1e-12, abs=1e-12)
    assert maths.unrotate(q, turned) == pytest.approx(v, rel=1e-9, abs=1e-9)


@pytest.mark.slow
@given(quats, quats, vectors)
def test_product_of_rotations(a: maths.Quat, b: maths.Quat, v: maths.Vec) -> None:
    both = maths.rotate(maths.quat_multiply(a, b), v)
    assert both == pytest.approx(maths.rotate(a, maths.rotate(b, v)), rel=1e-9, abs=1e-9)


@pytest.mark.slow
@given(vectors, vectors)
def test_shortest_rotation_maps_one_direction_onto_the_other(a: maths.Vec, b: maths.Vec) -> None:
    x, y = maths.unit(a, (1.0, 0.0, 0.0)), maths.unit(b, (0.0, 1.0, 0.0))
    assert maths.rotate(maths.quat_between(x, y), x) == pytest.approx(y, abs=5e-5)


def test_opposite_directions_turn_by_half_a_turn() -> None:
    for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.6, 0.0, -0.8)):
        back = maths.scale(axis, -1.0)
        assert maths.rotate(maths.quat_between(axis, back), axis) == pytest.approx(back)


@given(quats)
def test_axes_give_back_their_rotation(q: maths.Quat) -> None:
    axes = [maths.rotate(q, (x, y, z)) for x, y, z in np.eye(3).tolist()]
    again = maths.quat_from_axes(*axes)
    assert abs(sum(a * b for a, b in zip(q, again, strict=True))) == pytest.approx(1.0)


@pytest.mark.slow
@given(vectors)
def test_any_normal_is_a_unit_vector_at_right_angles(a: maths.Vec) -> None:
    direction = maths.unit(a, (0.0, 0.0, 1.0))
    normal = maths.any_normal(direction)
    assert maths.norm(normal) == pytest.approx(1.0)
    assert maths.dot(normal, direction) == pytest.approx(0.0, abs=1e-12)


def test_random_numbers_depend_on_all_three_numbers_and_spread_evenly() -> None:
    numbers = np.array(
        [
            maths.random_unit(seed, stream, n)
            for seed in (0, 1)
            for stream in (0, 1)
            for n in range(2000)
        ]
    )
    assert len(set(numbers.tolist())) == len(numbers)
    assert 0.0 <= numbers.min() < 0.01
    assert 0.99 < numbers.max() < 1.0
    counts, _ = np.histogram(numbers, 10, (0.0, 1.0))
    assert abs(counts - 800).max() < 120


def test_random_numbers_are_the_same_for_ever() -> None:
    assert maths.random_unit(1, 2, 3) == 0.814259011529328


@pytest.mark.parametrize("numbers", [(1, 2, 3), (-1, -2, -3), (2**31, 0, -(2**40))])
def test_random_bits_take_any_numbers_compiled_or_not(numbers: tuple[int, int, int]) -> None:
    def scramble(x: int) -> int:
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            x = (x ^ x >> shift) * factor % 2**64
        return x ^ x >> 31

    expected = 0
    for number in numbers:
        expected = scramble(((expected ^ number) + 0x9E3779B97F4A7C15) % 2**64)
    plain: Any = random_bits
    with np.errstate(over="ignore"):
        assert [int(random_bits(*numbers)), int(plain.py_func(*numbers))] == [expected] * 2
