"""Feet in the air fly half-sine arcs over the ground that was sampled below them."""

import esper

from creature_sim.components import Body, Feet, Plan, Record, Records, Sensed
from creature_sim.jit import kernel
from creature_sim.maths import (
    PI,
    Vec,
    add,
    along,
    clamp,
    distance,
    dot,
    inverse_smoothstep,
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
from creature_sim.systems.plan_probes import ARC, LAST_LOOK, SAMPLED, UNSAMPLED
from creature_sim.systems.prediction import swing_rate
from creature_sim.systems.reach_guard import FULL_STRETCH, hip_of

Z = (0.0, 0.0, 1.0)

CLEARANCE = 1.0
"""An arc passes over bumps between its ends by this share of the step height."""
NARROWEST = 0.35
"""Near its ends an arc counts as this share of its height: no bump there lifts it without end."""
MOST_HOLD = 0.25
"""Largest share of a swing's time at either end in which a foot only rises or falls."""
RAISE_SPEED = 1.5
"""How fast an arc rises when ground comes into view that it did not know of [m/s]."""


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
def way_done(progress: float, lift: float, step_height: float) -> float:
    """Share of its way over the ground that a foot has behind it.

    Smoothstep; over something higher than its usual step a foot first rises, then moves, and has
    arrived above its goal before it comes down, so that it does not scrape along an edge.
    """
    hold = MOST_HOLD * clamp(4.0 * (lift - step_height) / step_height, 0.0, 1.0)
    return smoothstep(clamp((progress - hold) / (1.0 - 2.0 * hold), 0.0, 1.0))


@kernel
def arc_lift(step_height: float, foot: Record, up: Vec, hits: Records) -> float:
    """Height of an arc that clears what was sampled between where the foot is and its goal [m]."""
    height = step_height
    done = way_done(foot.progress, foot.lift, step_height)
    for k in range(len(ARC)):
        if hits[k].is_hit:
            share = ARC[k]
            line = mix(vec(foot.track), vec(foot.goal), share)
            bump = dot(sub(vec(hits[k].point), line), up)
            if bump > 0.0:
                progress = inverse_smoothstep(done + (1.0 - done) * share)
                height = max(
                    height, bump / max(NARROWEST, sin(PI * progress)) + CLEARANCE * step_height
                )
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

    1. The first tick after lift-off only samples the ground; then the arc gets its height, and
       rises later if its goal moves behind something higher.
    2. The track moves a share of its remaining way, so it is smooth at both ends and arrives even
       where the goal moves meanwhile; a half sine lifts the foot off it.
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
            first = 1 + leg_count + len(ARC) * i
            if foot.progress < LAST_LOOK:
                needed = arc_lift(limits.step_height, foot, up, ground[n, first : first + len(ARC)])
                if foot.lift == SAMPLED:
                    foot.lift = needed
                else:
                    foot.lift += clamp(needed - foot.lift, 0.0, RAISE_SPEED * dt)
            foot.rate = swing_rate(limits, body, leg, foot)
            done = way_done(foot.progress, foot.lift, limits.step_height)
            foot.progress = min(1.0, foot.progress + foot.rate * dt)
            goal = vec(foot.goal)
            if foot.progress < 1.0:
                now = way_done(foot.progress, foot.lift, limits.step_height)
                share = (now - done) / (1.0 - done) if done < 1.0 else 1.0
                track = mix(vec(foot.track), goal, share)
                away = unit(add(up, vec(foot.normal)), up)
                put(foot.track, track)
                put(foot.sole, unit(mix(vec(foot.sole), vec(foot.normal), share), up))
                put(foot.position, along(track, away, foot.lift * sin(PI * foot.progress)))
                continue
            put(foot.track, goal)
            put(foot.position, goal)
            put(foot.sole, vec(foot.normal))
            foot.progress = 0.0
            foot.lift = UNSAMPLED
            stretch = distance(hip_of(position, orientation, leg), goal)
            if leg.inner <= stretch <= FULL_STRETCH * leg.reach:
                foot.is_swinging = 0
                foot.retreat = 0
