"""Legs bend so that their tips are where the feet are wanted.

Each leg bends in a plane: its hip turns the plane, and the hinges behind it bend the leg within.
"""

from math import inf, sqrt

import numpy as np

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
from creature_sim.ik.hinges import Bends, bends, small_turn
from creature_sim.locomotion.ball_hips import solve_swinging
from creature_sim.locomotion.leg_poses import Bones, Solved
from creature_sim.locomotion.yawing_hips import roll_flat, solve_yawing
from creature_sim.maths import (
    Floats,
    Vec,
    X,
    Y,
    Z,
    along,
    approach,
    atan2,
    clamp,
    cross,
    put,
    put_quat,
    quat,
    quat_about,
    quat_from_axes,
    quat_multiply,
    quat_unit,
    reject,
    rotate,
    scale,
    sin_cos,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

RELAX = 0.2
"""Time constant in which a leg of more hinges than it needs comes back to how it rests [s]."""


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
