"""Frames that rigs hang on: the world's, or a creature's body's."""

from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    add,
    along,
    norm,
    put,
    put_quat,
    quat,
    quat_multiply,
    rotate,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel


@kernel
def into_world(position: Vec, orientation: Quat, point: Vec) -> Vec:
    """A point of a frame [m, frame] in the world [m, world]."""
    return add(position, rotate(orientation, point))


@kernel
def into_frame(position: Vec, orientation: Quat, point: Vec) -> Vec:
    """A point of the world [m, world] in a frame [m, frame]."""
    return unrotate(orientation, sub(point, position))


@kernel
def taken_along(old: Vec, new: Vec, turned: Quat, point: Vec) -> Vec:
    """Where a point goes that is fixed to what is carried from one place to another [m, world].

    Args:
        old: the place.
        new: the other one.
        turned: how it turns meanwhile.
        point: that goes along.
    """
    return into_world(new, turned, sub(point, old))


@kernel
def within_reach(root: Vec, point: Vec, reach: float) -> Vec:
    """The point itself, or where the line to it from the root leaves the reach."""
    line = sub(point, root)
    d = norm(line)
    return along(root, line, reach / d) if d > reach else point


@kernel
def carry(
    local: Floats,
    turns: Floats,
    position: Floats,
    orientation: Floats,
    joints: Floats,
    rotations: Floats,
) -> None:
    """Write a pose of a frame as one of the world.

    Args:
        local: (J, 3) joints [m, frame].
        turns: (B, 4) rotations [frame].
        position: (3,) of the frame's origin [m, world].
        orientation: (4,) of the frame, xyzw.
        joints: (J, 3), written [m, world].
        rotations: (B, 4) of the last tick, written: of their two signs, the one nearer to it.
    """
    origin, turn = vec(position), quat(orientation)
    for j in range(local.shape[0]):
        put(joints[j], into_world(origin, turn, vec(local[j])))
    for b in range(turns.shape[0]):
        new = quat_multiply(turn, quat(turns[b]))
        old = quat(rotations[b])
        nearness = new[0] * old[0] + new[1] * old[1] + new[2] * old[2] + new[3] * old[3]
        sign = -1.0 if nearness < 0.0 else 1.0
        put_quat(rotations[b], (sign * new[0], sign * new[1], sign * new[2], sign * new[3]))
