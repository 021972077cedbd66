"""Every ray of a tick.

Slots of a creature with L legs: 0 the ground below the body; 1 to L the next foothold of each leg;
then for each leg ARC, the ground between a foot in the air and its goal; then for each leg
the RING around its next foothold, which tells edges.
"""

import esper
import numpy as np
from numpy.typing import NDArray

from creature_sim.components import Body, Feet, Plan, Probes, Record, Records
from creature_sim.jit import kernel
from creature_sim.maths import (
    Floats,
    Vec,
    add,
    along,
    distance,
    mix,
    put,
    quat,
    rotate,
    unrotate,
    vec,
)
from creature_sim.systems.prediction import ground_velocity, lead, seconds_to_touchdown, travel

Z = (0.0, 0.0, 1.0)

ARC = (0.1, 0.35, 0.6, 0.85)
"""Shares of a foot's remaining way at which the ground is looked at."""
RING = ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0))
"""Directions of the ring's rays from the foothold [body]."""
RING_RADIUS = 0.08
"""How far from the foothold they are, as a share of the leg's reach."""
SEARCHING = 0.75
"""A standing foot looks for edges around its next foothold from this need to step on."""
UNSAMPLED, SAMPLED = -1.0, 0.0
"""Lift of a swing before and after the ground below its arc is looked at."""
LAST_LOOK = 0.85
"""Progress of a swing from which on the ground ahead of it is not looked at any more."""
BODY_RAY = 5.0
"""Ground is looked for this far below where it should be under a body [m]."""
AIM_UNTIL = 0.5
"""Progress of a swing from which on it keeps its goal."""
AIM_SPEED = 1.0
"""How fast an aim may move over the ground beside twice the foot's own speed [m/s]."""
UPHILL = 0.6
"""Share of its overhang down a slope that a body makes good."""
RETREATS = 3
"""Footholds are looked for at the full way from below the hip to the aim, 3/4, and 1/2 of it."""


def slot_count(leg_count: int) -> int:
    """Rays that a creature may need in one tick."""
    return 1 + leg_count * (1 + len(ARC) + len(RING))


class PlanProbes(esper.Processor):
    """Say which rays this tick needs."""

    def process(self, dt: float) -> None:
        """Write the rays of every herd."""
        for _, (plan, body, feet, probes) in esper.get_components(Plan, Body, Feet, Probes):
            plan_probes(
                plan.body,
                plan.legs,
                body.records,
                feet.records,
                probes.start,
                probes.end,
                probes.is_active,
                dt,
            )


@kernel
def aim_of(plan: Record, body: Record, leg: Record, foot: Record) -> Vec:
    """Where a foot that lifts now, or is in the air, should land, before sensing [m, world]."""
    seconds = seconds_to_touchdown(plan, body, leg, foot)
    aim = add(add(vec(leg.home), lead(plan, body, leg)), travel(body, leg, seconds))
    aim = add(aim, downhill(plan, body))
    below_hip = (leg.mount[0], leg.mount[1], leg.home[2])
    aim = add(mix(below_hip, aim, 1.0 - 0.25 * foot.retreat), vec(foot.nudge))
    return add(vec(body.position), rotate(quat(body.orientation), aim))


@kernel
def downhill(plan: Record, body: Record) -> Vec:
    """How far feet stand down the slope from home, below the body's weight [m, body].

    On a slope the body, upright on it, hangs over its lower feet by ride height times grade.
    """
    x, y, z = unrotate(quat(body.orientation), (0.0, 0.0, -1.0))
    share = UPHILL * plan.ride_height / max(0.5, -z)
    return (x * share, y * share, 0.0)


@kernel
def plan_probes(
    plan: Records,
    legs: Records,
    bodies: Records,
    feet: Records,
    start: Floats,
    end: Floats,
    is_active: NDArray[np.int64],
    dt: float,
) -> None:
    """Write start and end of every ray, (N, S, 3) [m, world], and which of them to cast."""
    limits = plan[0]
    leg_count = legs.shape[0]
    for n in range(bodies.shape[0]):
        body = bodies[n]
        up = rotate(quat(body.orientation), Z)
        position = vec(body.position)
        put(start[n, 0], along(position, up, limits.ride_height))
        put(end[n, 0], along(position, up, -(BODY_RAY + limits.ride_height)))
        is_active[n, 0] = 1
        for i in range(leg_count):
            leg, foot = legs[i], feet[n, i]
            above = limits.ride_height + 0.25 * leg.reach
            aim = aim_of(limits, body, leg, foot)
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
            put(start[n, 1 + i], along(aim, up, above))
            put(end[n, 1 + i], along(aim, up, -leg.reach))
            is_active[n, 1 + i] = not foot.is_swinging or foot.progress <= AIM_UNTIL
            searches = foot.need > SEARCHING
            if foot.is_swinging:
                searches = foot.progress <= AIM_UNTIL
            for k in range(len(RING)):
                slot = 1 + leg_count * (1 + len(ARC)) + len(RING) * i + k
                is_active[n, slot] = searches
                if searches:
                    side = rotate(quat(body.orientation), RING[k])
                    point = along(aim, side, RING_RADIUS * leg.reach)
                    put(start[n, slot], along(point, up, above))
                    put(end[n, slot], along(point, up, -leg.reach))
            flies = foot.is_swinging and foot.progress < LAST_LOOK
            if flies and foot.lift == UNSAMPLED:
                foot.lift = SAMPLED
            for k in range(len(ARC)):
                slot = 1 + leg_count + len(ARC) * i + k
                is_active[n, slot] = flies
                if flies:
                    share = ARC[k]
                    point = mix(vec(foot.track), vec(foot.goal), share)
                    put(start[n, slot], along(point, up, above))
                    put(end[n, slot], along(point, up, -leg.reach))
