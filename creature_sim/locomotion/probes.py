"""Every ray of a tick; `slots.py` says which is where."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    AIRBORNE,
    FLYING,
    LIFTING,
    LOST,
    SAMPLED,
    SHIFTED,
    STANDING,
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    HitRecord,
    LegRecord,
    LegTargetRecord,
    PlanRecord,
    Records,
    RecordTable,
    SegmentRecord,
)
from creature_sim.locomotion.arcs import over_arc
from creature_sim.locomotion.bends import is_bent, probe_bend
from creature_sim.locomotion.clearance import clear_aim
from creature_sim.locomotion.climbing import look_round
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.fronts import probe_front
from creature_sim.locomotion.groping import feels_around, probe_fan
from creature_sim.locomotion.limb_probes import probe_hip, probe_shin
from creature_sim.locomotion.patch import cell_offset, patch_centre, surveys
from creature_sim.locomotion.plainness import walks_on_plain
from creature_sim.locomotion.prediction import (
    aims,
    ground_velocity,
    home_ahead,
    home_of,
    is_turn,
    looks_around,
)
from creature_sim.locomotion.rays import Rays, cast_along
from creature_sim.locomotion.search import (
    FALLBACKS,
    RING_RADIUS,
    SHIN,
    arc_fraction,
    downhill,
    rise_of,
)
from creature_sim.locomotion.shins import leans_out, shin_of
from creature_sim.locomotion.slots import (
    ARC_RAYS,
    PATCH_RAYS,
    RING,
    SHIN_RAYS,
    ahead_slot,
    along_shin_slot,
    arc_slot,
    foothold_slot,
    hip_slot,
    ring_slot,
    shin_slot,
)
from creature_sim.locomotion.swing import seconds_to_touchdown
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
    norm,
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

LOOKING = 0.35
"""A standing foot looks for its next foothold from this urgency on, or when it is its turn."""
LAST_LOOK = 0.97
"""Progress of a swing from which on the ground ahead of it is not looked at any more."""
FOOT_RADIUS = 0.03
"""Rays along an arc lie this far to either side of it in turn, as a fraction of the reach: feet
graze nothing."""
LOOK_EVERY = 2
"""A foot in the air looks at its aim and around it once in so many ticks."""
CLIMBS_EVERY = 4
"""One of who climbs that stands, and need not step soon, looks at its next foothold in one of so
many, and around it..."""
RING_EVERY = 6
"""...in one of so many."""
PLAIN_EVERY = 6
"""On plain ground a foot in the air looks at its aim, around it and along its arc once in so many
ticks..."""
ON_AIM = 0.03
"""...if it goes to where it aims, up to this fraction of its reach..."""
PLAIN_STANDING = 12
"""...and one that stands around its next foothold..."""
PLAIN_BODY = 2
"""...and a segment at what is below it."""
SOON = 0.5
"""There a foot that stands looks for that in every tick only from this urgency on."""
NOTHING_BETWEEN = 0.09
"""The ground along a path shorter than this fraction of the reach is not looked at."""
BODY_RAY = 5.0
"""Ground is looked for this far below where it should be under a body [m]."""
AIM_SPEED = 1.0
"""How fast an aim may move over the ground, beside twice the foot's own speed [m/s]."""


