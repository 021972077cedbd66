"""Which foot lifts, and where it goes."""

import esper

from creature_sim.components import PHASE, SIDE, Body, Feet, Plan, Record, Records, Sensed
from creature_sim.jit import kernel
from creature_sim.maths import (
    Vec,
    add,
    along,
    distance,
    dot,
    norm,
    put,
    quat,
    reject,
    rotate,
    scale,
    sub,
    vec,
)
from creature_sim.systems.plan_probes import (
    AIM_UNTIL,
    ARC,
    RETREATS,
    RING,
    SEARCHING,
    UNSAMPLED,
)
from creature_sim.systems.prediction import ground_velocity, seconds_to_touchdown, travel
from creature_sim.systems.reach_guard import COMFORT, hip_of

Z = (0.0, 0.0, 1.0)

STEEPEST = 0.5
"""Ground counts as such where its normal is within 60 degrees of the body's up (the cosine)."""
LANDING_STRETCH = 0.93
"""A foothold lies within this share of the leg's reach at touchdown."""
SETTLE = 0.3
"""At rest a foot steps once if it is farther from home than this share of the stance's way."""
OVERDUE = 0.75
"""A foot of a phase gait steps out of turn beyond this share of the stance's way from home."""
EDGE = 0.04
"""Ground that lies higher or lower by this share of the reach, a step aside, is behind an edge."""
EVADE_SPEED = 1.0
"""How fast a search moves away from an edge [m/s]."""
RETURN_SPEED = 0.5
"""How fast it comes back where there is none [m/s]."""
FARTHEST_NUDGE = 0.2
"""How far it goes, as a share of the reach."""
SHORTEST = 0.1
"""A step shorter than this share of the stance's way is not worth lifting a foot for."""


class ScheduleSteps(esper.Processor):
    """Start swings."""

    def process(self, dt: float) -> None:
        """Judge what was sensed, then let feet lift."""
        for _, (plan, body, feet, sensed) in esper.get_components(Plan, Body, Feet, Sensed):
            judge_footholds(
                plan.body,
                plan.legs,
                body.records,
                feet.records,
                sensed.records,
                dt,
            )
            schedule(plan.body, plan.legs, body.records, feet.records, dt)


@kernel
def judge_footholds(
    plan: Records,
    legs: Records,
    bodies: Records,
    feet: Records,
    ground: Records,
    dt: float,
) -> None:
    """Take each leg's probe as its foothold if it is ground and in reach at touchdown.

    A leg that finds none looks nearer to its hip in the next tick; one in the air keeps its goal.
    """
    for n in range(bodies.shape[0]):
        body = bodies[n]
        position, orientation = vec(body.position), quat(body.orientation)
        up = rotate(orientation, Z)
        leg_count = legs.shape[0]
        for i in range(leg_count):
            leg, foot = legs[i], feet[n, i]
            hit = ground[n, 1 + i]
            found, found_normal = vec(hit.point), vec(hit.normal)
            way = rotate(
                orientation, travel(body, leg, seconds_to_touchdown(plan[0], body, leg, foot))
            )
            stretch = distance(add(hip_of(position, orientation, leg), way), found)
            is_ground = hit.is_hit == 1 and dot(found_normal, up) >= STEEPEST
            is_in_reach = leg.inner <= stretch <= LANDING_STRETCH * leg.reach
            foot.has_foothold = is_ground and is_in_reach
            if hit.is_hit:
                ring = 1 + leg_count * (1 + len(ARC)) + len(RING) * i
                evade_edges(leg, foot, found, found_normal, ground[n, ring : ring + len(RING)], dt)
            if foot.has_foothold:
                put(foot.foothold, found)
                put(foot.foothold_normal, found_normal)
                if foot.is_swinging:
                    put(foot.goal, found)
                    put(foot.normal, found_normal)
            elif hit.is_hit == 0 or not is_in_reach:  # a wall is evaded, not retreated from
                foot.retreat = (foot.retreat + 1) % RETREATS


@kernel
def evade_edges(
    leg: Record, foot: Record, found: Vec, normal: Vec, ring: Records, dt: float
) -> None:
    """Move a leg's search away from those rays of its ring that find the ground elsewhere.

    What is moved now is sensed at its new place in the next tick. Where nothing is in the way, a
    standing foot's search comes back to where it wants to be.
    """
    if foot.is_swinging:
        if foot.progress > AIM_UNTIL:
            return
    elif foot.need <= SEARCHING:
        return
    nudge = vec(foot.nudge)
    is_clear = True
    for k in range(len(RING)):
        rise = dot(sub(vec(ring[k].point), found), normal)
        is_wall = dot(vec(ring[k].normal), normal) < STEEPEST
        if ring[k].is_hit == 0 or is_wall or abs(rise) > EDGE * leg.reach:
            nudge = along(nudge, RING[k], -EVADE_SPEED * dt)
            is_clear = False
    size = norm(nudge)
    if is_clear and not foot.is_swinging:
        nudge = scale(nudge, max(0.0, 1.0 - RETURN_SPEED * dt / max(size, 1e-9)))
    elif size > FARTHEST_NUDGE * leg.reach:
        nudge = scale(nudge, FARTHEST_NUDGE * leg.reach / size)
    put(foot.nudge, nudge)


