"""Feet in the air fly half-sine arcs over the ground that was sampled below them."""

import esper

from creature_sim.components import Body, Feet, Plan, Record, Records, Sensed
from creature_sim.jit import kernel
from creature_sim.maths import (
    PI,
    Vec,
    add,
    along,
    distance,
    dot,
    mix,
    put,
    quat,
    rotate,
    sin,
    smoothstep,
    sub,
    unit,
    vec,
)
from creature_sim.systems.plan_probes import ARC_SAMPLES, SAMPLED, UNSAMPLED
from creature_sim.systems.prediction import swing_rate
from creature_sim.systems.reach_guard import FULL_STRETCH, hip_of

Z = (0.0, 0.0, 1.0)

CLEARANCE = 0.5
"""An arc passes over the sampled ground by this share of the step height."""
NARROWEST = 0.7
"""Share of an arc's height that it has at the outer samples, at the least."""


class SwingFeet(esper.Processor):
    """Advance swings, and put feet down."""

    def process(self, dt: float) -> None:
        """Move every foot that is in the air."""
        for _, (plan, body, feet, sensed) in esper.get_components(Plan, Body, Feet, Sensed):
            swing(
                plan.body,
                plan.legs,
                body.records,
                feet.records,
                sensed.records,
                dt,
            )


@kernel
def arc_lift(step_height: float, foot: Record, up: Vec, hits: Records) -> float:
    """Height of an arc that clears the sampled ground between lift-off and goal [m]."""
    height = step_height
    for k in range(ARC_SAMPLES):
        if hits[k].is_hit:
            share = (k + 1.0) / (ARC_SAMPLES + 1.0)
            line = mix(vec(foot.track), vec(foot.goal), share)
            bump = dot(sub(vec(hits[k].point), line), up) + CLEARANCE * step_height
            height = max(height, bump / (1.0 if 2 * k + 1 == ARC_SAMPLES else NARROWEST))
    return height


@kernel
def swing(
    plan: Records,
    legs: Records,
    bodies: Records,
    feet: Records,
    ground: Records,
    dt: float,
) -> None:
    """Advance every foot that is in the air by one tick.

    1. The first tick after lift-off only samples the ground; then the arc gets its height.
    2. The base moves the share of its remaining way that smoothstep gives it, so it is smooth at
       both ends and arrives even where the goal moves meanwhile; a half sine lifts the foot off it.
    3. At the end it stands, exactly on the goal. A goal that the hip cannot reach from where the
       body really is starts another swing instead.
    """
    limits = plan[0]
    leg_count = legs.shape[0]
    for n in range(bodies.shape[0]):
        body = bodies[n]
        position, orientation = vec(body.position), quat(body.orientation)
        up = rotate(orientation, Z)
        for i in range(leg_count):
            leg, foot = legs[i], feet[n, i]
            if not foot.is_swinging or foot.lift == UNSAMPLED:
                continue
            first = 1 + leg_count + ARC_SAMPLES * i
            if foot.lift == SAMPLED:
                last = first + ARC_SAMPLES
                foot.lift = arc_lift(limits.step_height, foot, up, ground[n, first:last])
            foot.rate = swing_rate(limits, body, leg, foot)
            done = smoothstep(foot.progress)
            foot.progress = min(1.0, foot.progress + foot.rate * dt)
            goal = vec(foot.goal)
            if foot.progress < 1.0:
                share = (smoothstep(foot.progress) - done) / (1.0 - done)
                base = mix(vec(foot.track), goal, share)
                away = unit(add(up, vec(foot.normal)), up)
                put(foot.track, base)
                put(foot.position, along(base, away, foot.lift * sin(PI * foot.progress)))
                continue
            put(foot.track, goal)
            put(foot.position, goal)
            foot.progress = 0.0
            foot.lift = UNSAMPLED
            stretch = distance(hip_of(position, orientation, leg), goal)
            if leg.inner <= stretch <= FULL_STRETCH * leg.reach:
                foot.is_swinging = 0
                foot.retreat = 0
