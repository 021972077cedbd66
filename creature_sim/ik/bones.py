"""Bones of a pose: their lengths and directions, and poses given other lengths."""

from math import sqrt

from creature_sim.maths import Floats, Vec, along, put, sub, vec
from creature_sim.maths.jit import kernel

SMALLEST = 1e-60
"""A bone shorter than this [m] is a point."""


@kernel
def reach_of(lengths: Floats) -> float:
    """Sum of bone lengths (B,) [m]."""
    reach = 0.0
    for i in range(lengths.shape[0]):
        reach += lengths[i]
    return reach


@kernel
def measure(joints: Floats, lengths: Floats) -> None:
    """Write the bone lengths (J - 1,) [m] of a pose (J, 3)."""
    for i in range(lengths.shape[0]):
        x = joints[i + 1, 0] - joints[i, 0]
        y = joints[i + 1, 1] - joints[i, 1]
        z = joints[i + 1, 2] - joints[i, 2]
        length = sqrt(x * x + y * y + z * z)
        lengths[i] = length if length >= SMALLEST else 0.0


@kernel
def measure_batch(joints: Floats, lengths: Floats) -> None:
    """Write the bone lengths (B, J - 1) [m] of poses (B, J, 3)."""
    for b in range(joints.shape[0]):
        measure(joints[b], lengths[b])


@kernel
def resize(joints: Floats, lengths: Floats) -> None:
    """Give the bones of a pose other lengths [m]; a bone without direction takes its parent's."""
    direction = (1.0, 0.0, 0.0)
    old = vec(joints[0])
    for i in range(lengths.shape[0]):
        bone = sub(vec(joints[i + 1]), old)
        old = vec(joints[i + 1])
        length = sqrt(bone[0] * bone[0] + bone[1] * bone[1] + bone[2] * bone[2])
        if length >= SMALLEST:
            direction = (bone[0] / length, bone[1] / length, bone[2] / length)
        put(joints[i + 1], along(vec(joints[i]), direction, lengths[i]))


@kernel
def resize_batch(joints: Floats, lengths: Floats) -> None:
    """Give the bones of poses (B, J, 3) the lengths (B, J - 1) [m]."""
    for b in range(joints.shape[0]):
        resize(joints[b], lengths[b])


@kernel
def bone_direction(joints: Floats, i: int, fallback: Vec) -> Vec:
    """Direction of bone i, a unit vector; `fallback` where it has no length."""
    x = joints[i + 1, 0] - joints[i, 0]
    y = joints[i + 1, 1] - joints[i, 1]
    z = joints[i + 1, 2] - joints[i, 2]
    length = sqrt(x * x + y * y + z * z)
    if length <= 0.0:
        return fallback
    return (x / length, y / length, z / length)


@kernel
def bone_directions(joints: Floats, directions: Floats) -> None:
    """Write the directions (J - 1, 3) of a pose's bones; of one without length, its parent's."""
    direction = (1.0, 0.0, 0.0)
    for i in range(directions.shape[0]):
        direction = bone_direction(joints, i, direction)
        put(directions[i], direction)
