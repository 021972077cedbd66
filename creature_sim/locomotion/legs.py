"""Legs bend so that their tips are where the feet are wanted.

Each leg bends in a plane: its hip turns the plane, and the hinges behind it bend the leg within.
"""

from math import inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    YAWS,
    Body,
    BodyRecord,
    FootRecord,
    FootTarget,
    LegChain,
    LegRecord,
    LegTarget,
    LegTargetRecord,
    Plan,
    Probes,
    Records,
    RecordTable,
)
from creature_sim.ik.balls import swing_and_twist, turn_of_swing, within_ball
from creature_sim.ik.hinges import Bends, Hinges, bends, small_turn
from creature_sim.ik.nearest import bend_nearest
from creature_sim.ik.planar import bend_from
from creature_sim.locomotion.lead import pole_of
from creature_sim.locomotion.reach import ankle_of, hip_of, yaw_of
from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    X,
    Y,
    Z,
    add,
    along,
    approach,
    atan2,
    clamp,
    cross,
    dot,
    put,
    put_quat,
    quat,
    quat_about,
    quat_conjugate,
    quat_from_axes,
    quat_multiply,
    quat_unit,
    reject,
    rotate,
    scale,
    sin_cos,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

ROOM_OVER_KNEES = 0.02
"""Knees of a leg whose hip is a ball stay so far below what hangs over their body [m]."""
RELAX = 0.2
"""Time constant in which a leg of more hinges than it needs comes back to how it rests [s]."""
UNTWISTS = 8
"""Turns of a plane at most that take the twist of a ball back within its limits..."""
INSIDE = 1e-9
"""...and by how much it comes within [rad]."""
X_TURNED = (1.0, 0.0, 0.0, 0.0)
"""Half a turn about X."""


class Bones(NamedTuple):
    """The bones of all legs of a plan, as in `Plan`.

    lengths: (L, J - 1) [m]. limits: (L, J - 1, 2) and arcs: (L, J - 1, 7) of their hinges. rest:
    (L, J - 1) [rad].
    """

    lengths: Floats
    limits: Floats
    arcs: Floats
    rest: Floats


class Solved(NamedTuple):
    """The solved legs of one creature: the row of it of every array of `LegChain`."""

    joints: Floats
    rotations: Floats
    foot_rotation: Floats
    angles: Floats
    rates: Floats
    passes: NDArray[np.int64]
    is_laid: NDArray[np.int64]


class Plane(NamedTuple):
    """The plane that a leg bends in.

    origin: where the bones that bend begin [m, world]. ahead, over: its axes; knees are `over`.
    turn: rotation of its axes, Z `over` [world].
    """

    origin: Vec
    ahead: Vec
    over: Vec
    turn: Quat


def bend_legs(
    plan: Plan,
    body: Body,
    feet: FootTarget,
    targets: LegTarget,
    probes: Probes,
    chain: LegChain,
    dt: float,
) -> None:
    """Solve every leg of a herd, given its components; `dt` is the length of a tick [s]."""
    solve_legs(
        plan.legs,
        Bones(plan.lengths, plan.limits, plan.arcs, plan.rest),
        body.records,
        feet.records,
        targets.records,
        probes.room,
        Solved(
            chain.joints,
            chain.rotations,
            chain.foot_rotation,
            chain.angles,
            chain.rates,
            chain.passes,
            chain.is_laid,
        ),
        dt,
    )


