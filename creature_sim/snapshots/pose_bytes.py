"""Creatures of poses as protobuf, written by one kernel.

The messages are those of `replay/pose_schema.py`. Lengths are written with a fixed number of bytes
(longer than the shortest form, which every reader of protobuf takes), so that nothing moves.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel
from creature_sim.snapshots.poses import HerdPose

ROTATION_SCALE = 100_000.0
"""Orientations are written as multiples of a hundred thousandth."""
DIRECTION_SCALE = 1_000.0
"""Normals and headings are written as multiples of a thousandth."""
LARGEST_NUMBER = 10
"""Of a number [bytes]."""

Bytes = NDArray[np.uint8]


@kernel
def _put_number(out: Bytes, at: int, value: int) -> int:
    """Write a signed number (zigzag, as sint64 is); returns where it ends."""
    rest = np.uint64((value << 1) ^ (value >> 63))
    while rest > np.uint64(127):
        out[at] = np.uint8((rest & np.uint64(127)) | np.uint64(128))
        rest >>= np.uint64(7)
        at += 1
    out[at] = np.uint8(rest)
    return at + 1


@kernel
def _put_length(out: Bytes, at: int, size: int, value: int) -> None:
    """Write a length in so many bytes."""
    for i in range(size):
        out[at + i] = (value >> (7 * i)) & 127 | (128 if i < size - 1 else 0)


@kernel
def _put_vector(out: Bytes, at: int, field: int, vector: Floats, scale: float) -> int:
    """Write a packed field of a few numbers."""
    out[at] = field << 3 | 2
    end = at + 2
    for value in vector:
        end = _put_number(out, end, int(np.floor(value * scale + 0.5)))
    _put_length(out, at + 1, 1, end - at - 2)
    return end


@kernel
def _put_joints(
    out: Bytes, at: int, joints: Floats, position: Floats, orientation: Floats, scale: float
) -> int:
    """Write the joints of a leg but for its tip, as a segment sees them."""
    out[at] = 6 << 3 | 2
    end = at + 3
    x, y, z, w = orientation
    for joint in range(len(joints) - 1):
        a = joints[joint, 0] - position[0]
        b = joints[joint, 1] - position[1]
        c = joints[joint, 2] - position[2]
        # v - 2 w (q x v) + 2 q x (q x v): turned back by the unit quaternion
        e, f, g = y * c - z * b, z * a - x * c, x * b - y * a
        mine = (
            a - 2.0 * (w * e - (y * g - z * f)),
            b - 2.0 * (w * f - (z * e - x * g)),
            c - 2.0 * (w * g - (x * f - y * e)),
        )
        for value in mine:
            end = _put_number(out, end, int(np.floor(value * scale + 0.5)))
    _put_length(out, at + 1, 2, end - at - 3)
    return end


@kernel
def write_creatures(  # noqa: PLR0913 - a tuple of arrays costs more
    out: Bytes,
    ends: NDArray[np.int64],
    members: NDArray[np.int64],
    positions: Floats,
    orientations: Floats,
    joints: Floats,
    feet: Floats,
    is_swinging: NDArray[np.bool_],
    scale: float,
) -> None:
    """Write creatures one after the other, each as field 4 of a message.

    Args:
        out: long enough for all.
        ends: (R,) where each ends [bytes].
        members: (R,) their numbers.
        positions: (R, S, 3) of their segments [m, world].
        orientations: (R, S, 4) of them, xyzw.
        joints: (R, L, J, 3) of their legs [m, world].
        feet: (R, 4, L, 3) goals, footholds [m, world], normals and headings.
        is_swinging: (R, L) whether feet are in the air.
        scale: of lengths [1/m].
    """
    end = 0
    for row in range(len(members)):
        begin = end
        out[begin] = 4 << 3 | 2
        out[begin + 4] = 1 << 3
        _put_length(out, begin + 5, 3, members[row])
        end = begin + 8
        for segment in range(positions.shape[1]):
            start = end
            out[start] = 2 << 3 | 2
            end = _put_vector(out, start + 2, 1, positions[row, segment], scale)
            end = _put_vector(out, end, 2, orientations[row, segment], ROTATION_SCALE)
            _put_length(out, start + 1, 1, end - start - 2)
        for leg in range(joints.shape[1]):
            start = end
            out[start] = 3 << 3 | 2
            end = _put_vector(out, start + 3, 1, joints[row, leg, -1], scale)
            end = _put_vector(out, end, 2, feet[row, 0, leg], scale)
            end = _put_vector(out, end, 3, feet[row, 1, leg], scale)
            end = _put_vector(out, end, 4, feet[row, 2, leg], DIRECTION_SCALE)
            end = _put_vector(out, end, 5, feet[row, 3, leg], DIRECTION_SCALE)
            end = _put_joints(
                out, end, joints[row, leg], positions[row, 0], orientations[row, 0], scale
            )
            out[end] = 7 << 3
            out[end + 1] = is_swinging[row, leg]
            end += 2
            _put_length(out, start + 1, 2, end - start - 3)
        _put_length(out, begin + 1, 3, end - begin - 4)
        ends[row] = end


def creature_bytes(herd: HerdPose, members: NDArray[np.int64], scale: float) -> list[bytes]:
    """The message of each row of a herd, whose creatures have these numbers.

    Args:
        herd: whose rows may be of several ticks.
        members: (R,) the number of the creature of each row.
        scale: of lengths [1/m].
    """
    rows, segments = herd.positions.shape[:2]
    legs, joints = herd.joints.shape[1:3]
    numbers = 7 * segments + legs * (15 + 3 * (joints - 1))
    size = 8 + 6 * segments + legs * (18 + 2) + LARGEST_NUMBER * numbers
    out, ends = np.empty(rows * size, np.uint8), np.empty(rows, np.int64)
    feet = np.stack((herd.goals, herd.footholds, herd.normals, herd.headings), axis=1)
    write_creatures(
        out,
        ends,
        np.ascontiguousarray(members),
        np.array(herd.positions),
        np.array(herd.orientations),
        np.array(herd.joints),
        feet,
        np.array(herd.is_swinging),
        scale,
    )
    data = out[: ends[-1] if rows else 0].tobytes()
    return [data[begin:end] for begin, end in pairwise([0, *ends.tolist()])]
