"""Scores depend on the walk and not on where in the world it is; and what they are made of."""

from dataclasses import replace
from math import cos, pi, sin
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from creature_sim.locomotion.balance import margin
from creature_sim.maths import Floats, quat, rotate
from creature_sim.maths.geometry import convex_hull, hull_margin, rotation_matrices
from creature_sim.score import Surface, Track, score_track
from creature_sim.score.reading import spans
from tests.arrays import assert_near
from tests.rays import rays_on
from tests.score.test_score import walked

seeds = st.integers(0, 2**32)


def elsewhere(track: Track, heading: float, x: float, y: float) -> Track:
    """A walk on level ground turned about the world's Z and moved."""
    turn = rotation_matrices(np.array([0.0, 0.0, sin(0.5 * heading), cos(0.5 * heading)]))
    s, c = sin(0.5 * heading), cos(0.5 * heading)
    before = np.array([(c, s, 0, 0), (-s, c, 0, 0), (0, 0, c, -s), (0, 0, s, c)])
    moved: dict[str, Any] = {
        name: getattr(track, name) @ turn.T + (x, y, 0.0)
        for name in ("position", "positions", "centre", "joints", "foot")
    }
    turned: dict[str, Any] = {
        name: getattr(track, name) @ before for name in ("orientations", "foot_rotation")
    }
    return replace(track, **moved, **turned)


@pytest.mark.slow
@settings(max_examples=4)
@given(st.floats(-pi, pi), st.floats(-9, 9), st.floats(-9, 9))
def test_a_walk_scores_the_same_wherever_it_is(heading: float, x: float, y: float) -> None:
    world, track = walked("hexapod")
    surface = Surface(rays_on(world.terrain, world.seed))
    expected = score_track(track, surface, world)
    found = score_track(elsewhere(track, heading, x, y), surface, world)
    assert found.keys() == expected.keys()
    for number, metric in found.items():
        assert metric.verdict == expected[number].verdict, number
        if metric.value is not None:
            assert metric.value == pytest.approx(expected[number].value, rel=1e-4, abs=1e-6), number


@pytest.mark.slow
@given(seeds, st.integers(0, 40), st.integers(1, 6))
def test_spans_are_the_runs_of_true_flags(seed: int, ticks: int, legs: int) -> None:
    flags = np.random.default_rng(seed).random((ticks, legs)) < 0.6
    rebuilt = np.zeros_like(flags)
    for leg, first, last in spans(flags):
        assert flags[first:last, leg].all()
        assert first < last
        assert first == 0 or not flags[first - 1, leg]
        assert last == ticks or not flags[last, leg]
        rebuilt[first:last, leg] = True
    assert (rebuilt == flags).all()


units = seeds.map(lambda seed: np.random.default_rng(seed).normal(size=4)).map(
    lambda q: q / np.linalg.norm(q)
)


@pytest.mark.slow
@given(units)
def test_matrices_turn_as_quaternions_do(turn: Floats) -> None:
    matrix = rotation_matrices(turn)
    assert_near(matrix.T @ matrix, np.eye(3), abs=1e-12)
    for axis in np.eye(3):
        x, y, z, w = turn.tolist()
        assert_near(matrix @ axis, np.array(rotate((x, y, z, w), tuple(axis.tolist()))), abs=1e-12)
    _, track = walked("hexapod")
    track = replace(track, orientations=np.broadcast_to(turn, (1, 1, 4)))
    assert_near(track.up[0], np.array(rotate(quat(turn), (0.0, 0.0, 1.0))), abs=1e-12)
    assert_near(track.ahead[0], np.array(rotate(quat(turn), (1.0, 0.0, 0.0))), abs=1e-12)


points = st.tuples(seeds, st.integers(3, 20)).map(
    lambda drawn: np.random.default_rng(drawn[0]).normal(size=(drawn[1], 2))
)


@given(points)
def test_a_hull_is_convex_and_holds_every_point(found: Floats) -> None:
    hull = found[convex_hull(found)]
    edges = np.roll(hull, -1, axis=0) - hull
    ways = found[None] - hull[:, None]
    sides = edges[:, None, 0] * ways[..., 1] - edges[:, None, 1] * ways[..., 0]
    assert sides.min() > -1e-12
    assert {tuple(corner) for corner in hull.tolist()} <= {tuple(p) for p in found.tolist()}


@pytest.mark.slow
@given(points)
def test_the_score_and_the_walker_agree_on_the_margin(found: Floats) -> None:
    inside = hull_margin(found)
    walker = margin(found, len(found), 0.0, 0.0)[0]
    assert (inside >= 0.0) == (walker >= 0.0)
    assume(inside >= 0.0)
    assert walker == pytest.approx(inside, abs=1e-12)


@pytest.mark.slow
@given(points, st.floats(-pi, pi), st.permutations(range(3)))
def test_a_margin_does_not_change_with_turns_nor_with_the_order_of_feet(
    found: Floats, angle: float, order: list[int]
) -> None:
    turn = np.array([(cos(angle), -sin(angle)), (sin(angle), cos(angle))])
    shuffled = np.concatenate((found[:3][order], found[3:])) @ turn.T
    assert hull_margin(shuffled) == pytest.approx(hull_margin(found), abs=1e-9)


@pytest.mark.slow
@given(points, st.integers(0, 2))
def test_another_foot_never_takes_margin_away(found: Floats, leg: int) -> None:
    fewer = np.delete(found, leg, axis=0)
    assert hull_margin(found) >= hull_margin(fewer) - 1e-12
