"""Legs keep out of each other's way: where they aim, how they swing, how far the body goes."""

from math import sqrt

from creature_sim.components import LOST, STANDING, BodyRecord, LegRecord
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.frames import into_frame, into_world
from creature_sim.locomotion.prediction import ground_velocity, home_of
from creature_sim.locomotion.strips import SHORTEST, Strip, clear_foot, gap_between
from creature_sim.maths import Floats, Quat, Vec, put, quat, rotate, sin_cos, sub, vec
from creature_sim.maths.jit import kernel

AIM_GAP = 0.035
"""Footholds keep legs so far apart, as a fraction of the reach..."""
LAND_GAP = 0.015
"""...a foothold that leaves them less is none..."""
LEAST_GAP = 0.005
"""...and nearer to each other than this no motion brings them."""
CROWDED = 0.015
"""A standing foot wants to step where its leg is nearer to another one than this."""
ASIDE = 0.1
"""A foot goes aside by this fraction of the reach at most, each time that it looks."""
FAR = 1e9
"""Gap of a leg that has none to meet [m]."""


@kernel
def strip_of(leg: LegRecord, hip: Vec, foot: Vec) -> Strip:
    """A leg from above, its hip and foot in the frame that it is seen in."""
    x, y = foot[0] - hip[0], foot[1] - hip[1]
    level = sqrt(x * x + y * y)
    drawn = 1.0
    if leg.shank > 0.0:
        out = knee_out(leg, level, foot[2] - hip[2])
        if out > level:
            drawn = max(level, SHORTEST) / out
            if level < SHORTEST:
                x, y = SHORTEST * leg.out[0], SHORTEST * leg.out[1]
            x, y = x / drawn, y / drawn
    return Strip(hip[0], hip[1], leg.hip_radius, hip[0] + x, hip[1] + y, leg.foot_radius, drawn)


@kernel
def knee_out(leg: LegRecord, level: float, rise: float) -> float:
    """How far out from the hip the middle knee of a leg is, seen from above [m].

    Where two circles meet: the thigh's about the shoulder and the shank's about the foot.

    Args:
        leg: one whose hip yaws and whose knees point up.
        level: how far out its foot is [m].
        rise: how high that is above the hip [m].
    """
    ahead = level - leg.coxa
    square = max(SHORTEST, ahead * ahead + rise * rise)
    far = sqrt(square)
    along = (leg.thigh * leg.thigh - leg.shank * leg.shank + square) / (2.0 * far)
    over = sqrt(max(0.0, leg.thigh * leg.thigh - along * along))
    return leg.coxa + (along * ahead - over * rise) / far


@kernel
def foot_of(strip: Strip) -> tuple[float, float]:
    """Where the foot of a leg is that is seen from above, x and y [m]."""
    x, y = strip.fx - strip.hx, strip.fy - strip.hy
    return strip.hx + strip.drawn * x, strip.hy + strip.drawn * y


@kernel
def hip_seen(creature: Creature, i: int, other: int) -> Vec:
    """The hip of another leg in the frame of a leg's segment [m, segment]."""
    leg, its = creature.legs[i], creature.legs[other]
    if leg.segment == its.segment:
        return vec(its.mount)
    body, far = creature.trunk[leg.segment], creature.trunk[its.segment]
    hip = into_world(vec(far.position), quat(far.orientation), vec(its.mount))
    return into_frame(vec(body.position), quat(body.orientation), hip)


@kernel
def gap_at(creature: Creature, i: int, other: int, foot: Vec) -> float:
    """Gap between a leg whose foot is at a point [m, world] and another one as it is [m]."""
    leg = creature.legs[i]
    body = creature.trunk[leg.segment]
    position, orientation = vec(body.position), quat(body.orientation)
    own = strip_of(leg, vec(leg.mount), into_frame(position, orientation, foot))
    its = into_frame(position, orientation, vec(creature.feet[other].position))
    there = strip_of(creature.legs[other], hip_seen(creature, i, other), its)
    return gap_between(own, there).size


@kernel
def room_around(creature: Creature, i: int, foot: Vec) -> float:
    """Smallest gap between a leg whose foot is at a point [m, world] and all others [m]."""
    least = FAR
    for k in range(creature.legs[i].meets.shape[0]):
        other = int(creature.legs[i].meets[k])
        if other < 0:
            break
        if creature.feet[other].phase != LOST:
            least = min(least, gap_at(creature, i, other, foot))
    return least


