"""Where the links of a robot are, from the angles of its joints."""

import numpy as np

from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.robots.robot import BALL, FIXED, SLIDES, Robot


def frames_of(
    robot: Robot, angles: Floats, position: Floats, orientation: Floats
) -> tuple[Floats, Floats]:
    """Positions (T, K, 3) [m, world] and rotation matrices (T, K, 3, 3) of K links at T moments.

    Args:
        robot: without balls.
        angles: (T, A) of its joints, as `Robot.joints` orders them [rad or m].
        position: (T, 3) of the base's frame [m, world].
        orientation: (T, 4) of it, xyzw.
    """
    places = np.zeros((len(angles), len(robot.links), 3))
    turns = np.zeros((*places.shape, 3))
    column = 0
    for k, link in enumerate(robot.links):
        if link.parent < 0 or link.joint is None:
            places[:, k], turns[:, k] = position, rotation_matrices(orientation)
            continue
        before = turns[:, link.parent]
        places[:, k] = places[:, link.parent] + before @ np.array(link.position)
        own = before @ rotation_matrices(np.array(link.orientation))
        joint = link.joint
        if joint.kind == BALL:
            raise ValueError(f"{joint.name}: expected hinges and slides, found a ball")
        if joint.kind == SLIDES:
            places[:, k] += angles[:, column, None] * (own @ np.array(joint.axis))
        elif joint.kind != FIXED:
            own = own @ rotations_about(np.array(joint.axis), angles[:, column])
        column += joint.kind != FIXED
        turns[:, k] = own
    return places, turns


def rotations_about(axis: Floats, angles: Floats | float) -> Floats:
    """Rotation matrices (..., 3, 3) about a unit axis (3,) by angles (...) [rad] (Rodrigues)."""
    x, y, z = axis
    cross = np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
    sine, cosine = (part[..., None, None] for part in (np.sin(angles), np.cos(angles)))
    found: Floats = np.eye(3) + sine * cross + (1.0 - cosine) * (cross @ cross)
    return found
