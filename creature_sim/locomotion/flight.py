"""Feet in the air fly arcs over the ground that was sampled below them."""

from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    AIRBORNE,
    FLYING,
    LIFTING,
    LOST,
    STANDING,
    YAWS,
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    HitRecord,
    LegRecord,
    Near,
    PlanRecord,
    Records,
    RecordTable,
)
from creature_sim.locomotion.arcs import SOLE_RATE, fly, over_arc
from creature_sim.locomotion.bumps import CLEARANCE, NARROWLY, apex_over
from creature_sim.locomotion.clearance import ALOFT, is_aloft
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.giving_way import give_way
from creature_sim.locomotion.headings import heading_ahead, turn_sole, turn_toes
from creature_sim.locomotion.hips import drop_to_fold, pole_in, swings
from creature_sim.locomotion.landing import (
    is_free,
    is_held,
    is_kept_off,
    is_met,
    is_out_of_reach,
    is_there,
)
from creature_sim.locomotion.others import near_to
from creature_sim.locomotion.own_sides import keep_side, keeps_sides, stay_on_side
from creature_sim.locomotion.prediction import home_of, travel
from creature_sim.locomotion.rays import is_any_cast
from creature_sim.locomotion.reach import (
    ankle_in,
    bring_in_reach,
    out_of_fold,
    reach_in_world,
    reaches,
)
from creature_sim.locomotion.search import AIM_UNTIL
from creature_sim.locomotion.slots import ARC_RAYS, arc_slot
from creature_sim.locomotion.swing import begin_swing, lands, runs, seconds_to_touchdown, swing_rate
from creature_sim.maths import (
    PI,
    Vec,
    X,
    Z,
    add,
    along,
    angle_between,
    approach,
    clamp,
    dot,
    mix,
    norm,
    put,
    quat,
    reject,
    rotate,
    slerp,
    smoothstep,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

HESITATES = 0.4
"""A foot that comes down to where the bone above it would be in the ground does so at this fraction
of its usual rate: it may find another place."""
CURL = 0.1
"""A lost leg's tip is held above its hip by this fraction of its reach."""
CURL_TIME = 0.15
"""Time constant in which it gets there [s]."""
STALLS = 0.1
"""A foot near its goal whose time may pass no faster than this is kept from it [1/s]."""
DRAWS_IN = 0.25
"""A foot that reaches no place is drawn back to its home at this fraction of its usual speed."""
JOINTS = 10.0
"""A foot in the air goes no faster than this rate about its shoulder [rad/s]: near to it joints
turn fast for little. Feet of a body that runs do..."""
HASTE = 1.2
"""...and swing at this many times their usual speed."""
NORMAL_RATE = 4.4
"""A sole in the air turns onto its goal's ground no faster than this [rad/s]; see `SOLE_RATE`."""
NEARLY_FOLDED = 0.08
"""A foot that rises comes to rest where its leg folds no farther, over this fraction of the reach
or twice that."""
MOVES_OUT = 0.2
"""A foot that is folded too far goes out freely but in this fraction of its time at either end."""


@kernel
def swing(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    ground: RecordTable[HitRecord],
    is_active: NDArray[np.int8],
    near: Near,
    dt: float,
) -> None:
    """Advance every foot that is in the air by one tick.

    1. The first tick after lift-off only samples the ground; then the arc gets its apex, and rises
       later if its goal moves behind something higher.
    2. The track follows a path of minimum jerk to its goal, and arrives even where that moves
       meanwhile; an arch raises the foot above it. See `arcs.py`.
    3. At the end it stands, exactly on the goal. A goal that the hip cannot reach from where the
       body really is, or will be, starts another swing instead.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S).
        gaits: (N,).
        feet: (N, L); written.
        footholds: (N, L); what feet land on is looked for anew.
        ground: (N, Q) what the rays found.
        is_active: (N, Q) which of them were cast in this tick.
        near: other creatures near to each of the N S segments.
        dt: length of a tick [s].
    """
    for n in range(bodies.shape[0]):
        if gaits[n].flight == AIRBORNE:
            continue
        creature = Creature(plan[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
        others = near_to(near, n, bodies.shape[1], legs.shape[0])
        for i in range(legs.shape[0]):
            leg, foot = legs[i], feet[n, i]
            if foot.phase == LOST:
                curl_up(creature, i, dt)
            elif foot.phase != STANDING:
                before = vec(foot.position)
                if hovers(creature, i):
                    draw_in(creature, i, dt)
                elif is_left_behind(creature, i) or stalls(creature, i) or is_kept_off(creature, i):
                    begin_again(creature, i)
                elif foot.phase != LIFTING:
                    first = arc_slot(bodies.shape[1], legs.shape[0], i)
                    height = creature.plan.step_height
                    cast = is_active[n, first : first + ARC_RAYS]
                    if is_any_cast(cast):
                        up = rotate(quat(bodies[n, leg.segment].orientation), Z)
                        up = over_arc(plan[0], foot, up)
                        hits = ground[n, first : first + ARC_RAYS]
                        least = NARROWLY if swings(leg) else CLEARANCE
                        height = apex_over(plan[0], foot, up, hits, cast, least, gaits[n].age)
                    advance(creature, i, height, others, dt)
                if foot.phase != STANDING:
                    keep_in_reach(creature, i)
                    leave_legs(creature, i, others, before, dt)


@kernel
def leave_legs(creature: Creature, i: int, near: Near, before: Vec, dt: float) -> None:
    """Let a foot in the air go around legs: other creatures' first, then its own.

    Where it gets nowhere it looks for another place, and begins again if it no longer aims.

    Args:
        creature: whose foot it is.
        i: its leg.
        near: other creatures.
        before: where the foot was [m, world].
        dt: [s].
    """
    foot, foothold = creature.feet[i], creature.footholds[i]
    is_late = foot.progress > AIM_UNTIL
    if keep_side(creature, i, near, before, dt):
        foothold.score = 0.0
        if is_late and not foot.is_put_off:
            foot.is_put_off = 1
            begin_again(creature, i)
    kept = vec(foot.position)
    is_stopped = give_way(creature, i, before)
    if vec(foot.position) != kept:
        stay_in_reach(creature.legs[i], foot, creature.trunk[creature.legs[i].segment], before)
        stay_on_side(creature, i, near, before)
    if is_stopped and is_late:  # too far from its goal for the time that it has left
        foot.is_put_off = 1
        begin_again(creature, i)


@kernel
def advance(creature: Creature, i: int, height: float, near: Near, dt: float) -> None:
    """Move a foot that is in the air by one tick; it stands where it reaches its goal.

    Args:
        creature: whose foot it is.
        i: the leg.
        height: of an arc over what is known to be in its way [m].
        near: other creatures.
        dt: [s].
    """
    foot, body = creature.feet[i], creature.trunk[creature.legs[i].segment]
    plan, up = creature.plan, rotate(quat(body.orientation), Z)
    if lands(foot, dt):
        land(creature, i, near)
        return
    left, heading = 1.0 - foot.elapsed, heading_ahead(creature, i)
    wanted, fastest = swing_rate(plan, creature.gait, foot), fastest_here(creature, i)
    if foot.elapsed > 0.5 and is_met(creature, i):
        wanted *= HESITATES
    carried, haste = 0.0, 1.0
    if runs(creature):
        carried, haste, fastest = creature.gait.pace, HASTE, inf
    fly(plan, foot, height, wanted, haste, fastest, carried, over_arc(plan, foot, up), dt)
    step = foot.rate * dt
    turned = min(1.0, step / max(step, left - step))  # done before it lands
    toes = inf
    if plan.climbs:  # toes turn by themselves as far as their foot may turn besides
        most = SOLE_RATE * dt
        done = turn_sole(foot, turned, most)
        toes = sqrt(max(0.0, most * most - done * done))
    else:
        normal, flat = vec(foot.normal), vec(foot.goal_normal)
        tilt = angle_between(normal, flat)
        put(foot.normal, slerp(normal, flat, min(turned, NORMAL_RATE * dt / max(tilt, 1e-9))))
    turn_toes(creature, i, up, heading, left, toes, dt)


@kernel
def fastest_here(creature: Creature, i: int) -> float:
    """Speed at which a foot in the air turns about its shoulder as fast as joints should [m/s]."""
    leg = creature.legs[i]
    body, here = creature.trunk[leg.segment], vec(creature.feet[i].position)
    far, _ = reach_in_world(vec(body.position), quat(body.orientation), leg, here)
    return float(JOINTS * leg.arm * max(far, leg.min_reach))


@kernel
def land(creature: Creature, i: int, near: Near) -> None:
    """Put a foot on its goal, where it stands if its leg reaches it; else it swings again."""
    foot, goal = creature.feet[i], vec(creature.feet[i].goal)
    if is_met(creature, i):  # the bone above it would be in the ground
        foot.is_put_off = 1
        begin_again(creature, i)
        return
    body = creature.trunk[creature.legs[i].segment]
    is_apart = keeps_sides(creature, i, near, vec(body.position), quat(body.orientation), goal)
    if not is_there(creature, i) or not is_free(creature, i) or not is_apart:  # it is taken
        begin_again(creature, i)
        return
    put(foot.position, goal)
    if creature.plan.climbs:
        turn_sole(foot, 1.0, PI)
    put(foot.normal, vec(foot.goal_normal))
    begin_again(creature, i)
    if is_held(creature, i):
        foot.phase, foot.elapsed, foot.has_stepped, foot.urgency = STANDING, 0.0, 1, 0.0
        put(foot.drift, (0.0, 0.0, 0.0))
        creature.footholds[i].fallback = 0


@kernel
def begin_again(creature: Creature, i: int) -> None:
    """Let a foot in the air begin another swing from where it is; it looks at all there is."""
    foot = creature.feet[i]
    put(foot.track, vec(foot.position))
    begin_swing(foot)
    foot.elapsed = ALOFT
    creature.footholds[i].clear = 0.0


@kernel
def is_left_behind(creature: Creature, i: int) -> bool:
    """Whether a foot has a goal that its leg will not reach: its body was carried off, or held."""
    leg, foot = creature.legs[i], creature.feet[i]
    if foot.phase != FLYING or foot.progress <= AIM_UNTIL:
        return False
    body, goal = creature.trunk[leg.segment], vec(foot.goal)
    position, orientation = vec(body.position), quat(body.orientation)
    if reaches(position, orientation, leg, goal):
        return False
    seconds = seconds_to_touchdown(creature.plan, creature.gait, foot)
    moved = rotate(orientation, travel(body, leg, seconds))
    return not reaches(add(position, moved), orientation, leg, goal)


@kernel
def stalls(creature: Creature, i: int) -> bool:
    """Whether a foot of who climbs is kept from its goal, and its time hardly passes any more.

    The less of that is left, the faster it would have to go, and the slower its time has to pass.
    """
    foot = creature.feet[i]
    is_late = foot.phase == FLYING and foot.progress > AIM_UNTIL
    return bool(creature.plan.climbs and is_late and foot.limit < STALLS)


@kernel
def hovers(creature: Creature, i: int) -> bool:
    """Whether a foot of who climbs began again, and its leg does not reach its goal anyway."""
    return bool(is_aloft(creature, i) and is_out_of_reach(creature, i))


@kernel
def draw_in(creature: Creature, i: int, dt: float) -> None:
    """Draw a foot that reaches no place back half-way to its home, out of other legs' way.

    It went towards its old goal as far as its leg reached, and stayed there across others.
    """
    leg, foot = creature.legs[i], creature.feet[i]
    body = creature.trunk[leg.segment]
    half_way = mix(vec(leg.mount), home_of(creature.gait, leg), 0.5)
    there = add(vec(body.position), rotate(quat(body.orientation), half_way))
    way = sub(there, vec(foot.position))
    fastest = DRAWS_IN * creature.plan.foot_speed * dt
    put(foot.position, along(vec(foot.position), way, min(1.0, fastest / max(norm(way), 1e-9))))
    begin_again(creature, i)


@kernel
def keep_in_reach(creature: Creature, i: int) -> None:
    """Take a foot in the air along, where its body is carried away on what moves.

    Its track does not go down with it: that would be into the ground.
    """
    leg, foot = creature.legs[i], creature.feet[i]
    body = creature.trunk[leg.segment]
    position, orientation, here = vec(body.position), quat(body.orientation), vec(foot.position)
    there = here
    if swings(leg):  # it folds no farther, softly, and comes down no lower than its track
        up, room = rotate(orientation, Z), NEARLY_FOLDED * leg.reach
        over = max(0.0, dot(sub(here, vec(foot.track)), up))
        x, y, z = ankle_in(leg, position, orientation, foot)
        normal, pole = unrotate(orientation, vec(foot.normal)), pole_in(leg, orientation, foot)
        drop = drop_to_fold(leg, (x, y, z + room), pole, normal, over + room)
        drop = drop * drop / (4.0 * room) if drop < 2.0 * room else drop - room
        there = along(here, up, -min(drop, over))
    elif leg.hip == YAWS:
        there = out_of_fold(position, orientation, leg, here, moves_out(foot))
    if not reaches(position, orientation, leg, there):
        there = bring_in_reach(position, orientation, leg, there)
    if there != here:
        back = sub(there, here)
        level = reject(back, over_arc(creature.plan, foot, rotate(orientation, Z)))
        put(foot.track, add(vec(foot.track), level))
        put(foot.position, add(here, back))


@kernel
def moves_out(foot: FootRecord) -> float:
    """How much of its way out a foot goes that is folded too far: less near its ends, softly."""
    return smoothstep(clamp(min(foot.elapsed, 1.0 - foot.elapsed) / MOVES_OUT, 0.0, 1.0))


@kernel
def stay_in_reach(leg: LegRecord, foot: FootRecord, body: BodyRecord, before: Vec) -> None:
    """Leave a foot in the air where it was, where giving way takes it out of its leg's reach."""
    position, orientation = vec(body.position), quat(body.orientation)
    here = vec(foot.position)
    if reaches(position, orientation, leg, here):
        return
    if reaches(position, orientation, leg, before):
        put(foot.track, add(vec(foot.track), sub(before, here)))
        put(foot.position, before)


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
