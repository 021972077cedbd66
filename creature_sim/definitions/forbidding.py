"""Which joint keeps a foot from a place."""

from collections.abc import Sequence
from typing import NamedTuple

from creature_sim.definitions.bending import Limits
from creature_sim.definitions.hinging import Hip, Joint, hinge, signed, span
from creature_sim.definitions.joints import (
    BallJointDef,
    HingeJointDef,
    JointDef,
    UniversalJointDef,
)
from creature_sim.maths import PI, Vec, Z, atan2, cross, dot, norm, reject, rotate, unit

ROUNDING = 1e-9
"""An angle so little beyond its limits is within them [rad]."""


class Forbidden(NamedTuple):
    """A joint that keeps a foot from a place: its index, the angle that it would need, and why."""

    joint: int
    text: str


def forbidding(hip: Hip, joints: Sequence[JointDef], foot: Vec) -> Forbidden | None:
    """The joint that keeps a foot from a point on level ground, if one does.

    Args:
        hip: of its leg.
        joints: of the bones.
        foot: [m, segment].
    """
    out, first = hip.reached(foot), joints[0]
    if not isinstance(first, BallJointDef):
        yaw = hip.yaw_to(out)
        turn = first if isinstance(first, HingeJointDef) else None
        low, high = signed(
            first.axis[2],
            *((turn.lo, turn.hi) if turn else (first.lo[0], first.hi[0])),  # type: ignore[index]
        )
        if norm(reject(out, Z)) > 0.0 and not low <= yaw <= high:
            return _outside(0, yaw, low, high)
    angles, is_there = hip.bent(joints, out)
    if not is_there:
        return _too_bent(hip, joints, out)
    if isinstance(first, BallJointDef):
        ball = hip.first(first, hip.pose(joints)[0])
        found = _too_swung(hip, ball, out, angles[0], first)
        if found:
            return found
    return _too_tilted(hip, joints, out, angles) if hip.leg.foot else None


def _too_bent(hip: Hip, joints: Sequence[JointDef], out: Vec) -> Forbidden | None:
    """The hinge that would have to bend beyond its limits."""
    count = len(hip.lengths)
    free = [joints[0]]
    if isinstance(joints[0], UniversalJointDef):
        first = joints[0]
        free = [
            first.model_copy(update={"lo": (first.lo[0], -2.0 * PI), "hi": (first.hi[0], 2.0 * PI)})
        ]
    for index, joint in enumerate(joints[1:count], 1):
        low, high = span(joint)
        side = (-PI, 0.0) if -low > high else (0.0, PI)
        is_after_level = index == 1 and isinstance(joints[0], HingeJointDef)
        free.append(hinge(-2.0 * PI, 2.0 * PI) if is_after_level else hinge(*side))
    angles, is_there = hip.bent(free, out)
    limits: Limits = [
        (-2.0 * PI, 2.0 * PI)
        if not isinstance(joints[0], UniversalJointDef)
        else (joints[0].lo[1], joints[0].hi[1]),
        *(span(joint) for joint in joints[1:count]),
    ]
    worst = max(
        range(len(angles)),
        key=lambda i: max(limits[i][0] - angles[i], angles[i] - limits[i][1]),
    )
    low, high = limits[worst]
    if not is_there or low <= angles[worst] <= high:
        return None  # the bones are too long or too short, whatever their joints do
    return _outside(worst, angles[worst], low, high)


def _too_swung(hip: Hip, ball: Joint, out: Vec, angle: float, first: JointDef) -> Forbidden | None:
    """The ball, if its bone would have to leave its cone."""
    x, y, z = (rotate(ball.rotation, axis) for axis in ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0)))
    bone, _, _ = hip.frame(out, angle, first)
    swing = atan2(norm(cross(x, bone)), dot(x, bone))
    axis = unit(cross(x, bone), y)
    in_plane, beside = swing * dot(axis, y), swing * dot(axis, z)
    size = 0.0
    for part, most in ((in_plane, ball.cone[0]), (beside, ball.cone[1])):
        size += (part / max(most, 1e-9)) * (part / max(most, 1e-9))
    if size <= 1.0 + 1e-9:
        return None
    cone = " and ".join(f"{half:g}" for half in dict.fromkeys(ball.cone))
    return Forbidden(0, f"a swing of {swing:.2f} rad, beyond its cone of {cone}")


def _too_tilted(
    hip: Hip, joints: Sequence[JointDef], out: Vec, angles: Sequence[float]
) -> Forbidden | None:
    """The ankle, if its sole could not lie flat on level ground.

    Args:
        hip: of its leg.
        joints: of the bones.
        out: the ankle [m, segment, from the hip].
        angles: of the bones in the plane of the leg [rad].
    """
    index, ankle = len(joints) - 1, joints[-1]
    pitch, roll = hip.ankle(angles, joints[0], out)
    low, high = span(ankle)
    if not low - ROUNDING <= pitch <= high + ROUNDING:
        return _outside(index, pitch, low, high)
    out_of_plane = " out of the plane of the leg"
    if isinstance(ankle, UniversalJointDef):
        low, high = ankle.lo[1], ankle.hi[1]
        if not low - ROUNDING <= roll <= high + ROUNDING:
            return _outside(index, roll, low, high, out_of_plane)
    elif abs(roll) > ROUNDING:
        return Forbidden(index, f"{roll:.2f} rad{out_of_plane}, in which a hinge turns")
    return None


def _outside(index: int, angle: float, low: float, high: float, direction: str = "") -> Forbidden:
    """An angle that limits forbid [rad]; `direction`: in which it is measured, if not plain."""
    text = f"{angle:.2f} rad{direction}, which its limits {low:g} to {high:g} forbid"
    return Forbidden(index, text)
