"""Orientations that users write: roll, pitch and yaw."""

from creature_sim.maths.quaternions import quat_about, quat_multiply
from creature_sim.maths.vectors import Quat, Vec, X, Y, Z


def quat_of_turns(turns: Vec) -> Quat:
    """Orientation after a roll about X, then a pitch about Y, then a yaw about Z [rad, world]."""
    roll, pitch, yaw = turns
    return quat_multiply(
        quat_about(Z, yaw), quat_multiply(quat_about(Y, pitch), quat_about(X, roll))
    )
