"""The Jacobian of a chain's tip in joint angles, and steps along it."""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.ik.angles import HINGE, Model, clamp_angles
from creature_sim.maths import Floats, Vec, along, cross, dot, put, quat, rotate, scale, sub, vec
from creature_sim.maths.jit import kernel

SMALL_SWING = 1e-7
"""A swing below this [rad] has no axis of its own."""

MAX_STEP = 0.8
"""Largest turn of a joint in one step [rad]."""


class Symmetric(NamedTuple):
    """A symmetric matrix (3, 3)."""

    xx: float
    xy: float
    xz: float
    yy: float
    yz: float
    zz: float


@kernel
def _swing_axes(
    first: Vec, second: Vec, straight: Vec, bone: Vec, swing: tuple[float, float, float]
) -> tuple[Vec, Vec]:
    """Axes [world] about which the bone of a ball turns as the x and the y of its swing grow.

    More swing turns it about the swing's axis; another azimuth about the parent, and back about
    the bone, so that the twist stays.

    Args:
        first: The swing's first axis, that of x.
        second: Its second axis.
        straight: Direction of the parent.
        bone: Direction of the bone.
        swing: Unit vector (x, y) of the swing's axis, and its angle [rad].
    """
    x, y, angle = swing
    more = along(scale(first, x), second, y)
    around = scale(sub(straight, bone), 1.0 / angle)
    return (along(scale(more, x), around, -y), along(scale(more, y), around, x))


@kernel
def _outward(x: float, y: float, a: float, b: float) -> tuple[float, float]:
    """Outward normal of an ellipse with half axes a and b, in direction (x, y) from its centre."""
    x /= a * a
    y /= b * b
    size = sqrt(x * x + y * y)
    return (x / size, y / size)


@kernel
def tip_columns(
    model: Model, angles: Floats, joints: Floats, turns: Floats, columns: Floats, outward: Floats
) -> None:
    """How the tip moves with each angle of each bone, and on which side limits lie.

    Args:
        model: The bones and their limits.
        angles: (B, 3) [rad].
        joints: (B + 1, 3) [m], their pose.
        turns: (B, 4), likewise.
        columns: (B, 3, 3) [m/rad], written; for balls along the two directions of the swing plane
            that `outward` names, and about the bone.
        outward: (B, 2), written: at the limit's ellipse its outward normal; its tangent is the
            second direction.
    """
    tip = vec(joints[joints.shape[0] - 1])
    for i in range(model.lengths.shape[0]):
        parent = quat(turns[i - 1]) if i > 0 else (0.0, 0.0, 0.0, 1.0)
        arm = sub(tip, vec(joints[i]))
        first = rotate(parent, vec(model.axes[i, 1]))
        outward[i, 0] = 1.0
        outward[i, 1] = 0.0
        if model.kinds[i] == HINGE:
            put(columns[i, 0], cross(first, arm))
            put(columns[i, 1], (0.0, 0.0, 0.0))
            put(columns[i, 2], (0.0, 0.0, 0.0))
            continue
        about_x = first
        about_y = rotate(parent, vec(model.axes[i, 2]))
        straight = rotate(parent, vec(model.axes[i, 0]))
        bone = sub(vec(joints[i + 1]), vec(joints[i]))
        length = sqrt(dot(bone, bone))
        bone = scale(bone, 1.0 / length) if length > 0.0 else straight
        x = angles[i, 0]
        y = angles[i, 1]
        angle = sqrt(x * x + y * y)
        if angle > SMALL_SWING:
            x /= angle
            y /= angle
            about_x, about_y = _swing_axes(first, about_y, straight, bone, (x, y, angle))
            a = model.bounds[i, 0]
            b = model.bounds[i, 1]
            if a > 0.0 and b > 0.0:
                outward[i, 0], outward[i, 1] = _outward(x, y, a, b)
        x = outward[i, 0]
        y = outward[i, 1]
        put(columns[i, 0], cross(along(scale(about_x, x), about_y, y), arm))
        put(columns[i, 1], cross(along(scale(about_x, -y), about_y, x), arm))
        put(columns[i, 2], cross(bone, arm))


@kernel
def normal_matrix(columns: Floats, free: NDArray[np.bool_], damping: float) -> Symmetric:
    """J J' + damping, for the columns (B, 3, 3) [m/rad] of the angles (B, 3) that are free."""
    xx = damping
    xy = 0.0
    xz = 0.0
    yy = damping
    yz = 0.0
    zz = damping
    for i in range(columns.shape[0]):
        for k in range(3):
            if free[i, k]:
                x = columns[i, k, 0]
                y = columns[i, k, 1]
                z = columns[i, k, 2]
                xx += x * x
                xy += x * y
                xz += x * z
                yy += y * y
                yz += y * z
                zz += z * z
    return Symmetric(xx, xy, xz, yy, yz, zz)


@kernel
def solve_symmetric(m: Symmetric, e: Vec) -> Vec:
    """Solve m y = e for a positive definite m, by its adjugate."""
    xx = m.yy * m.zz - m.yz * m.yz
    xy = m.xz * m.yz - m.xy * m.zz
    xz = m.xy * m.yz - m.xz * m.yy
    yy = m.xx * m.zz - m.xz * m.xz
    yz = m.xy * m.xz - m.xx * m.yz
    zz = m.xx * m.yy - m.xy * m.xy
    factor = 1.0 / (m.xx * xx + m.xy * xy + m.xz * xz)
    return (
        (xx * e[0] + xy * e[1] + xz * e[2]) * factor,
        (xy * e[0] + yy * e[1] + yz * e[2]) * factor,
        (xz * e[0] + yz * e[1] + zz * e[2]) * factor,
    )


@kernel
def largest_change(changes: Floats) -> float:
    """Size of the largest of changes (B, 3) [rad]."""
    largest = 0.0
    for i in range(changes.shape[0]):
        for k in range(3):
            largest = max(largest, abs(changes[i, k]))
    return largest


@kernel
def apply_changes(model: Model, angles: Floats, changes: Floats, outward: Floats) -> None:
    """Add changes (B, 3) [rad] in the directions of `outward` to the angles, within the limits.

    The changes shrink together where one is larger than `MAX_STEP`.
    """
    factor = MAX_STEP / max(MAX_STEP, largest_change(changes))
    for i in range(angles.shape[0]):
        out = changes[i, 0] * factor
        side = changes[i, 1] * factor
        angles[i, 0] += out * outward[i, 0] - side * outward[i, 1]
        angles[i, 1] += out * outward[i, 1] + side * outward[i, 0]
        angles[i, 2] += changes[i, 2] * factor
        clamp_angles(model, angles, i)
