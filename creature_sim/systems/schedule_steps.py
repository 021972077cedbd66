"""Which foot lifts, and where it goes."""

import esper
import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    BY_DISTANCE,
    BY_PHASE,
    PHASE,
    SIDE,
    TO_RECOVER,
    TO_SETTLE,
    Body,
    Feet,
    Plan,
    Probes,
    Record,
    Records,
    Sensed,
)
from creature_sim.jit import kernel
from creature_sim.maths import (
    Quat,
    Vec,
    add,
    along,
    clamp,
    distance,
    dot,
    norm,
    put,
    quat,
    reject,
    rotate,
    scale,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.systems.balance import would_tip
from creature_sim.systems.plan_probes import (
    AIM_UNTIL,
    RETREATS,
    RING,
    SEARCHING,
    SHIN,
    leans_out,
    ring_slot,
)
from creature_sim.systems.prediction import (
    UNSAMPLED,
    cycles_in,
    ground_velocity,
    is_due,
    lands,
    seconds_to_touchdown,
    travel,
)
from creature_sim.systems.reach_guard import hip_of

Z = (0.0, 0.0, 1.0)

STEEPEST = 0.7
"""Ground counts as such where its normal is within 45 degrees of the body's up (the cosine)."""
LANDING_STRETCH = 0.93
"""A foothold lies within this share of the leg's reach at touchdown."""
SETTLE = 0.3
"""At rest a foot steps once if it is farther from home than this share of the stance's way."""
OVERDUE = 0.75
"""A foot of a phase gait steps out of turn beyond this share of the stance's way from home."""
EDGE = 0.04
"""Ground that lies higher or lower by this share of the reach, a step aside, is behind an edge."""
EVADE_SPEED = 1.6
"""How fast a search moves away from an edge [m/s]."""
RETURN_SPEED = 0.5
"""How fast it comes back where there is none [m/s]."""
APART = 0.12
"""Feet keep this share of the reach between each other's footholds: legs do not cross."""
EASY_STRETCH = 0.75
"""A foothold within this share of the leg's reach is as good as any."""
FARTHEST_NUDGE = 0.2
"""How far it goes, as a share of the reach."""
PATIENCE = 0.2
"""A foot whose turn comes within this share of the cycle waits for it, unless it is strained."""
LATE = 0.6
"""Towards the end of its turn a step must be longer by this share: it may be done already."""
PRESSING = 1.3
"""From this need on a foot looks for a foothold anywhere, and no more beside the one it wants."""
JOIN = 0.85
"""Where feet react and many may be up at once, one that lifts takes others from this need on."""
CHOOSY = 0.85
"""A foot in the air takes another goal where that scores no less than this share of its own..."""
STUBBORN = 0.2
"""...or lies farther from it than this share of the reach."""
SHORTEST = 0.1
"""A step shorter than this share of the stance's way is not worth lifting a foot for."""


class ScheduleSteps(esper.Processor):
    """Start swings."""

    def process(self, dt: float) -> None:
        """Judge what was sensed, then let feet lift."""
        for entity, (plan, body, feet, sensed) in esper.get_components(Plan, Body, Feet, Sensed):
            judge_footholds(
                plan.body,
                plan.legs,
                body.records,
                body.gaits,
                feet.records,
                sensed.records,
                esper.component_for_entity(entity, Probes).is_active,
                dt,
            )
            schedule(plan.body, plan.legs, body.records, body.gaits, feet.records, dt)


@kernel
def judge_footholds(
    plan: Records,
    legs: Records,
    bodies: Records,
    gaits: Records,
    feet: Records,
    ground: Records,
    is_active: NDArray[np.int64],
    dt: float,
) -> None:
    """Take each leg's probe as its foothold if it is ground and in reach at touchdown.

    A leg that finds none looks nearer to its hip in the next tick; one in the air keeps its goal.
    """
    leg_count, segment_count = legs.shape[0], bodies.shape[1]
    for n in range(bodies.shape[0]):
        for i in range(leg_count):
            leg, foot = legs[i], feet[n, i]
            if not is_active[n, segment_count + i]:
                foot.has_foothold = -1
                continue
            body = bodies[n, leg.segment]
            position, orientation = vec(body.position), quat(body.orientation)
            up = rotate(orientation, Z)
            hit = ground[n, segment_count + i]
            found, found_normal = vec(hit.point), vec(hit.normal)
            seconds = seconds_to_touchdown(plan[0], gaits[n], foot)
            x, y, _ = travel(body, leg, seconds)
            way = rotate(orientation, (x, y, body.climb * seconds))
            stretch = distance(add(hip_of(position, orientation, leg), way), found)
            is_ground = hit.is_hit == 1 and dot(found_normal, up) >= STEEPEST
            is_in_reach = leg.inner <= stretch <= LANDING_STRETCH * leg.reach
            foot.has_foothold = is_ground and is_in_reach
            score = 0.0
            if hit.is_hit:
                ring = ring_slot(segment_count, leg_count, i)
                around = ground[n, ring : ring + len(RING) + 1]
                clear = evade(legs, feet[n], i, found, found_normal, orientation, around, dt)
                level = (dot(found_normal, up) - STEEPEST) / (1.0 - STEEPEST)
                ease = (LANDING_STRETCH - stretch / leg.reach) / (LANDING_STRETCH - EASY_STRETCH)
                score = level * clear * clamp(ease, 0.0, 1.0)
            if not foot.is_swinging:
                foot.score = score if foot.has_foothold else 0.0
            if foot.has_foothold:
                put(foot.foothold, found)
                put(foot.foothold_normal, found_normal)
                foot.foothold_prop = hit.prop
                if not foot.is_swinging and foot.need < 1.0:
                    foot.retreat = 0  # there is time to look at the best place again
                if foot.is_swinging and (
                    score > CHOOSY * foot.score
                    or distance(vec(foot.goal), found) > STUBBORN * leg.reach
                ):
                    put(foot.goal, found)
                    put(foot.normal, found_normal)
                    foot.prop = hit.prop
                    foot.score = score
            elif (  # a wall is evaded first, and retreated from where that does not help
                hit.is_hit == 0
                or not is_in_reach
                or (foot.is_swinging == 0 and not SEARCHING < foot.need < PRESSING)
            ):
                foot.retreat = (foot.retreat + 1) % len(RETREATS)
                put(foot.nudge, scale(vec(foot.nudge), 0.5))


@kernel
def evade(
    legs: Records,
    feet: Records,
    i: int,
    found: Vec,
    normal: Vec,
    orientation: Quat,
    ring: Records,
    dt: float,
) -> float:
    """Move a leg's search away from edges, and from where its neighbours stand.

    Edges are where rays of its ring find the ground elsewhere. What is moved now is sensed at its
    new place in the next tick. Where nothing is in the way, a standing foot's search comes back to
    where it wants to be.

    Args:
        legs: (L,) LEG.
        feet: (L,) FOOT.
        i: the leg.
        found: its foothold, as sensed [m, world].
        normal: of the ground there.
        orientation: of its segment.
        ring: (R + 1,) HIT around the foothold, and below the bone above it.
        dt: [s].

    Returns:
        How clear the place is, 1 down to 0.
    """
    leg, foot = legs[i], feet[i]
    if foot.is_swinging:
        if foot.progress > AIM_UNTIL:
            return 1.0
    elif foot.need <= SEARCHING:
        return 1.0
    nudge, clear = vec(foot.nudge), 1.0
    for k in range(len(RING)):
        rise = dot(sub(vec(ring[k].point), found), normal)
        is_wall = dot(vec(ring[k].normal), normal) < STEEPEST
        if ring[k].is_hit == 0 or is_wall or abs(rise) > EDGE * leg.reach:
            nudge = along(nudge, RING[k], -EVADE_SPEED * dt)
            clear -= 1.0 / len(RING)
    out = leans_out(leg)
    if out > 0.0 and ring[len(RING)].is_hit:
        rise = dot(sub(vec(ring[len(RING)].point), found), normal)
        if rise > SHIN * leg.shin[2] - 0.5 * EDGE * leg.reach:  # the bone would pass through it
            x, y = leg.shin[0] * SHIN / out, leg.shin[1] * SHIN / out
            nudge = along(nudge, (x, y, 0.0), -EVADE_SPEED * dt)
            clear -= 1.0 / len(RING)
    for other in range(legs.shape[0]):
        if other != i and legs[other].side == leg.side and not feet[other].is_lost:
            gap = sub(found, vec(feet[other].goal))
            size = norm(gap)
            if size < APART * leg.reach:
                x, y, _ = unrotate(orientation, unit(gap, normal))
                nudge = along(nudge, (x, y, 0.0), EVADE_SPEED * dt)
                clear *= size / (APART * leg.reach)
    size = norm(nudge)
    if clear == 1.0 and not foot.is_swinging:
        nudge = scale(nudge, max(0.0, 1.0 - RETURN_SPEED * dt / max(size, 1e-9)))
    elif size > FARTHEST_NUDGE * leg.reach:
        nudge = scale(nudge, FARTHEST_NUDGE * leg.reach / size)
    put(foot.nudge, nudge)
    return clear


@kernel
def schedule(
    plan: Records, legs: Records, bodies: Records, gaits: Records, feet: Records, dt: float
) -> None:
    """Lift feet: those whose place in the cycle it is, then those that are far from home.

    1. The phase advances with the way of the fastest home over the stride length; in phase gaits a
       leg is due while its own phase is in the swing part.
    2. Every other foot has a need: its distance from where it should stand now over the distance
       that its gait tolerates. The neediest lifts first, while its neighbours are down.

    A step that would tip the body waits.
    """
    limits = plan[0]
    leg_count = legs.shape[0]
    for n in range(bodies.shape[0]):
        trunk, gait = bodies[n], gaits[n]
        cycles = cycles_in(gait, dt)
        gait.phase = (gait.phase + cycles) % 1.0
        for i in range(leg_count):
            leg, foot = legs[i], feet[n, i]
            if not foot.is_swinging:
                need, reason = need_to_step(limits, gait, trunk[leg.segment], leg, foot, dt)
                if foot.has_foothold != 0 or need > foot.need:
                    foot.need, foot.reason = need, reason
        if limits.gait == PHASE:
            ahead = gait.phase + cycles  # a foot that lifts now moves from the next tick on
            for i in range(leg_count):
                leg, foot = legs[i], feet[n, i]
                if may_lift(foot) and is_due(gait, ahead, foot):
                    far = offset_from_home(limits, gait, trunk[leg.segment], leg, foot)
                    late = ((ahead + foot.offset) % 1.0 - gait.duty_factor) / (
                        1.0 - gait.duty_factor
                    )
                    _, _, speed = ground_velocity(trunk[leg.segment], leg)
                    own = speed / max(gait.pace, 1e-9)  # share of the way of the fastest home
                    if (
                        far > (SHORTEST + LATE * late * own) * gait.stance_length
                        and not is_blocked_in_turn(limits, gait, ahead, legs, feet[n], i, dt)
                        and not would_tip(limits, legs, trunk, gait, feet[n], i)
                    ):
                        lift(foot, BY_PHASE)
        enough = 1.0
        for _ in range(leg_count):
            neediest, most = -1, enough
            for i in range(leg_count):
                foot = feet[n, i]
                if (
                    foot.need > most
                    and may_lift(foot)
                    and not is_blocked(limits, gait, legs, feet[n], i, dt)
                    and not would_tip(limits, legs, trunk, gait, feet[n], i)
                ):
                    neediest, most = i, foot.need
            if neediest < 0:
                break
            lift(feet[n, neediest], feet[n, neediest].reason)
            if limits.gait != PHASE and limits.alternation != SIDE:
                enough = JOIN


@kernel
def may_lift(foot: Record) -> bool:
    """Whether a foot stands and knows where to go."""
    return bool(foot.is_swinging == 0 and foot.has_foothold == 1)


@kernel
def lift(foot: Record, reason: int) -> None:
    """Begin a swing; the height of its arc is chosen once the ground below it is known."""
    foot.is_swinging = 1
    foot.reason = reason
    foot.progress = 0.0
    foot.lift = UNSAMPLED
    put(foot.track, vec(foot.position))
    put(foot.goal, vec(foot.foothold))
    put(foot.normal, vec(foot.foothold_normal))
    foot.prop = foot.foothold_prop


@kernel
def are_neighbours(a: Record, b: Record) -> bool:
    """Whether two legs are a pair, or next to each other on one side."""
    if a.pair == b.pair:
        return True
    return bool(a.side == b.side and abs(a.pair - b.pair) == 1)


@kernel
def is_blocked_in_turn(
    plan: Record, gait: Record, phase: float, legs: Records, feet: Records, i: int, dt: float
) -> bool:
    """Whether a leg whose turn it is must wait for a neighbour that is in the air out of turn.

    One that lands in this tick is waited for no more.
    """
    for other in range(legs.shape[0]):
        if (
            other != i
            and feet[other].is_swinging
            and not feet[other].is_lost
            and are_neighbours(legs[i], legs[other])
            and not is_due(gait, phase, feet[other])
            and not lands(plan, gait, feet[other], dt)
        ):
            return True
    return False


@kernel
def is_blocked(plan: Record, gait: Record, legs: Records, feet: Records, i: int, dt: float) -> bool:
    """Whether a leg must wait for one that is in the air: a neighbour, or any of its side.

    One that lands in this tick is waited for no more.
    """
    side_waits = plan.gait != PHASE and plan.alternation == SIDE
    for other in range(legs.shape[0]):
        foot = feet[other]
        if other != i and foot.is_swinging and not foot.is_lost and not lands(plan, gait, foot, dt):
            if are_neighbours(legs[i], legs[other]):
                return True
            if side_waits and legs[i].side == legs[other].side:
                return True
    return False


@kernel
def offset_from_home(plan: Record, gait: Record, body: Record, leg: Record, foot: Record) -> float:
    """Distance along the surface from a foot to where it should stand if it stood now [m]."""
    orientation = quat(body.orientation)
    way = rotate(orientation, travel(body, leg, seconds_to_touchdown(plan, gait, foot)))
    ideal = sub(vec(foot.aim), way)
    return norm(reject(sub(vec(foot.position), ideal), rotate(orientation, Z)))


@kernel
def need_to_step(
    plan: Record, gait: Record, body: Record, leg: Record, foot: Record, dt: float
) -> tuple[float, int]:
    """How much a standing foot needs to step, it should above 1; and why (see REASONS).

    Looked at a tick ahead: a foot that lifts now moves from the next tick on.
    """
    _, _, speed = ground_velocity(body, leg)
    tolerated, reason = gait.stance_length, BY_DISTANCE
    if speed < 1e-3:
        tolerated *= SETTLE
        reason = TO_SETTLE
    elif plan.gait == PHASE:
        tolerated *= OVERDUE + 0.5  # the ideal is half a stance ahead of home while walking
        if (gait.duty_factor - gait.phase - foot.offset) % 1.0 < PATIENCE:
            tolerated = max(tolerated, offset_from_home(plan, gait, body, leg, foot) + speed * dt)
    need = (offset_from_home(plan, gait, body, leg, foot) + speed * dt) / tolerated
    hip = hip_of(vec(body.position), quat(body.orientation), leg)
    length = distance(hip, vec(foot.position))
    strain = max(length / (leg.comfort * leg.reach), 1.1 * leg.inner / length)
    if strain > 1.0 and need > SHORTEST and strain > need:
        return float(strain), TO_RECOVER
    return float(need), reason
