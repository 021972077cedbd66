"""Angles of a robot's joints that put its links where a creature's joints and boxes are.

Closed forms, the inverse of `turns`: a leg bends in a plane, of its hip's yaw or of its first two
bones, and every hinge behind turns a bone in it. Angles are those of the limits' side, and go on
without a jump from one moment to the next.
"""

from collections.abc import Sequence

import numpy as np

from creature_sim.definitions import CreatureDef, LegDef
from creature_sim.definitions.hinging import BALL, HINGE, UNIVERSAL, Joint
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths, rotation_matrices

STRAIGHT = 1e-6
"""Sine of the angle up to which two bones span no plane."""


def angles_of(
    creature: CreatureDef, orientations: Floats, joints: Floats, headings: Floats
) -> Floats:
    """Angles (T, A) at T moments, in the order of `robot_of(creature).joints` [rad].

    Args:
        creature: whose joints they are.
        orientations: (T, S, 4) of its boxes, xyzw, as in `HerdPose`.
        joints: (T, L, J, 3) hip to tip [m, world].
        headings: (T, L, 3) where toes point [world].
    """
    boxes = rotation_matrices(orientations)
    columns: list[Floats] = []
    legs = list(zip(creature.all_legs, creature.leg_joints, strict=True))
    for s in range(len(creature.trunk)):
        if s > 0:
            columns += _three(_against(boxes[:, s - 1], boxes[:, s]))
        elif creature.head:
            columns += _three(_against(boxes[:, 0], boxes[:, creature.face]))[:2]
        for i, (leg, its) in enumerate(legs):
            if leg.segment == s:
                points = joints[:, i, : len(its) + 1]
                bones = _against(boxes[:, s], np.diff(points, axis=1).swapaxes(1, 2))
                toes = _against(boxes[:, s], headings[:, i, :, None])[..., 0]
                columns += _leg_angles(leg, its, bones.swapaxes(1, 2), toes)
    return np.unwrap(np.stack(columns, axis=1), axis=0)


def _against(frames: Floats, others: Floats) -> Floats:
    """Columns of matrices (T, 3, N) in frames (T, 3, 3)."""
    found: Floats = frames.swapaxes(1, 2) @ others
    return found


def _three(turns: Floats) -> list[Floats]:
    """Angles about Z, then Y, then X of rotation matrices (T, 3, 3) [rad]."""
    level = np.hypot(turns[:, 0, 0], turns[:, 1, 0])
    return [
        np.arctan2(turns[:, 1, 0], turns[:, 0, 0]),
        np.arctan2(-turns[:, 2, 0], level),
        np.arctan2(turns[:, 2, 1], turns[:, 2, 2]),
    ]


def _leg_angles(leg: LegDef, joints: Sequence[Joint], bones: Floats, toes: Floats) -> list[Floats]:
    """Angles of a leg's hinges from its bones (T, B, 3) and its toes (T, 3) [segment]."""
    bones = bones / np.maximum(lengths(bones), 1e-12)[..., None]
    first = joints[0]
    if first.kind == BALL:
        knee = joints[1]
        normal = _normal(bones, first, knee)
        found = _ball_angles(bones[:, 0], normal, first)
        before, start = bones[:, 0], 1
    else:
        yaw, ahead = _yaw(leg, first, bones[:, :-1] if leg.foot else bones)  # a foot may lean out
        over = 1.0 if leg.pole[2] >= 0.0 else -1.0
        level = np.zeros(len(yaw))
        normal = over * np.stack((-ahead[:, 1], ahead[:, 0], level), axis=1)
        found = [yaw]
        before, start = np.column_stack((ahead, level)), int(first.kind == HINGE)
    for bone, joint in zip(range(start, len(joints)), joints[start:], strict=True):
        found += _inner_angles(bones[:, bone], before, normal, joint, is_first=bone == 0)
        before = bones[:, bone]
    if joints[-1].turns:
        plane = np.cross(before, normal) * leg.toes_side
        across = (np.cross(plane, toes) * before).sum(axis=1)
        twist = np.arctan2(across, (plane * toes).sum(axis=1))
        found.append(_around(joints[-1].turn_rest, twist))
    return found