@kernel
def solve_legs(
    legs: Records[LegRecord],
    bones: Bones,
    bodies: RecordTable[BodyRecord],
    feet: RecordTable[FootRecord],
    targets: RecordTable[LegTargetRecord],
    room: Floats,
    solved: Solved,
    dt: float,
) -> None:
    """Solve every leg of a herd.

    Args:
        legs: (L,).
        bones: of the plan.
        bodies: (N, S).
        feet: (N, L).
        targets: (N, L), for the poles.
        room: (N, S) between segments and what hangs over them, inf where nothing does [m].
        solved: of the herd, the last poses; written.
        dt: length of a tick [s].
    """
    count = bones.lengths.shape[1]
    pose = bends(count)
    angles = np.zeros(count)
    for n in range(bodies.shape[0]):
        mine = Solved(
            solved.joints[n],
            solved.rotations[n],
            solved.foot_rotation[n],
            solved.angles[n],
            solved.rates[n],
            solved.passes[n],
            solved.is_laid[n],
        )
        for i in range(legs.shape[0]):
            leg = legs[i]
            body, foot = bodies[n, leg.segment], feet[n, i]
            recall(leg, bones, mine, i, pose, angles, dt)
            if leg.hip == YAWS:
                solve_yawing(leg, bones, body, foot, mine, i, pose, angles)
                if room[n, leg.segment] < inf:
                    roll_flat(leg, body, room[n, leg.segment], mine, i)
            else:
                top = room[n, leg.segment]
                target = targets[n, i]
                solve_swinging(leg, bones, body, foot, target, top, mine, i, pose, angles)
            finish(leg, body, foot, mine, i)
            for b in range(leg.first, leg.first + leg.bend_count):
                mine.rates[i, b] = (mine.angles[i, b, 0] - mine.rates[i, b]) / dt


@kernel
def recall(
    leg: LegRecord, bones: Bones, solved: Solved, i: int, pose: Bends, angles: Floats, dt: float
) -> None:
    """Lay a leg's last pose in its plane, its inner hinges moved on as in the last tick.

    In a leg that has more of them than it needs they relax towards rest: else its shape would
    depend on all that it ever did. Sines and cosines come from rotations: that costs no angle.

    Args:
        leg: of the plan.
        bones: of the plan.
        solved: of its creature, the last poses; angles are kept in its rates for now.
        i: which leg it is.
        pose: written, from the first bone that bends; turned as it may be.
        angles: (B,) of its hinges [rad], written.
        dt: length of a tick [s].
    """
    fraction = approach(dt, RELAX) if leg.bend_count > 2 else 0.0
    cosine, sine, x, z = 1.0, 0.0, 0.0, 0.0
    for b in range(leg.bend_count):
        bone = leg.first + b
        last = solved.angles[i, bone, 0]
        turn = solved.rates[i, bone] * dt
        turn += fraction * (bones.rest[i, b] - last - turn)
        angles[b] = last + turn
        solved.rates[i, bone] = last  # until the new one is known
        if b > 0:
            ax, ay, az, aw = quat(solved.rotations[i, bone - 1])
            bx, by, bz, bw = quat(solved.rotations[i, bone])
            w, y = ax * bx + ay * by + az * bz + aw * bw, aw * by - ay * bw + ax * bz - az * bx
            c, s = w * w - y * y, 2.0 * w * y
            if c * c + s * s < 0.5:  # before the first pose
                s, c = sin_cos(last)
            tc, ts = small_turn(turn)
            c, s = c * tc - s * ts, s * tc + c * ts
            cosine, sine = cosine * c + sine * s, sine * c - cosine * s
        x, z = x + bones.lengths[i, bone] * cosine, z + bones.lengths[i, bone] * sine
        pose.points[b + 1, 0], pose.points[b + 1, 1] = x, z


@kernel
def hinges_of(bones: Bones, leg: LegRecord, i: int, skipped: int) -> Hinges:
    """The hinges of a leg without the first few."""
    return Hinges(
        bones.lengths[i, leg.first + skipped :], bones.limits[i, skipped:], bones.arcs[i, skipped:]
    )


