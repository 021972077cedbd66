"""Where a body moves its weight, to stand safely on the feet that stand now and soon."""

import numpy as np

from creature_sim.components import LOST, PHASE, STANDING, GravityRecord, PlanRecord
from creature_sim.locomotion.balance import (
    below_weight,
    is_stuck,
    margin,
    most_urgent,
    pull_on_trunk,
    support,
)
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.prediction import is_due
from creature_sim.locomotion.trunk import centre_of
from creature_sim.maths import Floats, Vec, clamp, quat, rotate, scale, sub, vec
from creature_sim.maths.jit import kernel

WISHED = 0.10
"""A body shifts until its margin is this fraction of the reach."""
MAX_SHIFT = 3.2
"""It shifts no farther than this many times that."""
SOON = 0.15
"""A weight moves over the feet that stand after this fraction of the cycle, as well as now."""


@kernel
def wished_shift(creature: Creature, gravity: GravityRecord, dt: float) -> Vec:
    """Where the body should be against its homes, to stand safely and to sway [m, head].

    1. Legs that are gone leave its homes off centre.
    2. A gait that means to be stable moves the weight in from the edge of the feet that will stand
       soon, and then of those that do: not of the one whose step is most urgent. Who climbs leaves
       all that are up now or soon at once: around what is round it knows no other way in.
    3. Sway goes towards the side that stands.
    """
    plan, legs, gait, feet = creature.plan, creature.legs, creature.gait, creature.feet
    x = y = side = 0.0
    standing, urgent = 0, most_urgent(creature, dt)
    left = legs.shape[0] - gait.lost_count
    for i in range(legs.shape[0]):
        if gait.lost_count > 0 and creature.trunk.shape[0] == 1:
            weight = (0.0 if feet[i].phase == LOST else 1.0 / left) - 1.0 / legs.shape[0]
            x += weight * legs[i].home[0]
            y += weight * legs[i].home[1]
        if feet[i].phase == STANDING:
            side += legs[i].side
            standing += 1
    if standing > 0 and gait.pace > 0.0:
        y += plan.sway * side / standing
    if not gait.is_static or left < 4:
        return (x, y, 0.0)
    dx, dy = 0.0, 0.0
    goes = plan.gait_kind == PHASE and gait.pace > 0.0
    if goes and not plan.climbs:
        soon = min(SOON, 1.0 - gait.duty_factor)  # no leg lifts and lands between
        points, count = support_then(creature, gravity, soon, urgent)
        dx, dy = moved_in(plan, points, count, x, y)
    leaves = np.zeros(legs.shape[0], np.bool_)
    for i in range(legs.shape[0]):
        leaves[i] = i == urgent
        if goes and plan.climbs:
            leaves[i] = leaves[i] or is_due(gait, gait.phase + SOON, feet[i])
    points, count = support(creature, gravity, vec(gait.shift), leaves, 0.0)
    mx, my = moved_in(plan, points, count, x + dx, y + dy)
    dx, dy = dx + mx, dy + my
    near = 0.0 if is_stuck(gait, dt) else 2.0 * plan.pad
    return (x + dx - clamp(dx, -near, near), y + dy, 0.0)


@kernel
def support_then(
    creature: Creature, gravity: GravityRecord, soon: float, urgent: int
) -> tuple[Floats, int]:
    """The feet that stand after a fraction of the cycle, seen as by `support`.

    Against where the body will be then without its shift, if it goes on as it does. Those in the
    air whose turn is over by then stand where they mean to land.

    Args:
        creature: that goes, in a gait that knows its cycle.
        gravity: the field.
        soon: that fraction.
        urgent: a foot that does not count; -1: all do.
    """
    gait, feet = creature.gait, creature.feet
    points = np.empty((feet.shape[0], 2))
    orientation = quat(creature.trunk[0].orientation)
    centre = sub(centre_of(creature.trunk), rotate(orientation, vec(gait.shift)))
    down = pull_on_trunk(creature, gravity, centre)
    seconds = soon * (gait.stroke + gait.swing_length) / gait.pace
    gone = scale(vec(creature.trunk[0].velocity), seconds)
    count = 0
    for i in range(feet.shape[0]):
        stands = not is_due(gait, gait.phase + soon, feet[i])
        if feet[i].phase != LOST and stands and i != urgent:
            stand = sub(vec(feet[i].goal), centre)
            x, y = below_weight(orientation, stand, down)
            points[count, 0], points[count, 1] = x - gone[0], y - gone[1]
            count += 1
    return points, count


@kernel
def moved_in(
    plan: PlanRecord, points: Floats, count: int, x: float, y: float
) -> tuple[float, float]:
    """How far a weight moves in from the nearest edge of its support until it is safe [m, head].

    Args:
        plan: of the creature.
        points: (P, 2) of feet, of which the first `count` are looked at [m, head].
        count: how many; on fewer than three it stays.
        x: of the weight.
        y: of it.
    """
    off, nx, ny = margin(points, count, x, y)
    missing = WISHED * plan.reach - off
    if count < 3 or missing <= 0.0:
        return 0.0, 0.0
    missing = min(missing, MAX_SHIFT * WISHED * plan.reach)
    return nx * missing, ny * missing