@kernel
def schedule(plan: Records, legs: Records, bodies: Records, feet: Records, dt: float) -> None:
    """Lift feet: those whose place in the cycle it is, then those that are far from home.

    1. Phase gaits advance with the way of the fastest foot over the stride length, and a leg is
       due while its own phase is in the swing part.
    2. Every other foot has a need: its distance from where it should stand now over the distance
       that its gait tolerates. The neediest lifts first, while its neighbours are down.
    """
    limits = plan[0]
    leg_count = legs.shape[0]
    for n in range(bodies.shape[0]):
        body = bodies[n]
        if limits.gait == PHASE:
            cycles = body.pace * dt / limits.stride_length
            body.phase = (body.phase + cycles) % 1.0
            ahead = body.phase + cycles  # a foot that lifts now moves from the next tick on
            for i in range(leg_count):
                if may_lift(feet[n, i]) and is_due(limits, ahead, legs[i]):
                    far = offset_from_home(limits, body, legs[i], feet[n, i])
                    waits = is_blocked_in_turn(limits, ahead, legs, feet[n], i)
                    if far > SHORTEST * limits.stance_length and not waits:
                        lift(feet[n, i])
        for i in range(leg_count):
            if not feet[n, i].is_swinging:
                feet[n, i].need = need_to_step(limits, body, legs[i], feet[n, i])
        for _ in range(leg_count):
            neediest, most = -1, 1.0
            for i in range(leg_count):
                foot = feet[n, i]
                if foot.need > most and may_lift(foot) and not is_blocked(limits, legs, feet[n], i):
                    neediest, most = i, foot.need
            if neediest < 0:
                break
            lift(feet[n, neediest])


@kernel
def may_lift(foot: Record) -> bool:
    """Whether a foot stands and knows where to go."""
    return bool(foot.is_swinging == 0 and foot.has_foothold == 1)


@kernel
def lift(foot: Record) -> None:
    """Begin a swing; the height of its arc is chosen once the ground below it is known."""
    foot.is_swinging = 1
    foot.progress = 0.0
    foot.lift = UNSAMPLED
    put(foot.track, vec(foot.position))
    put(foot.goal, vec(foot.foothold))
    put(foot.normal, vec(foot.foothold_normal))


@kernel
def is_due(plan: Record, phase: float, leg: Record) -> bool:
    """Whether a leg of a phase gait is in the swing part of its cycle."""
    return bool((phase + leg.offset) % 1.0 >= plan.duty_factor)


@kernel
def are_neighbours(a: Record, b: Record) -> bool:
    """Whether two legs are a pair, or next to each other on one side."""
    if a.pair == b.pair:
        return True
    return bool(a.side == b.side and abs(a.pair - b.pair) == 1)


@kernel
def is_blocked_in_turn(plan: Record, phase: float, legs: Records, feet: Records, i: int) -> bool:
    """Whether a leg whose turn it is must wait for a neighbour that is in the air out of turn."""
    for other in range(legs.shape[0]):
        if (
            other != i
            and feet[other].is_swinging
            and are_neighbours(legs[i], legs[other])
            and not is_due(plan, phase, legs[other])
        ):
            return True
    return False


@kernel
def is_blocked(plan: Record, legs: Records, feet: Records, i: int) -> bool:
    """Whether a leg must wait for one that is in the air: a neighbour, or any of its side."""
    side_waits = plan.gait != PHASE and plan.alternation == SIDE
    for other in range(legs.shape[0]):
        if other != i and feet[other].is_swinging:
            if are_neighbours(legs[i], legs[other]):
                return True
            if side_waits and legs[i].side == legs[other].side:
                return True
    return False


@kernel
def offset_from_home(plan: Record, body: Record, leg: Record, foot: Record) -> float:
    """Distance along the surface from a foot to where it should stand if it stood now [m]."""
    orientation = quat(body.orientation)
    way = rotate(orientation, travel(body, leg, seconds_to_touchdown(plan, body, leg, foot)))
    ideal = sub(vec(foot.foothold), way)
    return norm(reject(sub(vec(foot.position), ideal), rotate(orientation, Z)))


@kernel
def need_to_step(plan: Record, body: Record, leg: Record, foot: Record) -> float:
    """How much a standing foot needs to step; it should above 1."""
    _, _, speed = ground_velocity(body, leg)
    tolerated = plan.stance_length
    if speed < 1e-3:
        tolerated *= SETTLE
    elif plan.gait == PHASE:
        tolerated *= OVERDUE + 0.5  # the ideal is half a stance ahead of home while walking
    need = offset_from_home(plan, body, leg, foot) / tolerated
    hip = hip_of(vec(body.position), quat(body.orientation), leg)
    length = distance(hip, vec(foot.position))
    strain = max(length / (COMFORT * leg.reach), 1.1 * leg.inner / length)
    if strain > 1.0 and need > SHORTEST:
        need = max(need, strain)
    return float(need)
