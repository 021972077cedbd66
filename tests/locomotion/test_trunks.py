"""Trunks of several segments: how those that climb are joined, lifted, balanced."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.components import Records, SegmentRecord, zeros
from creature_sim.lab.course import Trial
from creature_sim.lab.run import run_trial
from creature_sim.library.loader import load_creature
from creature_sim.locomotion.trunk import join, lift
from creature_sim.maths import Floats, quat_about, quat_turned
from creature_sim.maths.geometry import rotation_matrices

HALF, BEND = 0.17, 0.6
UP = (0.0, 0.0, 1.0)


def row(count: int) -> Records[SegmentRecord]:
    """Segments that are as long as each other."""
    segments = zeros(SegmentRecord, count)
    segments["front"], segments["rear"] = HALF, -HALF
    segments["bend"] = np.cos(BEND)
    return segments


def ends(position: Floats, orientation: Floats, x: float) -> Floats:
    """A point so far ahead of the middle of each segment, (S, 3) [m, world]."""
    return np.asarray(position + x * rotation_matrices(orientation)[:, :, 0])


def pitched(*degrees: float) -> tuple[Floats, Floats]:
    """A row of segments with their middles on a level line, whose noses point up so far."""
    turns = [quat_turned((0.0, -float(np.radians(each)), 0.0)) for each in degrees]
    places = [(-2.0 * HALF * s, 0.0, 0.2) for s in range(len(turns))]
    return np.array(places), np.array(turns)


def test_a_row_that_meets_stays_as_it_is() -> None:
    position, orientation = pitched(0.0, 0.0, 0.0)
    was = position.copy(), orientation.copy()
    join(row(3), position, orientation)
    assert position == pytest.approx(was[0])
    assert orientation == pytest.approx(was[1])


def test_a_nose_that_points_up_lifts_its_segment_and_lowers_the_others() -> None:
    position, orientation = pitched(30.0, 0.0, 0.0)
    join(row(3), position, orientation)
    sinks = HALF * np.sin(np.radians(30.0))  # what its rear would sink by
    assert position[:, 2] - 0.2 == pytest.approx([2 * sinks / 3, -sinks / 3, -sinks / 3])
    assert ends(position, orientation, -HALF)[:-1] == pytest.approx(
        ends(position, orientation, HALF)[1:]
    )


@given(st.integers(0, 10_000), st.integers(2, 6))
def test_joints_meet_bend_no_farther_and_all_stay_on_the_mean(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    wished = rng.uniform(-1.0, 1.0, (count, 3))
    orientation = rng.normal(size=(count, 4))
    orientation /= np.linalg.norm(orientation, axis=1)[:, None]
    position = wished.copy()
    join(row(count), position, orientation)
    assert ends(position, orientation, -HALF)[:-1] == pytest.approx(
        ends(position, orientation, HALF)[1:], abs=1e-12
    )
    axes = rotation_matrices(orientation)[:, :, 0]
    assert ((axes[1:] * axes[:-1]).sum(axis=1) >= np.cos(BEND) - 1e-9).all()
    assert position.mean(axis=0) == pytest.approx(wished.mean(axis=0), abs=1e-12)


def test_a_trunk_is_lifted_until_nobody_is_too_low() -> None:
    """Each along its own up: one that is on a wall is not lifted off the floor for it."""
    orientation = np.array([quat_about((0.0, 1.0, 0.0), -0.5 * np.pi), quat_about(UP, 0.0)])
    ups = rotation_matrices(orientation)[:, :, 2]
    position = np.zeros((2, 3))
    wished = np.array([0.3 * ups[0], 0.1 * ups[1]])
    lift(position, wished, orientation)
    assert position == pytest.approx(np.array([0.3 * ups[0] + 0.1 * ups[1]] * 2))
    high = position.copy()
    lift(position, wished - ups, orientation)
    assert (position == high).all()


@pytest.mark.slow
@pytest.mark.parametrize("course", ["inner_edge", "outer_edge", "ceiling", "corridor", "room"])
def test_centipedes_climb(course: str) -> None:
    """They went through the floor as the first segment tilted up a wall."""
    outcome = run_trial(load_creature("centipede").climbing, Trial(course, 0.5, 1))
    assert outcome.cause == ""
