"""Feet in the air go around the other legs of their creature."""

from creature_sim.components import LOST, FootRecord
from creature_sim.locomotion.clearance import ASIDE, LEAST_GAP, seen_leg
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.frames import into_frame
from creature_sim.locomotion.outlines import (
    Outline,
    clear_foot,
    foot_of,
    gap_to,
    is_apart,
    strip_of,
)
from creature_sim.locomotion.prediction import hardly_moves
from creature_sim.locomotion.strips import Strip
from creature_sim.maths import Vec, add, put, quat, rotate, sub, vec
from creature_sim.maths.jit import kernel


@kernel
def neighbour(creature: Creature, i: int, k: int) -> int:
    """The k-th leg that a foot in the air gives way to; -1: there is none, -2: not to that one.

    Those that it may touch as it walks. Feet that are raised go anywhere: each gives way to all
    others that are, too.
    """
    feet, meets = creature.feet, creature.legs[i].meets
    if not feet[i].is_raised:
        other = int(meets[k]) if k < meets.shape[0] else -1
        return -2 if other >= 0 and is_gone(feet[other]) else other
    if k == feet.shape[0]:
        return -1
    if k == i or is_gone(feet[k]):
        return -2
    for m in range(meets.shape[0]):
        if meets[m] == k:
            return k
    return k if feet[k].is_raised else -2


@kernel
def is_gone(foot: FootRecord) -> bool:
    """Whether a leg is lost, and no foot of it raised."""
    return bool(foot.phase == LOST and not foot.is_raised)


@kernel
def give_way(creature: Creature, i: int, before: Vec) -> bool:
    """Let a foot in the air go around the legs that its tick would bring it too near.

    Args:
        creature: whose foot it is; its position and track are moved.
        i: the leg.
        before: where the foot was [m, world].

    Returns:
        Whether that of who climbs gets nowhere; it is stopped in one swing only.
    """
    leg, foot = creature.legs[i], creature.feet[i]
    if neighbour(creature, i, 0) == -1:
        return False
    body = creature.trunk[leg.segment]
    position, orientation = vec(body.position), quat(body.orientation)
    seen = into_frame(position, orientation, vec(foot.position))
    was = into_frame(position, orientation, before)
    own, old, least = strip_of(leg, seen), strip_of(leg, was), LEAST_GAP * leg.reach
    is_moved = is_blocked = False
    for turn in range(3):
        is_blocked, k = False, 0
        while neighbour(creature, i, k) != -1:
            other = neighbour(creature, i, k)
            k += 1
            if other >= 0:
                its = seen_leg(creature, i, other, vec(creature.feet[other].position))
                if is_nearer(own, old, its, least):
                    is_moved = is_blocked = True
                    if turn < 2:
                        allowed = min(least, gap_to(old, its).size)
                        own = clear_foot(own, its, allowed, ASIDE * leg.reach)
        if not is_blocked:
            break
    if not is_moved:
        return False
    x, y = foot_of(own)
    height = height_of(creature, i, was[2], seen[2])
    there = (x, y, height)
    if is_blocked:
        there = (was[0], was[1], height)
    may_be_held = creature.plan.climbs and not foot.is_put_off  # else it would try for ever
    is_held = bool(may_be_held) and comes_near(creature, i, there, old)
    if is_held:
        there = (was[0], was[1], max(was[2], seen[2]))
    moved = rotate(orientation, sub(there, seen))
    for point in (foot.position, foot.track):
        put(point, add(vec(point), moved))
    return is_held


@kernel
def height_of(creature: Creature, i: int, was: float, now: float) -> float:
    """Height of a foot that gives way [m, segment].

    Of who climbs its arc goes on: a track that went down with it would sink ever deeper. Of who
    walks it comes down no farther: of the ground beside its way it knows nothing.

    Args:
        creature: whose foot it is.
        i: the leg.
        was: its height before the tick [m, segment].
        now: where its arc leads it.
    """
    if creature.plan.climbs or hardly_moves(creature.gait):  # two in the air would stay there
        return now
    return max(was, now) if creature.feet[i].elapsed > 0.5 else now


@kernel
def is_nearer(own: Strip, old: Strip, its: Outline, least: float) -> bool:
    """Whether a leg is nearer to another one than `least` [m], and than it was."""
    if is_apart(own, its, least):
        return False
    return bool(gap_to(own, its).size < min(least, gap_to(old, its).size))


@kernel
def comes_near(creature: Creature, i: int, foot: Vec, old: Strip) -> bool:
    """Whether a leg comes nearer to another one than it may: knees go out over feet that come down.

    Args:
        creature: whose leg it is.
        i: the leg.
        foot: where its foot would be [m, segment].
        old: the leg as it was.
    """
    leg, k = creature.legs[i], 0
    own, least = strip_of(leg, foot), LEAST_GAP * leg.reach
    while neighbour(creature, i, k) != -1:
        other = neighbour(creature, i, k)
        k += 1
        if other >= 0:
            its = seen_leg(creature, i, other, vec(creature.feet[other].position))
            if is_nearer(own, old, its, least):
                return True
    return False
