"""Legs keep out of each other's way: where they aim, how they swing, how far the body goes."""

from typing import NamedTuple

from creature_sim.components import LOST, STANDING, BodyRecord
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.frames import into_frame, into_world
from creature_sim.locomotion.outlines import (
    Outline,
    Pose,
    clear_foot,
    foot_of,
    gap_to,
    is_apart,
    outline_of,
    strip_of,
)
from creature_sim.locomotion.prediction import hardly_moves, seconds_until_turn
from creature_sim.maths import Floats, Vec, distance, quat, sin_cos, vec
from creature_sim.maths.jit import kernel

AIM_GAP = 0.035
"""Footholds keep legs so far apart, as a fraction of the reach..."""
LAND_GAP = 0.015
"""...a foothold that leaves them less is none..."""
LEAST_GAP = 0.005
"""...and nearer to each other than this no motion brings them..."""
TOUCHDOWN_GAP = 0.0049
"""...so that a foot which was kept off by that may land: two that wait for each other never end."""
CROWDED = 0.015
"""A standing foot wants to step where its leg is nearer to another one than this."""
ALOFT = 1e-9
"""A foot in the air that begins another swing has this much of it behind it: no body drags it."""
WELL = 0.3
"""A foot that stands, with less urgency to step than this, aims at no place of its own yet."""
ASIDE = 0.1
"""A foot goes aside by this fraction of the reach at most, each time that it looks."""


@kernel
def pose_of(body: BodyRecord) -> Pose:
    """Where a segment is."""
    return Pose(vec(body.position), quat(body.orientation))


@kernel
def partner(creature: Creature, i: int, k: int) -> int:
    """The k-th leg that a leg may touch; -1: there is none, -2: that one is lost."""
    meets = creature.legs[i].meets
    other = int(meets[k]) if k < meets.shape[0] else -1
    return -2 if other >= 0 and creature.feet[other].phase == LOST else other


@kernel
def seen_leg(creature: Creature, i: int, other: int, foot: Vec) -> Outline:
    """A leg whose foot is at a point [m, world], as the segment of leg `i` sees it now."""
    its, own = creature.legs[other], creature.legs[i]
    here, there = pose_of(creature.trunk[own.segment]), pose_of(creature.trunk[its.segment])
    return outline_of(its, foot, there, here, own.segment == its.segment)


@kernel
def gap_at(creature: Creature, i: int, other: int, foot: Vec) -> float:
    """Gap between a leg whose foot is at a point [m, world] and another one as it is [m]."""
    leg = creature.legs[i]
    body = creature.trunk[leg.segment]
    own = strip_of(leg, into_frame(vec(body.position), quat(body.orientation), foot))
    there = seen_leg(creature, i, other, vec(creature.feet[other].position))
    return gap_to(own, there).size


@kernel
def is_clear(creature: Creature, i: int, foot: Vec, wanted: float) -> bool:
    """Whether a leg whose foot is at a point [m, world] is so far from all others [m]."""
    leg, k = creature.legs[i], 0
    body = creature.trunk[leg.segment]
    own = strip_of(leg, into_frame(vec(body.position), quat(body.orientation), foot))
    while partner(creature, i, k) != -1:
        other = partner(creature, i, k)
        k += 1
        if other >= 0:
            its = seen_leg(creature, i, other, vec(creature.feet[other].position))
            if not is_apart(own, its, wanted):
                return False
    return True


@kernel
def is_crowded(creature: Creature, i: int) -> bool:
    """Whether a standing foot should step out of another leg's way."""
    wanted = CROWDED * creature.legs[i].reach
    return not is_clear(creature, i, vec(creature.feet[i].position), wanted)


@kernel
def leg_that_meets(
    creature: Creature, position: Floats, orientation: Floats, least: float, is_hung: bool
) -> int:
    """The first leg that comes too near another one, or nearer still, where the trunk goes.

    Two of two segments whose feet are both in the air do not hold it back: they give way to each
    other. Nor do any two, of who climbs, where it hardly moves: both may wait for it to go on.

    Args:
        creature: as it is.
        position: (S, 3) of its segments, as wished [m, world].
        orientation: (S, 4), as wished.
        least: how near is too near, as a fraction of the reach.
        is_hung: whether it hangs there on its legs: no foot goes along, and of who walks only
            legs of one segment count, as the others sway on their own.

    Returns:
        its number; -1: none does.
    """
    legs, feet = creature.legs, creature.feet
    for i in range(legs.shape[0]):
        if feet[i].phase == LOST:
            continue
        leg, k = legs[i], 0
        s = leg.segment
        here = Pose(vec(position[s]), quat(orientation[s]))
        foot = place_then(creature, i, here, is_hung)
        while partner(creature, i, k) != -1:
            other = partner(creature, i, k)
            k += 1
            if other > i:
                t = legs[other].segment
                if s != t and is_hung and not creature.plan.climbs:
                    continue
                are_up = feet[i].phase != STANDING and feet[other].phase != STANDING
                if are_up and (s != t or (creature.plan.climbs and hardly_moves(creature.gait))):
                    continue
                own = strip_of(leg, into_frame(here.position, here.orientation, foot))
                there = Pose(vec(position[t]), quat(orientation[t]))
                its_foot = place_then(creature, other, there, is_hung)
                its = outline_of(legs[other], its_foot, there, here, s == t)
                if is_apart(own, its, least * leg.reach):
                    continue
                if gap_to(own, its).size < gap_at(creature, i, other, vec(feet[i].position)):
                    return i
    return -1


