"""The centre of mass over the feet: McGhee and Frank 1968."""

from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    FOUND,
    LOST,
    PHASE,
    STANDING,
    GaitRecord,
    GravityRecord,
    LegRecord,
    PlanRecord,
    Records,
)
from creature_sim.locomotion.capture import capture_margin, pendulum_rate
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gravity import pull_on
from creature_sim.locomotion.landing import is_awaited, is_in_the_air, will_land
from creature_sim.locomotion.prediction import FEW, stride_of
from creature_sim.locomotion.search import RESTS
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.locomotion.trunk import centre_of
from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    add,
    clamp,
    dot,
    exp,
    norm,
    quat,
    rotate,
    scale,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

TIP = 0.03
"""A step that would leave a smaller margin than this fraction of the reach waits."""
DESPERATE = 1.75
"""The urgency of a step from which it only waits for the weight to be over the other feet..."""
HOPELESS = 4.0
"""...and from which it waits no more."""
RESTLESS = 1.3
"""From this urgency of a foot on the weight moves off it, so that it can step, and the body waits
for it if need be."""
HANGS = 0.1
"""A body that hangs beside its feet is farther off them than this fraction of its reach."""
BRAKING = 0.08
"""Nearer to the edge than this fraction of the reach a body slows down..."""
STOP = 0.01
"""...and here it stops."""
WAITS = 0.25
"""A body that is stuck for this long waits until its weight has shifted [s]."""
ROUND, CLAMPS = 0.9, 3
"""Feet are round a corner if the ground's normal under one is this far from the mean of all (the
cosine). At least `CLAMPS` of the feet that hold on to both sides stand."""


@kernel
def margin(points: Floats, count: int, x: float, y: float) -> tuple[float, float, float]:
    """Signed distance of (x, y) to the edge of the convex hull of points, positive inside.

    Args:
        points: (P, 2), of which the first `count` are looked at.
        count: how many.
        x: of the point.
        y: of the point.

    Returns:
        The distance to the nearest edge's line (-inf for fewer than three points), and the unit
        direction from that edge inward. The hull is wrapped like a gift (Jarvis 1973).
    """
    best, nx, ny = -inf, 0.0, 0.0
    if count < 3:
        return best, nx, ny
    first = 0
    for i in range(1, count):
        if points[i, 0] < points[first, 0] or (
            points[i, 0] == points[first, 0] and points[i, 1] < points[first, 1]
        ):
            first = i
    best = inf
    here = first
    for _ in range(count):
        there = (here + 1) % count
        for i in range(count):  # the one that has all others to its left
            ax, ay = points[there, 0] - points[here, 0], points[there, 1] - points[here, 1]
            bx, by = points[i, 0] - points[here, 0], points[i, 1] - points[here, 1]
            if ax * by - ay * bx < 0.0:
                there = i
        ax, ay = points[there, 0] - points[here, 0], points[there, 1] - points[here, 1]
        length = sqrt(ax * ax + ay * ay)
        if length > 1e-9:
            off = (ax * (y - points[here, 1]) - ay * (x - points[here, 0])) / length
            if off < best:
                best, nx, ny = off, -ay / length, ax / length
        here = there
        if here == first:
            break
    return best, nx, ny


@kernel
def below_weight(orientation: Quat, offset: Vec, down: Vec) -> tuple[float, float]:
    """A point against the centre of mass, projected along gravity to its level [m, head].

    Args:
        orientation: of the head.
        offset: from the centre of mass to the point [m, world].
        down: direction of gravity [world].
    """
    x, y, z = unrotate(orientation, offset)
    gx, gy, gz = unrotate(orientation, down)
    factor = z / min(gz, -0.2)
    return (x - factor * gx, y - factor * gy)


@kernel
def is_upright(legs: Records[LegRecord], gait: GaitRecord) -> bool:
    """Whether a body stays level on a slope: two feet span no plane that it could follow."""
    return bool(legs.shape[0] - gait.lost_count < 3)


@kernel
def stands_firm(plan: PlanRecord, legs: Records[LegRecord], gait: GaitRecord) -> bool:
    """Whether a creature means to keep its weight over its feet, and has feet enough for it."""
    return bool(gait.is_static and legs.shape[0] - gait.lost_count >= 5)


@kernel
def crawls(creature: Creature) -> bool:
    """Whether a creature keeps three of few feet on the ground."""
    return bool(creature.gait.is_static and creature.legs.shape[0] <= FEW)


