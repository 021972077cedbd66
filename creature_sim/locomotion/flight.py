"""Feet in the air fly half-sine arcs over the ground that was sampled below them."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    FLYING,
    LIFTING,
    LOST,
    SAMPLED,
    STANDING,
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    HitRecord,
    LegRecord,
    PlanRecord,
    Records,
    RecordTable,
)
from creature_sim.locomotion.clearance import LEAST_GAP, give_way, is_clear
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.reach import bring_in_reach, reaches
from creature_sim.locomotion.search import ARC_FIRST, arc_fraction
from creature_sim.locomotion.slots import ARC_RAYS, arc_slot
from creature_sim.locomotion.swing import lands, swing_rate
from creature_sim.maths import (
    PI,
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
"""An arc passes over bumps between its ends by this fraction of the step height."""
NARROWEST = 0.35
"""Near its ends an arc counts as this fraction of its apex: no bump there raises it without end."""
WIDER = 1.1
"""A bump reaches nearer to the ends of the arc than the ray that met it, by this factor."""
MAX_HOLD = 0.25
"""Largest fraction of a swing's time at either end in which a foot only rises or falls."""
CURL = 0.1
"""A lost leg's tip is held above its hip by this fraction of its reach."""
CURL_TIME = 0.15
"""Time constant in which it gets there [s]."""
HEADING_RATE = 2.4
"""A foot in the air turns towards where its body looks no faster than this [rad/s]."""
RAISE_SPEED = 1.5
"""How fast an arc rises when ground comes into view that it did not know of [m/s]..."""
TOO_LOW = 0.5
"""...and where more than this fraction of a usual step is missing, the foot goes no farther."""


