"""Joints of legs as numbers: what the solver needs of a leg's definition."""

from math import sqrt
from typing import NamedTuple

import numpy as np

from creature_sim.components import SWINGS, YAWS, LegRecord
from creature_sim.definitions import LegDef
from creature_sim.definitions.legs import NEAREST
from creature_sim.ik.planar import Hinges, bend_nearest, bends, lay, write_arc
from creature_sim.locomotion.reach import ankle_of
from creature_sim.maths import (
    PI,
    Floats,
    Y,
    along,
    any_normal,
    cross,
    norm,
    put,
    put_quat,
    quat_about,
    quat_from_axes,
    quat_multiply,
    reject,
    scale,
    unit,
    vec,
)

SPARE = 1.05
"""No foot is planted nearer to its shoulder than this multiple of the smallest reach."""


class _Joint(NamedTuple):
    kind: str
    lo: float
    hi: float


def _stub(source: LegDef) -> list[_Joint]:
    up = abs(source.pole[2]) > 0.9 * sqrt(sum(x * x for x in source.pole))
    first = _Joint("ball", 0, 0)
    if up and len(source.bones) > 2:
        first = _Joint("hinge", -1.05, 1.05)
    elif up:
        first = _Joint("universal", -1.05, 1.05)
    rest = [_Joint("hinge", 0.0, 2.6) for _ in source.bones[1:]]
    if first.kind == "hinge":
        rest[0] = _Joint("hinge", -1.9, 1.5)
    return [first, *rest]


def write_joints(leg: LegRecord, source: LegDef, hinges: Hinges, rest: Floats) -> None:
    """Write what the solver needs of a leg.

    Args:
        leg: with mount, home and pole; written.
        source: its definition.
        hinges: of its bones, with their lengths; limits and arcs are written, for the bones that
            bend in the leg's plane from index 0 on.
        rest: (B,) angles of those at rest [rad]; written.
    """
    joints = _stub(source)
    has_foot = False
    x, y = leg.home[0] - leg.mount[0], leg.home[1] - leg.mount[1]
    put(leg.out, unit((x, y, 0.0), (0.0, float(leg.side), 0.0)))
    leg.hip = SWINGS if joints[0].kind == "ball" else YAWS
    leg.first = joints[0].kind == "hinge"
    leg.bend_count = leg.bone_count - leg.first - has_foot
    leg.coxa = source.bones[0] if leg.first else 0.0
    leg.ankle = source.bones[-1] if has_foot else 0.0
    leg.yaw_lo, leg.yaw_hi = joints[0].lo, joints[0].hi
    put(leg.cone, (1.2, 0.8, 0.0))
    leg.twist_lo, leg.twist_hi = -0.8, 0.8
    for b in range(leg.bend_count):
        joint = joints[b + leg.first]
        hinges.limits[b] = (joint.lo, joint.hi)
        if b == 0 and leg.first == 0:
            hinges.limits[b] = (-PI, PI) if leg.hip == SWINGS else (-1.9, 1.5)
        write_arc(hinges.arcs[b], *hinges.limits[b])
    bending = Hinges(hinges.lengths[leg.first :], hinges.limits, hinges.arcs)
    leg.arm = float(bending.lengths[: leg.bend_count].sum())
    leg.min_reach = max(SPARE * _folded(bending, leg.bend_count) / leg.arm, NEAREST)
    _rest(leg, bending, rest)


def _folded(hinges: Hinges, count: int) -> float:
    """Distance of the tip from the shoulder where all hinges are bent as far as they can [m]."""
    pose, angles = bends(count), np.zeros(count)
    for b in range(1, count):
        low, high = hinges.limits[b]
        angles[b] = high if abs(high) > abs(low) else low
    lay(hinges, pose, angles, count)
    return float(np.hypot(*pose.points[count]))


def _rest(leg: LegRecord, hinges: Hinges, rest: Floats) -> None:
    """Write the angles at rest (B,) [rad], the first bone's rotation, and the last one's shin."""
    pose, count = bends(leg.bend_count), int(leg.bend_count)
    rest[:count] = 0.5 * (hinges.limits[:count, 0] + hinges.limits[:count, 1])
    ankle = ankle_of(leg, vec(leg.home))
    if leg.hip == YAWS:
        ahead, over = vec(leg.out), (0.0, 0.0, 1.0)
        level = sqrt(ankle[0] * ankle[0] + ankle[1] * ankle[1])
        bend_nearest(hinges, pose, rest, count, level - leg.coxa, ankle[2])
    else:
        ahead = unit(ankle, (0.0, 0.0, -1.0))
        over = unit(reject(vec(leg.pole), ahead), any_normal(ahead))
        bend_nearest(hinges, pose, rest, count, norm(ankle), 0.0)
    plane = quat_from_axes(ahead, cross(over, ahead), over)
    put_quat(leg.rest, quat_multiply(plane, quat_about(Y, float(rest[0]))))
    shin = sub_points(pose, count)
    put(leg.shin, along(scale(ahead, shin[0]), over, shin[1]))


def sub_points(pose: object, count: int) -> tuple[float, float]:
    """From the last point of a pose to the one before."""
    points = pose.points  # type: ignore[attr-defined]
    return tuple((points[count - 1] - points[count]).tolist())
