"""Bodies come softly to a stand before planted legs are at their limits.

Who slows down evenly goes as far as in half of the time at its speed v: v^2 / 2a. At a fraction f
of that speed it goes f^2 as far. So the fraction at which it still stops in time is the square root
of how much of that way all legs allow, and held at that it slows down evenly.
"""

from math import inf
from typing import NamedTuple

from creature_sim.components import STANDING, FootRecord, GravityRecord, PlanRecord
from creature_sim.locomotion.capture import pendulum_rate
from creature_sim.locomotion.clearance import ahead_of, partner, seen_then
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.frames import into_frame
from creature_sim.locomotion.outlines import strip_of
from creature_sim.locomotion.prediction import FEW
from creature_sim.locomotion.reach import (
    FULL_STRETCH,
    is_planted,
    lands_soon,
    leaves,
    loses_reach,
)
from creature_sim.locomotion.springs import SLIDES
from creature_sim.locomotion.strips import are_apart, gap_between
from creature_sim.locomotion.sway import JOLT, sways
from creature_sim.locomotion.swing import runs
from creature_sim.maths import TAU, Vec, add, norm, quat, scale, sub, vec
from creature_sim.maths.jit import kernel

SOFTLY = 1.5
"""For legs a body slows down by this multiple of its usual acceleration."""
HALVES = 6
"""So often the fraction is halved to find it: to a 64th."""
SWINGS_ON = 0.5
"""A body that hangs on its legs swings on by this fraction of where long braking brings it."""
SWAYS_ON = 0.5
"""A body that sways is taken to shift as it does for this fraction of its pendulum's time."""
MEETS_GAP = 0.006
"""It stops before standing legs are nearer to one another than this fraction of their reach..."""
LIFTED = 0.15
"""...or to one that has only this fraction of its swing behind it, or lands soon."""


class Stop(NamedTuple):
    """How a body would come to a stand.

    Attributes:
        shift: how fast it shifts over its feet [m/s, segment].
        lasts: for so long [s].
        seconds: in which it would go as far as it does while it slows down [s].
    """

    shift: Vec
    lasts: float
    seconds: float


@kernel
def stops_softly(creature: Creature) -> bool:
    """Whether a body looks ahead to where it comes to a stand.

    Not in runs, whose feet lift in time, nor on fewer than four legs, which take a step to stop.
    """
    is_walking = not (creature.plan.climbs or runs(creature))
    return bool(is_walking and creature.legs.shape[0] - creature.gait.lost_count >= FEW)


@kernel
def walk_left(creature: Creature, gravity: GravityRecord, leader: int, dt: float) -> float:
    """Fraction of its walk at which a trunk comes softly to a stand for planted legs, 1 to 0.

    Who sways is taken to shift over its feet as it does for a moment only: it comes back by itself.

    Args:
        creature: whose trunk it is.
        gravity: the field.
        leader: the segment that is steered.
        dt: length of the tick [s].
    """
    shift, lasts = vec(creature.gait.shift_rate), inf
    moves = vec(creature.trunk[leader].velocity)
    if sways(creature):
        lasts = SWAYS_ON / pendulum_rate(gravity, creature.gait)
    else:
        moves = add(moves, shift)
    seconds = walk_ends(creature, leader, norm(moves))
    return stop_left(creature, moves, Stop(shift, lasts, seconds), dt)


@kernel
def shift_left(
    creature: Creature, gravity: GravityRecord, leader: int, shift: Vec, dt: float
) -> float:
    """The same of how it shifts over its feet as it walks, [m/s, segment].

    Who sways slows down as fast as it gains speed.
    """
    moves = add(vec(creature.trunk[leader].velocity), shift)
    if sways(creature):
        seconds = 0.5 * norm(moves) / (JOLT * gravity.acceleration)
    else:
        seconds = walk_ends(creature, leader, norm(moves))
    return stop_left(creature, moves, Stop(shift, inf, seconds), dt)


@kernel
def walk_ends(creature: Creature, leader: int, speed: float) -> float:
    """Time in which a body would go as far, and turn, as it does while it comes to a stand [s].

    At a speed [m/s].
    """
    plan, turn = creature.plan, abs(creature.trunk[leader].yaw_rate)
    return float(0.5 / SOFTLY * max(speed / plan.acceleration, turn / plan.turn_acceleration))


