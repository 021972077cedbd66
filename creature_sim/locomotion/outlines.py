"""Legs as strips seen from above, in the frame of the segment of one of them."""

from math import sqrt
from typing import NamedTuple

from creature_sim.components import YAWS, LegRecord
from creature_sim.locomotion.frames import into_frame, into_world
from creature_sim.locomotion.strips import SHORTEST, Gap, Strip, are_apart, gap_between
from creature_sim.maths import Quat, Vec, along, dot, norm, vec
from creature_sim.maths.jit import kernel

DRAWN = 0.2
"""A leg is as wide at its end as its knee, where its foot is nearer to its hip than that by this
fraction."""
NEAR_HIP = 0.15
"""Where a leg is nearest to another one so near its hip, its foot goes nowhere for that."""

LEANS = 0.35
"""The bones above a foot stand off the ground by this sine at least, or they would be in it."""


class Pose(NamedTuple):
    """Where a segment is.

    Attributes:
        position: [m, world].
        orientation: xyzw.
    """

    position: Vec
    orientation: Quat


class Outline(NamedTuple):
    """A leg from above, seen from the segment of another one.

    Attributes:
        upper: all of a leg of the same segment; of another one's, from hip to knee.
        lower: from there to the foot.
        is_bent: whether the lower one counts: planes of legs of two segments lean.
    """

    upper: Strip
    lower: Strip
    is_bent: bool


@kernel
def knee_of(leg: LegRecord, level: float, rise: float, below: float) -> tuple[float, float]:
    """How far out from the hip the middle knee of a leg is, seen from above, and how high [m].

    Where two circles meet: the thigh's about the shoulder and the shank's about the foot.

    Args:
        leg: one whose hip yaws and whose knees point up.
        level: how far out its foot is [m].
        rise: how high that is above the hip [m].
        below: from the knee to the foot [m].
    """
    ahead = level - leg.coxa
    square = max(SHORTEST, ahead * ahead + rise * rise)
    far = sqrt(square)
    along = (leg.thigh * leg.thigh - below * below + square) / (2.0 * far)
    over = sqrt(max(0.0, leg.thigh * leg.thigh - along * along))
    out = leg.coxa + (along * ahead - over * rise) / far
    return out, (along * rise + over * ahead) / far


@kernel
def lower_knee_of(
    leg: LegRecord, level: float, rise: float, bent: float, low: float
) -> tuple[float, float]:
    """The same of that knee below the middle one which stands out most from the line to the foot.

    Args:
        leg: the leg.
        level: how far out its foot is [m].
        rise: how high that is above the hip [m].
        bent: how far out the middle knee is with all below it bent [m]: see `knee_of` of its calf.
        low: how high that is [m].
    """
    ahead, above = (level - bent) / leg.calf, (rise - low) / leg.calf
    at = leg.bulge_at * leg.calf
    return bent + at * ahead - leg.bulge * above, low + at * above + leg.bulge * ahead


@kernel
def knees_along(leg: LegRecord, foot: Vec, up: Vec, way: Vec) -> tuple[float, float]:
    """How far from the hip the middle knee of a leg is along a direction, and the lower one [m].

    Args:
        leg: one whose hip yaws and whose knees point up.
        foot: from its hip [m, any frame].
        up: of its segment [that frame].
        way: unit direction [that frame].
    """
    rise = dot(foot, up)
    level = along(foot, up, -rise)
    far = max(SHORTEST, norm(level))
    ahead, above = dot(level, way) / far, dot(up, way)
    out, high = knee_of(leg, far, rise, leg.shank)
    middle = ahead * out + above * high
    if leg.bend_count < 3:
        return middle, middle
    bent, low = knee_of(leg, far, rise, leg.calf)
    out, high = lower_knee_of(leg, far, rise, bent, low)
    return middle, ahead * out + above * high


@kernel
def stands_off(leg: LegRecord, foot: Vec, up: Vec, normal: Vec) -> bool:
    """Whether the bones below the knees of a leg are clear of the ground that it stands on.

    Round an edge they need not be: the hip is not before that ground, and comes there later.

    Args:
        leg: any; of one whose knees do not point up it is not asked.
        foot: from its hip [m, any frame].
        up: of its segment [that frame].
        normal: of the ground [that frame].
    """
    ground = dot(foot, normal)
    if leg.shank == 0.0 or -ground < LEANS * leg.shank:
        return True
    middle, lower = knees_along(leg, foot, up, normal)
    last = (1.0 - leg.bulge_at) * leg.calf
    return bool(middle - ground >= LEANS * leg.shank and lower - ground >= LEANS * last)


@kernel
def bends_before(leg: LegRecord, foot: Vec, up: Vec, wall: Vec, normal: Vec) -> bool:
    """Whether the knees of a leg stay before a wall.

    Args:
        leg: any; of one whose knees do not point up it is not asked.
        foot: from its hip [m, any frame].
        up: of its segment [that frame].
        wall: a point of the wall, from its hip [m, that frame].
        normal: of the wall [that frame].
    """
    if leg.shank == 0.0:
        return True
    middle, lower = knees_along(leg, foot, up, normal)
    return bool(min(middle, lower) >= dot(wall, normal) + leg.knee_radius)


