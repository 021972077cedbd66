"""Angles of hinges, from where the parts of a body are turned."""

from creature_sim.components import BodyRecord, HeadRecord, Records, RecordTable
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
    links: Links,
    trunks: RecordTable[BodyRecord],
    heads: Records[HeadRecord],
    rotations: Floats,
    angles: Floats,
) -> None:
    """Find the angles of all hinges of N creatures.

    Args:
        links: of the robot.
        trunks: (N, S).
        heads: (N,).
        rotations: (N, L, J - 1, 4) of the bones of their legs.
        angles: (N, A) the angles a moment ago; written.
    """
    for n in range(trunks.shape[0]):
        mine = angles[n]
        if links.head > 0:
            mine[links.head - 2], mine[links.head - 1] = heads[n].yaw, heads[n].pitch
        for s in range(1, trunks.shape[1]):
            last = links.segment[s]
            before, here = quat(trunks[n, s - 1].orientation), quat(trunks[n, s].orientation)
            turn_hinges(links, before, here, links.first[last], last, mine)
        for leg in range(rotations.shape[1]):
            before = quat(trunks[n, links.carrier[leg]].orientation)
            for b in range(rotations.shape[2]):
                last = links.bone[leg, b]
                if last > 0:
                    part = quat(rotations[n, leg, b])
                    turn_hinges(links, before, part, links.first[last], last, mine)
                    before = part
