"""Poses of many ticks, made of what a tape keeps by one kernel.

`poses` makes those of a snapshot with numpy, to the same bit: of thirty ticks of one creature that
takes ten times as long.
"""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import STANDING
from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel
from creature_sim.snapshots.pose_bytes import ShownArrays, written
from creature_sim.snapshots.tapes import Shown, Words

_PLACES = (
    *(("body", "records", name) for name in ("position", "orientation")),
    *(("leg_chain", name, "") for name in ("joints", "foot_rotation")),
    *(("foot_target", "records", name) for name in ("goal", "phase")),
    ("foothold", "records", "position"),
)
"""What is read, in the order of `show`."""


@kernel
def show(
    shown: ShownArrays,
    numbers: Floats,
    words: Words,
    places: NDArray[np.int64],
    segments: int,
) -> None:
    """Fill in all but heads.

    Args:
        shown: of all rows, tick by tick.
        numbers: (T, C) what is kept of several ticks.
        words: the same.
        places: (7, 2) where each of `_PLACES` begins, and the size of a record of it [words].
        segments: of the trunk.
    """
    positions, orientations, joints, feet, is_swinging = shown
    count = len(positions) // max(1, len(numbers))
    for row in range(len(positions)):
        tick, creature = row // count, row % count
        mine = numbers[tick]
        for segment in range(segments):
            record = creature * segments + segment
            for i in range(3):
                positions[row, segment, i] = mine[places[0, 0] + record * places[0, 1] + i]
            for i in range(4):
                orientations[row, segment, i] = mine[places[1, 0] + record * places[1, 1] + i]
        for leg in range(joints.shape[1]):
            record = creature * joints.shape[1] + leg
            at = places[2, 0] + record * joints.shape[2] * 3
            for joint in range(joints.shape[2]):
                for i in range(3):
                    joints[row, leg, joint, i] = mine[at + 3 * joint + i]
            for i in range(3):
                feet[row, 0, leg, i] = mine[places[4, 0] + record * places[4, 1] + i]
                feet[row, 1, leg, i] = mine[places[6, 0] + record * places[6, 1] + i]
            at = places[3, 0] + record * 4
            x, y, z, w = mine[at], mine[at + 1], mine[at + 2], mine[at + 3]
            feet[row, 2, leg, 0] = 2.0 * (x * z + w * y)
            feet[row, 2, leg, 1] = 2.0 * (y * z - w * x)
            feet[row, 2, leg, 2] = 1.0 - 2.0 * (x * x + y * y)
            feet[row, 3, leg, 0] = 1.0 - 2.0 * (y * y + z * z)
            feet[row, 3, leg, 1] = 2.0 * (x * y + w * z)
            feet[row, 3, leg, 2] = 2.0 * (x * z - w * y)
            phase = words[tick, places[5, 0] + record * places[5, 1]]
            is_swinging[row, leg] = phase != STANDING


@kernel
def show_heads(
    positions: Floats, orientations: Floats, sines: Floats, cosines: Floats, mount: Floats
) -> None:
    """Fill in heads, which are the last segments.

    Args:
        positions: (R, S, 3) of segments [m, world].
        orientations: (R, S, 4) of them, xyzw.
        sines: (R, 2) of half the yaw and half the pitch.
        cosines: (R, 2) of the same.
        mount: (4,) where heads begin, as their body sees it, and half their length [m].
    """
    for row in range(len(positions)):
        (a, c), (b, d) = sines[row], cosines[row]
        i, j, k, r = -a * c, b * c, a * d, b * d  # about Z, then about its Y
        x, y, z, w = orientations[row, 0]
        head = orientations[row, -1]
        head[0] = w * i + x * r + y * k - z * j
        head[1] = w * j - x * k + y * r + z * i
        head[2] = w * k + x * j - y * i + z * r
        head[3] = w * r - x * i - y * j - z * k
        e, f, g, h = head
        ahead = 1.0 - 2.0 * (f * f + g * g), 2.0 * (e * f + h * g), 2.0 * (e * g - h * f)
        turn = (
            (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
            (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
            (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
        )
        for axis in range(3):
            neck = turn[axis][0] * mount[0] + turn[axis][1] * mount[1] + turn[axis][2] * mount[2]
            positions[row, -1, axis] = positions[row, 0, axis] + neck + ahead[axis] * mount[3]


def arrays_of(shown: Shown, words: Words) -> ShownArrays:
    """What poses show of a herd after several ticks, (T, C), tick by tick."""
    segments = shown.field("body", "records").shape[1]
    legs, joints = shown.field("leg_chain", "joints").shape[1:3]
    plan, rows = shown.like.definition.head, len(words) * len(shown.like.members)
    boxes = segments + (plan is not None)
    found = ShownArrays(
        np.empty((rows, boxes, 3)),
        np.empty((rows, boxes, 4)),
        np.empty((rows, legs, joints, 3)),
        np.empty((rows, 4, legs, 3)),
        np.empty((rows, legs), np.bool_),
    )
    numbers = words.view(np.float64)
    show(found, numbers, words, shown.places(_PLACES), segments)
    if plan is not None:
        field = shown.field("head", "records")
        heads = np.ascontiguousarray(words[:, field.begin // 8 : field.end // 8]).view(field.kind)
        half = 0.5 * np.stack((heads["yaw"].ravel(), heads["pitch"].ravel()), axis=-1)
        mount = np.array((*plan.mount, 0.5 * plan.size[0]))
        show_heads(found.positions, found.orientations, np.sin(half), np.cos(half), mount)
    return found


def creatures_of(shown: Shown, words: Words, scale: float) -> list[bytes]:
    """Each creature of a herd in the messages of several ticks, tick by tick."""
    return written(shown.like.members, arrays_of(shown, words), scale, is_planar=True)


def messages_of(
    shown: Shown, words: Words, scale: float, head: bytes, clock: tuple[int, int]
) -> list[bytes]:
    """The messages of several ticks of a world that has one herd, and nothing else.

    Args:
        shown: of the herd.
        words: (T, C) what is kept of the ticks.
        scale: of lengths [1/m].
        head: what follows the tick in a message.
        clock: the first tick, and ticks from one to the next.
    """
    arrays, members = arrays_of(shown, words), shown.like.members
    return written(members, arrays, scale, is_planar=True, head=head, clock=clock)