def _yaw(leg: LegDef, joint: Joint, bones: Floats) -> tuple[Floats, Floats]:
    """Angles (T,) of a leg's plane from home [rad], and where it points, (T, 2) level [segment]."""
    places = bones[:, :1] if joint.kind == HINGE else np.cumsum(bones, axis=1)
    farthest = lengths(places[..., :2]).argmax(axis=1)
    x, y = places[np.arange(len(bones)), farthest, :2].T
    home = leg.home[0] - leg.mount[0], leg.home[1] - leg.mount[1]
    if not any(home):
        home = 0.0, 1.0 if leg.side == "left" else -1.0
    yaw = np.arctan2(home[0] * y - home[1] * x, home[0] * x + home[1] * y)
    middle = 0.5 * (joint.lo + joint.hi)
    if joint.kind == UNIVERSAL:  # its bones may point to either side of the hip
        is_behind = np.abs(np.remainder(yaw - middle + np.pi, 2.0 * np.pi) - np.pi) > 0.5 * np.pi
        yaw = np.where(is_behind, yaw + np.pi, yaw)
    yaw = _around(middle, yaw)
    heading = np.arctan2(home[1], home[0]) + yaw
    return yaw, np.stack((np.cos(heading), np.sin(heading)), axis=1)


def _normal(bones: Floats, ball: Joint, knee: Joint) -> Floats:
    """Axes (T, 3) about which knees bend behind a ball [segment].

    Where a leg is straight, that of the moment before; at first that of the ball's rest.
    """
    usual = rotation_matrices(np.array(ball.rotation))[:, 1]
    normal = np.cross(bones[:, 0], bones[:, 1])
    size = lengths(normal)
    if knee.lo < 0.0:
        is_against = (normal @ usual < 0.0) if knee.hi > 0.0 else np.full(len(normal), True)
        normal = np.where(is_against[:, None], -normal, normal)
    known = np.where(size > STRAIGHT, np.arange(len(size)), -1)
    last = np.maximum.accumulate(known)
    normal = np.where(last[:, None] >= 0, normal[np.maximum(last, 0)], usual)
    normal = normal - (normal * bones[:, 0]).sum(axis=1)[:, None] * bones[:, 0]
    found: Floats = normal / np.maximum(lengths(normal), 1e-12)[:, None]
    return found


def _ball_angles(bone: Floats, normal: Floats, ball: Joint) -> list[Floats]:
    """Angles of a ball's hinges, about Y, then Z, then X of its rest [rad]."""
    turns = np.stack((bone, normal, np.cross(bone, normal)), axis=-1)
    against = rotation_matrices(np.array(ball.rotation)).T @ turns
    x, y, z = against[:, :, 0].T
    level = np.hypot(x, z)
    # The twist is the angle of the second axis from where bend and aside alone would have it.
    twist = np.arctan2(-against[:, 1, 2], against[:, 1, 1])
    bend = np.arctan2(-z, x)
    if any(ball.swing):
        bend = _around(0.5 * sum(ball.swing), bend)
    return [bend, np.arctan2(y, level), twist]


def _inner_angles(
    bone: Floats, before: Floats, normal: Floats, joint: Joint, *, is_first: bool
) -> list[Floats]:
    """Angles of the hinges between a bone and the one before it [rad].

    Args:
        bone: (T, 3) unit direction [segment].
        before: (T, 3) of the bone before it; of the first one, where it is level.
        normal: (T, 3) axis about which it turns.
        joint: between them.
        is_first: whether it is the hip's universal joint: its first angle is another one.
    """
    above = np.cross(before, normal)
    ahead = (bone * before).sum(axis=1)
    rise = (bone * above).sum(axis=1)
    low, high = (joint.second_lo, joint.second_hi) if is_first else (joint.lo, joint.hi)
    bend = _around(0.5 * (low + high), np.arctan2(-rise, ahead))
    if joint.kind != UNIVERSAL or is_first:
        return [bend]
    return [bend, np.arctan2((bone * normal).sum(axis=1), np.hypot(ahead, rise))]


def _around(middle: float, angles: Floats) -> Floats:
    """The same angles within half a turn of another one [rad]."""
    return middle + np.remainder(angles - middle + np.pi, 2.0 * np.pi) - np.pi