@kernel
def crowding(creature: Creature, i: int) -> float:
    """How much a standing foot should step out of another leg's way: above 1 it should."""
    wanted = CROWDED * creature.legs[i].reach
    room = room_around(creature, i, vec(creature.feet[i].position))
    return 2.0 - max(0.0, room) / wanted if room < wanted else 0.0


@kernel
def stays_apart(creature: Creature, position: Floats, orientation: Floats) -> bool:
    """Whether no leg comes too near another one, or nearer still, where the trunk goes.

    Args:
        creature: as it is.
        position: (S, 3) of its segments, as wished [m, world].
        orientation: (S, 4), as wished.
    """
    for i in range(creature.legs.shape[0]):
        leg = creature.legs[i]
        for k in range(leg.meets.shape[0]):
            other = int(leg.meets[k])
            if other < 0:
                break
            if other < i or creature.feet[i].phase == LOST or creature.feet[other].phase == LOST:
                continue
            its = creature.legs[other]
            s, t = leg.segment, its.segment
            centre, turn = vec(position[s]), quat(orientation[s])
            hip = vec(its.mount)
            if s != t:
                hip = into_frame(centre, turn, into_world(vec(position[t]), quat(orientation[t]), hip))
            foot = into_frame(centre, turn, vec(creature.feet[i].position))
            far = into_frame(centre, turn, vec(creature.feet[other].position))
            new = gap_between(strip_of(leg, vec(leg.mount), foot), strip_of(its, hip, far)).size
            if new < LEAST_GAP * leg.reach:
                if new < gap_at(creature, i, other, vec(creature.feet[i].position)):
                    return False
    return True


@kernel
def clear_aim(creature: Creature, i: int, aim: Vec, seconds: float) -> Vec:
    """An aim moved aside until the leg that lands there keeps clear of all others.

    Seen where the segment will be at touchdown; feet that stand then stand where they do now, and
    those in the air land where they want to.

    Args:
        creature: whose leg it is.
        i: the leg.
        aim: where it would land [m, segment].
        seconds: until it does.
    """
    leg = creature.legs[i]
    body = creature.trunk[leg.segment]
    if int(leg.meets[0]) < 0:
        return aim
    there = displacement(body, seconds)
    x, y = seen_then(there, aim[0], aim[1])
    own = strip_of(leg, vec(leg.mount), (x, y, aim[2]))
    begin = own
    wanted, aside = AIM_GAP * leg.reach, ASIDE * leg.reach
    for _ in range(2):
        for k in range(leg.meets.shape[0]):
            other = int(leg.meets[k])
            if other < 0:
                break
            if creature.feet[other].phase != LOST:
                its = strip_then(creature, i, other, there)
                own = clear_foot(own, its, wanted, aside)
        if own.fx == begin.fx and own.fy == begin.fy:
            return aim
    dx, dy, sine, cosine = there
    x, y = foot_of(own)
    return (cosine * x - sine * y + dx, sine * x + cosine * y + dy, aim[2])


@kernel
def room_then(creature: Creature, i: int, foot: Vec, seconds: float) -> float:
    """As `room_around`, at touchdown."""
    leg = creature.legs[i]
    body = creature.trunk[leg.segment]
    if int(leg.meets[0]) < 0:
        return FAR
    there = displacement(body, seconds)
    seen = into_frame(vec(body.position), quat(body.orientation), foot)
    x, y = seen_then(there, seen[0], seen[1])
    own = strip_of(leg, vec(leg.mount), (x, y, seen[2]))
    least = FAR
    for k in range(leg.meets.shape[0]):
        other = int(leg.meets[k])
        if other < 0:
            break
        if creature.feet[other].phase != LOST:
            least = min(least, gap_between(own, strip_then(creature, i, other, there)).size)
    return least


@kernel
def displacement(body: BodyRecord, seconds: float) -> tuple[float, float, float, float]:
    """How far a segment goes in a time, x and y [m, segment], and the sine and cosine of its turn.

    Along the chord of its circle.
    """
    half = 0.5 * body.yaw_rate * seconds
    sine, cosine = sin_cos(half)
    length = seconds * (sine / half if abs(half) > 1e-6 else 1.0)
    x, y = body.velocity[0], body.velocity[1]
    return (
        (x * cosine - y * sine) * length,
        (x * sine + y * cosine) * length,
        2.0 * sine * cosine,
        1.0 - 2.0 * sine * sine,
    )


