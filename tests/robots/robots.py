"""Robots that tests share: their poses, and what is known of them without their formats."""

from functools import cache

import numpy as np

from creature_sim.library.loader import builtin_names, load_creature
from creature_sim.maths import Floats
from creature_sim.robots import Robot
from creature_sim.robots.building import robot_of
from creature_sim.robots.kinematics import frames_of

CREATURES = builtin_names("creature")
HERE = np.array([[0.0, 0.0, 0.0]]), np.array([[0.0, 0.0, 0.0, 1.0]])
"""Where a base is that is not moved."""


@cache
def robot(creature: str) -> Robot:
    """That of a built-in creature."""
    return robot_of(load_creature(creature))


def limits(made: Robot) -> tuple[Floats, Floats]:
    """Least and greatest angles of all joints, (A,) [rad]."""
    return np.array([j.lo for j in made.joints]), np.array([j.hi for j in made.joints])


def poses(made: Robot, count: int) -> tuple[Floats, Floats, Floats]:
    """Angles within limits, positions and orientations of the base, (T, A), (T, 3), (T, 4)."""
    numbers = np.random.default_rng(7)
    low, high = limits(made)
    angles = low + (high - low) * numbers.random((count, len(low)))
    turns = numbers.normal(size=(count, 4))
    turns /= np.sqrt((turns**2).sum(axis=1, keepdims=True))
    return angles, numbers.normal(size=(count, 3)), turns


def rest(made: Robot) -> Floats:
    """Angles as it stands, (1, A)."""
    return np.array([[joint.rest for joint in made.joints]])


def placed(made: Robot, angles: Floats) -> dict[str, Floats]:
    """Positions of links by name, (T, 3), with the base at the origin."""
    count = len(angles)
    origin, turn = (np.repeat(part, count, axis=0) for part in HERE)
    places, _ = frames_of(made, angles, origin, turn)
    return {link.name: places[:, k] for k, link in enumerate(made.links)}