@kernel
def is_aloft(creature: Creature, i: int) -> bool:
    """Whether a foot of who climbs began another swing in the air, and goes nowhere yet."""
    foot = creature.feet[i]
    is_up = foot.phase != STANDING and foot.phase != LOST
    return bool(creature.plan.climbs and is_up and foot.elapsed == ALOFT)


@kernel
def goes_along(creature: Creature, i: int) -> bool:
    """Whether a foot that found no place goes along with its body.

    Left where it is, beside a leg that stands, either end of the two would come nearer to the other
    leg, wherever the body goes. None of a long trunk goes along: its other segments go on
    meanwhile, and take it where other legs are.
    """
    return bool(creature.trunk.shape[0] == 1 and is_aloft(creature, i))


@kernel
def place_then(creature: Creature, i: int, then: Pose, is_hung: bool) -> Vec:
    """Where a foot will be as its segment goes: where it is now, or carried along [m, world]."""
    if is_hung or not goes_along(creature, i):
        return vec(creature.feet[i].position)
    return carried(creature, i, then)


@kernel
def carried(creature: Creature, i: int, then: Pose) -> Vec:
    """Where a foot will be that goes along with its segment [m, world]."""
    here, body = vec(creature.feet[i].position), creature.trunk[creature.legs[i].segment]
    seen = into_frame(vec(body.position), quat(body.orientation), here)
    return into_world(then.position, then.orientation, seen)


class Ahead(NamedTuple):
    """Where a segment will be, seen from where it is.

    Attributes:
        x: of its centre [m, segment].
        y: of it.
        sine: of its turn.
        cosine: of it.
    """

    x: float
    y: float
    sine: float
    cosine: float


@kernel
def ahead_of(body: BodyRecord, seconds: float) -> Ahead:
    """Where a segment will be after a time, along the chord of its circle."""
    half = 0.5 * body.yaw_rate * seconds
    sine, cosine = sin_cos(half)
    length = seconds * (sine / half if abs(half) > 1e-6 else 1.0)
    x, y = body.velocity[0], body.velocity[1]
    return Ahead(
        (x * cosine - y * sine) * length,
        (x * sine + y * cosine) * length,
        2.0 * sine * cosine,
        1.0 - 2.0 * sine * sine,
    )


@kernel
def seen_then(there: Ahead, point: Vec) -> Vec:
    """A point of a segment's frame, as seen from where the segment will be."""
    x, y = point[0] - there.x, point[1] - there.y
    return there.cosine * x + there.sine * y, there.cosine * y - there.sine * x, point[2]


@kernel
def outline_then(creature: Creature, i: int, other: int, seconds: float) -> Outline:
    """Another leg, as a leg's segment will see it after a time [s].

    Where its foot stands now, or wants to; one whose turn comes before goes along from then on. Of
    who climbs it stays: it may have to wait until this leg has landed. One that wants to where its
    leg no longer gets is where it is.
    """
    body, foot = creature.trunk[creature.legs[i].segment], creature.feet[other]
    point = vec(foot.goal)
    if foot.phase == STANDING:
        point = vec(foot.position)
        if not creature.plan.climbs:
            seconds = min(seconds, seconds_until_turn(creature.plan, creature.gait, foot))
    elif creature.plan.climbs:
        its = creature.trunk[creature.legs[other].segment]
        goal = into_frame(vec(its.position), quat(its.orientation), point)
        if distance(goal, vec(creature.legs[other].mount)) > creature.legs[other].reach:
            point = vec(foot.position)
    there = ahead_of(body, seconds)
    position, orientation = vec(body.position), quat(body.orientation)
    then = seen_then(there, into_frame(position, orientation, point))
    return seen_leg(creature, i, other, into_world(position, orientation, then))


@kernel
def clear_aim(creature: Creature, i: int, aim: Vec, seconds: float) -> Vec:
    """An aim moved aside until the leg that lands there keeps clear of all others.

    Seen where the segment will be at touchdown; feet that stand then stand where they do now, those
    in the air land where they want to, and those whose turn comes before are gone.

    Args:
        creature: whose leg it is.
        i: the leg.
        aim: where it would land [m, segment].
        seconds: until it does.
    """
    leg = creature.legs[i]
    foot = creature.feet[i]
    if partner(creature, i, 0) == -1 or (foot.phase == STANDING and foot.urgency < WELL):
        return aim
    there = ahead_of(creature.trunk[leg.segment], seconds)
    begin = strip_of(leg, seen_then(there, aim))
    own, wanted, aside = begin, AIM_GAP * leg.reach, ASIDE * leg.reach
    for _ in range(2):
        k = 0
        while partner(creature, i, k) != -1:
            other = partner(creature, i, k)
            if other >= 0:
                own = clear_foot(own, outline_then(creature, i, other, seconds), wanted, aside)
            k += 1
        if own.fx == begin.fx and own.fy == begin.fy:
            return aim
    x, y = foot_of(own)
    cosine, sine = there.cosine, there.sine
    return (cosine * x - sine * y + there.x, sine * x + cosine * y + there.y, aim[2])


@kernel
def is_clear_then(creature: Creature, i: int, foot: Vec, seconds: float) -> bool:
    """Whether a leg that lands on a point [m, world] is clear of all others at touchdown."""
    leg, k = creature.legs[i], 0
    if partner(creature, i, 0) == -1:
        return True
    body = creature.trunk[leg.segment]
    there = ahead_of(body, seconds)
    seen = into_frame(vec(body.position), quat(body.orientation), foot)
    own = strip_of(leg, seen_then(there, seen))
    while partner(creature, i, k) != -1:
        other = partner(creature, i, k)
        k += 1
        if other >= 0:
            its = outline_then(creature, i, other, seconds)
            if not is_apart(own, its, LAND_GAP * leg.reach):
                return False
    return True