@kernel
def stands_round(creature: Creature, leaves: int) -> bool:
    """Whether a creature that climbs has feet round a corner, where they clamp it.

    Args:
        creature: that stands.
        leaves: a foot that does not count; -1: all do.
    """
    if not creature.plan.climbs:
        return False
    faces = (0.0, 0.0, 0.0)
    for i in range(creature.legs.shape[0]):
        if creature.feet[i].phase == STANDING and i != leaves:
            faces = add(faces, vec(creature.feet[i].goal_normal))
    least = ROUND * norm(faces)
    for i in range(creature.legs.shape[0]):
        foot = creature.feet[i]
        if foot.phase == STANDING and i != leaves and dot(vec(foot.goal_normal), faces) <= least:
            return True
    return False


@kernel
def support(
    creature: Creature,
    gravity: GravityRecord,
    shift: Vec,
    leaves: NDArray[np.bool_],
    dt: float,
) -> tuple[Floats, int]:
    """The feet that stand, seen along gravity from the centre of mass.

    Args:
        creature: that stands on them.
        gravity: the field.
        shift: of the centre of mass, to be taken back [m, head].
        leaves: (L,) which of them do not count.
        dt: feet that land within this time count as well [s].

    Returns:
        points (L, 2) [m, head], of which the first so many are set.
    """
    points = np.empty((len(leaves), 2))
    orientation = quat(creature.trunk[0].orientation)
    centre = sub(centre_of(creature.trunk), rotate(orientation, shift))
    down = pull_on_trunk(creature, gravity, centre)
    count = 0
    for i in range(len(leaves)):
        foot = creature.feet[i]
        if (foot.phase == STANDING or will_land(creature, i, dt)) and not leaves[i]:
            stand = sub(vec(foot.goal), centre)
            points[count, 0], points[count, 1] = below_weight(orientation, stand, down)
            count += 1
    return points, count


@kernel
def support_without(
    creature: Creature, gravity: GravityRecord, i: int, dt: float
) -> tuple[Floats, int]:
    """The feet that stand but for that of leg `i`, see `support`."""
    leaves = np.zeros(creature.legs.shape[0], np.bool_)
    leaves[i] = True
    return support(creature, gravity, (0.0, 0.0, 0.0), leaves, dt)


@kernel
def pull_on_trunk(creature: Creature, gravity: GravityRecord, centre: Vec) -> Vec:
    """Unit direction in which a trunk is balanced over its feet, see `pull_on` [world]."""
    first = pull_on(creature.plan, gravity, creature.trunk[0], centre)
    if not creature.plan.climbs:
        return first
    whole = first
    for s in range(1, creature.trunk.shape[0]):
        whole = add(whole, pull_on(creature.plan, gravity, creature.trunk[s], centre))
    return unit(whole, first)


@kernel
def is_stuck(gait: GaitRecord, dt: float) -> bool:
    """Whether a body has come no farther for so long that it shifts its weight first."""
    return bool(gait.stuck * dt > WAITS)


@kernel
def most_urgent(creature: Creature, dt: float) -> int:
    """The standing foot whose step is most urgent, of those that know where to go; -1: none.

    At rest feet have time: none is while another one is in the air. A body that is stuck looks at
    all that should step.
    """
    found, urgency = -1, 1.0 if is_stuck(creature.gait, dt) else RESTLESS
    rests = creature.gait.pace < RESTS and creature.gait.commanded_pace < RESTS
    for i in range(creature.legs.shape[0]):
        foot = creature.feet[i]
        if rests and foot.phase != STANDING and foot.phase != LOST:
            return -1
        knows = creature.footholds[i].status == FOUND
        if foot.phase == STANDING and knows and foot.urgency > urgency:
            found, urgency = i, foot.urgency
    return found


@kernel
def balance_left(creature: Creature, gravity: GravityRecord, dt: float) -> float:
    """Fraction of the full speed at which a body may move to the edge of its support, 0 to 1.

    A body that is stuck waits until its weight is off the foot whose step is most urgent. Otherwise
    it would go on as fast as its weight shifts.
    """
    if not stands_firm(creature.plan, creature.legs, creature.gait) or stands_round(creature, -1):
        return 1.0
    leaves = np.zeros(creature.legs.shape[0], np.bool_)
    left = room_to_edge(creature, gravity, leaves)
    urgent = most_urgent(creature, dt) if is_stuck(creature.gait, dt) else -1
    if urgent >= 0:
        leaves[urgent] = True
        left = min(left, room_to_edge(creature, gravity, leaves))
    return left


@kernel
def room_to_edge(creature: Creature, gravity: GravityRecord, leaves: NDArray[np.bool_]) -> float:
    """Fraction of the full speed that the edge of the support leaves, without feet that leave it.

    `leaves` (L,) says which those are.
    """
    points, count = support(creature, gravity, (0.0, 0.0, 0.0), leaves, 0.0)
    off, nx, ny = margin(points, count, 0.0, 0.0)
    velocity = creature.trunk[0].velocity
    if count < 3 or nx * velocity[0] + ny * velocity[1] >= 0.0:
        return 1.0
    return clamp((off / creature.plan.reach - STOP) / (BRAKING - STOP), 0.0, 1.0)


