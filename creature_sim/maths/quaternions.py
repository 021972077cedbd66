"""Quaternions: xyzw, unit, active."""

from math import sqrt

from creature_sim.maths.elementary import sin_cos
from creature_sim.maths.jit import kernel
from creature_sim.maths.vectors import (
    Floats,
    Quat,
    Vec,
    add,
    along,
    any_normal,
    cross,
    dot,
    norm,
    scale,
)


@kernel
def quat(array: Floats) -> Quat:
    """The quaternion in an array of shape (4,)."""
    return (array[0], array[1], array[2], array[3])


@kernel
def put_quat(array: Floats, value: Quat) -> None:
    """Write a quaternion into an array of shape (4,)."""
    array[0] = value[0]
    array[1] = value[1]
    array[2] = value[2]
    array[3] = value[3]


@kernel
def quat_multiply(a: Quat, b: Quat) -> Quat:
    """Product a b: rotation b first, then rotation a."""
    return (
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    )


@kernel
def quat_conjugate(q: Quat) -> Quat:
    """Inverse of a unit quaternion."""
    return (-q[0], -q[1], -q[2], q[3])


@kernel
def quat_unit(q: Quat) -> Quat:
    """The quaternion scaled to length 1; the identity where it has no direction."""
    length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if length < 1e-12:
        return (0.0, 0.0, 0.0, 1.0)
    return (q[0] / length, q[1] / length, q[2] / length, q[3] / length)


@kernel
def rotate(q: Quat, v: Vec) -> Vec:
    """Vector v turned by the unit quaternion q: v + 2w(u x v) + 2u x (u x v)."""
    u = (q[0], q[1], q[2])
    t = scale(cross(u, v), 2.0)
    return add(along(v, t, q[3]), cross(u, t))


@kernel
def unrotate(q: Quat, v: Vec) -> Vec:
    """Vector v turned by the inverse of the unit quaternion q."""
    return rotate(quat_conjugate(q), v)


@kernel
def quat_about(axis: Vec, angle: float) -> Quat:
    """Rotation by `angle` [rad] about a unit axis."""
    s, c = sin_cos(0.5 * angle)
    return (axis[0] * s, axis[1] * s, axis[2] * s, c)


@kernel
def quat_turned(turn: Vec) -> Quat:
    """Rotation by a rotation vector: about its direction, by its length [rad]."""
    angle = norm(turn)
    if angle < 1e-12:
        return (0.0, 0.0, 0.0, 1.0)
    return quat_about(scale(turn, 1.0 / angle), angle)


@kernel
def turn_between(before: Quat, after: Quat) -> Vec:
    """Rotation vector of a small turn from one orientation to another, the shorter way [rad]."""
    x, y, z, w = quat_multiply(after, quat_conjugate(before))
    return scale((x, y, z), 2.0 if w >= 0.0 else -2.0)


@kernel
def quat_between(a: Vec, b: Vec) -> Quat:
    """Shortest rotation of unit vector a onto unit vector b, by the vector half-way between."""
    w = 1.0 + dot(a, b)
    if w < 1e-9:  # opposite: half a turn about any axis at right angles
        n = any_normal(a)
        return (n[0], n[1], n[2], 0.0)
    c = cross(a, b)
    return quat_unit((c[0], c[1], c[2], w))


@kernel
def quat_from_axes(x: Vec, y: Vec, z: Vec) -> Quat:
    """Rotation whose images of X, Y, Z are the orthonormal x, y, z (Shepperd 1978)."""
    trace = x[0] + y[1] + z[2]
    if trace > 0.0:
        s = 2.0 * sqrt(trace + 1.0)
        q = ((y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s, 0.25 * s)
    elif x[0] >= y[1] and x[0] >= z[2]:
        s = 2.0 * sqrt(1.0 + x[0] - y[1] - z[2])
        q = (0.25 * s, (y[0] + x[1]) / s, (z[0] + x[2]) / s, (y[2] - z[1]) / s)
    elif y[1] >= z[2]:
        s = 2.0 * sqrt(1.0 + y[1] - x[0] - z[2])
        q = ((y[0] + x[1]) / s, 0.25 * s, (z[1] + y[2]) / s, (z[0] - x[2]) / s)
    else:
        s = 2.0 * sqrt(1.0 + z[2] - x[0] - y[1])
        q = ((z[0] + x[2]) / s, (z[1] + y[2]) / s, 0.25 * s, (x[1] - y[0]) / s)
    return quat_unit(q)


@kernel
def nlerp(a: Quat, b: Quat, fraction: float) -> Quat:
    """Rotation at `fraction` of the shorter turn from a (0) to b (1), linear and normalised."""
    sign = 1.0 if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] >= 0.0 else -1.0
    return quat_unit(
        (
            a[0] + (b[0] * sign - a[0]) * fraction,
            a[1] + (b[1] * sign - a[1]) * fraction,
            a[2] + (b[2] * sign - a[2]) * fraction,
            a[3] + (b[3] * sign - a[3]) * fraction,
        )
    )
