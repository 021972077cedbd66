"""How the boxes of a chain or a tree are turned: as the bones that begin at them."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import (
    Floats,
    X,
    atan2,
    cross,
    dot,
    put_quat,
    quat,
    quat_about,
    quat_between,
    quat_multiply,
    reject,
    rotate,
    sub,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel


@kernel
def turn_boxes(
    rest: Floats,
    joints: Floats,
    boxes: NDArray[np.int64],
    above: NDArray[np.int64],
    arms: NDArray[np.int64],
    carrier: Floats,
    turns: Floats,
) -> None:
    """Fill the turns of boxes since their rest.

    Each follows the first of its bones the shortest way from the turn of the box above, and turns
    about that such that the others lie as near as they can to where they are.

    Args:
        rest: (J, 3) joints at rest [m].
        joints: (J, 3) [m, world].
        boxes: (S,) the joint of each box.
        above: (S,) the box before each; -1: the carrier.
        arms: (S, C) joints where the bones of a box end; -1: no more.
        carrier: (4,) turn of what carries the root.
        turns: (S, 4).
    """
    for box in range(len(boxes)):
        turn = quat(turns[above[box]] if above[box] >= 0 else carrier)
        here, first = boxes[box], arms[box, 0]
        if first >= 0:
            before = rotate(turn, unit(sub(vec(rest[first]), vec(rest[here])), X))
            axis = unit(sub(vec(joints[first]), vec(joints[here])), before)
            turn = quat_multiply(quat_between(before, axis), turn)
            sine = cosine = 0.0
            for other in arms[box, 1:]:
                if other >= 0:
                    then = reject(rotate(turn, sub(vec(rest[other]), vec(rest[here]))), axis)
                    now = reject(sub(vec(joints[other]), vec(joints[here])), axis)
                    sine += dot(axis, cross(then, now))
                    cosine += dot(then, now)
            if sine != 0.0 or cosine != 0.0:
                turn = quat_multiply(quat_about(axis, atan2(sine, cosine)), turn)
        put_quat(turns[box], turn)
