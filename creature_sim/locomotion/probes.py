"""Every ray of a tick; `slots.py` says which is where."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    AIRBORNE,
    LOST,
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
from creature_sim.locomotion.bends import probe_bend
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.foot_probes import (
    is_tick_of,
    move_aim,
    probe_arc,
    probe_foothold,
    probe_patch,
    probe_ring,
)
from creature_sim.locomotion.fronts import probe_front
from creature_sim.locomotion.groping import feels_around, probe_fan
from creature_sim.locomotion.hips import watches_knee
from creature_sim.locomotion.hulls import probe_hull
from creature_sim.locomotion.knees import probe_knee
from creature_sim.locomotion.limb_probes import probe_hip, probe_shin
from creature_sim.locomotion.lookout import look_round
from creature_sim.locomotion.patch import surveys
from creature_sim.locomotion.plainness import walks_on_plain
from creature_sim.locomotion.rays import Rays, cast_along, cast_none, cast_once
from creature_sim.locomotion.slots import (
    ARC_RAYS,
    RING,
    SHIN_RAYS,
    ahead_slot,
    along_shin_slot,
    arc_slot,
    foothold_slot,
    hip_slot,
    ring_slot,
)
from creature_sim.locomotion.walls import look_ahead
from creature_sim.maths import (
    Floats,
    Z,
    quat,
    rotate,
    vec,
)
from creature_sim.maths.jit import kernel

PLAIN_BODY = 4
"""On plain ground a segment looks at what is below it once in so many ticks..."""
PLAIN_AHEAD = 2
"""...and ahead once in so many."""
BODY_RAY = 5.0
"""Ground is looked for this far below where it should be under a body [m]."""


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
    is_active: NDArray[np.int8],
    patch_rows: NDArray[np.int64],
    patch_start: Floats,
    patch_end: Floats,
    patch_is_active: NDArray[np.int8],
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
        probe_ahead(creature, segments, rays, hits[n])
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
                if watches_knee(legs[i]):
                    probe_knee(creature, rays, hits[n], i)
                else:
                    probe_shin(creature, rays, joints[n, i], i, dt)
                probe_hip(creature, rays, i)
                probe_ring(creature, rays, i, dt)
                probe_arc(creature, rays, i)
        if plan[0].climbs:
            cast_once(rays)
    return count


@kernel
def probe_body(creature: Creature, rays: Rays, s: int) -> None:
    """Look at the ground below a segment, on plain ground once in a few ticks."""
    body, height = creature.trunk[s], creature.plan.ride_height
    up = rotate(quat(body.orientation), Z)
    cast_along(rays, s, vec(body.position), up, height, BODY_RAY + height)
    if walks_on_plain(creature.gait):
        rays.is_active[s] = is_tick_of(creature, s, PLAIN_BODY)


@kernel
def probe_ahead(
    creature: Creature, segments: Records[SegmentRecord], rays: Rays, hits: Records[HitRecord]
) -> None:
    """Look at what is ahead of every segment (S,), on plain ground once in a few ticks."""
    slot = ahead_slot(creature.trunk.shape[0], creature.legs.shape[0], 0)
    ahead = rays.start[slot:], rays.end[slot:], rays.is_active[slot:]
    gait = creature.gait
    if creature.plan.climbs:
        look_round(creature, segments, gait.leader, hits[slot:], *ahead)
        probe_front(creature, segments, rays, hits)
        probe_hull(creature, segments, rays, hits)
    elif walks_on_plain(gait) and gait.age % PLAIN_AHEAD != 0:
        rays.is_active[slot:] = 0
    else:
        look_ahead(creature, segments, gait.leader, *ahead)


@kernel
def probe_nothing(creature: Creature, rays: Rays, i: int) -> None:
    """Cast no ray for a leg that is lost, or led, but one below its foot."""
    segment_count, leg_count = creature.trunk.shape[0], creature.legs.shape[0]
    arc, ring = arc_slot(segment_count, leg_count, i), ring_slot(segment_count, leg_count, i)
    rays.is_active[foothold_slot(segment_count, i)] = 0
    cast_none(rays, arc, ARC_RAYS)
    cast_none(rays, ring, len(RING) + 1)
    shin = along_shin_slot(segment_count, leg_count, i)
    cast_none(rays, shin, SHIN_RAYS)
    leg = creature.legs[i]
    up = rotate(quat(creature.trunk[leg.segment].orientation), Z)
    hip = hip_slot(segment_count, leg_count, i)
    cast_along(rays, hip, vec(creature.feet[i].position), up, leg.reach, leg.reach)
