"""Whether a foot in the air stands after a tick, so that others may lift in it."""

from creature_sim.components import FLYING, LOST, STANDING
from creature_sim.locomotion.arcs import NEAR
from creature_sim.locomotion.clearance import LAND_GAP, TOUCHDOWN_GAP, is_clear, partner, seen_leg
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.frames import into_frame
from creature_sim.locomotion.outlines import is_apart, strip_of
from creature_sim.locomotion.prediction import hardly_moves, travel
from creature_sim.locomotion.reach import pitch_to, reaches
from creature_sim.locomotion.search import AIM_UNTIL, gropes
from creature_sim.locomotion.swing import lands, seconds_to_touchdown
from creature_sim.maths import Vec, add, distance, quat, rotate, vec
from creature_sim.maths.jit import kernel

TRIES = 0.8
"""Nobody waits any longer for a foot of who climbs that has been in the air for so long [s]."""


@kernel
def is_free(creature: Creature, i: int) -> bool:
    """Whether nobody has taken the place where a foot wants to land.

    Where it hardly moves only those that stand: two in the air would wait for each other.
    """
    leg, goal = creature.legs[i], vec(creature.feet[i].goal)
    if not hardly_moves(creature.gait):
        return is_clear(creature, i, goal, TOUCHDOWN_GAP * leg.reach)
    k = 0
    while partner(creature, i, k) != -1:
        other = partner(creature, i, k)
        k += 1
        if other < 0 or creature.feet[other].phase != STANDING:
            continue
        if takes_place(creature, other, i, goal, TOUCHDOWN_GAP):
            return False
    return True


@kernel
def is_there(creature: Creature, i: int) -> bool:
    """Whether a foot in the air is near to its goal; it may have been kept off that."""
    foot = creature.feet[i]
    return distance(vec(foot.position), vec(foot.goal)) <= NEAR * creature.legs[i].reach


@kernel
def is_kept_off(creature: Creature, i: int) -> bool:
    """Whether a foot in the air is kept off its goal: it need not come down, but begins again.

    It should be there by now, or would take longer than another swing does. Who climbs: `stalls`.
    """
    plan, foot = creature.plan, creature.feet[i]
    if plan.climbs or foot.phase != FLYING or foot.progress <= AIM_UNTIL:
        return False
    if foot.elapsed >= 1.0 - foot.late_hold:
        return distance(vec(foot.track), vec(foot.goal)) > NEAR * plan.reach
    return bool(0.0 < foot.limit * plan.swing_time < 1.0 - foot.elapsed)


@kernel
def is_met(creature: Creature, i: int) -> bool:
    """Whether a foot is put off landing, once, since the bone above it would be in the ground."""
    return bool(creature.footholds[i].is_blocked != 0 and not creature.feet[i].is_put_off)


@kernel
def keeps_off(creature: Creature, i: int, other: int) -> bool:
    """Whether a leg stands where the foot of another one, in the air, wants to land.

    Of one whose leg does not reach its goal: where it looks for a better one. No place is one to it
    that is nearer to a leg than LAND_GAP, and a leg that lies across its hip is so near to all. Of
    who climbs such a leg stays: others of its rules let it go.
    """
    if is_held(creature, other):
        return takes_place(creature, i, other, vec(creature.feet[other].goal), TOUCHDOWN_GAP)
    least = TOUCHDOWN_GAP if creature.plan.climbs else LAND_GAP
    return takes_place(creature, i, other, vec(creature.footholds[other].aim), least)


@kernel
def takes_place(creature: Creature, i: int, other: int, point: Vec, least: float) -> bool:
    """Whether a leg stands where another one would be that lands on a point.

    Args:
        creature: whose legs they are.
        i: the leg that stands.
        other: the leg that lands.
        point: where [m, world].
        least: how near is too near, as a fraction of the reach.
    """
    leg = creature.legs[other]
    body = creature.trunk[leg.segment]
    goal = into_frame(vec(body.position), quat(body.orientation), point)
    stands = seen_leg(creature, other, i, vec(creature.feet[i].position))
    return not is_apart(strip_of(leg, goal), stands, least * leg.reach)


@kernel
def is_awaited(creature: Creature, i: int, dt: float) -> bool:
    """Whether a foot in the air only waits for a leg to leave the place where it lands."""
    for other in range(creature.legs.shape[0]):
        foot = creature.feet[other]
        is_up = foot.phase != STANDING and foot.phase != LOST
        if not is_up or not keeps_off(creature, i, other):
            continue
        is_over = lands(foot, dt) or is_kept_off(creature, other)
        if is_over or not is_held(creature, other):
            return True
    return False


@kernel
def is_held(creature: Creature, i: int) -> bool:
    """Whether a leg reaches the place where its foot wants to land."""
    leg = creature.legs[i]
    body, goal = creature.trunk[leg.segment], vec(creature.feet[i].goal)
    position, orientation = vec(body.position), quat(body.orientation)
    if pitch_to(leg, into_frame(position, orientation, goal)) > 1.0:
        return False
    return reaches(position, orientation, leg, goal)


@kernel
def finds_no_hold(creature: Creature, i: int) -> bool:
    """Whether a foot of who climbs hangs in the air, feels around, and has found nothing yet.

    Where it wanted to land is of old: that says nothing of the ground.
    """
    if not gropes(creature.plan, creature.footholds[i]):
        return False
    phase = creature.feet[i].phase
    return phase != STANDING and phase != LOST and not is_held(creature, i)


@kernel
def is_out_of_reach(creature: Creature, i: int) -> bool:
    """Whether a leg reaches the place where its foot wants to land neither now nor as it lands."""
    if is_held(creature, i):
        return False
    leg, foot = creature.legs[i], creature.feet[i]
    body = creature.trunk[leg.segment]
    orientation = quat(body.orientation)
    seconds = seconds_to_touchdown(creature.plan, creature.gait, foot)
    then = add(vec(body.position), rotate(orientation, travel(body, leg, seconds)))
    return not reaches(then, orientation, leg, vec(foot.goal))


@kernel
def may_land(creature: Creature, i: int) -> bool:
    """Whether a foot in the air has a place to land that its leg reaches and nobody has taken."""
    return is_free(creature, i) and is_held(creature, i) and not tries_in_vain(creature, i)


@kernel
def tries_in_vain(creature: Creature, i: int) -> bool:
    """Whether a foot of who climbs has been in the air for so long that it will hardly land.

    Another leg keeps it from its place, and the body that waits for it keeps that leg there.
    """
    foot = creature.feet[i]
    is_up = foot.phase != STANDING and foot.phase != LOST
    return bool(creature.plan.climbs and is_up and foot.urgency > TRIES)


@kernel
def will_land(creature: Creature, i: int, dt: float) -> bool:
    """Whether a foot in the air stands after this tick."""
    if is_met(creature, i) or not lands(creature.feet[i], dt) or not is_there(creature, i):
        return False
    return may_land(creature, i)


@kernel
def is_in_the_air(creature: Creature, i: int, dt: float) -> bool:
    """Whether others wait for a foot: it swings, and does not land in this tick."""
    phase = creature.feet[i].phase
    return bool(phase != STANDING and phase != LOST and not will_land(creature, i, dt))
