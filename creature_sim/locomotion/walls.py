"""Bodies stop before what they cannot walk over, and go along it."""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import DYNAMIC, Record, Records
from creature_sim.maths import (
    GOLDEN,
    Floats,
    Z,
    add,
    along,
    dot,
    put,
    quat,
    reject,
    rotate,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

AHEAD_RAYS = 3
"""Rays ahead of every segment, of which one is cast in each tick, never at the same place."""
SOON = 0.2
"""The way that a body turns to within this time is looked at [s]."""
MARGIN = 0.1
"""A body keeps this share of its reach between a wall and its outermost foot."""
TALL = 0.65
"""A wall is higher than the body's centre, and than this share of its reach: feet climb that."""
STEEPEST = 0.7
"""Ground counts as such where its normal is within 45 degrees of the body's up (the cosine)."""


@kernel
def extent(segment: Record, legs: Records, s: int, x: float, y: float) -> float:
    """How far a segment and its feet at home go out from its centre [m].

    Args:
        segment: the segment.
        legs: (L,) LEG.
        s: which segment that is.
        x: of the unit direction [segment].
        y: of the unit direction [segment].
    """
    most = abs(x) * segment.front + abs(y) * segment.side
    for i in range(legs.shape[0]):
        if legs[i].segment == s:
            most = max(most, legs[i].home[0] * x + legs[i].home[1] * y)
    return float(most)


@kernel
def motion_of(trunk: Records, gait: Record, leader: int, s: int) -> tuple[float, float]:
    """Velocity of a segment, as far as walls may stop it [m/s, segment].

    What is pulled along goes where the leader has gone; all are pushed aside with it.
    """
    x, y, _ = along(vec(trunk[leader].velocity), vec(gait.acceleration), SOON)
    return (x if s == leader else 0.0, y)


@kernel
def look_ahead(
    plan: Record,
    segments: Records,
    legs: Records,
    trunk: Records,
    gait: Record,
    leader: int,
    tick: int,
    start: Floats,
    end: Floats,
    is_active: NDArray[np.int64],
) -> None:
    """Write the rays ahead of every segment, over what they could climb.

    Args:
        plan: PLAN.
        segments: (S,) SEGMENT.
        legs: (L,) LEG.
        trunk: (S,) BODY.
        gait: GAIT.
        leader: the segment that is steered.
        tick: of the clock; says which of the rays are cast.
        start: (S AHEAD_RAYS, 3) [m, world]; to be written.
        end: (S AHEAD_RAYS, 3).
        is_active: (S AHEAD_RAYS,).
    """
    is_active[:] = 0
    for s in range(trunk.shape[0]):
        x, y = motion_of(trunk, gait, leader, s)
        speed = sqrt(x * x + y * y)
        if speed < 1e-3:
            continue
        x, y = x / speed, y / speed
        width = max(extent(segments[s], legs, s, -y, x), extent(segments[s], legs, s, y, -x))
        far = extent(segments[s], legs, s, x, y) + MARGIN * plan.reach
        far += 0.5 * speed * speed / plan.acceleration
        k = tick % AHEAD_RAYS
        place = 2.0 * (k + (GOLDEN * tick) % 1.0) / AHEAD_RAYS - 1.0
        orientation = quat(trunk[s].orientation)
        side = place * width
        rise = max(0.0, TALL * plan.reach - gait.height)
        begin = add(vec(trunk[s].position), rotate(orientation, (-y * side, x * side, rise)))
        slot = s * AHEAD_RAYS + k
        put(start[slot], begin)
        put(end[slot], along(begin, rotate(orientation, (x, y, 0.0)), far))
        is_active[slot] = 1


@kernel
def stop_before_walls(
    plan: Record,
    segments: Records,
    legs: Records,
    trunk: Records,
    gait: Record,
    leader: int,
    hits: Records,
    solids: Records,
) -> bool:
    """Take from the leader's velocity what would carry the trunk into a wall.

    Towards a wall it is as fast as its acceleration can stop; along it nothing is lost. Dynamic
    props are pushed and stop nobody.

    Args:
        plan: PLAN.
        segments: (S,) SEGMENT.
        legs: (L,) LEG.
        trunk: (S,) BODY; the velocity of the leader changes.
        gait: GAIT.
        leader: the segment that is steered.
        hits: (S AHEAD_RAYS,) HIT of the rays ahead, the latest of each.
        solids: (P,) SOLID.

    Returns:
        Whether anything was taken.
    """
    is_stopped = False
    for s in range(trunk.shape[0]):
        orientation = quat(trunk[s].orientation)
        for slot in range(s * AHEAD_RAYS, (s + 1) * AHEAD_RAYS):
            hit = hits[slot]
            if hit.is_hit == 0 or (hit.prop >= 0 and solids[hit.prop].motion == DYNAMIC):
                continue
            up = rotate(orientation, Z)
            if dot(vec(hit.normal), up) >= STEEPEST:
                continue
            out = unit(reject(vec(hit.normal), up), up)
            x, y, _ = unrotate(orientation, out)
            gap = dot(sub(vec(trunk[s].position), vec(hit.point)), out)
            gap -= extent(segments[s], legs, s, -x, -y) + MARGIN * plan.reach
            most = sqrt(2.0 * plan.acceleration * max(0.0, gap))
            velocity = vec(trunk[leader].velocity)
            if s != leader:
                x = 0.0
            towards = -(x * velocity[0] + y * velocity[1])
            if towards > most:
                share = (towards - most) / (x * x + y * y)
                put(trunk[leader].velocity, along(velocity, (x, y, 0.0), share))
                is_stopped = True
    return is_stopped
