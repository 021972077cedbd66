"""Rotations of bones: the shortest turn from a bone's start direction to its solved one."""

from creature_sim.ik.bones import bone_direction
from creature_sim.ik.leg import side_of
from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    cross,
    dot,
    norm,
    put_quat,
    quat_multiply,
    quat_unit,
    reject,
    scale,
)
from creature_sim.maths.jit import kernel


@kernel
def _between_near(a: Vec, b: Vec) -> Quat:
    """Shortest rotation of a onto b at most a right angle off, by the half-way construction."""
    half = (a[0] + b[0], a[1] + b[1], a[2] + b[2])
    half = scale(half, 1.0 / norm(half))
    axis = cross(a, half)
    return quat_unit((axis[0], axis[1], axis[2], dot(a, half)))


@kernel
def between(a: Vec, b: Vec) -> Quat:
    """Shortest rotation of unit vector a onto unit vector b; stays in the XY plane if both do.

    Beyond a right angle: onto -b, then half a turn about what is at right angles to both. So no
    digits are lost near half a turn, where any axis at right angles will do.
    """
    if dot(a, b) >= 0.0:
        return _between_near(a, b)
    axis = reject(cross(a, b), b)
    length = norm(axis)
    if length > 1e-12:
        axis = reject(scale(axis, 1.0 / length), b)
        axis = scale(axis, 1.0 / norm(axis))
    else:
        axis = cross(b, side_of(b))
    turn = quat_multiply((axis[0], axis[1], axis[2], 0.0), _between_near(a, scale(b, -1.0)))
    sign = 1.0 if turn[3] >= 0.0 else -1.0
    return (turn[0] * sign, turn[1] * sign, turn[2] * sign, turn[3] * sign)


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


@kernel
def keep_steady(turns: Floats, t: int) -> None:
    """Choose the signs of rotations t of a path (T, B, 4): w >= 0 at first, then as before."""
    if t > 0:
        keep_sign(turns[t], turns[t - 1])
        return
    for i in range(turns.shape[1]):
        if turns[0, i, 3] < 0.0:
            for k in range(4):
                turns[0, i, k] = -turns[0, i, k]


@kernel
def turn_path(start: Floats, poses: Floats, turns: Floats) -> None:
    """Rotations (T, J - 1, 4) of the bones along poses (T, J, 3), of steady sign."""
    for t in range(poses.shape[0]):
        turn_bones(start, poses[t], turns[t])
        if t > 0:
            keep_sign(turns[t], turns[t - 1])


@kernel
def turn_batch(starts: Floats, poses: Floats, turns: Floats) -> None:
    """Rotations (B, J - 1, 4) of the bones from starts to poses (B, J, 3)."""
    for b in range(poses.shape[0]):
        turn_bones(starts[b], poses[b], turns[b])
