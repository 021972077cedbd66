"""Creatures of poses as protobuf, written by one kernel.

The messages are those of `replay/pose_schema.py`. Lengths are written with a fixed number of bytes
(longer than the shortest form, which every reader of protobuf takes), so that nothing moves.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel
from creature_sim.snapshots.leg_planes import leg_plane, turned_back
from creature_sim.snapshots.poses import HerdPose

ROTATION_SCALE = 100_000.0
"""Orientations are written as multiples of a hundred thousandth."""
DIRECTION_SCALE = 1_000.0
"""Normals and headings are written as multiples of a thousandth."""
LARGEST_NUMBER = 10
"""Of a number [bytes]."""

Bytes = NDArray[np.uint8]


class ShownArrays(NamedTuple):
    """What a pose shows of the creatures of a herd.

    Attributes:
        positions: (R, S, 3) of their segments [m, world].
        orientations: (R, S, 4) of them, xyzw.
        joints: (R, L, J, 3) of their legs [m, world].
        feet: (R, 4, L, 3) goals, footholds [m, world], normals and headings.
        is_swinging: (R, L) whether feet are in the air.
    """

    positions: Floats
    orientations: Floats
    joints: Floats
    feet: Floats
    is_swinging: NDArray[np.bool_]


@kernel
def _put_number(out: Bytes, at: int, value: int) -> int:
    """Write a signed number (zigzag, as sint64 is); returns where it ends."""
    return _put_plain(out, at, np.uint64((value << 1) ^ (value >> 63)))


@kernel
def _put_plain(out: Bytes, at: int, rest: np.uint64) -> int:
    """Write a number that has no sign; returns where it ends."""
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
def _whole(value: float, scale: float) -> float:
    """A number of grains."""
    return float(np.floor(value * scale + 0.5))


@kernel
def _put_joints(
    out: Bytes,
    at: int,
    joints: Floats,
    position: Floats,
    orientation: Floats,
    rounded: Floats,
    scale: float,
    is_planar: bool,
) -> int:
    """Write the joints of a leg but for its tip, as a segment sees them.

    Args:
        out: to write to.
        at: where.
        joints: (J, 3) of the leg [m, world].
        position: of the segment [m, world].
        orientation: of it, xyzw.
        rounded: (7,) position [grains] and orientation of the segment as they are written.
        scale: of lengths [1/m].
        is_planar: whether those behind the hip are seen from it, in the plane of the leg.
    """
    out[at] = 6 << 3 | 2
    end = at + 3
    hip, cosine, sine = (0.0, 0.0, 0.0), 1.0, 0.0
    for joint in range(len(joints) - 1):
        x, y, z = turned_back(
            orientation,
            joints[joint, 0] - position[0],
            joints[joint, 1] - position[1],
            joints[joint, 2] - position[2],
        )
        if joint and is_planar:
            x, y, z = x - hip[0] / scale, y - hip[1] / scale, z - hip[2] / scale
            x, y = cosine * x + sine * y, cosine * y - sine * x
        whole = _whole(x, scale), _whole(y, scale), _whole(z, scale)
        for value in whole:
            end = _put_number(out, end, int(value))
        if joint == 0 and is_planar:
            x, y, z = joints[-1]
            tip = _whole(x, scale), _whole(y, scale), _whole(z, scale)
            hip = whole
            cosine, sine = leg_plane(rounded, tip, hip)
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
    is_planar: bool,
    head: Bytes,
    clock: tuple[int, int],
) -> None:
    """Write creatures one after the other, each as field 4 of a message.

    Args:
        out: long enough for all.
        ends: (R,) where each ends [bytes].
        members: (N,) their numbers; those of one tick, if the rows are of several.
        positions: (R, S, 3) of their segments [m, world].
        orientations: (R, S, 4) of them, xyzw.
        joints: (R, L, J, 3) of their legs [m, world].
        feet: (R, 4, L, 3) goals, footholds [m, world], normals and headings.
        is_swinging: (R, L) whether feet are in the air.
        scale: of lengths [1/m].
        is_planar: whether joints are written in the planes of their legs.
        head: (H,) what follows the tick in a message; empty: only creatures are written.
        clock: the tick of the first rows, and ticks from those to the next.
    """
    end, count = 0, len(members)
    rounded = np.empty(7)
    for row in range(len(ends)):
        if len(head) and row % count == 0:
            out[end] = 1 << 3
            end = _put_plain(out, end + 1, np.uint64(clock[0] + row // count * clock[1]))
            out[end : end + len(head)] = head
            end += len(head)
        begin = end
        out[begin] = 4 << 3 | 2
        out[begin + 4] = 1 << 3
        _put_length(out, begin + 5, 3, members[row % count])
        end = begin + 8
        for i in range(3):
            rounded[i] = _whole(positions[row, 0, i], scale)
        for i in range(4):
            rounded[3 + i] = _whole(orientations[row, 0, i], ROTATION_SCALE) / ROTATION_SCALE
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
                out,
                end,
                joints[row, leg],
                positions[row, 0],
                orientations[row, 0],
                rounded,
                scale,
                is_planar,
            )
            out[end] = 7 << 3
            out[end + 1] = is_swinging[row, leg]
            end += 2
            _put_length(out, start + 1, 2, end - start - 3)
        _put_length(out, begin + 1, 3, end - begin - 4)
        ends[row] = end


def creature_bytes(
    herd: HerdPose, members: NDArray[np.int64], scale: float, *, is_planar: bool
) -> list[bytes]:
    """The message of each row of a herd, whose creatures have these numbers.

    Args:
        herd: whose rows may be of several ticks.
        members: (R,) the number of the creature of each row.
        scale: of lengths [1/m].
        is_planar: whether joints are written in the planes of their legs.
    """
    feet = np.stack((herd.goals, herd.footholds, herd.normals, herd.headings), axis=1)
    arrays = ShownArrays(
        np.array(herd.positions),
        np.array(herd.orientations),
        np.array(herd.joints),
        feet,
        np.array(herd.is_swinging),
    )
    return written(members, arrays, scale, is_planar=is_planar)


def written(
    members: NDArray[np.int64],
    arrays: ShownArrays,
    scale: float,
    *,
    is_planar: bool,
    head: bytes = b"",
    clock: tuple[int, int] = (0, 0),
) -> list[bytes]:
    """Each creature as `write_creatures` writes it, or, with a head, the message of each tick."""
    rows, segments = arrays.positions.shape[:2]
    legs, count = arrays.joints.shape[1:3]
    numbers = 7 * segments + legs * (15 + 3 * (count - 1))
    size = 8 + 6 * segments + legs * (18 + 2) + LARGEST_NUMBER * numbers
    step = len(members) if head else 1
    out = np.empty(rows * size + rows // max(1, step) * (1 + LARGEST_NUMBER + len(head)), np.uint8)
    ends = np.empty(rows, np.int64)
    write_creatures(
        out,
        ends,
        np.ascontiguousarray(members),
        *arrays,
        scale,
        is_planar,
        np.array(bytearray(head), np.uint8),
        clock,
    )
    data = out[: ends[-1] if rows else 0].tobytes()
    return [data[begin:end] for begin, end in pairwise([0, *ends[step - 1 :: step].tolist()])]
