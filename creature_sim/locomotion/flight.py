"""Feet in the air fly half-sine arcs over the ground that was sampled below them."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import Record, Records
from creature_sim.locomotion.reach import FULL_STRETCH, hip_of
from creature_sim.locomotion.slots import ARC_FIRST, ARC_RAYS, arc_share, arc_slot
from creature_sim.locomotion.swing import SAMPLED, UNSAMPLED, lands, swing_rate
from creature_sim.maths import (
    PI,
    Quat,
    Vec,
    X,
    Z,
    add,
    along,
    approach,
    clamp,
    cross,
    distance,
    dot,
    inverse_smoothstep,
    mix,
    put,
    quat,
    rotate,
    scale,
    sin,
    slerp,
    smoothstep,
    sub,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel

CLEARANCE = 1.0
"""An arc passes over bumps between its ends by this share of the step height."""


NARROWEST = 0.35
"""Near its ends an arc counts as this share of its height: no bump there lifts it without end."""


WIDER = 1.1
"""A bump reaches nearer to the ends of the arc than the ray that met it, by this factor."""


MOST_HOLD = 0.25
"""Largest share of a swing's time at either end in which a foot only rises or falls."""


CURL = 0.1
"""A lost leg's tip is held above its hip by this share of its reach."""


CURL_TIME = 0.15
"""Time constant in which it gets there [s]."""


TOE_RATE = 2.4
"""A foot in the air turns towards where its body looks no faster than this [rad/s]."""


RAISE_SPEED = 1.5
"""How fast an arc rises when ground comes into view that it did not know of [m/s]..."""


TOO_LOW = 0.5
"""...and where more than this share of a usual step is missing, the foot goes no farther."""


@kernel
def way_done(progress: float, lift: float, step_height: float) -> float:
    """Share of its way over the ground that a foot has behind it.

    Smoothstep; over something higher than its usual step a foot first rises, then moves, and has
    arrived above its goal before it comes down, so that it does not scrape along an edge.
    """
    hold = MOST_HOLD * clamp(4.0 * (lift - step_height) / step_height, 0.0, 1.0)
    return smoothstep(clamp((progress - hold) / (1.0 - 2.0 * hold), 0.0, 1.0))


@kernel
def arc_lift(step_height: float, foot: Record, up: Vec, hits: Records, tick: int) -> float:
    """Height of an arc that clears what was sampled between where the foot is and its goal [m].

    Nearer to its ends than the first and the last sample the ground may be as high as there.
    """
    done = way_done(foot.progress, foot.lift, step_height)
    first = inverse_smoothstep(done + (1.0 - done) * ARC_FIRST)
    rise = abs(dot(sub(vec(foot.goal), vec(foot.track)), up))
    height = CLEARANCE * step_height + ARC_FIRST * rise / max(NARROWEST, sin(PI * first))
    for k in range(ARC_RAYS):
        if hits[k].is_hit:
            share = arc_share(tick, k)
            line = mix(vec(foot.track), vec(foot.goal), share)
            bump = dot(sub(vec(hits[k].point), line), up)
            if bump > 0.0:
                progress = inverse_smoothstep(done + (1.0 - done) * share)
                progress = clamp(0.5 + WIDER * (progress - 0.5), 0.0, 1.0)
                height = max(
                    height, bump / max(NARROWEST, sin(PI * progress)) + CLEARANCE * step_height
                )
    return height


@kernel
def curl_up(leg: Record, foot: Record, position: Vec, orientation: Quat, dt: float) -> None:
    """Draw the tip of a lost leg up beside the body, half-way between the hip and below it."""
    out = 0.5 * (leg.home[0] - leg.mount[0]), 0.5 * (leg.home[1] - leg.mount[1])
    tucked = (leg.mount[0] + out[0], leg.mount[1] + out[1], leg.mount[2] + CURL * leg.reach)
    goal = add(position, rotate(orientation, tucked))
    put(foot.position, mix(vec(foot.position), goal, approach(dt, CURL_TIME)))
    put(foot.track, vec(foot.position))
    put(foot.goal, vec(foot.position))
    put(foot.foothold, vec(foot.position))
    put(foot.sole, rotate(orientation, Z))
    put(foot.toe, rotate(orientation, X))