@kernel
def stop_left(creature: Creature, moves: Vec, stop: Stop, dt: float) -> float:
    """Fraction of its motion at which a trunk still comes softly to a stand for planted legs.

    Args:
        creature: whose trunk it is: it walks on as it does.
        moves: its velocity [m/s, segment].
        stop: how it would come to a stand.
        dt: length of the tick [s]: it goes so far before it slows down further.
    """
    seconds = stop.seconds
    if seconds == 0.0 or legs_allow(creature, stop, seconds + dt, leaning_on(creature.plan, moves)):
        return 1.0
    least, most = 0.0, 1.0
    for _ in range(HALVES):
        middle = 0.5 * (least + most)
        lean = leaning_on(creature.plan, scale(moves, middle))
        if legs_allow(creature, stop, middle * (middle * seconds + dt), lean):
            least = middle
        else:
            most = middle
    return least


@kernel
def leaning_on(plan: PlanRecord, moves: Vec) -> Vec:
    """How far a body swings on over its feet on the springs of its legs as it stops [m, segment].

    `moves` is its velocity [m/s, segment].
    """
    speed, angular = norm(moves), SLIDES * TAU * plan.frequency
    swings = min(speed / angular, SOFTLY * plan.acceleration / (angular * angular))
    return scale(moves, SWINGS_ON * min(1.0, plan.weight) * swings / max(speed, 1e-9))


@kernel
def legs_allow(creature: Creature, stop: Stop, seconds: float, lean: Vec) -> bool:
    """Whether planted legs are still in reach if a body goes on so for so long, and swings on then.

    Or they come back there, at least.

    Args:
        creature: whose legs they are.
        stop: how it shifts over its feet as it walks.
        seconds: for how long.
        lean: how far it swings on then [m, segment].
    """
    drift = add(scale(stop.shift, min(seconds, stop.lasts)), lean)
    for i in range(creature.legs.shape[0]):
        if not is_planted(creature, i):
            continue
        leg, foot = creature.legs[i], vec(creature.feet[i].position)
        body = creature.trunk[leg.segment]
        now = into_frame(vec(body.position), quat(body.orientation), foot)
        moved = add(drift, (0.0, 0.0, body.climb * seconds))
        then = sub(seen_then(ahead_of(body, seconds), now), moved)
        if loses_reach(leg, now, then, leg.min_reach, FULL_STRETCH):
            return False
    return not legs_meet(creature, seconds, drift)


@kernel
def legs_meet(creature: Creature, seconds: float, drift: Vec) -> bool:
    """Whether legs of one segment come too near one another if a body goes on so for so long.

    One at least stands, and the other one does, or nearly.

    Args:
        creature: whose legs they are.
        seconds: for how long.
        drift: how far it shifts then [m, segment].
    """
    legs, feet = creature.legs, creature.feet
    for i in range(legs.shape[0]):
        if not stays(feet[i]):
            continue
        body, least, k = creature.trunk[legs[i].segment], MEETS_GAP * legs[i].reach, 0
        position, orientation = vec(body.position), quat(body.orientation)
        there, moved = ahead_of(body, seconds), add(drift, (0.0, 0.0, body.climb * seconds))
        own = into_frame(position, orientation, place_of(feet[i]))
        leg = strip_of(legs[i], sub(seen_then(there, own), moved))
        while partner(creature, i, k) != -1:
            other = partner(creature, i, k)
            k += 1
            if other < i or legs[other].segment != legs[i].segment:
                continue
            one_stands, other_stands = feet[i].phase == STANDING, feet[other].phase == STANDING
            if not (one_stands or other_stands) or not stays(feet[other]):
                continue
            its = into_frame(position, orientation, place_of(feet[other]))
            far = strip_of(legs[other], sub(seen_then(there, its), moved))
            if are_apart(leg, far, least):
                continue
            now = gap_between(strip_of(legs[i], own), strip_of(legs[other], its)).size
            if now < least and not (one_stands and other_stands):
                continue  # the one in the air gives way
            if gap_between(leg, far).size < now:
                return True
    return False


@kernel
def stays(foot: FootRecord) -> bool:
    """Whether a foot stands, or has just lifted, or lands soon."""
    return foot.phase == STANDING or leaves(foot, LIFTED) or lands_soon(foot)


@kernel
def place_of(foot: FootRecord) -> Vec:
    """Where a foot stands, or soon does [m, world]."""
    return vec(foot.goal) if lands_soon(foot) else vec(foot.position)