@kernel
def farthest_knee(leg: LegRecord, level: float, rise: float) -> float:
    """How far out from the hip a knee of a leg is at most, however those below the middle bend [m].

    Args:
        leg: see `knee_of`.
        level: likewise.
        rise: likewise.
    """
    out, high = knee_of(leg, level, rise, leg.shank)
    if leg.bend_count < 3:
        return out
    bent, low = knee_of(leg, level, rise, leg.calf)
    lower, _ = lower_knee_of(leg, level, rise, bent, low)
    if low < 0.0 < high:  # between these the thigh is level
        bent = leg.coxa + leg.thigh
    return max(out, bent, lower)


@kernel
def strip_of(leg: LegRecord, foot: Vec) -> Strip:
    """A leg from above, its foot in the frame of its own segment [m, segment].

    It ends at the foot, or at a knee that is farther out.
    """
    hip = vec(leg.mount)
    x, y = foot[0] - hip[0], foot[1] - hip[1]
    width = leg.foot_radius
    drawn, square = 1.0, x * x + y * y
    farthest = leg.coxa + leg.thigh + leg.bulge + leg.bulge_at * leg.calf
    if leg.shank > 0.0 and square < farthest * farthest:  # else no knee is farther out
        level = sqrt(square)
        out = farthest_knee(leg, level, foot[2] - hip[2])
        if out > level:
            drawn = max(level, SHORTEST) / out
            if level < SHORTEST:
                x, y = SHORTEST * leg.out[0], SHORTEST * leg.out[1]
            x, y = x / drawn, y / drawn
            width += min(1.0, (1.0 - drawn) / DRAWN) * (leg.knee_radius - width)
    high, low = (0.0, 0.0) if leg.hip == YAWS else (hip[2], foot[2])
    return Strip(hip[0], hip[1], leg.hip_radius, hip[0] + x, hip[1] + y, width, drawn, high, low)


@kernel
def foot_of(strip: Strip) -> tuple[float, float]:
    """Where the foot of a leg is that is seen from above, x and y [m]."""
    x, y = strip.fx - strip.hx, strip.fy - strip.hy
    return strip.hx + strip.drawn * x, strip.hy + strip.drawn * y


@kernel
def outline_of(leg: LegRecord, foot: Vec, own: Pose, seen: Pose, is_same: bool) -> Outline:
    """A leg from above, as a segment sees it.

    Args:
        leg: the leg.
        foot: where its foot is [m, world].
        own: of its own segment.
        seen: of the segment that it is seen from.
        is_same: whether these are one segment.
    """
    here = into_frame(own.position, own.orientation, foot)
    upper = strip_of(leg, here)
    if is_same:
        return Outline(upper, upper, False)
    hip = vec(leg.mount)
    x, y = here[0] - hip[0], here[1] - hip[1]
    level = sqrt(x * x + y * y)
    knee = here
    if leg.shank > 0.0 and level > SHORTEST:
        out, rise = knee_of(leg, level, here[2] - hip[2], leg.shank)
        knee = (hip[0] + out * x / level, hip[1] + out * y / level, hip[2] + rise)
    hx, hy, _ = moved(hip, own, seen)
    kx, ky, _ = moved(knee, own, seen)
    fx, fy, _ = into_frame(seen.position, seen.orientation, foot)
    width = leg.foot_radius
    upper = Strip(hx, hy, leg.hip_radius, kx, ky, width, 1.0, 0.0, 0.0)
    return Outline(upper, Strip(kx, ky, width, fx, fy, width, 1.0, 0.0, 0.0), True)


@kernel
def moved(point: Vec, own: Pose, seen: Pose) -> Vec:
    """A point of one segment's frame in another one's."""
    world = into_world(own.position, own.orientation, point)
    return into_frame(seen.position, seen.orientation, world)


@kernel
def is_apart(strip: Strip, other: Outline, wanted: float) -> bool:
    """Whether a leg is at least so far from another one, both from above [m]."""
    if other.is_bent and not are_apart(strip, other.lower, wanted):
        return False
    return are_apart(strip, other.upper, wanted)


@kernel
def gap_to(strip: Strip, other: Outline) -> Gap:
    """How far a leg is from another one, both from above."""
    gap = gap_between(strip, other.upper)
    if other.is_bent:
        lower = gap_between(strip, other.lower)
        if lower.size < gap.size:
            return lower
    return gap


@kernel
def clear_foot(strip: Strip, other: Outline, wanted: float, farthest: float) -> Strip:
    """A leg whose foot has gone aside until the leg is so far from another one, from above.

    Args:
        strip: the leg.
        other: the other one.
        wanted: gap between them [m].
        farthest: that the foot goes aside in one go [m].
    """
    if is_apart(strip, other, wanted):
        return strip
    for _ in range(2):
        gap = gap_to(strip, other)
        lack = wanted - gap.size
        if lack <= 0.0 or gap.along < NEAR_HIP:
            break
        step = min(farthest, lack / max(gap.along, 0.25))
        strip = Strip(
            strip.hx,
            strip.hy,
            strip.hip,
            strip.fx + gap.x * step,
            strip.fy + gap.y * step,
            strip.foot,
            strip.drawn,
            strip.high,
            strip.low,
        )
    return strip
