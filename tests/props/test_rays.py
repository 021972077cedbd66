"""Rays and depths agree with closed forms, wherever a ray comes from."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from creature_sim.components import GROUND, PropRecord, zeros
from creature_sim.definitions import PropDef
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.props.rays import depths_within
from creature_sim.props.shapes import orientation_of, solids_of
from tests.arrays import assert_near
from tests.props.test_props import hits
from tests.rays import rays_on
from tests.terrain_kinds import made

seeds = st.integers(0, 2**32)
sizes = st.tuples(*[st.floats(0.05, 3.0)] * 3)
turns = st.tuples(*[st.floats(-3.0, 3.0)] * 3)
MIDDLE = np.array([2.0, -1.0, 9.0])
"""Of every prop: far above the ground."""


def rays_about(seed: int, count: int = 30) -> tuple[Floats, Floats]:
    """From all around to near the middle and beyond."""
    rng = np.random.default_rng(seed)
    away = rng.normal(size=(count, 3))
    away *= 6.0 / np.linalg.norm(away, axis=1)[:, None]
    near = MIDDLE + rng.uniform(-2.0, 2.0, (count, 3))
    return MIDDLE + away, near + 0.2 * (near - MIDDLE - away)


@pytest.mark.slow
@given(seeds, st.floats(0.05, 3.0))
def test_rays_meet_a_ball_where_the_quadratic_says(seed: int, radius: float) -> None:
    starts, ends = rays_about(seed)
    ball = {"shape": "ball", "radius": radius, "position": MIDDLE.tolist()}
    points, normals, numbers = hits([ball], starts, ends)
    along, offset = ends - starts, starts - MIDDLE
    a, b = (along**2).sum(axis=1), (along * offset).sum(axis=1)
    inside = b**2 - a * ((offset**2).sum(axis=1) - radius**2)
    assume((abs(inside) > 1e-9).all())  # no ray that grazes
    with np.errstate(invalid="ignore"):
        fractions = (-b - np.sqrt(inside)) / a
    is_hit = (inside > 0.0) & (fractions >= 0.0) & (fractions <= 1.0)
    assert (numbers == 0).tolist() == is_hit.tolist()
    assert (numbers[~is_hit] == GROUND).all()
    if is_hit.any():
        expected = (starts + fractions[:, None] * along)[is_hit]
        assert_near(points[is_hit], expected, abs=1e-7)
        assert_near(normals[is_hit], (expected - MIDDLE) / radius, abs=1e-6)


@pytest.mark.slow
@given(seeds, sizes, turns)
def test_rays_meet_a_box_where_its_slabs_say(
    seed: int, size: tuple[float, ...], rotation: tuple[float, ...]
) -> None:
    starts, ends = rays_about(seed)
    box = {"shape": "box", "size": size, "position": MIDDLE.tolist(), "rotation": rotation}
    points, normals, numbers = hits([box], starts, ends)
    turn = rotation_matrices(np.array(orientation_of(PropDef.model_validate(box))))
    first, along = (starts - MIDDLE) @ turn, (ends - starts) @ turn
    half = 0.5 * np.array(size)
    with np.errstate(divide="ignore"):
        enter, leave = np.sort(((-half - first) / along, (half - first) / along), axis=0)
    begin, end = enter.max(axis=1), leave.min(axis=1)
    assume((abs(begin - end) > 1e-9).all())
    is_outside = (abs(first) > half).any(axis=1)
    is_hit = (begin < end) & (begin >= 0.0) & (begin <= 1.0) & is_outside
    assert (numbers == 0)[is_outside].tolist() == is_hit[is_outside].tolist()
    if is_hit.any():
        assert_near(points[is_hit], (starts + begin[:, None] * (ends - starts))[is_hit], abs=1e-7)
        face = np.eye(3)[enter.argmax(axis=1)] * -np.sign(along)
        assert_near(normals[is_hit], (face @ turn.T)[is_hit], abs=1e-9)


@pytest.mark.slow
@given(seeds, sizes, turns, st.floats(0.05, 3.0))
def test_depths_are_those_below_the_nearest_face(
    seed: int, size: tuple[float, ...], rotation: tuple[float, ...], radius: float
) -> None:
    points = MIDDLE + np.random.default_rng(seed).uniform(-2.0, 2.0, (50, 3))
    written = (
        {"shape": "box", "size": size, "position": MIDDLE.tolist(), "rotation": rotation},
        {"shape": "ball", "radius": radius, "position": MIDDLE.tolist()},
    )
    expected = (
        (0.5 * np.array(size) - abs((points - MIDDLE) @ turn_of(written[0]))).min(axis=1),
        radius - np.linalg.norm(points - MIDDLE, axis=1),
    )
    for prop, depths in zip(written, expected, strict=True):
        definitions = (PropDef.model_validate(prop),)
        records = zeros(PropRecord, 1)
        records[0].position[:] = MIDDLE
        records[0].orientation[:] = orientation_of(definitions[0])
        solids = solids_of(definitions)
        found = depths_within(solids.records, solids.planes, records, points)
        assert_near(found, np.maximum(depths, 0.0), abs=1e-9)


def turn_of(prop: dict[str, object]) -> Floats:
    return rotation_matrices(np.array(orientation_of(PropDef.model_validate(prop))))


SLOPE = made(kind="slope", grade=0.3, heading=0.7)


@pytest.mark.slow
@given(seeds)
def test_rays_meet_a_slope_where_its_plane_is(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rise = 0.3 * np.array([np.cos(0.7), np.sin(0.7)])
    flat = rng.uniform(-20.0, 20.0, (40, 2))
    points = np.concatenate((flat, (flat @ rise)[:, None]), axis=1)
    tilts = np.concatenate((rng.uniform(-1.0, 1.0, (40, 2)), np.full((40, 1), -1.0)), axis=1)
    shares = rng.uniform(0.1, 0.9, 40)  # of a way of 1.5 m down: walkers' rays are as short
    starts = points - 1.5 * shares[:, None] * tilts
    fractions, normals = rays_on(SLOPE, 0).cast(starts, starts + 1.5 * tilts)
    assert_near(fractions, shares, abs=1e-5)
    up = np.array([*-rise, 1.0]) / np.sqrt(1.0 + rise @ rise)
    assert_near(normals, np.broadcast_to(up, normals.shape), abs=1e-4)


@pytest.mark.slow
@given(seeds, st.integers(0, 2))
def test_a_ray_there_and_back_finds_both_sides_of_a_box(seed: int, axis: int) -> None:
    size = np.random.default_rng(seed).uniform(0.1, 3.0, 3)
    box = {"shape": "box", "size": size.tolist(), "position": MIDDLE.tolist()}
    way = 5.0 * np.eye(3)[axis]
    starts, ends = np.array([MIDDLE - way, MIDDLE + way]), np.array([MIDDLE + way, MIDDLE - way])
    points, normals, _ = hits([box], starts, ends)
    assert np.linalg.norm(points[1] - points[0]) == pytest.approx(size[axis])
    assert_near(normals[0], -normals[1], abs=1e-12)
