"""Rotations of bones: the shortest turn from a bone's start direction to its solved one."""

from math import sqrt

from creature_sim.ik.leg import side_of
from creature_sim.jit import kernel
from creature_sim.maths import Floats, Quat, Vec, cross, dot, norm, put_quat, quat_unit, scale


@kernel
def between(a: Vec, b: Vec) -> Quat:
    """Shortest rotation of unit vector a onto unit vector b; stays in the XY plane if both do.

    The half-way construction, from the sum a + b, keeps its digits also near half a turn.
    """
    half = (a[0] + b[0], a[1] + b[1], a[2] + b[2])
    length = norm(half)
    if length < 1e-9:  # half a turn, about any axis at right angles to a
        axis = cross(a, side_of(a))
        return (axis[0], axis[1], axis[2], 0.0)
    half = scale(half, 1.0 / length)
    axis = cross(a, half)
    return quat_unit((axis[0], axis[1], axis[2], dot(a, half)))


@kernel
def bone_direction(joints: Floats, i: int, otherwise: Vec) -> Vec:
    """Direction of bone i; that of its parent where it has no length."""
    x = joints[i + 1, 0] - joints[i, 0]
    y = joints[i + 1, 1] - joints[i, 1]
    z = joints[i + 1, 2] - joints[i, 2]
    length = sqrt(x * x + y * y + z * z)
    if length <= 0.0:
        return otherwise
    return (x / length, y / length, z / length)


@kernel
def turn_bones(start: Floats, joints: Floats, turns: Floats) -> None:
    """World rotation of each bone against the start pose.

    Args:
        start: (J, 3) [m, world], the start pose.
        joints: (J, 3) [m, world], the solved pose.
        turns: (J - 1, 4), written; w >= 0. A bone without a length turns as its parent does.
    """
    before = (1.0, 0.0, 0.0)
    now = before
    for i in range(turns.shape[0]):
        before = bone_direction(start, i, before)
        now = bone_direction(joints, i, now)
        put_quat(turns[i], between(before, now))


@kernel
def keep_sign(turns: Floats, last: Floats) -> None:
    """Of the two signs of each rotation (B, 4) take the one nearer to the `last` one."""
    for i in range(turns.shape[0]):
        product = 0.0
        for k in range(4):
            product += turns[i, k] * last[i, k]
        if product < 0.0:
            for k in range(4):
                turns[i, k] = -turns[i, k]