@kernel
def seen_then(
    there: tuple[float, float, float, float], x: float, y: float
) -> tuple[float, float]:
    """A point of a segment's frame, as seen from where the segment will be."""
    dx, dy, sine, cosine = there
    x, y = x - dx, y - dy
    return cosine * x + sine * y, cosine * y - sine * x


@kernel
def strip_then(
    creature: Creature, i: int, other: int, there: tuple[float, float, float, float]
) -> Strip:
    """Another leg from above, as a leg's segment will see it."""
    body, foot = creature.trunk[creature.legs[i].segment], creature.feet[other]
    point = vec(foot.position) if foot.phase == STANDING else vec(foot.goal)
    seen = into_frame(vec(body.position), quat(body.orientation), point)
    x, y = seen_then(there, seen[0], seen[1])
    return strip_of(creature.legs[other], hip_seen(creature, i, other), (x, y, seen[2]))


@kernel
def give_way(creature: Creature, i: int, before: Vec) -> None:
    """Let a foot in the air go around the legs that its tick would bring it too near.

    Args:
        creature: whose foot it is; its position and track are moved.
        i: the leg.
        before: where the foot was [m, world].
    """
    leg, foot = creature.legs[i], creature.feet[i]
    body = creature.trunk[leg.segment]
    position, orientation = vec(body.position), quat(body.orientation)
    seen = into_frame(position, orientation, vec(foot.position))
    old = strip_of(leg, vec(leg.mount), into_frame(position, orientation, before))
    own = strip_of(leg, vec(leg.mount), seen)
    is_moved = is_blocked = False
    for turn in range(3):
        is_blocked = False
        for k in range(leg.meets.shape[0]):
            other = int(leg.meets[k])
            if other < 0:
                break
            if creature.feet[other].phase == LOST:
                continue
            its = into_frame(position, orientation, vec(creature.feet[other].position))
            there = strip_of(creature.legs[other], hip_seen(creature, i, other), its)
            gap = gap_between(own, there).size
            if gap < LEAST_GAP * leg.reach:
                allowed = min(LEAST_GAP * leg.reach, gap_between(old, there).size)
                if gap < allowed:
                    is_moved = is_blocked = True
                    if turn < 2:
                        own = clear_foot(own, there, allowed, ASIDE * leg.reach)
        if not is_blocked:
            break
    if is_moved:
        if is_blocked:
            own = old
        x, y = foot_of(own)
        moved = rotate(orientation, (x - seen[0], y - seen[1], 0.0))
        for point in (foot.position, foot.track):
            put(point, (point[0] + moved[0], point[1] + moved[1], point[2] + moved[2]))


@kernel
def stroke_apart(creature: Creature, longest: float, fastest: float) -> float:
    """Longest displacement of the fastest home for which legs of opposite phase keep apart [m].

    Args:
        creature: whose legs they are.
        longest: as far as it may be otherwise [m].
        fastest: speed of the home that goes fastest [m/s].
    """
    legs, trunk = creature.legs, creature.trunk
    if fastest < 1e-9:
        return longest
    for i in range(legs.shape[0]):
        leg = legs[i]
        for k in range(leg.meets.shape[0]):
            other = int(leg.meets[k])
            if other < 0:
                break
            if other < i or creature.feet[i].phase == LOST or creature.feet[other].phase == LOST:
                continue
            body, far = trunk[leg.segment], trunk[legs[other].segment]
            position, orientation = vec(body.position), quat(body.orientation)
            home, its = home_of(creature.gait, leg), home_of(creature.gait, legs[other])
            ax, ay, _ = ground_velocity(body, leg)
            bx, by, _ = ground_velocity(far, legs[other])
            if leg.segment != legs[other].segment:
                turn = quat(far.orientation)
                its = into_frame(position, orientation, into_world(vec(far.position), turn, its))
                bx, by, _ = into_frame((0.0, 0.0, 0.0), orientation, rotate(turn, (bx, by, 0.0)))
            hip = hip_seen(creature, i, other)
            for sign in (-0.5, 0.5):
                for _ in range(8):
                    f = sign * longest / fastest
                    own = strip_of(leg, vec(leg.mount), (home[0] + f * ax, home[1] + f * ay, home[2]))
                    there = strip_of(legs[other], hip, (its[0] - f * bx, its[1] - f * by, its[2]))
                    if gap_between(own, there).size >= AIM_GAP * leg.reach:
                        break
                    longest *= 0.85
    return longest
