"""Poses of legs: the planes that they bend in, and what is written of them."""

from math import sqrt
from typing import NamedTuple

from creature_sim.components import (
    LegBones,
    LegRecord,
    SolvedLegs,
)
from creature_sim.ik.hinges import Bends, Hinges
from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    along,
    put,
    put_quat,
    quat_multiply,
)
from creature_sim.maths.jit import kernel

ROOM_OVER_KNEES = 0.02
"""Knees of a leg whose hip is a ball stay so far below what hangs over their body [m]."""


class Plane(NamedTuple):
    """The plane that a leg bends in.

    origin: where the bones that bend begin [m, world]. ahead, over: its axes; knees are `over`.
    turn: rotation of its axes, Z `over` [world].
    """

    origin: Vec
    ahead: Vec
    over: Vec
    turn: Quat


@kernel
def hinges_of(bones: LegBones, leg: LegRecord, i: int, skipped: int) -> Hinges:
    """The hinges of a leg without the first few."""
    return Hinges(
        bones.lengths[i, leg.first + skipped :], bones.limits[i, skipped:], bones.arcs[i, skipped:]
    )


@kernel
def write_bends(
    plane: Plane,
    leg: LegRecord,
    pose: Bends,
    angles: Floats,
    solved: SolvedLegs,
    i: int,
    skipped: int,
) -> None:
    """Write joints, rotations and angles of a leg from a pose in its plane.

    Args:
        plane: that it bends in.
        leg: of the plan.
        pose: of its bones in the plane, without the first few.
        angles: (B,) of them [rad].
        solved: of its creature; written.
        i: which leg it is.
        skipped: how many bones that bend come before the first one of the pose.
    """
    first = leg.first + skipped
    for b in range(leg.bend_count - skipped):
        point = along(plane.origin, plane.ahead, pose.points[b + 1, 0])
        put(solved.joints[i, first + b + 1], along(point, plane.over, pose.points[b + 1, 1]))
        put_quat(solved.rotations[i, first + b], quat_multiply(plane.turn, turn_in_plane(pose, b)))
        put(solved.angles[i, first + b], (angles[b], 0.0, 0.0))


@kernel
def half_turn(cosine: float, sine: float) -> tuple[float, float]:
    """Sine and cosine of half of an angle whose cosine and sine these are."""
    half = sqrt(0.5 * (1.0 + cosine)) if cosine > -1.0 else 0.0
    return (0.5 * sine / half if half > 1e-8 else 1.0, half)


@kernel
def turn_in_plane(pose: Bends, b: int) -> Quat:
    """Rotation of a bone in its plane, about the plane's Y."""
    cosine, sine = pose.heading[b, 0], -pose.heading[b, 1]
    about, half = half_turn(cosine, sine)
    return (0.0, about, 0.0, half)
