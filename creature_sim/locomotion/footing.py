"""What feet of who climbs say to its body: how far it may turn, and where others reach nothing."""

from math import inf, sqrt

import numpy as np

from creature_sim.components import LOST, STANDING, FootRecord, GravityRecord, Records
from creature_sim.locomotion.balance import margin, stands_round
from creature_sim.locomotion.braking import AHEAD, reach_left
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gravity import is_on_floor
from creature_sim.locomotion.landing import finds_no_hold, may_land
from creature_sim.locomotion.reach import loses_reach, reach_to
from creature_sim.locomotion.search import gropes
from creature_sim.maths import (
    Vec,
    add,
    along,
    any_normal,
    dot,
    mix,
    norm,
    put,
    quat,
    reject,
    scale,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

AGREE = 0.5
"""Feet that stand face one way if the mean of their normals is longer than this."""
TURNED = 0.55
"""A body turns no farther from where they face than to this (the cosine): its feet come first."""
SIDE = 1.5
"""Where more legs than this of one side reach nothing the body goes away from them..."""
ASIDE = 0.3
"""...at this fraction of the pace that it is asked for."""
BESIDE = 0.05
"""A body that is farther beside its feet than this fraction of its reach comes back over them..."""
COMES_IN = 0.5
"""...so fast that it would be there in this time [s]..."""
COMES_AT = 0.6
"""...but no faster than this fraction of its speed."""
NUDGE = 1e-5
"""How much farther a leg folds is looked at over this way [m]."""


@kernel
def near_feet(feet: Records[FootRecord], up: Vec) -> Vec:
    """A unit direction `up` that a body shall turn to, no farther than its feet have got [world].

    Where these stand on both sides of something thin they hold it either way.
    """
    whole, count = (0.0, 0.0, 0.0), 0.0
    for i in range(feet.shape[0]):
        if feet[i].phase == STANDING:
            whole, count = add(whole, vec(feet[i].goal_normal)), count + 1.0
    if norm(whole) <= AGREE * count:
        return up
    mean = unit(whole, up)
    if dot(up, mean) >= TURNED:
        return up
    level = unit(reject(up, mean), any_normal(mean))
    return along(scale(mean, TURNED), level, sqrt(1.0 - TURNED * TURNED))


@kernel
def leave_edge(creature: Creature, leader: int) -> None:
    """Let a body leave its edge if its feet on one side hang in the air and reach nothing.

    Otherwise it would go along the edge on the feet of its other side alone. It goes only as far as
    standing feet let it: a stretched leg would keep it from going back, too.

    Args:
        creature: the velocity of its leader changes.
        leader: the segment that is steered.
    """
    body, hangs = creature.trunk[leader], 0.0
    for i in range(creature.legs.shape[0]):
        leg = creature.legs[i]
        if leg.segment == leader and finds_no_hold(creature, i):
            hangs += leg.out[1]
    if abs(hangs) <= SIDE:
        return
    told, aside = vec(body.velocity), ASIDE * creature.gait.commanded_pace
    if hangs > 0.0:
        body.velocity[1] = min(body.velocity[1], -aside)
    else:
        body.velocity[1] = max(body.velocity[1], aside)
    go_as_legs_let(creature, leader, told)


@kernel
def come_over_feet(creature: Creature, gravity: GravityRecord, leader: int) -> None:
    """Let a body come back over its feet that hangs beside them, all of them on one side of it.

    As far as they let it; feet that are round a corner clamp it where it is. Those of its own
    segment count: the head of a centipede is ahead of all others, as it should be. On floors so do
    places where others will land: of a trot a body is beside three feet in each step, as the fourth
    flies. Not of feet that feel around: along edges these come down late, or not at all.

    Args:
        creature: the velocity of its leader changes.
        gravity: the field.
        leader: the segment that is steered.
    """
    if stands_round(creature, -1):
        return
    plan, body = creature.plan, creature.trunk[leader]
    is_level = is_on_floor(plan, gravity, body)
    points, count, stand = np.empty((creature.legs.shape[0], 2)), 0, 0
    for i in range(creature.legs.shape[0]):
        phase = creature.feet[i].phase
        if creature.legs[i].segment != leader or phase == LOST:
            continue
        stand += phase == STANDING
        lands = is_level and not gropes(plan, creature.footholds[i]) and may_land(creature, i)
        if phase == STANDING or lands:
            place = creature.feet[i].position if phase == STANDING else creature.feet[i].goal
            foot = sub(vec(place), vec(body.position))
            points[count, 0], points[count, 1], _ = unrotate(quat(body.orientation), foot)
            count += 1
    off, x, y = margin(points, count, 0.0, 0.0)
    if stand < 3 or off > -BESIDE * plan.reach:
        return
    told = vec(body.velocity)
    lacks = min(-off / COMES_IN, COMES_AT * plan.speed) - (x * told[0] + y * told[1])
    if lacks > 0.0:
        put(body.velocity, along(told, (x, y, 0.0), lacks))
        go_as_legs_let(creature, leader, told)


@kernel
def go_as_legs_let(creature: Creature, leader: int, told: Vec) -> None:
    """Take from a velocity what was added to it as far as legs that stand would stretch for it.

    Past a foot so near that its leg would fold too far the body slides: else it would not move.

    Args:
        creature: the velocity of its leader changes.
        leader: the segment that is steered.
        told: the velocity before [m/s, segment].
    """
    body = creature.trunk[leader]
    put(body.velocity, mix(told, vec(body.velocity), reach_left(creature)))
    orientation, position = quat(body.orientation), vec(body.position)
    for i in range(creature.legs.shape[0]):
        leg, foot = creature.legs[i], creature.feet[i]
        if leg.segment != leader or foot.phase != STANDING:
            continue
        at = unrotate(orientation, sub(vec(foot.position), position))
        x = body.velocity[0] - body.yaw_rate * at[1]
        y = body.velocity[1] + body.yaw_rate * at[0]
        then = sub(at, (x * AHEAD, y * AHEAD, 0.0))
        if not loses_reach(leg, at, then, leg.min_reach, inf):
            continue
        far = reach_to(leg, at)[0]
        away_x = (reach_to(leg, sub(at, (NUDGE, 0.0, 0.0)))[0] - far) / NUDGE
        away_y = (reach_to(leg, sub(at, (0.0, NUDGE, 0.0)))[0] - far) / NUDGE
        steep = away_x * away_x + away_y * away_y
        nears = away_x * x + away_y * y
        if steep > 0.0 and nears < 0.0:
            put(body.velocity, along(vec(body.velocity), (away_x, away_y, 0.0), -nears / steep))
