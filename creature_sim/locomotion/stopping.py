"""Bodies come softly to a stand before planted legs are at their limits.

Who slows down evenly goes as far as in half of the time at its speed v: v^2 / 2a. At a fraction f
of that speed it goes f^2 as far. So the fraction at which it still stops in time is the square root
of how much of that way all legs allow, and held at that it slows down evenly.
"""

from math import inf

from creature_sim.components import PlanRecord
from creature_sim.locomotion.clearance import ahead_of, seen_then
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.frames import into_frame
from creature_sim.locomotion.prediction import FEW
from creature_sim.locomotion.reach import FULL_STRETCH, is_planted, loses_reach
from creature_sim.locomotion.springs import SLIDES
from creature_sim.locomotion.swing import runs
from creature_sim.maths import TAU, Vec, add, norm, quat, scale, sub, vec
from creature_sim.maths.jit import kernel

SOFTLY = 1.5
"""For legs a body slows down by this multiple of its usual acceleration."""
HALVES = 6
"""So often the fraction is halved to find it: to a 64th."""
SWINGS_ON = 0.5
"""A body that hangs on its legs swings on by this fraction of where long braking brings it."""


@kernel
def stops_softly(creature: Creature) -> bool:
    """Whether a body looks ahead to where it comes to a stand.

    Not in runs, whose feet lift in time, nor on few legs, which take a step to stop.
    """
    is_walking = not (creature.plan.climbs or runs(creature))
    return bool(is_walking and creature.legs.shape[0] - creature.gait.lost_count > FEW - 1)


@kernel
def stop_left(creature: Creature, leader: int, shift: Vec, lasts: float, slows: float, dt: float) -> float:
    """Fraction of its motion at which a trunk still comes softly to a stand for planted legs.

    Args:
        creature: whose trunk it is: it walks on as it does, and shifts over its feet.
        leader: the segment that is steered.
        shift: how fast it shifts [m/s, segment].
        dt: length of the tick [s]: it goes so far before it slows down further.
    """
    plan, lead = creature.plan, creature.trunk[leader]
    moves = vec(lead.velocity)
    if lasts == inf:
        moves = add(moves, shift)
    turn = abs(lead.yaw_rate)
    seconds = 0.5 * max(norm(moves) / slows, turn / (SOFTLY * plan.turn_acceleration))
    if seconds == 0.0 or legs_allow(creature, shift, seconds + dt, lasts, leaning_on(plan, moves)):
        return 1.0
    least, most = 0.0, 1.0
    for _ in range(HALVES):
        middle = 0.5 * (least + most)
        lean = leaning_on(plan, scale(moves, middle))
        if legs_allow(creature, shift, middle * (middle * seconds + dt), lasts, lean):
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
def legs_allow(creature: Creature, shift: Vec, seconds: float, lasts: float, lean: Vec) -> bool:
    """Whether planted legs are still in reach if a body goes on so for so long, and swings on then.

    Or they come back there, at least.

    Args:
        creature: whose legs they are.
        shift: how fast it shifts over its feet as it walks [m/s, segment].
        seconds: for how long.
        lean: how far it swings on then [m, segment].
    """
    for i in range(creature.legs.shape[0]):
        if not is_planted(creature, i):
            continue
        leg, foot = creature.legs[i], vec(creature.feet[i].position)
        body = creature.trunk[leg.segment]
        now = into_frame(vec(body.position), quat(body.orientation), foot)
        moved = add(add(scale(shift, min(seconds, lasts)), (0.0, 0.0, body.climb * seconds)), lean)
        then = sub(seen_then(ahead_of(body, seconds), now), moved)
        if loses_reach(leg, now, then, leg.min_reach, FULL_STRETCH):
            return False
    return True
