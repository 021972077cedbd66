"""Bones in a plane with hinges between them: their limits, and poses.

Coordinates are those of the plane: x and z, from the first joint of the chain. A hinge's angle is
0 straight on from the bone before, and positive turns from z to x: with x ahead and z up, bones
bend down.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from creature_sim.maths import PI, TAU, Floats, atan2, clamp, sin_cos
from creature_sim.maths.jit import kernel

COS_MIDDLE, SIN_MIDDLE, COS_HALF, COS_LO, SIN_LO, COS_HI, SIN_HI = 0, 1, 2, 3, 4, 5, 6
"""Columns of `Hinges.arcs`: the middle and the half width of the limits, and their ends."""
EXACT = 1e-9
"""Tip error, as a fraction of the reach, that ends the passes."""
MAX_TURN = 0.5
"""A hinge turns no farther in one step [rad]."""


class Hinges(NamedTuple):
    """The bones of a chain in a plane.

    lengths: (B,) [m]. limits: (B, 2) smallest and largest angle [rad]. arcs: (B, 7) the same as
    sines and cosines, see `COS_MIDDLE`.
    """

    lengths: Floats
    limits: Floats
    arcs: Floats


class Bends(NamedTuple):
    """A pose of such a chain, and room to compute in.

    points: (B + 1, 2) joints [m]. heading: (B, 2) directions of the bones. before, after, change:
    (B + 1, 2) joints before and after the last pass, and what that changed.
    """

    points: Floats
    heading: Floats
    before: Floats
    after: Floats
    change: Floats


@kernel
def bends(bone_count: int) -> Bends:
    """Room for the poses of chains of so many bones at most."""
    room = np.zeros((5, bone_count + 1, 2))
    return Bends(room[0], room[1], room[2], room[3], room[4])


@kernel
def write_arc(arc: Floats, lo: float, hi: float) -> None:
    """Write the limits [rad] of one hinge as a row (7,) of `Hinges.arcs`; a turn at most."""
    half = min(0.5 * (hi - lo), PI)
    arc[SIN_MIDDLE], arc[COS_MIDDLE] = sin_cos(0.5 * (lo + hi))
    arc[COS_HALF] = sin_cos(half)[1] if half < PI else -2.0
    arc[SIN_LO], arc[COS_LO] = sin_cos(lo)
    arc[SIN_HI], arc[COS_HI] = sin_cos(hi)


@kernel
def lay(hinges: Hinges, pose: Bends, angles: Floats, count: int) -> None:
    """Lay the first `count` bones by their angles (B,) [rad], each within its limits."""
    x = z = 0.0
    cosine, sine = 1.0, 0.0
    for i in range(count):
        s, c = sin_cos(clamp(angles[i], hinges.limits[i, 0], hinges.limits[i, 1]))
        cosine, sine = cosine * c + sine * s, sine * c - cosine * s
        x, z = x + hinges.lengths[i] * cosine, z + hinges.lengths[i] * sine
        pose.heading[i, 0], pose.heading[i, 1] = cosine, sine
        pose.points[i + 1, 0], pose.points[i + 1, 1] = x, z


@kernel
def face(pose: Bends, count: int, x: float, z: float) -> None:
    """Turn a whole pose about its root, so that its tip is on the line to (x, z) [m]."""
    px, pz = pose.points[count, 0], pose.points[count, 1]
    size = sqrt((px * px + pz * pz) * (x * x + z * z))
    if size <= 0.0:
        return
    c, s = (px * x + pz * z) / size, (px * z - pz * x) / size
    for i in range(1, count + 1):
        px, pz = pose.points[i, 0], pose.points[i, 1]
        pose.points[i, 0], pose.points[i, 1] = c * px - s * pz, s * px + c * pz


@kernel
def small_turn(angle: float) -> tuple[float, float]:
    """Cosine and sine of about a small angle [rad], of exactly some angle: no trigonometry."""
    half = 0.5 * angle
    factor = 1.0 / (1.0 + half * half)
    return (1.0 - half * half) * factor, angle * factor


@kernel
def distance_of(pose: Bends, count: int, x: float, z: float) -> float:
    """Distance of the tip from (x, z) [m]."""
    dx, dz = pose.points[count, 0] - x, pose.points[count, 1] - z
    return sqrt(dx * dx + dz * dz)


@kernel
def bring_within(angle: float, limits: Floats) -> float:
    """The angle [rad], or that of the same direction nearest to the middle, within limits (2,)."""
    middle = 0.5 * (limits[0] + limits[1])
    angle -= TAU if angle - middle > PI else 0.0
    angle += TAU if angle - middle < -PI else 0.0
    return clamp(angle, limits[0], limits[1])


@kernel
def read_angles(hinges: Hinges, pose: Bends, angles: Floats, count: int) -> None:
    """Write the angles (B,) [rad] of a pose; rounding takes none of them out of its limits."""
    cosine, sine = 1.0, 0.0
    for i in range(count):
        dx, dz = pose.heading[i, 0], pose.heading[i, 1]
        angle = atan2(sine * dx - cosine * dz, cosine * dx + sine * dz)
        angles[i] = bring_within(angle, hinges.limits[i])
        cosine, sine = dx, dz