@kernel
def solve_yawing(
    leg: LegRecord,
    bones: Bones,
    body: BodyRecord,
    foot: FootRecord,
    solved: Solved,
    i: int,
    pose: Bends,
    angles: Floats,
) -> None:
    """Solve a leg whose hip turns its plane about the up of its segment.

    Args:
        leg: of the plan.
        bones: of the plan.
        body: its segment.
        foot: where it shall stand.
        solved: of its creature; joints, rotations and angles of the bones that bend are written.
        i: which leg it is.
        pose: to compute in.
        angles: (B,) of its hinges to begin from [rad].
    """
    position, orientation = vec(body.position), quat(body.orientation)
    wanted = unrotate(orientation, sub(vec(foot.position), position))
    x, y, z = ankle_of(leg, wanted)
    wanted_yaw, level = yaw_of(leg, x, y), sqrt(x * x + y * y)
    yaw = clamp(wanted_yaw, leg.yaw_lo, leg.yaw_hi)
    if yaw == wanted_yaw and level > 0.0:
        ox, oy = x / level, y / level
    else:
        sine, cosine = sin_cos(yaw)
        ox, oy = leg.out[0] * cosine - leg.out[1] * sine, leg.out[1] * cosine + leg.out[0] * sine
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
def write_bends(
    plane: Plane, leg: LegRecord, pose: Bends, angles: Floats, solved: Solved, i: int, skipped: int
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


@kernel
def solve_swinging(
    leg: LegRecord,
    bones: Bones,
    body: BodyRecord,
    foot: FootRecord,
    target: LegTargetRecord,
    room: float,
    solved: Solved,
    i: int,
    pose: Bends,
    angles: Floats,
) -> None:
    """Solve a leg whose hip is a ball: it bends in the plane of hip, ankle and pole.

    Where that would twist the ball too far, the plane turns back about the line from hip to ankle.
    Where the ball cannot swing so far, it is brought within its limits, and the other joints take
    the foot as near to where it should be as they can.

    Args:
        leg: of the plan.
        bones: of the plan.
        body: its segment.
        foot: where it shall stand.
        target: of its pole.
        room: between the segment and what hangs over it [m].
        solved: of its creature; joints, rotations and angles of the bones that bend are written.
        i: which leg it is.
        pose: to compute in.
        angles: (B,) of its hinges to begin from [rad].
    """
    position, orientation = vec(body.position), quat(body.orientation)
    hip = hip_of(position, orientation, leg)
    line = sub(along(vec(foot.position), vec(foot.normal), leg.ankle), hip)
    ahead = unit(line, rotate(quat(solved.rotations[i, 0]), X))
    last = unit(reject(rotate(quat(solved.rotations[i, 0]), Z), ahead), rotate(orientation, Y))
    over = unit(reject(pole_of(leg, orientation, foot, target), ahead), last)
    hinges = hinges_of(bones, leg, i, 0)
    angles[0] = 0.0
    passes, is_laid, _ = bend_from(hinges, pose, angles, leg.bend_count, dot(line, ahead), 0.0)
    solved.passes[i], solved.is_laid[i] = passes, is_laid
    if room < inf:
        up = rotate(orientation, Z)
        top = dot(position, up) + room - ROOM_OVER_KNEES
        over = lowered(pose, leg.bend_count, hip, ahead, over, up, top, float(leg.side))
    rest = quat_multiply(orientation, quat(leg.rest))
    pitch = turn_in_plane(pose, 0)
    turn = quat_from_axes(ahead, cross(over, ahead), over)
    against = quat_multiply(quat_conjugate(rest), quat_multiply(turn, pitch))
    ball = swing_and_twist(against)
    for _ in range(UNTWISTS):
        excess = ball[2] - clamp(ball[2], leg.twist_lo + INSIDE, leg.twist_hi - INSIDE)
        if excess == 0.0:
            break
        turn = quat_unit(quat_multiply(turn, quat_about(X, -excess)))
        against = quat_multiply(quat_conjugate(rest), quat_multiply(turn, pitch))
        ball = swing_and_twist(against)
    put(solved.joints[i, 0], hip)
    write_bends(Plane(hip, ahead, rotate(turn, Z), turn), leg, pose, angles, solved, i, 0)
    allowed = within_ball(ball, vec(leg.cone), leg.twist_lo, leg.twist_hi)
    if allowed != ball:
        turn = quat_unit(quat_multiply(rest, turn_of_swing(allowed)))
        ahead, over = rotate(turn, X), rotate(turn, Z)
        knee = along(hip, ahead, bones.lengths[i, 0])
        put(solved.joints[i, 1], knee)
        put_quat(solved.rotations[i, 0], turn)
        rest_of_line = sub(add(hip, line), knee)
        for b in range(leg.bend_count - 1):
            angles[b] = angles[b + 1]
        behind = hinges_of(bones, leg, i, 1)
        x, z = dot(rest_of_line, ahead), dot(rest_of_line, over)
        bend_nearest(behind, pose, angles, leg.bend_count - 1, x, z)
        solved.is_laid[i] = 1
        write_bends(Plane(knee, ahead, over, turn), leg, pose, angles, solved, i, 1)
    put(solved.angles[i, 0], allowed)


@kernel
def roll_flat(leg: LegRecord, body: BodyRecord, room: float, solved: Solved, i: int) -> None:
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


@kernel
def lowered(
    pose: Bends, count: int, hip: Vec, ahead: Vec, over: Vec, up: Vec, top: float, side: float
) -> Vec:
    """The direction that knees point to, turned about `ahead` until none is higher than `top`.

    Args:
        pose: of the leg in its plane.
        count: bones in it.
        hip: [m, world].
        ahead: unit direction from the hip to the ankle [world].
        over: that knees point to [world].
        up: of its body [world].
        top: along `up` [m, world].
        side: 1 on the left of the body, -1 on the right: both fold to the same end.
    """
    cosine = 1.0
    for j in range(1, count):
        rise = pose.points[j, 1] * dot(over, up)
        room = top - dot(along(hip, ahead, pose.points[j, 0]), up)
        if rise > room:
            cosine = min(cosine, max(0.0, room / rise))
    if cosine == 1.0:
        return over
    aside = scale(cross(ahead, over), side * sqrt(1.0 - cosine * cosine))
    return along(aside, over, cosine)


@kernel
def finish(leg: LegRecord, body: BodyRecord, foot: FootRecord, solved: Solved, i: int) -> None:
    """Write a leg's foot, and repeat its tip and last bone for joints that it does not have."""
    normal = vec(foot.normal)
    forward = rotate(quat(body.orientation), X)
    heading = unit(reject(vec(foot.heading), normal), forward)
    put_quat(solved.foot_rotation[i], quat_from_axes(heading, cross(normal, heading), normal))
    bent = leg.first + leg.bend_count
    if leg.ankle > 0.0:
        put_foot(leg, solved, i, bent, normal)
    for j in range(leg.bone_count + 1, solved.joints.shape[1]):
        put(solved.joints[i, j], vec(solved.joints[i, leg.bone_count]))
        put_quat(solved.rotations[i, j - 1], quat(solved.rotations[i, leg.bone_count - 1]))


@kernel
def put_foot(leg: LegRecord, solved: Solved, i: int, bent: int, normal: Vec) -> None:
    """Lay a leg's last bone from its ankle to the middle of its sole.

    The ankle turns about the Y of the shin, in the plane of the leg, and then about the Z of the
    foot, out of it, as far as its limits let it: the sole lies flat where they do.

    Args:
        leg: of the plan.
        solved: of its creature; written.
        i: which leg it is.
        bent: its ankle, by number of the joint.
        normal: of the ground [world].
    """
    shin = quat(solved.rotations[i, bent - 1])
    x, y, z = unrotate(shin, scale(normal, -1.0))
    pitch = clamp(atan2(-z, x), leg.ankle_lo, leg.ankle_hi)
    roll = clamp(atan2(y, sqrt(x * x + z * z)), leg.roll_lo, leg.roll_hi)
    turn = quat_multiply(shin, quat_multiply(quat_about(Y, pitch), quat_about(Z, roll)))
    put_quat(solved.rotations[i, bent], quat_unit(turn))
    down = rotate(turn, X)
    put(solved.joints[i, bent + 1], along(vec(solved.joints[i, bent]), down, leg.ankle))
    put(solved.angles[i, bent], (pitch, roll, 0.0))
    up, toes = scale(down, -1.0), rotate(turn, Z)
    toes = scale(toes, 1.0 if leg.pole[0] >= 0.0 else -1.0)
    put_quat(solved.foot_rotation[i], quat_from_axes(toes, cross(up, toes), up))
