"""Legs whose hips are balls: they bend in the plane of hip, ankle and pole."""

from math import inf, sqrt

from creature_sim.components import (
    BodyRecord,
    FootRecord,
    LegBones,
    LegRecord,
    LegTargetRecord,
    SolvedLegs,
)
from creature_sim.ik.balls import swing_and_twist, turn_of_swing, within_ball
from creature_sim.ik.hinges import Bends
from creature_sim.ik.nearest import bend_nearest
from creature_sim.ik.planar import bend_from
from creature_sim.locomotion.lead import pole_of
from creature_sim.locomotion.leg_poses import (
    ROOM_OVER_KNEES,
    Plane,
    hinges_of,
    turn_in_plane,
    write_bends,
)
from creature_sim.locomotion.reach import hip_of
from creature_sim.maths import (
    Floats,
    Vec,
    X,
    Y,
    Z,
    add,
    along,
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
    sub,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel

UNTWISTS = 8
"""Turns of a plane at most that take the twist of a ball back within its limits..."""
INSIDE = 1e-9
"""...and by how much it comes within [rad]."""


@kernel
def solve_swinging(
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
    """Solve a leg whose hip is a ball: it bends in the plane of hip, ankle and pole.

    Where that would twist the ball too far, the plane turns back about the line from hip to ankle.
    Where the ball cannot swing so far, it is brought within its limits, and the other joints take
    the ankle as near to where it should be as they can.

    Args:
        leg: of the plan.
        bones: of the plan.
        body: its segment.
        foot: where it points.
        target: of its pole.
        ankle: where the bones that bend shall end [m, world].
        room: between the segment and what hangs over it [m].
        solved: of its creature; joints, rotations and angles of the bones that bend are written.
        i: which leg it is.
        pose: to compute in.
        angles: (B,) of its hinges to begin from [rad].
    """
    position, orientation = vec(body.position), quat(body.orientation)
    hip = hip_of(position, orientation, leg)
    line = sub(ankle, hip)
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