@kernel
def swing(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    ground: RecordTable[HitRecord],
    is_active: NDArray[np.int64],
    dt: float,
) -> None:
    """Advance every foot that is in the air by one tick.

    1. The first tick after lift-off only samples the ground; then the arc gets its apex, and rises
       later if its goal moves behind something higher.
    2. The track covers a fraction of its remaining path, so it is smooth at both ends and arrives
       even where the goal moves meanwhile; a half sine raises the foot above it.
    3. At the end it stands, exactly on the goal. A goal that the hip cannot reach from where the
       body really is starts another swing instead.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S).
        gaits: (N,).
        feet: (N, L); written.
        footholds: (N, L); what feet land on is looked for anew.
        ground: (N, Q) what the rays found.
        is_active: (N, Q) which of them were cast in this tick.
        dt: length of a tick [s].
    """
    for n in range(bodies.shape[0]):
        creature = Creature(plan[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
        for i in range(legs.shape[0]):
            leg, foot = legs[i], feet[n, i]
            if foot.phase == LOST:
                curl_up(creature, i, dt)
            elif foot.phase != STANDING:
                before = vec(foot.position)
                if foot.phase != LIFTING:
                    first = arc_slot(bodies.shape[1], legs.shape[0], i)
                    height = creature.plan.step_height
                    if is_active[n, first]:
                        up = rotate(quat(bodies[n, leg.segment].orientation), Z)
                        hits = ground[n, first : first + ARC_RAYS]
                        height = apex_over(height, foot, up, hits, gaits[n].age)
                    advance(creature, i, height, dt)
                keep_in_reach(leg, foot, bodies[n, leg.segment])
                if foot.phase != STANDING:
                    give_way(creature, i, before)


@kernel
def path_done(progress: float, apex: float, step_height: float) -> float:
    """Fraction of its path over the ground that a foot has behind it.

    Smoothstep; over something higher than its usual step a foot first rises, then moves, and has
    arrived above its goal before it comes down, so that it does not scrape along an edge.
    """
    hold = MAX_HOLD * clamp(4.0 * (apex - step_height) / step_height, 0.0, 1.0)
    return smoothstep(clamp((progress - hold) / (1.0 - 2.0 * hold), 0.0, 1.0))


@kernel
def apex_over(
    step_height: float, foot: FootRecord, up: Vec, hits: Records[HitRecord], age: int
) -> float:
    """Apex of an arc that clears what was sampled between where the foot is and its goal [m].

    Nearer to its ends than the first and the last sample the ground may be as high as there.
    """
    done = path_done(foot.progress, foot.apex, step_height)
    first = inverse_smoothstep(done + (1.0 - done) * ARC_FIRST)
    rise = abs(dot(sub(vec(foot.goal), vec(foot.track)), up))
    apex = CLEARANCE * step_height + ARC_FIRST * rise / max(NARROWEST, sin(PI * first))
    for k in range(ARC_RAYS):
        if hits[k].is_hit:
            fraction = arc_fraction(age, k)
            line = mix(vec(foot.track), vec(foot.goal), fraction)
            bump = dot(sub(vec(hits[k].point), line), up)
            if bump > 0.0:
                progress = inverse_smoothstep(done + (1.0 - done) * fraction)
                progress = clamp(0.5 + WIDER * (progress - 0.5), 0.0, 1.0)
                over = bump / max(NARROWEST, sin(PI * progress)) + CLEARANCE * step_height
                apex = max(apex, over)
    return apex


@kernel
def advance(creature: Creature, i: int, height: float, dt: float) -> None:
    """Move a foot that is in the air by one tick; it stands where it reaches its goal.

    Args:
        creature: whose foot it is.
        i: the leg.
        height: of an arc over what is known to be in its way [m].
        dt: [s].
    """
    foot, body = creature.feet[i], creature.trunk[creature.legs[i].segment]
    plan, up = creature.plan, rotate(quat(body.orientation), Z)
    raise_arc(foot, height, dt)
    if height - foot.apex > TOO_LOW * plan.step_height:
        put_on_arc(foot, up)
        return
    step = swing_rate(plan, creature.gait, foot) * dt
    if lands(plan, creature.gait, foot, dt) or foot.progress + step >= 1.0:
        land(creature, i)
        return
    turned = min(1.0, step / max(step, 1.0 - foot.progress - step))  # done before it lands
    fly(plan, foot, step)
    put(foot.normal, slerp(vec(foot.normal), vec(foot.goal_normal), turned))
    ahead = rotate(quat(body.orientation), X)
    put(foot.heading, turned_heading(vec(foot.heading), up, ahead, HEADING_RATE * dt))
    put_on_arc(foot, up)


@kernel
def raise_arc(foot: FootRecord, height: float, dt: float) -> None:
    """Give an arc its apex, or raise it towards a new one [m]."""
    if foot.phase == SAMPLED:
        foot.apex = height
        foot.phase = FLYING
    else:
        foot.apex += clamp(height - foot.apex, 0.0, RAISE_SPEED * dt)


@kernel
def put_on_arc(foot: FootRecord, up: Vec) -> None:
    """Put a foot above its track, as high as its arc is there; `up` is of its segment."""
    away = unit(add(up, vec(foot.goal_normal)), up)
    put(foot.position, along(vec(foot.track), away, foot.apex * sin(PI * foot.progress)))


@kernel
def fly(plan: PlanRecord, foot: FootRecord, step: float) -> None:
    """Move a foot's track on by a step of its progress."""
    done = path_done(foot.progress, foot.apex, plan.step_height)
    foot.progress += step
    now = path_done(foot.progress, foot.apex, plan.step_height)
    fraction = (now - done) / (1.0 - done) if done < 1.0 else 1.0
    put(foot.track, mix(vec(foot.track), vec(foot.goal), fraction))


@kernel
def land(creature: Creature, i: int) -> None:
    """Put a foot on its goal, where it stands if its leg reaches it; else it swings again."""
    leg, foot = creature.legs[i], creature.feet[i]
    body, goal = creature.trunk[leg.segment], vec(foot.goal)
    if not is_clear(creature, i, goal, LEAST_GAP * leg.reach):  # its place is taken: on from here
        put(foot.track, vec(foot.position))
        foot.progress = foot.apex = 0.0
        foot.phase = LIFTING
        return
    put(foot.track, goal)
    put(foot.position, goal)
    put(foot.normal, vec(foot.goal_normal))
    foot.progress = 0.0
    foot.apex = 0.0
    foot.phase = LIFTING
    if reaches(vec(body.position), quat(body.orientation), leg, goal):
        foot.phase = STANDING
        creature.footholds[i].fallback = 0


@kernel
def turned_heading(heading: Vec, up: Vec, ahead: Vec, farthest: float) -> Vec:
    """A foot's heading turned towards where its body looks, by `farthest` [rad] at most."""
    aside = cross(up, heading)
    if dot(heading, ahead) < 0.0:  # half a turn and more: sideways first, not through the middle
        ahead = aside if dot(aside, ahead) >= 0.0 else scale(aside, -1.0)
    apart = max(distance(heading, ahead), 1e-9)
    return unit(mix(heading, ahead, min(1.0, farthest / apart)), ahead)


@kernel
def keep_in_reach(leg: LegRecord, foot: FootRecord, body: BodyRecord) -> None:
    """Take a foot in the air along, where its body is carried away on what moves."""
    position, orientation, here = vec(body.position), quat(body.orientation), vec(foot.position)
    if not reaches(position, orientation, leg, here):
        back = sub(bring_in_reach(position, orientation, leg, here), here)
        put(foot.track, add(vec(foot.track), back))
        put(foot.position, add(here, back))


@kernel
def curl_up(creature: Creature, i: int, dt: float) -> None:
    """Draw the tip of a lost leg up beside the body, half-way between the hip and below it."""
    leg, foot = creature.legs[i], creature.feet[i]
    body = creature.trunk[leg.segment]
    orientation = quat(body.orientation)
    x, y = 0.5 * (leg.home[0] - leg.mount[0]), 0.5 * (leg.home[1] - leg.mount[1])
    tucked = (leg.mount[0] + x, leg.mount[1] + y, leg.mount[2] + CURL * leg.reach)
    goal = add(vec(body.position), rotate(orientation, tucked))
    put(foot.position, mix(vec(foot.position), goal, approach(dt, CURL_TIME)))
    for point in (foot.track, foot.goal, creature.footholds[i].position):
        put(point, vec(foot.position))
    put(foot.normal, rotate(orientation, Z))
    put(foot.heading, rotate(orientation, X))