@kernel
def would_tip(creature: Creature, gravity: GravityRecord, i: int, dt: float) -> bool:
    """Whether the weight would leave the feet if leg `i` lifted, now or until it lands.

    Feet that land in this tick, of `dt` [s], stand: else a swing would last longer by a tick. The
    more urgent the step, the less the way counts that the body would go: it waits for it. With
    all others on the ground the most urgent of those that know where to go waits less once it is
    DESPERATE, and not for ever.
    """
    plan, foot = creature.plan, creature.feet[i]
    if plan.gait_kind == PHASE and not creature.gait.is_static:
        is_setting_out = stride_of(plan, creature.gait) < 1.0 and foot.urgency < DESPERATE
        return is_setting_out and would_fall(creature, gravity, i, dt)
    if crawls(creature):
        return is_any_up(creature, dt)
    if not stands_firm(plan, creature.legs, creature.gait):
        return False
    if stands_round(creature, i):
        return stand_count(creature) <= CLAMPS
    points, count = support_without(creature, gravity, i, dt)
    seconds = seconds_to_touchdown(plan, creature.gait, foot)
    goes = clamp((RESTLESS - foot.urgency) / (RESTLESS - 1.0), 0.0, 1.0)
    x, y, _ = scale(vec(creature.trunk[0].velocity), goes * seconds)
    now, _, _ = margin(points, count, 0.0, 0.0)
    then, _, _ = margin(points, count, x, y)
    if creature.gait.pace < RESTS and is_awaited(creature, i, dt):
        return False  # else both would wait for ever
    if is_first(creature, i, dt):
        return bool(now < 0.0 and foot.urgency < HOPELESS)
    return bool(min(now, then) < TIP * plan.reach)


@kernel
def hangs_beside(creature: Creature, gravity: GravityRecord, i: int, dt: float) -> bool:
    """Whether a body would hang beside its other feet if leg `i` lifted.

    Feet that land in this tick, of `dt` [s], stand; those round a corner clamp it where it is.
    """
    if stands_round(creature, i):
        return False
    points, count = support_without(creature, gravity, i, dt)
    return bool(margin(points, count, 0.0, 0.0)[0] < -HANGS * creature.plan.reach)


@kernel
def stand_count(creature: Creature) -> int:
    """How many feet stand."""
    count = 0
    for i in range(creature.legs.shape[0]):
        count += creature.feet[i].phase == STANDING
    return count


@kernel
def is_any_up(creature: Creature, dt: float) -> bool:
    """Whether a foot is in the air, and stays there in this tick."""
    count = 0
    for i in range(creature.legs.shape[0]):
        count += is_in_the_air(creature, i, dt)
    return count > 0


@kernel
def would_fall(creature: Creature, gravity: GravityRecord, i: int, dt: float) -> bool:
    """Whether the feet would not catch a body that falls from foot to foot if leg `i` lifted."""
    count = creature.legs.shape[0]
    later = np.empty((count, 2))
    now, standing = support_without(creature, gravity, i, dt)
    orientation, centre = quat(creature.trunk[0].orientation), centre_of(creature.trunk)
    down, landed = pull_on_trunk(creature, gravity, centre), standing
    later[:standing] = now[:standing]
    for k in range(count):
        foot = creature.feet[k]
        if k == i or is_in_the_air(creature, k, dt):
            goal = vec(creature.footholds[k].position if k == i else foot.goal)
            later[landed] = below_weight(orientation, sub(goal, centre), down)
            landed += 1
    rate = pendulum_rate(gravity, creature.gait)
    seconds = seconds_to_touchdown(creature.plan, creature.gait, creature.feet[i])
    moves = add(vec(creature.trunk[0].velocity), vec(creature.gait.shift_rate))
    x, y, _ = scale(moves, 1.0 / rate)
    off = capture_margin(now, standing, later, landed, exp(-rate * seconds), x, y)
    return bool(off + creature.plan.pad < 0.0)


@kernel
def is_first(creature: Creature, i: int, dt: float) -> bool:
    """Whether a step is desperate, more urgent than all others, and no foot is in the air."""
    urgency = creature.feet[i].urgency
    if urgency <= DESPERATE:
        return False
    for other in range(creature.legs.shape[0]):
        foot = creature.feet[other]
        is_behind = creature.footholds[other].status == FOUND and foot.urgency > urgency
        if foot.phase != LOST and (is_in_the_air(creature, other, dt) or is_behind):
            return False
    return True
