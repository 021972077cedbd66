"""Laws of the geometry of whole arrays, and agreement with the kernels where both exist."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from creature_sim import maths
from creature_sim.maths import Floats, geometry

coordinates = st.floats(-100.0, 100.0, allow_subnormal=False).map(lambda x: round(x, 6))
grid = st.integers(-4, 4).map(float)
"""Coordinates on a grid: many points on a line, many at one place."""
quaternions = st.tuples(*[st.floats(-1, 1)] * 4).map(maths.quat_unit)
vectors = st.tuples(coordinates, coordinates, coordinates)


def clouds(elements: st.SearchStrategy[float], least: int = 0) -> st.SearchStrategy[Floats]:
    """Points (P, 2)."""
    counts = st.integers(least, 12)
    return counts.flatmap(lambda count: arrays(np.float64, (count, 2), elements=elements))


any_cloud = clouds(coordinates) | clouds(grid)
some_cloud = clouds(coordinates, 1) | clouds(grid, 1)


@pytest.mark.slow
@given(st.lists(quaternions, min_size=1, max_size=5), vectors)
def test_matrices_turn_as_their_quaternions(turns: list[maths.Quat], v: maths.Vec) -> None:
    matrices = geometry.rotation_matrices(np.array(turns))
    expected = [maths.rotate(q, v) for q in turns]
    np.testing.assert_allclose(matrices @ np.array(v), expected, atol=1e-10)
    products = matrices @ matrices.swapaxes(-1, -2)
    np.testing.assert_allclose(products - np.eye(3), 0.0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.det(matrices), 1.0, atol=1e-12)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0, 2)])
def test_arrays_of_any_shape_are_turned(shape: tuple[int, ...]) -> None:
    turns = np.zeros((*shape, 4))
    turns[..., 3] = 1.0
    expected = np.broadcast_to(np.eye(3), (*shape, 3, 3))
    np.testing.assert_array_equal(geometry.rotation_matrices(turns), expected)
    assert geometry.rotation_angles(turns, turns).shape == shape
    assert geometry.blend_rotations(turns, turns, 0.5).shape == (*shape, 4)
    assert geometry.box_corners(turns[..., :3], turns[..., :3]).shape == (*shape, 8, 3)


@pytest.mark.slow
@given(quaternions, st.floats(0.0, 3.14159), vectors.filter(lambda v: maths.norm(v) > 1e-3))
def test_an_angle_between_rotations_is_the_one_turned_by(
    start: maths.Quat, angle: float, axis: maths.Vec
) -> None:
    turn = maths.quat_about(maths.unit(axis, maths.X), angle)
    a, b = np.array(start), np.array(maths.quat_multiply(turn, start))
    for other in (b, -b):  # both stand for the same rotation
        assert geometry.rotation_angles(a, other) == pytest.approx(angle, abs=1e-7)
        assert geometry.rotation_angles(other, a) == pytest.approx(angle, abs=1e-7)


def test_small_angles_keep_their_digits() -> None:
    b = np.array(maths.quat_about(maths.Y, 1e-9))
    assert geometry.rotation_angles(np.array([0.0, 0, 0, 1]), b) == pytest.approx(1e-9, rel=1e-6)


@pytest.mark.slow
@given(quaternions, quaternions, st.floats(0.0, 1.0))
def test_rotations_blend_as_one_does(a: maths.Quat, b: maths.Quat, fraction: float) -> None:
    found = geometry.blend_rotations(np.array([a]), np.array([b]), fraction)
    assert tuple(found[0]) == pytest.approx(maths.nlerp(a, b, fraction), abs=1e-12)


@pytest.mark.slow
@given(vectors.filter(lambda v: maths.norm(v) > 1e-3))
def test_tangents_and_normal_are_a_right_handed_frame(v: maths.Vec) -> None:
    normal = maths.unit(v, maths.Z)
    first, second = geometry.tangents(np.array(normal))
    frame = np.stack((first, second, normal))
    np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(frame) == pytest.approx(1.0)


def test_tangents_of_up_are_x_and_y() -> None:
    assert np.array_equal(geometry.tangents(np.array(maths.Z)), [maths.X, maths.Y])


@pytest.mark.slow
@given(vectors, vectors)
def test_corners_of_a_box(a: maths.Vec, b: maths.Vec) -> None:
    low, high = np.minimum(a, b), np.maximum(a, b)
    corners = geometry.box_corners(low, high)
    assert ((corners == low) | (corners == high)).all()
    np.testing.assert_array_equal(corners.min(axis=0), low)
    np.testing.assert_array_equal(corners.max(axis=0), high)
    if (low < high).all():
        assert len(set(map(tuple, corners.tolist()))) == 8


@pytest.mark.slow
@given(any_cloud)
def test_a_hull_holds_all_points_and_turns_left_at_every_corner(points: Floats) -> None:
    corners = points[geometry.convex_hull(points)]
    assert len(corners) <= len(points)
    if len(corners) < 3:
        return
    edges = np.roll(corners, -1, axis=0) - corners
    after = np.roll(edges, -1, axis=0)
    assert (edges[:, 0] * after[:, 1] > edges[:, 1] * after[:, 0]).all()
    gaps = points[:, None] - corners
    beside = edges[:, 0] * gaps[..., 1] - edges[:, 1] * gaps[..., 0]
    assert (beside >= -1e-9).all()
    assert corners[0].tolist() == min(points.tolist())


@pytest.mark.slow
@given(clouds(grid), st.randoms())
def test_a_hull_does_not_depend_on_the_order_of_points(points: Floats, random: Random) -> None:
    shuffled = points.tolist()
    random.shuffle(shuffled)
    again = np.array(shuffled).reshape(-1, 2)
    found, other = geometry.convex_hull(points), geometry.convex_hull(again)
    np.testing.assert_array_equal(points[found], again[other])


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([], []),
        ([(1, 2)], [0]),
        ([(1, 2), (0, 0)], [1, 0]),
        ([(0, 0), (2, 2), (1, 1)], [0, 1]),
        ([(0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0.5), (0.5, 0)], [0, 1, 2, 3]),
    ],
)
def test_hulls_of_few_points(points: list[tuple[float, float]], expected: list[int]) -> None:
    found = geometry.convex_hull(np.array(points, np.float64).reshape(-1, 2))
    assert found.tolist() == expected


def segment_distances(points: Floats, starts: Floats, ends: Floats) -> Floats:
    """Distances (...) of points from segments."""
    fractions = geometry.segment_fractions(points, starts, ends)[..., None]
    return geometry.lengths(points - (starts + fractions * (ends - starts)))


@pytest.mark.slow
@given(some_cloud, st.tuples(coordinates, coordinates))
def test_a_margin_is_the_distance_to_the_nearest_edge(
    points: Floats, place: tuple[float, float]
) -> None:
    margin = geometry.hull_margin(points, place)
    corners = points[geometry.convex_hull(points)]
    nearest = segment_distances(np.array(place), corners, np.roll(corners, -1, axis=0)).min()
    assert abs(margin) == pytest.approx(nearest, abs=1e-6)
    # A supporting line that a place lies beyond keeps it outside; a mean of points is inside.
    directions = np.stack((np.cos(np.arange(64) / 32 * np.pi), np.sin(np.arange(64) / 32 * np.pi)))
    beyond = np.array(place) @ directions - (points @ directions).max(axis=0)
    if beyond.max() > 1e-6:
        assert margin <= -beyond.max() + 1e-6
    assert geometry.hull_margin(points, points.mean(axis=0)) >= -1e-9


def test_margins_of_a_square() -> None:
    square = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    assert geometry.hull_margin(square) == 1.0
    assert geometry.hull_margin(square, (0.75, 0.0)) == 0.25
    assert geometry.hull_margin(square, (1.0, 0.5)) == 0.0
    assert geometry.hull_margin(square, (4.0, 5.0)) == -5.0
    assert geometry.hull_margin(np.empty((0, 2))) == -np.inf


@pytest.mark.slow
@given(vectors, vectors, vectors)
def test_no_point_of_a_segment_is_nearer(p: maths.Vec, a: maths.Vec, b: maths.Vec) -> None:
    point, start, end = np.array(p), np.array(a), np.array(b)
    fraction = geometry.segment_fractions(point, start, end)
    distance = segment_distances(point, start, end)
    assert 0.0 <= fraction <= 1.0
    assert distance == pytest.approx(maths.distance(p, maths.mix(a, b, float(fraction))), abs=1e-9)
    along = start + np.linspace(0.0, 1.0, 33)[:, None] * (end - start)
    assert distance <= geometry.lengths(along - point).min() + 1e-7


def test_a_segment_without_length_is_a_point() -> None:
    points = np.array([[3.0, 4.0], [0.0, 0.0]])
    assert geometry.segment_fractions(points, np.zeros(2), np.zeros(2)).tolist() == [0.0, 0.0]
    assert segment_distances(points, np.zeros(2), np.zeros(2)).tolist() == [5.0, 0.0]
