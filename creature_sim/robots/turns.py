"""Joints of creatures as hinges one after another: what robots have motors for.

A universal joint is two hinges, a ball three: both formats have hinges, in the same order and with
the same angles, and a motor turns one. The part behind the joint hangs on the last hinge; those
before it turn small links of their own, see `parts`.

A ball bends in the plane of the leg (about Y), then out of it (about Z), then twists (about X):
its angles are those of no other turn unless it bends out of the plane by a right angle. Limits of
hinges are a box around the cone of a ball: what a ball may do its hinges may, but not the other way
round.
"""

from typing import NamedTuple

from creature_sim.definitions.hinging import BALL, HINGE, UNIVERSAL, Joint
from creature_sim.maths import (
    PI,
    TAU,
    Quat,
    Vec,
    X,
    Y,
    Z,
    asin,
    atan2,
    clamp,
    quat_about,
    quat_conjugate,
    quat_from_axes,
    quat_multiply,
    quat_turned,
    rotate,
    sin_cos,
)

UNTURNED: Quat = (0.0, 0.0, 0.0, 1.0)
FLIPPED: Quat = (1.0, 0.0, 0.0, 0.0)
"""Half a turn about X: of the plane of a leg whose knees point down."""
TRUNK_TURNS = 3
"""Hinges between two segments."""
ROLL = 0.3
"""Segments of a trunk roll against each other by so much [rad]: in walks over stairs .1."""
RAYS, RINGS = 360, 8
"""Directions and sizes of swings in which the limits of the hinges of a ball are sought."""


class Turn(NamedTuple):
    """A hinge.

    Attributes:
        name: what it does.
        axis: unit.
        lo: least angle [rad].
        hi: greatest.
        rest: as it stands.
        orientation: of its frame in that before it.
    """

    name: str
    axis: Vec
    lo: float
    hi: float
    rest: float = 0.0
    orientation: Quat = UNTURNED


def hip_turns(joint: Joint, ahead: Vec, flip: Quat) -> list[Turn]:
    """Of a leg's first joint, from the frame of its segment to that of its first bone.

    Args:
        joint: of the leg.
        ahead: from the hip to home, level [segment].
        flip: `FLIPPED` where knees point down.
    """
    left = (-ahead[1], ahead[0], 0.0)
    level = quat_from_axes(ahead, left, Z)
    if joint.kind == BALL:
        return ball_turns(joint)
    yaw = Turn("yaw", Z, joint.lo, joint.hi, joint.rest, level)
    if joint.kind == HINGE:
        return [yaw]
    bend = Turn("bend", Y, joint.second_lo, joint.second_hi, joint.second_rest, flip)
    return [yaw, bend]


def inner_turns(joint: Joint, flip: Quat) -> list[Turn]:
    """Of any other joint of a leg, from the frame of the bone before it.

    Args:
        joint: of the leg.
        flip: from that frame to one that has the knees of the leg on its Z's side.
    """
    bend = Turn("bend", Y, joint.lo, joint.hi, joint.rest, flip)
    if joint.kind != UNIVERSAL:
        return [bend]
    found = [bend, Turn("aside", Z, joint.second_lo, joint.second_hi, joint.second_rest)]
    if joint.turns:
        low, high = joint.turn_rest + joint.turn_lo, joint.turn_rest + joint.turn_hi
        found.append(Turn("twist", X, low, high, joint.turn_rest))
    return found


def trunk_turns(bend: float) -> list[Turn]:
    """Of a segment against the one before it, which bends by an angle at most [rad]."""
    return [
        Turn("yaw", Z, -bend, bend),
        Turn("pitch", Y, -bend, bend),
        Turn("roll", X, -ROLL, ROLL),
    ]


def head_turns(yaw: float, pitch: float) -> list[Turn]:
    """Of a head against the body: how far to either side [rad]."""
    return [Turn("yaw", Z, -yaw, yaw), Turn("pitch", Y, -pitch, pitch)]


def ball_turns(joint: Joint) -> list[Turn]:
    """Of a ball, 0 at its rest."""
    bend, aside, twist = _most_of(joint.cone)
    return [
        Turn("bend", Y, min(joint.swing[0], -bend), max(joint.swing[1], bend), 0.0, joint.rotation),
        Turn("aside", Z, -aside, aside),
        Turn("twist", X, max(joint.twist_lo - twist, -PI), min(joint.twist_hi + twist, PI)),
    ]


def _most_of(cone: tuple[float, float]) -> Vec:
    """The largest angles of a ball's hinges that swing within an ellipse [rad]."""
    if cone[1] >= 0.5 * PI:
        return PI, 0.5 * PI, PI
    found = (0.0, 0.0, 0.0)
    for ray in range(RAYS):
        sine, cosine = sin_cos(TAU * ray / RAYS)
        for ring in range(1, RINGS + 1):
            size = ring / RINGS
            swing = quat_turned((0.0, size * cone[0] * cosine, size * cone[1] * sine))
            bend, aside, twist = angles_of_ball(swing)
            found = max(found[0], bend), max(found[1], aside), max(found[2], twist)
    return found


def angles_of_ball(turn: Quat) -> Vec:
    """Angles about Y, then Z, then X that are a rotation [rad]."""
    x, y, z = rotate(turn, X)
    bend, aside = atan2(-z, x), asin(clamp(y, -1.0, 1.0))
    swing = quat_multiply(quat_about(Y, bend), quat_about(Z, aside))
    twist = quat_multiply(quat_conjugate(swing), turn)
    sign = 1.0 if twist[3] >= 0.0 else -1.0
    return bend, aside, 2.0 * atan2(sign * twist[0], sign * twist[3])
