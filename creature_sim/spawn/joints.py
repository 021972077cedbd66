"""Joints of legs as numbers: what the solver needs of a leg's definition."""

from collections.abc import Sequence
from math import fsum, hypot, sqrt

import numpy as np

from creature_sim.components import SWINGS, YAWS, LegRecord
from creature_sim.definitions import LegDef
from creature_sim.definitions.hinging import BALL, HINGE, UNIVERSAL, Joint
from creature_sim.definitions.legs import NEAREST
from creature_sim.ik.hinges import Bends, Hinges, bends, distance_of, lay, write_arc
from creature_sim.ik.nearest import bend_nearest
from creature_sim.locomotion.reach import ankle_of
from creature_sim.locomotion.soles import toes_side
from creature_sim.maths import (
    PI,
    Floats,
    Vec,
    X,
    Z,
    along,
    any_normal,
    norm,
    put,
    put_quat,
    reject,
    scale,
    unit,
    vec,
)

UNDER = 0.1
"""No foot comes nearer to below its hip than the end of its coxa, and this fraction of the arm, or
half as near as home."""
SPARE = 1.05
"""No foot is planted nearer to its shoulder than this multiple of the smallest reach."""
ROLLS = 0.87
"""Soles roll where knees point within 30 degrees of ahead or back (the cosine): the leg bends along
the sole. Knees that point aside, as a frog's, would have to go round for that."""


def write_joints(
    leg: LegRecord, source: LegDef, joints: Sequence[Joint], hinges: Hinges, rest: Floats
) -> None:
    """Write what the solver needs of a leg.

    Args:
        leg: with mount, home and pole; written.
        source: its definition.
        joints: of its bones.
        hinges: of its bones, with their lengths; limits and arcs are written, for the bones that
            bend in the leg's plane from index 0 on.
        rest: (B,) angles of those at rest [rad]; written.
    """
    first = joints[0]
    x, y = leg.home[0] - leg.mount[0], leg.home[1] - leg.mount[1]
    put(leg.out, unit((x, y, 0.0), (0.0, float(leg.side), 0.0)))
    leg.over = 1.0 if leg.pole[2] >= 0.0 else -1.0
    leg.hip = SWINGS if first.kind == BALL else YAWS
    leg.first = first.kind == HINGE
    leg.bend_count = leg.bone_count - leg.first - (source.foot is not None)
    leg.coxa = source.bones[0] if leg.first else 0.0
    leg.ankle = source.bones[-1] if source.foot else 0.0
    leg.yaw_lo, leg.yaw_hi = first.lo, first.hi
    put(leg.cone, (*first.cone, 0.0))
    leg.twist_lo, leg.twist_hi = first.twist_lo, first.twist_hi
    for b in range(leg.bend_count):
        joint = joints[b + leg.first]
        hinges.limits[b] = joint.lo, joint.hi
        if joint.kind == UNIVERSAL:  # its first angle turns the plane
            hinges.limits[b] = joint.second_lo, joint.second_hi
        elif joint.kind == BALL:
            hinges.limits[b] = -PI, PI
        write_arc(hinges.arcs[b], *hinges.limits[b])
        rest[b] = joint.second_rest if joint.kind == UNIVERSAL else joint.rest
    bending = Hinges(hinges.lengths[leg.first :], hinges.limits, hinges.arcs)
    leg.arm = fsum(bending.lengths[: leg.bend_count])
    leg.under = min(max(UNDER * leg.arm, leg.coxa), 0.5 * sqrt(x * x + y * y))
    folded = distance_of(_folded(bending, leg.bend_count), leg.bend_count, 0.0, 0.0)
    leg.min_reach = max(SPARE * folded / leg.arm, NEAREST)
    above = max(1, leg.bend_count // 2)
    leg.thigh = fsum(bending.lengths[:above])
    below = Hinges(bending.lengths[above:], bending.limits[above:], bending.arcs[above:])
    _write_calf(leg, below, int(leg.bend_count) - above)
    leg.shank = leg.arm - leg.thigh if leg.hip == YAWS and leg.pole[2] > 0.0 else 0.0
    put_quat(leg.rest, first.rotation)
    if source.foot:
        leg.ankle_lo, leg.ankle_hi = joints[-1].lo, joints[-1].hi
        leg.roll_lo, leg.roll_hi = joints[-1].second_lo, joints[-1].second_hi
        _write_sole(leg, joints[-1])
        if leg.hip == SWINGS and abs(leg.knees[0]) >= ROLLS:
            leg.heel, leg.toe = source.foot.heel, source.foot.toe
    put(leg.shin, _shin(leg, bending, rest.copy()))


def _write_sole(leg: LegRecord, ankle: Joint) -> None:
    """Write how a sole turns, and where knees point for it.

    Knees that do not follow the pole are in the plane that the sole points along.
    """
    leg.turns = ankle.turns
    leg.turn_lo, leg.turn_hi, leg.turn_rest = ankle.turn_lo, ankle.turn_hi, ankle.turn_rest
    put(leg.toes, X if leg.hip == SWINGS else vec(leg.out))
    along = (toes_side(leg), 0.0, 0.0)
    put(leg.knees, vec(leg.pole) if ankle.frees_knees else along)


def write_pitch(leg: LegRecord, limits: Floats) -> None:
    """Write how far the thigh of who climbs goes up and down, where its hip yaws and knees are up.

    Its feet stand ahead of it on walls, and above it, where other feet never do.

    Args:
        leg: written.
        limits: (2,) of the hinge that pitches it [rad]; its angle goes down.
    """
    if leg.hip == YAWS and leg.over > 0.0 and leg.bend_count > 1:
        leg.pitch_lo, leg.pitch_hi = -limits[1], -limits[0]


def _write_calf(leg: LegRecord, hinges: Hinges, count: int) -> None:
    """Write what the bones below the middle knee come to where their hinges bend most."""
    points = _folded(hinges, count).points[: count + 1]
    x, z = points[count]
    leg.calf = hypot(x, z)
    for px, pz in points[1:count] if leg.calf > 0.0 else ():
        bulge = (x * pz - z * px) / leg.calf
        if bulge > leg.bulge:
            leg.bulge, leg.bulge_at = bulge, (x * px + z * pz) / (leg.calf * leg.calf)


def _folded(hinges: Hinges, count: int) -> Bends:
    """Bones whose hinges are bent as far as they can."""
    pose, angles = bends(count), np.zeros(count)
    for b in range(1, count):
        low, high = hinges.limits[b]
        angles[b] = high if abs(high) > abs(low) else low
    lay(hinges, pose, angles, count)
    return pose


def _shin(leg: LegRecord, hinges: Hinges, angles: Floats) -> Vec:
    """From a foot at home on level ground to the joint above it [m, segment]."""
    count = int(leg.bend_count)
    if leg.ankle > 0.0:
        return (0.0, 0.0, float(leg.ankle))
    pose, ankle = bends(count), ankle_of(leg, vec(leg.home))
    if leg.hip == YAWS:
        ahead, over = vec(leg.out), (0.0, 0.0, float(leg.over))
        level = norm(reject(ankle, Z))
        bend_nearest(hinges, pose, angles, count, level - leg.coxa, leg.over * ankle[2])
    else:
        ahead = unit(ankle, (0.0, 0.0, -1.0))
        over = unit(reject(vec(leg.pole), ahead), any_normal(ahead))
        bend_nearest(hinges, pose, angles, count, norm(ankle), 0.0)
    x, z = (pose.points[count - 1] - pose.points[count]).tolist()
    return along(scale(ahead, x), over, z)
