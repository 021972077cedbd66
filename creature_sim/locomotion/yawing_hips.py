"""Legs whose hips yaw: their plane turns about the up of their segment."""

from math import sqrt

from creature_sim.components import (
    BodyRecord,
    LegBones,
    LegRecord,
    SolvedLegs,
)
from creature_sim.ik.hinges import Bends
from creature_sim.ik.planar import bend_from
from creature_sim.locomotion.leg_poses import (
    ROOM_OVER_KNEES,
    Plane,
    half_turn,
    hinges_of,
    write_bends,
)
from creature_sim.locomotion.reach import FOLDS_TO, bring_before, hip_of, yaw_of
from creature_sim.maths import (
    Floats,
    Vec,
    Z,
    add,
    along,
    dot,
    put,
    put_quat,
    quat,
    quat_multiply,
    quat_unit,
    reject,
    rotate,
    scale,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

X_TURNED = (1.0, 0.0, 0.0, 0.0)
"""Half a turn about X."""


@kernel
def solve_yawing(
    leg: LegRecord,
    bones: LegBones,
    body: BodyRecord,
    ankle: Vec,
    solved: SolvedLegs,
    i: int,
    pose: Bends,
    angles: Floats,
) -> None:
    """Solve a leg whose hip turns its plane about the up of its segment.

    Args:
        leg: of the plan.
        bones: of the plan.
        body: its segment.
        ankle: where the bones that bend shall end [m, world].
        solved: of its creature; joints, rotations and angles of the bones that bend are written.
        i: which leg it is.
        pose: to compute in.
        angles: (B,) of its hinges to begin from [rad].
    """
    position, orientation = vec(body.position), quat(body.orientation)
    x, y, z = sub(unrotate(orientation, sub(ankle, position)), vec(leg.mount))
    px, py = bring_before(leg, x, y, leg.widest, FOLDS_TO * leg.under)
    yaw, level = yaw_of(leg, px, py), sqrt(px * px + py * py)
    ox, oy = px / level, py / level
    hip = hip_of(position, orientation, leg)
    ahead = rotate(orientation, (ox, oy, 0.0))
    about, half = half_turn(ox, oy)
    turn = quat_multiply(orientation, (0.0, 0.0, about, half))
    over = rotate(orientation, (0.0, 0.0, leg.over))
    if leg.over < 0.0:
        turn = quat_multiply(turn, X_TURNED)
    put(solved.joints[i, 0], hip)
    if leg.first:
        put(solved.joints[i, 1], along(hip, ahead, leg.coxa))
        put_quat(solved.rotations[i, 0], turn)
        put(solved.angles[i, 0], (yaw, 0.0, 0.0))
    plane = Plane(along(hip, ahead, leg.coxa), ahead, over, turn)
    hinges = hinges_of(bones, leg, i, 0)
    passes, is_laid, _ = bend_from(
        hinges, pose, angles, leg.bend_count, x * ox + y * oy - leg.coxa, leg.over * z
    )
    solved.passes[i], solved.is_laid[i] = passes, is_laid
    write_bends(plane, leg, pose, angles, solved, i, 0)
    if leg.first == 0:
        put(solved.angles[i, 0], (angles[0], yaw, 0.0))


@kernel
def roll_flat(leg: LegRecord, body: BodyRecord, room: float, solved: SolvedLegs, i: int) -> None:
    """Roll a leg about the line from shoulder to tip until no knee is higher than what presses.

    A hip that only yaws gives way so far: without that its knees would go through.

    Args:
        leg: of the plan.
        body: its segment.
        room: between the segment and what hangs over it [m].
        solved: of its creature; joints and rotations are written.
        i: which leg it is.
    """
    up = rotate(quat(body.orientation), Z)
    top = dot(vec(body.position), up) + room - ROOM_OVER_KNEES
    joints, first, last = solved.joints[i], leg.first, leg.first + leg.bend_count
    shoulder = vec(joints[first])
    line = unit(sub(vec(joints[last]), shoulder), up)
    high = unit(reject(scale(up, leg.over), line), up)
    cosine = 1.0
    for j in range(first + 1, last):
        out = sub(vec(joints[j]), shoulder)
        rise = dot(out, high) * dot(high, up)
        left = top - dot(along(shoulder, line, dot(out, line)), up)
        if rise > left:
            cosine = min(cosine, max(0.0, left / rise))
    if cosine == 1.0:
        return
    half = sqrt(0.5 * (1.0 - cosine)) * leg.side
    x, y, z = scale(line, half)
    roll = (x, y, z, sqrt(0.5 * (1.0 + cosine)))
    for j in range(first, last):
        if j > first:
            put(joints[j], add(shoulder, rotate(roll, sub(vec(joints[j]), shoulder))))
        put_quat(
            solved.rotations[i, j], quat_unit(quat_multiply(roll, quat(solved.rotations[i, j])))
        )
