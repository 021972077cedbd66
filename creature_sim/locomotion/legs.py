"""Legs bend so that their tips are where the feet are wanted.

Each leg bends in a plane: its hip turns the plane, and the hinges behind it bend the leg within.
"""

import numpy as np

from creature_sim.components import (
    Body,
    BodyRecord,
    FootRecord,
    FootTarget,
    Gait,
    GaitRecord,
    LegBones,
    LegChain,
    LegRecord,
    LegTarget,
    LegTargetRecord,
    Plan,
    PlanRecord,
    Probes,
    Records,
    RecordTable,
    SolvedLegs,
)
from creature_sim.ik.hinges import Bends, bends, small_turn
from creature_sim.locomotion.ankles import bend, roll_within, stand
from creature_sim.locomotion.rolling import roll_on
from creature_sim.locomotion.soles import rolled
from creature_sim.maths import (
    Floats,
    X,
    along,
    approach,
    cross,
    put,
    put_quat,
    quat,
    quat_from_axes,
    reject,
    rotate,
    sin_cos,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel

RELAX = 0.2
"""Time constant in which a leg of more hinges than it needs comes back to how it rests [s]."""


def bend_legs(
    plan: Plan,
    body: Body,
    gait: Gait,
    feet: FootTarget,
    targets: LegTarget,
    probes: Probes,
    chain: LegChain,
    dt: float,
) -> None:
    """Solve every leg of a herd, given its components; `dt` is the length of a tick [s]."""
    herd = plan.body, plan.legs, plan.bones, body.records, gait.records, feet.records
    solve_legs(*herd, targets.records, probes.room, chain.solved, dt)


@kernel
def solve_legs(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bones: LegBones,
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    targets: RecordTable[LegTargetRecord],
    room: Floats,
    solved: SolvedLegs,
    dt: float,
) -> None:
    """Solve every leg of a herd.

    Args:
        plan: (1,).
        legs: (L,).
        bones: of the plan.
        bodies: (N, S).
        gaits: (N,).
        feet: (N, L); how far soles have rolled is written.
        targets: (N, L), for the poles.
        room: (N, S) between segments and what hangs over them, inf where nothing does [m].
        solved: of the herd, the last poses; written.
        dt: length of a tick [s].
    """
    count = bones.lengths.shape[1]
    pose = bends(count)
    angles = np.zeros(count)
    for n in range(bodies.shape[0]):
        mine = SolvedLegs(
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
            top = room[n, leg.segment]
            target = targets[n, i]
            if leg.heel + leg.toe > 0.0:
                roll_on(plan[0], gaits[n], body, leg, foot, quat(mine.foot_rotation[i]), dt)
            sole = rolled(leg, foot)
            ankle = along(sole.middle, sole.normal, leg.ankle)
            bend(leg, bones, body, foot, target, ankle, top, mine, i, pose, angles)
            if foot.roll != 0.0:
                roll_within(leg, bones, body, foot, target, top, mine, i, pose, angles)
            if leg.ankle > 0.0:
                stand(leg, bones, body, foot, target, top, mine, i, pose, angles)
            finish(leg, body, foot, mine, i)
            for b in range(leg.first, leg.first + leg.bend_count):
                mine.rates[i, b] = (mine.angles[i, b, 0] - mine.rates[i, b]) / dt


@kernel
def recall(
    leg: LegRecord,
    bones: LegBones,
    solved: SolvedLegs,
    i: int,
    pose: Bends,
    angles: Floats,
    dt: float,
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
def finish(leg: LegRecord, body: BodyRecord, foot: FootRecord, solved: SolvedLegs, i: int) -> None:
    """Write a pad's rotation, and repeat tip and last bone for joints that a leg does not have."""
    if leg.ankle == 0.0:
        normal = vec(foot.normal)
        forward = rotate(quat(body.orientation), X)
        heading = unit(reject(vec(foot.heading), normal), forward)
        put_quat(solved.foot_rotation[i], quat_from_axes(heading, cross(normal, heading), normal))
    for j in range(leg.bone_count + 1, solved.joints.shape[1]):
        put(solved.joints[i, j], vec(solved.joints[i, leg.bone_count]))
        put_quat(solved.rotations[i, j - 1], quat(solved.rotations[i, leg.bone_count - 1]))