@kernel
def plan_probes(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    targets: RecordTable[LegTargetRecord],
    gravity: Records[GravityRecord],
    segments: Records[SegmentRecord],
    joints: Floats,
    hits: RecordTable[HitRecord],
    start: Floats,
    end: Floats,
    is_active: NDArray[np.int64],
    patch_rows: NDArray[np.int64],
    patch_start: Floats,
    patch_end: Floats,
    patch_is_active: NDArray[np.int64],
    dt: float,
) -> int:  # fmt: skip
    """Write the rays of every creature, and move the aims of their feet.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S).
        gaits: (N,); they grow older.
        feet: (N, L); one that has just lifted is marked as sampled.
        footholds: (N, L); their aims are written.
        targets: (N, L) how far footholds are shifted.
        gravity: (1,).
        segments: (S,).
        joints: (N, L, J, 3) of their legs, as they were solved last [m, world].
        hits: (N, Q) what rays found last.
        start: (N, Q, 3) of every ray [m, world]; written.
        end: (N, Q, 3); written.
        is_active: (N, Q) which rays to cast; written.
        patch_rows: (N, L) see `Patches`; written, as all of them.
        patch_start: (N L, R, 3) [m, world].
        patch_end: (N L, R, 3) [m, world].
        patch_is_active: (N L, R) which of these rays to cast.
        dt: length of a tick [s].

    Returns:
        how many patches there are.
    """
    count = 0
    for n in range(bodies.shape[0]):
        creature = Creature(plan[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
        rays = Rays(start[n], end[n], is_active[n])
        gaits[n].age += 1
        if gaits[n].flight == AIRBORNE:
            is_active[n, :] = 0
            patch_rows[n, :] = -1
            continue
        for s in range(bodies.shape[1]):
            probe_body(creature, rays, s)
        slot = ahead_slot(bodies.shape[1], legs.shape[0], 0)
        ahead = rays.start[slot:], rays.end[slot:], rays.is_active[slot:]
        if plan[0].climbs:
            look_round(creature, segments, gaits[n].leader, hits[n, slot:], *ahead)
            probe_front(creature, segments, rays, hits[n])
        else:
            look_ahead(creature, segments, gaits[n].leader, *ahead)
        for i in range(legs.shape[0]):
            patch_rows[n, i] = -1
            if feet[n, i].phase == LOST:
                probe_nothing(creature, rays, i)
            else:
                move_aim(creature, gravity[0], targets[n, i], i, dt)
                probe_foothold(creature, rays, i, dt)
                if plan[0].climbs:
                    probe_bend(creature, gravity[0], segments, rays, hits[n], i)
                looks_round = surveys(creature, i)
                if plan[0].climbs:
                    looks_round = feels_around(creature, rays, i)
                if looks_round:
                    patch_rows[n, i] = count
                    patch = Rays(patch_start[count], patch_end[count], patch_is_active[count])
                    if plan[0].climbs:
                        probe_fan(creature, rays, patch, hits[n], i)
                    else:
                        probe_patch(creature, patch, i)
                    count += 1
                probe_shin(creature, rays, joints[n, i], i, dt)
                probe_hip(creature, rays, i)
                probe_ring(creature, rays, i, dt)
                probe_arc(creature, rays, i)
    return count


@kernel
def probe_body(creature: Creature, rays: Rays, s: int) -> None:
    """Look at the ground below a segment, on plain ground in every other tick."""
    body, height = creature.trunk[s], creature.plan.ride_height
    up = rotate(quat(body.orientation), Z)
    cast_along(rays, s, vec(body.position), up, height, BODY_RAY + height)
    if walks_on_plain(creature.gait):
        rays.is_active[s] = is_tick_of(creature, s, PLAIN_BODY)


@kernel
def probe_nothing(creature: Creature, rays: Rays, i: int) -> None:
    """Cast no ray for a leg that is lost, or led, but one below its foot."""
    segment_count, leg_count = creature.trunk.shape[0], creature.legs.shape[0]
    arc, ring = arc_slot(segment_count, leg_count, i), ring_slot(segment_count, leg_count, i)
    rays.is_active[foothold_slot(segment_count, i)] = 0
    rays.is_active[arc : arc + ARC_RAYS] = 0
    rays.is_active[ring : ring + len(RING) + 1] = 0
    shin = along_shin_slot(segment_count, leg_count, i)
    rays.is_active[shin : shin + SHIN_RAYS] = 0
    leg = creature.legs[i]
    up = rotate(quat(creature.trunk[leg.segment].orientation), Z)
    hip = hip_slot(segment_count, leg_count, i)
    cast_along(rays, hip, vec(creature.feet[i].position), up, leg.reach, leg.reach)


@kernel
def aim_of(creature: Creature, gravity: GravityRecord, target: LegTargetRecord, i: int) -> Vec:
    """Where a foot that lifts now, or is in the air, should land, before sensing [m, world]."""
    plan, gait, leg, foot = creature.plan, creature.gait, creature.legs[i], creature.feet[i]
    body, foothold = creature.trunk[leg.segment], creature.footholds[i]
    seconds = seconds_to_touchdown(plan, gait, foot)
    aim = add(home_of(gait, leg), home_ahead(creature, i, seconds))
    aim = add(aim, downhill(plan, gravity, gait, body))
    position, orientation = vec(body.position), quat(body.orientation)
    begin = (leg.mount[0], leg.mount[1], -gait.ride_height)
    if not plan.climbs:
        where, fraction = FALLBACKS[foothold.fallback]
        if where == 1:
            begin = unrotate(orientation, sub(vec(foot.goal), position))
        aim = mix(begin, aim, fraction)
    aim = add(aim, vec(foothold.offset))
    if target.is_led == SHIFTED:
        aim = add(aim, vec(target.point))
    return add(position, rotate(orientation, clear_aim(creature, i, aim, seconds)))


@kernel
def move_aim(
    creature: Creature, gravity: GravityRecord, target: LegTargetRecord, i: int, dt: float
) -> None:
    """Aim a foot anew; while it is in the air the aim moves at a bounded speed, or not at all."""
    leg, foot, foothold = creature.legs[i], creature.feet[i], creature.footholds[i]
    aim = aim_of(creature, gravity, target, i)
    if foot.phase != STANDING:
        old = vec(foothold.aim)
        if not aims(foot, foothold):
            aim = old
        else:
            _, _, speed = ground_velocity(creature.trunk[leg.segment], leg)
            farthest = (AIM_SPEED + 2.0 * speed) * dt
            far = distance(old, aim)
            if far > farthest:
                aim = mix(old, aim, farthest / far)
    put(foothold.aim, aim)


@kernel
def probe_foothold(creature: Creature, rays: Rays, i: int, dt: float) -> None:
    """Look at the ground at a foot's aim, if it may step there soon or can still choose."""
    plan, gait, leg, foot = creature.plan, creature.gait, creature.legs[i], creature.feet[i]
    slot = foothold_slot(creature.trunk.shape[0], i)
    up = rotate(quat(creature.trunk[leg.segment].orientation), Z)
    cast_along(rays, slot, vec(creature.footholds[i].aim), up, rise_of(plan, leg), leg.reach)
    if foot.phase != STANDING:
        is_looking = looks_now(creature, i) or surveys(creature, i)
        rays.is_active[slot] = is_looking and aims(foot, creature.footholds[i])
    else:
        may_wait = (
            walks_on_plain(gait) and foot.urgency < SOON and not is_tick_of(creature, i, LOOK_EVERY)
        )
        looks = foot.urgency > LOOKING and not may_wait
        if plan.climbs:  # long before its turn it says how the ground ahead lies
            looks = is_tick_of(creature, i, LOOK_EVERY if looks else CLIMBS_EVERY)
        rays.is_active[slot] = looks or is_turn(plan, gait, foot, dt)


@kernel
def is_tick_of(creature: Creature, i: int, every: int) -> bool:
    """Whether it is a leg's tick, or a segment's, of which it has one in so many."""
    return bool((creature.gait.age + i) % every == 0)


@kernel
def looks_now(creature: Creature, i: int) -> bool:
    """Whether a foot in the air looks at its aim and along its way: at once where it has lifted."""
    if creature.feet[i].phase != FLYING:
        return True
    is_calm = walks_on_plain(creature.gait) and is_on_aim(creature, i)
    return is_tick_of(creature, i, PLAIN_EVERY if is_calm else LOOK_EVERY)


@kernel
def is_on_aim(creature: Creature, i: int) -> bool:
    """Whether a foot in the air goes to where it aims, or nearly: its body goes on as it did."""
    leg = creature.legs[i]
    up = rotate(quat(creature.trunk[leg.segment].orientation), Z)
    gap = sub(vec(creature.feet[i].goal), vec(creature.footholds[i].aim))
    return bool(norm(reject(gap, up)) < ON_AIM * leg.reach)


@kernel
def probe_patch(creature: Creature, patch: Rays, i: int) -> None:
    """Look at all of the ground around where a foot in the air should land, where it is rough."""
    leg = creature.legs[i]
    orientation = quat(creature.trunk[leg.segment].orientation)
    up, above = rotate(orientation, Z), rise_of(creature.plan, leg)
    centre = patch_centre(creature, i)
    for k in range(PATCH_RAYS):
        point = add(centre, rotate(orientation, cell_offset(leg, k)))
        cast_along(patch, k, point, up, above, leg.reach)


@kernel
def probe_ring(creature: Creature, rays: Rays, i: int, dt: float) -> None:
    """Look at the ground around a foot's aim, and below a shin that leans out from there."""
    leg, foot = creature.legs[i], creature.feet[i]
    first = ring_slot(creature.trunk.shape[0], creature.legs.shape[0], i)
    rays.is_active[first : first + len(RING) + 1] = 0
    foothold = creature.footholds[i]
    if is_bent(creature, i):
        return
    if surveys(creature, i) or not looks_around(creature.plan, creature.gait, foot, foothold, dt):
        return
    if foot.phase == FLYING and not looks_now(creature, i):
        return
    if creature.plan.climbs and foot.phase != LIFTING and not is_tick_of(creature, i, RING_EVERY):
        return
    every = PLAIN_STANDING if foot.phase == STANDING else PLAIN_EVERY
    if (
        walks_on_plain(creature.gait)
        and foot.phase != LIFTING
        and not is_tick_of(creature, i, every)
    ):
        return
    orientation = quat(creature.trunk[leg.segment].orientation)
    up, above = rotate(orientation, Z), rise_of(creature.plan, leg)
    aim = vec(creature.footholds[i].aim)
    for k in range(len(RING)):
        point = along(aim, rotate(orientation, RING[k]), RING_RADIUS * leg.reach)
        cast_along(rays, first + k, point, up, above, leg.reach)
    lean = shin_of(creature, i)
    if leans_out(leg, lean) > 0.0:
        shin = shin_slot(creature.trunk.shape[0], creature.legs.shape[0], i)
        point = along(aim, rotate(orientation, (lean[0], lean[1], 0.0)), SHIN)
        cast_along(rays, shin, point, up, above, leg.reach)


@kernel
def probe_arc(creature: Creature, rays: Rays, i: int) -> None:
    """Look at the ground between a foot in the air and its goal."""
    leg, foot = creature.legs[i], creature.feet[i]
    first = arc_slot(creature.trunk.shape[0], creature.legs.shape[0], i)
    rays.is_active[first : first + ARC_RAYS] = 0
    if foot.phase == STANDING or foot.progress >= LAST_LOOK:
        return
    if foot.phase == LIFTING:
        foot.phase = SAMPLED
    track, goal = vec(foot.track), vec(foot.goal)
    if distance(track, goal) < NOTHING_BETWEEN * leg.reach:
        return
    if (walks_on_plain(creature.gait) or creature.plan.climbs) and not looks_now(creature, i):
        return
    up = rotate(quat(creature.trunk[leg.segment].orientation), Z)
    up = over_arc(creature.plan, foot, up)
    aside = cross(up, unit(sub(goal, track), up))
    width, age = FOOT_RADIUS * leg.reach, creature.gait.age
    for k in range(ARC_RAYS):
        point = mix(track, goal, arc_fraction(age, k))
        point = along(point, aside, width if (age + k) % 2 else -width)
        cast_along(rays, first + k, point, up, rise_of(creature.plan, leg), leg.reach)
