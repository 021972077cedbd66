"""Where the thighs of robots may point: cones and twists within limits of hinges."""

from math import cos, pi, sin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.anatomy.robots.swings import SLACK, Swings
from creature_sim.ik.balls import swing_and_twist
from creature_sim.maths import (
    X,
    Y,
    quat_about,
    quat_conjugate,
    quat_from_axes,
    quat_multiply,
    vec,
)

PITCH, ASIDE = (-1.05, 1.8), (-0.8, 0.8)
DOG = Swings(np.array([1.0, 0, 0]), np.array([0, 1.0, 0]), np.array([0, 0, -1.0]), PITCH, ASIDE)
MIDDLE = 0.5 * (PITCH[0] + PITCH[1])
BACK = np.array([-1.0, 0.0, 0.0])
REST = DOG.direction(0.0, MIDDLE)
IN_PLANE, BESIDE, TWIST = DOG.ball(REST, BACK)


def ratio(aside: float, pitch: float) -> float:
    """How far a ball is turned by two angles of hinges, over how far it may."""
    x = vec(REST)
    rest = quat_from_axes(x, (0.0, 1.0, 0.0), (-x[2], 0.0, x[0]))
    turn = quat_multiply(quat_about(X, aside), quat_about(Y, pitch - MIDDLE))
    own = quat_multiply(quat_conjugate(rest), quat_multiply(turn, rest))
    y, z, twist = swing_and_twist(own)
    return max(float(np.hypot(y / IN_PLANE, z / BESIDE)), abs(twist) / TWIST)


def test_it_goes_as_far_in_the_plane_as_the_hinge_does() -> None:
    assert 0.5 * (PITCH[1] - PITCH[0]) == IN_PLANE
    assert BESIDE > 0.5
    for pitch in PITCH:
        assert ratio(0.0, pitch) == pytest.approx(1.0)


@given(st.floats(-pi, pi), st.floats(-pi, pi))
def test_it_goes_nowhere_that_the_hinges_do_not(aside: float, pitch: float) -> None:
    """Also where a thigh is level: it may turn about itself no farther than its hip swings."""
    spare = SLACK + 0.03  # between the angles that are looked at
    is_pitched = PITCH[0] - spare <= pitch <= PITCH[1] + spare
    if not is_pitched or abs(aside) > ASIDE[1] + spare:
        assert ratio(aside, pitch) > 1.0


def test_a_thigh_that_is_level_points_the_same_way_however_its_plane_is_turned() -> None:
    for aside in (-0.4, 0.0, 0.4):
        way = DOG.direction(aside, 0.5 * pi)
        assert way == pytest.approx((-cos(0.0), sin(0.0), 0.0), abs=1e-12)
        assert ratio(aside, 0.5 * pi) < 1.0
    assert ratio(0.9, 0.5 * pi) > 1.0


@given(st.floats(-1.4, 1.4), st.floats(-3.0, 3.0))
def test_the_hinges_of_a_ball_turn_with_its_thigh(aside: float, pitch: float) -> None:
    """So it swings as far aside wherever the thigh points in its plane."""
    thigh = np.array([-0.8, 0.0, -0.6])
    ball = Swings(np.array([-0.6, 0, 0.8]), np.array([0, 1.0, 0]), thigh, PITCH, ASIDE, True)
    way = ball.direction(aside, pitch)
    assert abs(way[1]) == pytest.approx(abs(sin(aside)))
    at = np.array([pitch, aside])
    low, high = np.array([PITCH, ASIDE]).T
    if np.abs(np.concatenate([at - low, at - high])).min() > 2.0 * SLACK:
        assert ball.allows(way) == bool(((low < at) & (at < high)).all())
