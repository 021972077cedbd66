"""Angles of hinges, from where the parts of a body are turned."""

from creature_sim.maths import (
    TAU,
    Floats,
    Quat,
    Vec,
    atan2,
    cross,
    dot,
    quat,
    quat_about,
    quat_conjugate,
    quat_multiply,
    rotate,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel
from creature_sim.twin.links import Links


@kernel
def turn_hinges(
    links: Links, before: Quat, part: Quat, first: int, last: int, angles: Floats
) -> None:
    """Find the angles of the hinges of one joint.

    Axes that follow each other are perpendicular. What the last hinge turns about, the hinges
    before it put where it is; and of three, the first puts the last one's axis into the plane that
    the second turns it in.

    Args:
        links: of the robot.
        before: orientation of the part that the joint is on, xyzw [world].
        part: of the part behind it.
        first: link of the joint's first hinge.
        last: link of its last, which is the part behind it.
        angles: (A,) of all hinges, before; those of the joint are written, the nearest to them
            that do it [rad].
    """
    frame = before
    end = vec(links.axis[last])
    goal = rotate(part, end)
    for k in range(first, last + 1):
        frame = quat_multiply(frame, quat(links.turn[k]))
        axis = vec(links.axis[k])
        if k < last:
            straight = end
            for other in range(last, k, -1):
                straight = rotate(quat(links.turn[other]), straight)
            angle = _about(axis, straight, unrotate(frame, goal))
        else:
            x, y, z, w = quat_multiply(quat_conjugate(frame), part)
            angle = 2.0 * atan2(dot((x, y, z), axis), w)
        angle = _near(angles[k - 1], angle)
        angles[k - 1] = angle
        frame = quat_multiply(frame, quat_about(axis, angle))


@kernel
def _about(axis: Vec, start: Vec, end: Vec) -> float:
    """Angle about a unit axis that turns a vector into the half-plane of another [rad]."""
    across = dot(axis, cross(start, end))
    return atan2(across, dot(start, end) - dot(start, axis) * dot(end, axis))


@kernel
def _near(middle: float, angle: float) -> float:
    """The same angle within half a turn of another one [rad]."""
    off = angle - middle
    return angle - TAU * int(off / TAU + (0.5 if off >= 0.0 else -0.5))


@kernel
def find_goals(
    links: Links, boxes: Floats, rotations: Floats, yaw: float, pitch: float, angles: Floats
) -> None:
    """Find the angles of all hinges of a creature.

    Args:
        links: of the robot.
        boxes: (S, 4) orientations of the segments of its trunk, xyzw.
        rotations: (L, J - 1, 4) of the bones of its legs.
        yaw: of its head, if it has one [rad].
        pitch: of that.
        angles: (A,) the angles a moment ago; written.
    """
    if links.head > 0:
        angles[links.head - 2], angles[links.head - 1] = yaw, pitch
    for s in range(1, boxes.shape[0]):
        last = links.segment[s]
        turn_hinges(links, quat(boxes[s - 1]), quat(boxes[s]), links.first[last], last, angles)
    for leg in range(rotations.shape[0]):
        before = quat(boxes[links.carrier[leg]])
        for b in range(rotations.shape[1]):
            last = links.bone[leg, b]
            if last > 0:
                part = quat(rotations[leg, b])
                turn_hinges(links, before, part, links.first[last], last, angles)
                before = part
