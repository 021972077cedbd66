"""Ball joints: a swing of the bone after a twist about it (Dobrowolski 2015), within limits.

The bone at rest is X. The swing is its rotation vector in Y and Z, within the ellipse
(y / a)^2 + (z / b)^2 <= 1; the twist [rad] lies in an interval.
"""

from math import sqrt

from creature_sim.maths import (
    PI,
    TAU,
    Quat,
    Vec,
    atan2,
    clamp,
    quat_conjugate,
    quat_multiply,
    quat_turned,
    quat_unit,
    sin_cos,
)
from creature_sim.maths.jit import kernel


@kernel
def swing_and_twist(turn: Quat) -> Vec:
    """Swing about Y, about Z, and twist of a rotation against rest [rad]."""
    twist = quat_unit((turn[0], 0.0, 0.0, turn[3]))
    angle = 2.0 * atan2(twist[0], twist[3])
    if angle > PI:
        angle -= TAU
    elif angle < -PI:
        angle += TAU
    _, y, z, w = quat_multiply(turn, quat_conjugate(twist))
    sine = sqrt(y * y + z * z)
    if w < 0.0:
        y, z, w = -y, -z, -w
    factor = 2.0 * atan2(sine, w) / sine if sine > 1e-150 else 2.0
    return (y * factor, z * factor, angle)


@kernel
def turn_of_swing(angles: Vec) -> Quat:
    """The rotation that `swing_and_twist` takes apart."""
    sine, cosine = sin_cos(0.5 * angles[2])
    swing = quat_turned((0.0, angles[0], angles[1]))
    return quat_unit(quat_multiply(swing, (sine, 0.0, 0.0, cosine)))


@kernel
def within_ball(angles: Vec, cone: Vec, twist_lo: float, twist_hi: float) -> Vec:
    """Swing and twist brought within limits; a swing keeps its direction.

    Args:
        angles: swing about Y, about Z, and twist [rad].
        cone: half-angles about Y and about Z, positive [rad]; and nothing.
        twist_lo: smallest twist [rad].
        twist_hi: largest twist [rad].
    """
    y, z = angles[0] / cone[0], angles[1] / cone[1]
    excess = max(1.0, sqrt(y * y + z * z))
    return (angles[0] / excess, angles[1] / excess, clamp(angles[2], twist_lo, twist_hi))
