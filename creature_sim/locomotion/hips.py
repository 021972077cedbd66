"""Hips that are balls: how far they swing and twist for a foot, and how far their legs fold."""

from math import sqrt

from creature_sim.components import YAWS, FootRecord, LegRecord
from creature_sim.ik.balls import swing_and_twist
from creature_sim.locomotion.soles import level_toes, toes_side, turned_up
from creature_sim.maths import (
    Quat,
    Vec,
    X,
    Z,
    add,
    asin,
    atan2,
    clamp,
    cross,
    dot,
    norm,
    quat,
    quat_conjugate,
    quat_from_axes,
    quat_multiply,
    reject,
    rotate,
    scale,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

KNEES_IN = 0.6
"""A foot turns so that knees come together by this fraction of what its hip twists."""
IN_CONE = 0.98
"""A ball swings no farther than this fraction of its cone for a foot in the air..."""
HALVINGS = 12
"""...as found in so many steps."""
NARROWEST = 1e-9
"""Limits nearer to each other than this hold a joint fast [rad]."""


@kernel
def swings(leg: LegRecord) -> bool:
    """Whether a leg's hip is a ball, with a thigh and a shank behind it."""
    return bool(leg.hip != YAWS and leg.bend_count == 2)


@kernel
def watches_knee(leg: LegRecord) -> bool:
    """Whether a leg looks where its knee goes: it swings below a ball, and stands on a sole.

    Dogs do not: their knees seldom come near the ground, and who waits for them comes nowhere.
    """
    return bool(swings(leg) and leg.ankle > 0.0)


@kernel
def planned_pole(leg: LegRecord, orientation: Quat, foot: FootRecord) -> Vec:
    """Direction that knees point to [world].

    Below a ball, with a sole that turns about the last bone, it turns with the foot. Other legs
    with an ankle point their knees along the toes as they have rolled, or, where knees point back,
    against them. A level direction would turn on a slope as the body goes on.
    """
    if leg.turns and swings(leg):
        up = rotate(orientation, Z)
        ahead = unit(reject(vec(foot.heading), up), rotate(orientation, X))
        x, y, z = leg.knees
        return add(add(scale(ahead, x), scale(cross(up, ahead), y)), scale(up, z))
    if leg.ankle > 0.0:
        along = turned_up(foot)[0] if foot.roll != 0.0 else level_toes(foot)
        return scale(along, toes_side(leg))
    return rotate(orientation, vec(leg.pole))


@kernel
def pole_in(leg: LegRecord, orientation: Quat, foot: FootRecord) -> Vec:
    """The same [segment]."""
    return unrotate(orientation, planned_pole(leg, orientation, foot))


@kernel
def swing_to(leg: LegRecord, ankle: Vec, pole: Vec) -> float:
    """How far a ball swings or twists for its leg to reach an ankle, over how far it may.

    Args:
        leg: the leg.
        ankle: from the hip [m, segment].
        pole: direction that the knee points to [segment].
    """
    far, shank = norm(ankle), leg.arm - leg.thigh
    line = scale(ankle, 1.0 / max(far, 1e-9))
    cosine = (leg.thigh * leg.thigh + far * far - shank * shank) / max(2.0 * leg.thigh * far, 1e-9)
    cosine = clamp(cosine, -1.0, 1.0)
    over = unit(reject(pole, line), pole)
    sine = sqrt(1.0 - cosine * cosine)
    thigh = add(scale(line, cosine), scale(over, sine))
    above = sub(scale(over, cosine), scale(line, sine))
    turn = quat_from_axes(thigh, cross(over, line), above)
    about_y, about_z, twist = swing_and_twist(quat_multiply(quat_conjugate(quat(leg.rest)), turn))
    y, z = about_y / max(leg.cone[0], NARROWEST), about_z / max(leg.cone[1], NARROWEST)
    right, left = max(leg.twist_hi, NARROWEST), min(leg.twist_lo, -NARROWEST)
    return max(sqrt(y * y + z * z), twist / right, twist / left)


@kernel
def roll_to(leg: LegRecord, ankle: Vec, pole: Vec, normal: Vec) -> float:
    """How far an ankle rolls from the middle of its limits for its sole to lie flat, over how far.

    0 for one that rolls not at all: its sole lies as it can wherever it stands.

    Args:
        leg: the leg.
        ankle: from the hip [m, segment].
        pole: direction that the knee points to [segment].
        normal: of the sole [segment].
    """
    half, middle = 0.5 * (leg.roll_hi - leg.roll_lo), 0.5 * (leg.roll_hi + leg.roll_lo)
    if leg.ankle == 0.0 or half < NARROWEST:
        return 0.0
    line = unit(ankle, pole)
    across = cross(unit(reject(pole, line), pole), line)
    roll = asin(clamp(-dot(normal, across), -1.0, 1.0))
    return abs(roll - middle) / half


@kernel
def twists(leg: LegRecord) -> tuple[float, float]:
    """How far a foot may turn to the right and to the left of its segment [rad], both positive.

    Less where that brings the knees of a pair together: out where they point back.
    """
    right, left = leg.twist_hi, -leg.twist_lo  # thighs point down
    if (leg.side > 0) == (leg.pole[0] < 0.0):
        return right, KNEES_IN * left
    return KNEES_IN * right, left


@kernel
def twist_to(leg: LegRecord, orientation: Quat, foot: FootRecord) -> float:
    """How far a foot is turned against its segment, over how far it may; 0 where it does not."""
    turn = turned(leg, orientation, foot)
    right, left = twists(leg)
    return turn / max(left, 1e-9) if turn > 0.0 else -turn / max(right, 1e-9)


@kernel
def turned(leg: LegRecord, orientation: Quat, foot: FootRecord) -> float:
    """Angle of a foot against its segment, to the left, where its hip must twist for it [rad]."""
    if leg.hip == YAWS or leg.ankle == 0.0:
        return 0.0
    x, y, _ = unrotate(orientation, vec(foot.heading))
    return atan2(y, x)


@kernel
def folds_to(leg: LegRecord, ankle: Vec, pole: Vec, normal: Vec) -> bool:
    """Whether a leg folds up so far; see `swing_to` and `roll_to`."""
    if norm(ankle) < leg.min_reach * leg.arm:
        return False
    most = max(swing_to(leg, ankle, pole), roll_to(leg, ankle, pole, normal))
    return most <= IN_CONE


@kernel
def drop_to_fold(leg: LegRecord, ankle: Vec, pole: Vec, normal: Vec, farthest: float) -> float:
    """How far a foot in the air must come down for its leg to fold so far [m].

    Args:
        leg: the leg.
        ankle: from the hip [m, segment].
        pole: direction that its knee points to [segment].
        normal: of the sole [segment].
        farthest: that it may come down [m].
    """
    if folds_to(leg, ankle, pole, normal):
        return 0.0
    x, y, z = ankle
    near, away = 0.0, farthest
    for _ in range(HALVINGS):
        middle = 0.5 * (near + away)
        if folds_to(leg, (x, y, z - middle), pole, normal):
            away = middle
        else:
            near = middle
    return away


@kernel
def stands_on(leg: LegRecord, ankle: Vec, normal: Vec) -> bool:
    """Whether a foot that points ahead may stand so, with its sole flat on the ground.

    Args:
        leg: the leg.
        ankle: from the hip [m, segment].
        normal: of the ground [segment].
    """
    pole = vec(leg.knees) if leg.ankle > 0.0 else vec(leg.pole)
    return max(swing_to(leg, ankle, pole), roll_to(leg, ankle, pole, normal)) <= IN_CONE
