"""Ankles: above soles that lie flat on the ground, or as flat as their limits let them."""

from math import inf, sqrt

from creature_sim.components import (
    YAWS,
    BodyRecord,
    FootRecord,
    LegBones,
    LegRecord,
    LegTargetRecord,
    SolvedLegs,
)
from creature_sim.ik.hinges import Bends, lay
from creature_sim.locomotion.ball_hips import solve_swinging
from creature_sim.locomotion.leg_poses import hinges_of
from creature_sim.locomotion.soles import rolled, toes_side
from creature_sim.locomotion.yawing_hips import roll_flat, solve_yawing
from creature_sim.maths import (
    PI,
    TAU,
    Floats,
    Quat,
    Vec,
    X,
    Y,
    Z,
    add,
    along,
    atan2,
    clamp,
    cross,
    dot,
    norm,
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
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

BENDS = 10
"""A leg is bent again so often at most, until its ankle is above its sole where that is tilted."""
EXACT = 1e-10
"""Until then the tip is off by no more than this fraction of the leg's arm."""
CLOSE = 1e-7
"""A sole rolls back or on until its ankle is so near to its limit [rad]..."""
FARTHER = 2.0
"""...on by no more than this times what its ankle would be beyond that."""
ZERO, LEAST = (0.0, 0.0, 0.0), 1e-30


@kernel
def bend(
    leg: LegRecord,
    bones: LegBones,
    body: BodyRecord,
    foot: FootRecord,
    target: LegTargetRecord,
    ankle: Vec,
    room: float,
    solved: SolvedLegs,
    i: int,
    pose: Bends,
    angles: Floats,
) -> None:
    """Bend a leg so that its ankle, or the tip of one without, is at a point.

    Args:
        leg: of the plan.
        bones: of the plan.
        body: its segment.
        foot: where it points.
        target: of its pole.
        ankle: the point [m, world].
        room: between the segment and what hangs over it [m].
        solved: of its creature; written, but for the foot.
        i: which leg it is.
        pose: of the bones that bend, to begin from; written.
        angles: (B,) of its hinges to begin from [rad]; written.
    """
    if leg.hip == YAWS:
        solve_yawing(leg, bones, body, ankle, solved, i, pose, angles)
        if room < inf:
            roll_flat(leg, body, room, solved, i)
    else:
        solve_swinging(leg, bones, body, foot, target, ankle, room, solved, i, pose, angles)


@kernel
def bend_again(
    leg: LegRecord,
    bones: LegBones,
    body: BodyRecord,
    foot: FootRecord,
    target: LegTargetRecord,
    ankle: Vec,
    room: float,
    solved: SolvedLegs,
    i: int,
    pose: Bends,
    angles: Floats,
) -> None:
    """Bend a leg on from how it is bent, to another point; arguments are those of `bend`."""
    for b in range(leg.bend_count):
        angles[b] = solved.angles[i, leg.first + b, 0]
    lay(hinges_of(bones, leg, i, 0), pose, angles, leg.bend_count)
    passes, is_laid = solved.passes[i], solved.is_laid[i]
    bend(leg, bones, body, foot, target, ankle, room, solved, i, pose, angles)
    solved.passes[i] += passes
    solved.is_laid[i] = max(is_laid, solved.is_laid[i])


@kernel
def roll_within(
    leg: LegRecord,
    bones: LegBones,
    body: BodyRecord,
    foot: FootRecord,
    target: LegTargetRecord,
    room: float,
    solved: SolvedLegs,
    i: int,
    pose: Bends,
    angles: Floats,
) -> None:
    """Roll the sole of a bent leg back, or on, until its ankle is within its limits, or flat.

    Tilted by the ankle it would slide on its heel or its toe. How far is found by secant steps.
    Arguments are those of `bend`; how far the sole has rolled is written.
    """
    off = ankle_pitch(leg, foot, solved, i)
    limit = clamp(off, leg.ankle_lo, leg.ankle_hi)
    off -= limit
    side = 1.0 if foot.roll > 0.0 else -1.0
    farthest = abs(foot.roll) + FARTHER * abs(off)
    step = -off * toes_side(leg)
    for _ in range(BENDS):
        if abs(off) <= CLOSE or foot.roll == 0.0:
            return
        last, last_off = foot.roll, off
        foot.roll = side * clamp(side * (last - step), 0.0, farthest)
        sole = rolled(leg, foot)
        ankle = along(sole.middle, sole.normal, leg.ankle)
        bend_again(leg, bones, body, foot, target, ankle, room, solved, i, pose, angles)
        off = ankle_pitch(leg, foot, solved, i) - limit
        if off == last_off:
            return
        step = off * (foot.roll - last) / (off - last_off)


@kernel
def stand(
    leg: LegRecord,
    bones: LegBones,
    body: BodyRecord,
    foot: FootRecord,
    target: LegTargetRecord,
    room: float,
    solved: SolvedLegs,
    i: int,
    pose: Bends,
    angles: Floats,
) -> None:
    """Lay the foot of a bent leg; bend it again where the ankle keeps the sole from lying so.

    The ankle is above the sole as that lies. So the tip stays where it should be and the sole
    tilts, as little as the ankle's limits let it. How it lies is found by secant steps (Anderson
    1965, depth 1). Arguments are those of `bend`.
    """
    wanted = rolled(leg, foot)
    sole = last = wanted.normal
    last_off = ZERO
    for k in range(BENDS):
        lies = put_foot(leg, solved, i, wanted.normal, vec(foot.heading))
        off = sub(lies, sole)
        if leg.ankle * norm(off) <= EXACT * leg.arm:
            return
        turn = sub(off, last_off)
        factor = dot(turn, off) / max(dot(turn, turn), LEAST) if k > 0 else 0.0
        sole = unit(along(lies, sub(lies, last), -clamp(factor, -1.0, 1.0)), lies)
        last, last_off = lies, off
        ankle = along(wanted.middle, sole, leg.ankle)
        bend_again(leg, bones, body, foot, target, ankle, room, solved, i, pose, angles)
    put_foot(leg, solved, i, wanted.normal, vec(foot.heading))


@kernel
def ankle_pitch(leg: LegRecord, foot: FootRecord, solved: SolvedLegs, i: int) -> float:
    """Angle of the ankle of a bent leg in its plane for its sole to lie as it has rolled [rad]."""
    shin = quat(solved.rotations[i, leg.first + leg.bend_count - 1])
    x, _, z = unrotate(shin, scale(rolled(leg, foot).normal, -1.0))
    return atan2(-z, x)


@kernel
def put_foot(leg: LegRecord, solved: SolvedLegs, i: int, normal: Vec, heading: Vec) -> Vec:
    """Lay a leg's last bone from its ankle to the middle of its sole.

    The ankle turns about the Y of the shin, in the plane of the leg, and then about the Z of the
    foot, out of it. The sole lies flat where their limits allow it, else as flat as they do. One
    that turns about the last bone keeps its heading, however the leg's plane turns.

    Args:
        leg: of the plan.
        solved: of its creature; written.
        i: which leg it is.
        normal: of the ground [world].
        heading: where toes shall point [world].

    Returns:
        The normal of the sole as it lies [world].
    """
    bent = leg.first + leg.bend_count
    shin = quat(solved.rotations[i, bent - 1])
    x, y, z = unrotate(shin, scale(normal, -1.0))
    flat = atan2(-z, x)
    pitch, level = clamp(flat, leg.ankle_lo, leg.ankle_hi), sqrt(x * x + z * z)
    if pitch != flat:
        level *= sin_cos(flat - pitch)[1]
    roll = clamp(atan2(y, level), leg.roll_lo, leg.roll_hi)
    turn = quat_multiply(shin, quat_multiply(quat_about(Y, pitch), quat_about(Z, roll)))
    twist = 0.0
    if leg.turns:
        twist = twist_of_sole(leg, turn, heading)
        turn = quat_multiply(turn, quat_about(X, twist))
    put_quat(solved.rotations[i, bent], quat_unit(turn))
    down = rotate(turn, X)
    put(solved.joints[i, bent + 1], along(vec(solved.joints[i, bent]), down, leg.ankle))
    put(solved.angles[i, bent], (pitch, roll, twist))
    up, toes = scale(down, -1.0), rotate(turn, Z)
    toes = scale(toes, toes_side(leg))
    put_quat(solved.foot_rotation[i], quat_from_axes(toes, cross(up, toes), up))
    return up


@kernel
def twist_of_sole(leg: LegRecord, turn: Quat, heading: Vec) -> float:
    """Angle about the last bone by which a sole turns for its toes to point where they shall [rad].

    Args:
        leg: of the plan.
        turn: of its last bone with a sole that points along the leg's plane [world].
        heading: the foot's [world]; toes that point elsewhere at home keep their angle to it.
    """
    up = scale(rotate(turn, X), -1.0)
    plane = scale(rotate(turn, Z), toes_side(leg))
    ahead = unit(reject(heading, up), plane)
    toes = add(scale(ahead, leg.toes[0]), scale(cross(up, ahead), leg.toes[1]))
    off = atan2(dot(cross(toes, plane), up), dot(plane, toes)) - leg.turn_rest
    off += TAU if off < -PI else 0.0
    off -= TAU if off > PI else 0.0
    return float(leg.turn_rest + clamp(off, leg.turn_lo, leg.turn_hi))