@kernel
def turned_toe(toe: Vec, up: Vec, ahead: Vec, most: float) -> Vec:
    """A toe after it has turned towards where its body looks, by `most` [rad] at the most."""
    aside = cross(up, toe)
    if dot(toe, ahead) < 0.0:  # half a turn and more: sideways first, not through the middle
        ahead = aside if dot(aside, ahead) >= 0.0 else scale(aside, -1.0)
    return unit(mix(toe, ahead, min(1.0, most / max(distance(toe, ahead), 1e-9))), ahead)


@kernel
def keep_in_reach(leg: Record, foot: Record, hip: Vec) -> None:
    """Take a foot in the air along, where its body is carried away on what moves."""
    far = distance(hip, vec(foot.position))
    if far > FULL_STRETCH * leg.reach:
        share = FULL_STRETCH * leg.reach / far
        put(foot.track, mix(hip, vec(foot.track), share))
        put(foot.position, mix(hip, vec(foot.position), share))


@kernel
def swing(
    plan: Records,
    legs: Records,
    bodies: Records,
    gaits: Records,
    feet: Records,
    ground: Records,
    is_active: NDArray[np.int64],
    tick: int,
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
    leg_count, segment_count = legs.shape[0], bodies.shape[1]
    for n in range(bodies.shape[0]):
        for i in range(leg_count):
            leg, foot = legs[i], feet[n, i]
            body = bodies[n, leg.segment]
            position, orientation = vec(body.position), quat(body.orientation)
            up, ahead = rotate(orientation, Z), rotate(orientation, X)
            if foot.is_lost:
                curl_up(leg, foot, position, orientation, dt)
                continue
            if not foot.is_swinging:
                continue
            hip = hip_of(position, orientation, leg)
            if foot.lift != UNSAMPLED:
                first = arc_slot(segment_count, leg_count, i)
                needed = limits.step_height
                if is_active[n, first]:
                    hits = ground[n, first : first + ARC_RAYS]
                    needed = arc_lift(needed, foot, up, hits, tick)
                advance(limits, gaits[n], leg, foot, hip, up, ahead, needed, dt)
            keep_in_reach(leg, foot, hip)


@kernel
def advance(
    plan: Record,
    gait: Record,
    leg: Record,
    foot: Record,
    hip: Vec,
    up: Vec,
    ahead: Vec,
    needed: float,
    dt: float,
) -> None:
    """Move a foot that is in the air by one tick; it stands where it reaches its goal.

    Args:
        plan: PLAN.
        gait: GAIT.
        leg: LEG.
        foot: FOOT.
        hip: of the leg [m, world].
        up: of its segment [world].
        ahead: of its segment [world].
        needed: height of the arc over what is known to be in its way [m].
        dt: [s].
    """
    if foot.lift == SAMPLED:
        foot.lift = needed
    else:
        foot.lift += clamp(needed - foot.lift, 0.0, RAISE_SPEED * dt)
    away = unit(add(up, vec(foot.normal)), up)
    if needed - foot.lift > TOO_LOW * plan.step_height:
        put(foot.position, along(vec(foot.track), away, foot.lift * sin(PI * foot.progress)))
        return
    rate = swing_rate(plan, gait, foot)
    done = way_done(foot.progress, foot.lift, plan.step_height)
    is_over = lands(plan, gait, foot, dt)
    step = rate * dt
    turned = min(1.0, step / max(step, 1.0 - foot.progress - step))  # done before it lands
    foot.progress = 1.0 if is_over else foot.progress + step
    goal = vec(foot.goal)
    if foot.progress < 1.0:
        now = way_done(foot.progress, foot.lift, plan.step_height)
        share = (now - done) / (1.0 - done) if done < 1.0 else 1.0
        track = mix(vec(foot.track), goal, share)
        put(foot.track, track)
        put(foot.sole, slerp(vec(foot.sole), vec(foot.normal), turned))
        put(foot.toe, turned_toe(vec(foot.toe), up, ahead, TOE_RATE * dt))
        put(foot.position, along(track, away, foot.lift * sin(PI * foot.progress)))
        return
    put(foot.track, goal)
    put(foot.position, goal)
    put(foot.sole, vec(foot.normal))
    foot.progress = 0.0
    foot.lift = UNSAMPLED
    if leg.inner <= distance(hip, goal) <= FULL_STRETCH * leg.reach:
        foot.is_swinging = 0
        foot.retreat = 0
