"""Chains in joint angles: how far each bone may turn against its parent, and the pose that gives.

A bone's turn against its parent is measured from the straight continuation of the parent and split
into a swing, which moves the bone's direction, after a twist about that direction (swing-twist
decomposition; Dobrowolski 2015). Three numbers a bone, its angles:

- ball: (x, y, twist): the swing's rotation vector [rad] in two axes that the parent carries;
  limited by the ellipse (x / a)^2 + (y / b)^2 <= 1, a cone if a = b, and by an interval of twist.
- hinge: (angle, 0, 0): the turn [rad] about one axis that the parent carries; an interval.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import (
    PI,
    TAU,
    Floats,
    Quat,
    Vec,
    along,
    atan2,
    clamp,
    cross,
    dot,
    norm,
    put,
    put_quat,
    quat,
    quat_about,
    quat_multiply,
    quat_unit,
    reject,
    rotate,
    scale,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

BALL = 0
HINGE = 1

TURN = TAU * (1.0 - 1e-12)
"""Width [rad] of an interval that counts as a whole turn."""


class Model(NamedTuple):
    """Bones and their limits, as the kernels read them; frames are the world at the start pose.

    kinds: (B,) `BALL` or `HINGE`. axes: (B, 3, 3), per bone the direction of its parent and the
    two axes of its swing; a hinge has its axis first. straighten: (B, 4) turns the bone's start
    direction into its parent's. bounds: (B, 4) [rad]: ball a, b, smallest and largest twist; hinge
    0, 0, smallest and largest angle. lengths: (B,) [m].
    """

    kinds: NDArray[np.int64]
    axes: Floats
    straighten: Floats
    bounds: Floats
    lengths: Floats


@kernel
def is_endless(low: float, high: float) -> bool:
    """Whether an interval of angles is a whole turn, so that it has no ends."""
    return high - low >= TURN


@kernel
def _bring_within(angle: float, low: float, high: float) -> float:
    """Nearest angle within an interval; the same angle within one that is a whole turn."""
    if is_endless(low, high):
        while angle > high:
            angle -= TAU
        while angle < low:
            angle += TAU
        return min(angle, high)
    return clamp(angle, low, high)


@kernel
def clamp_angles(model: Model, angles: Floats, i: int) -> None:
    """Bring the angles of bone i within its limits; a swing keeps its direction."""
    low = model.bounds[i, 2]
    high = model.bounds[i, 3]
    if model.kinds[i] == HINGE:
        angles[i, 0] = _bring_within(angles[i, 0], low, high)
        return
    angles[i, 2] = _bring_within(angles[i, 2], low, high)
    a = model.bounds[i, 0]
    b = model.bounds[i, 1]
    if a >= PI and b >= PI:  # no cone: past straight back the swing comes from the other side
        swing = sqrt(angles[i, 0] * angles[i, 0] + angles[i, 1] * angles[i, 1])
        if swing > PI:
            angles[i, 0] *= (swing - TAU) / swing
            angles[i, 1] *= (swing - TAU) / swing
        return
    if a <= 0.0:
        angles[i, 0] = 0.0
    if b <= 0.0:
        angles[i, 1] = 0.0
    x = angles[i, 0] / a if a > 0.0 else 0.0
    y = angles[i, 1] / b if b > 0.0 else 0.0
    excess = sqrt(x * x + y * y)
    if excess > 1.0:
        angles[i, 0] /= excess
        angles[i, 1] /= excess


@kernel
def copy_angles(angles: Floats, to: Floats) -> None:
    """Copy angles (B, 3); spelled out, because numba takes seconds to compile `to[:] = angles`."""
    for i in range(angles.shape[0]):
        for k in range(3):
            to[i, k] = angles[i, k]


@kernel
def _swing(model: Model, angles: Floats, i: int) -> Quat:
    """Rotation of bone i against its parent, without its twist."""
    axis = vec(model.axes[i, 1])
    angle = angles[i, 0]
    if model.kinds[i] == BALL:
        other = vec(model.axes[i, 2])
        angle = sqrt(angles[i, 0] * angles[i, 0] + angles[i, 1] * angles[i, 1])
        if angle >= 1e-150:
            axis = along(scale(axis, angles[i, 0] / angle), other, angles[i, 1] / angle)
    return quat_about(axis, angle)


@kernel
def place_bone(model: Model, angles: Floats, joints: Floats, turns: Floats, i: int) -> None:
    """Put joint i + 1 and the world rotation of bone i where its angles say, given its parent's."""
    parent = quat(turns[i - 1]) if i > 0 else (0.0, 0.0, 0.0, 1.0)
    straight = vec(model.axes[i, 0])
    local = _swing(model, angles, i)
    turn = quat_multiply(parent, local)
    direction = rotate(turn, straight)
    put(joints[i + 1], along(vec(joints[i]), direction, model.lengths[i] / norm(direction)))
    if model.kinds[i] == BALL:
        turn = quat_multiply(turn, quat_about(straight, angles[i, 2]))
    put_quat(turns[i], quat_unit(quat_multiply(turn, quat(model.straighten[i]))))


@kernel
def place_chain(model: Model, angles: Floats, joints: Floats, turns: Floats) -> None:
    """Pose of a chain from its angles; joint 0, the root, stays.

    Args:
        model: The bones.
        angles: (B, 3) [rad].
        joints: (B + 1, 3) [m, world], written but for the root.
        turns: (B, 4) rotation of each bone against the start pose [world], written.
    """
    for i in range(model.lengths.shape[0]):
        place_bone(model, angles, joints, turns, i)


@kernel
def aim_bone(model: Model, angles: Floats, i: int, direction: Vec) -> None:
    """Angles of bone i for a direction in its parent's start frame, limits aside; twist stays."""
    straight = vec(model.axes[i, 0])
    axis = vec(model.axes[i, 1])
    if model.kinds[i] == HINGE:
        rest = reject(straight, axis)
        across = cross(axis, rest)
        angle = atan2(dot(direction, across), dot(direction, rest))
        # Of the same direction's angles, one turn apart, the one nearer to the middle.
        middle = 0.5 * (model.bounds[i, 2] + model.bounds[i, 3])
        if angle - middle > PI:
            angle -= TAU
        elif angle - middle < -PI:
            angle += TAU
        angles[i, 0] = angle
        return
    turn = cross(straight, direction)
    sine = norm(turn)
    angle = atan2(sine, dot(straight, direction))
    if sine <= 1e-150:  # straight on, or straight back: about the second axis
        angles[i, 0] = 0.0
        angles[i, 1] = angle
        return
    angles[i, 0] = dot(turn, axis) * angle / sine
    angles[i, 1] = dot(turn, vec(model.axes[i, 2])) * angle / sine


@kernel
def reach_forward(model: Model, angles: Floats, joints: Floats, turns: Floats) -> None:
    """FABRIK's forward pass under limits: each bone turns to its joint as far as it may.

    From the root on, bone i aims from its placed joint at where joint i + 1 is, is brought within
    its limits, and placed; so the pose is a legal one whatever the joints were.
    """
    for i in range(model.lengths.shape[0]):
        parent = quat(turns[i - 1]) if i > 0 else (0.0, 0.0, 0.0, 1.0)
        want = sub(vec(joints[i + 1]), vec(joints[i]))
        length = norm(want)
        if length > 0.0:
            aim_bone(model, angles, i, unrotate(parent, scale(want, 1.0 / length)))
        clamp_angles(model, angles, i)
        place_bone(model, angles, joints, turns, i)
