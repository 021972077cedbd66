"""Every ray of a tick; `slots.py` says which is where."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import PHASE, Record, Records
from creature_sim.locomotion.prediction import (
    cycles_in,
    ground_velocity,
    home_of,
    is_due,
    lead,
    travel,
)
from creature_sim.locomotion.slots import (
    AIM_UNTIL,
    ARC_RAYS,
    RETREATS,
    RING,
    RING_RADIUS,
    SEARCHING,
    SHIN,
    ahead_slot,
    arc_share,
    arc_slot,
    downhill,
    leans_out,
    ring_slot,
    rise_of,
)
from creature_sim.locomotion.swing import SAMPLED, UNSAMPLED, seconds_to_touchdown
from creature_sim.locomotion.trunk import leader_of
from creature_sim.locomotion.walls import look_ahead
from creature_sim.maths import (
    Floats,
    Vec,
    Z,
    add,
    along,
    cross,
    distance,
    mix,
    put,
    quat,
    rotate,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

LOOKING = 0.35
"""A standing foot looks for its next foothold from this need to step on, or when it is its turn."""


LAST_LOOK = 0.85
"""Progress of a swing from which on the ground ahead of it is not looked at any more."""


FOOT_RADIUS = 0.03
"""They lie so far to both sides of it in turn, as a share of the reach: feet graze nothing."""


NOTHING_BETWEEN = 0.09
"""Nor is the ground along a way shorter than this share of the reach."""


BODY_RAY = 5.0
"""Ground is looked for this far below where it should be under a body [m]."""


AIM_SPEED = 1.0
"""How fast an aim may move over the ground beside twice the foot's own speed [m/s]."""


@kernel
def aim_of(plan: Record, gait: Record, body: Record, leg: Record, foot: Record) -> Vec:
    """Where a foot that lifts now, or is in the air, should land, before sensing [m, world]."""
    seconds = seconds_to_touchdown(plan, gait, foot)
    aim = add(add(home_of(gait, leg), lead(plan, gait, body, leg)), travel(body, leg, seconds))
    aim = add(aim, downhill(plan, gait, body))
    position, orientation = vec(body.position), quat(body.orientation)
    where, share = RETREATS[foot.retreat]
    begin = (leg.mount[0], leg.mount[1], -gait.height)
    if where == 1:
        begin = unrotate(orientation, sub(vec(foot.goal), position))
    aim = add(mix(begin, aim, share), vec(foot.nudge))
    return add(position, rotate(orientation, aim))


@kernel
def plan_probes(
    plan: Records,
    segments: Records,
    legs: Records,
    bodies: Records,
    gaits: Records,
    feet: Records,
    start: Floats,
    end: Floats,
    is_active: NDArray[np.int64],
    tick: int,
    dt: float,
) -> None:
    """Write start and end of every ray, (N, S, 3) [m, world], and which of them to cast."""
    limits = plan[0]
    leg_count, segment_count = legs.shape[0], bodies.shape[1]
    for n in range(bodies.shape[0]):
        gait = gaits[n]
        # a foot that lifts in this tick moves from the next one on
        ahead = gait.phase + 2.0 * cycles_in(gait, dt)
        for s in range(segment_count):
            body = bodies[n, s]
            up = rotate(quat(body.orientation), Z)
            position = vec(body.position)
            put(start[n, s], along(position, up, limits.ride_height))
            put(end[n, s], along(position, up, -(BODY_RAY + limits.ride_height)))
            is_active[n, s] = 1
        slot = ahead_slot(segment_count, leg_count, 0)
        look_ahead(
            limits, segments, legs, bodies[n], gait, leader_of(bodies[n]), tick,
            start[n, slot:], end[n, slot:], is_active[n, slot:],
        )  # fmt: skip
        for i in range(leg_count):
            leg, foot = legs[i], feet[n, i]
            arc, ring = (
                arc_slot(segment_count, leg_count, i),
                ring_slot(segment_count, leg_count, i),
            )
            if foot.is_lost:
                is_active[n, segment_count + i] = 0
                is_active[n, arc : arc + ARC_RAYS] = 0
                is_active[n, ring : ring + len(RING) + 1] = 0
                continue
            body = bodies[n, leg.segment]
            up = rotate(quat(body.orientation), Z)
            above = rise_of(limits, leg)
            aim = aim_of(limits, gait, body, leg, foot)
            if foot.is_swinging:
                old = vec(foot.aim)
                if foot.progress > AIM_UNTIL:
                    aim = old
                else:
                    _, _, speed = ground_velocity(body, leg)
                    most = (AIM_SPEED + 2.0 * speed) * dt
                    way = distance(old, aim)
                    if way > most:
                        aim = mix(old, aim, most / way)
            put(foot.aim, aim)
            put(start[n, segment_count + i], along(aim, up, above))
            put(end[n, segment_count + i], along(aim, up, -leg.reach))
            looks = foot.need > LOOKING or (limits.gait == PHASE and is_due(gait, ahead, foot))
            searches = foot.need > SEARCHING
            if foot.is_swinging:
                looks = foot.progress <= AIM_UNTIL
                searches = looks
            is_active[n, segment_count + i] = looks
            for k in range(len(RING)):
                slot = ring + k
                is_active[n, slot] = searches
                if searches:
                    side = rotate(quat(body.orientation), RING[k])
                    point = along(aim, side, RING_RADIUS * leg.reach)
                    put(start[n, slot], along(point, up, above))
                    put(end[n, slot], along(point, up, -leg.reach))
            slot = ring + len(RING)
            out = leans_out(leg)
            is_active[n, slot] = searches and out > 0.0
            if is_active[n, slot]:
                side = rotate(quat(body.orientation), (leg.shin[0], leg.shin[1], 0.0))
                point = along(aim, side, SHIN)
                put(start[n, slot], along(point, up, above))
                put(end[n, slot], along(point, up, -leg.reach))
            flies = foot.is_swinging and foot.progress < LAST_LOOK
            if flies and foot.lift == UNSAMPLED:
                foot.lift = SAMPLED
            if distance(vec(foot.track), vec(foot.goal)) < NOTHING_BETWEEN * leg.reach:
                flies = False
            is_active[n, arc : arc + ARC_RAYS] = flies
            if not flies:
                continue
            aside = cross(up, unit(sub(vec(foot.goal), vec(foot.track)), up))
            width = FOOT_RADIUS * leg.reach
            for k in range(ARC_RAYS):
                point = mix(vec(foot.track), vec(foot.goal), arc_share(tick, k))
                point = along(point, aside, width if (tick + k) % 2 else -width)
                put(start[n, arc + k], along(point, up, above))
                put(end[n, arc + k], along(point, up, -leg.reach))
