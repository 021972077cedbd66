"""Rays begin below what hangs over a creature: a roof, a plank, a platform."""

from math import inf

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    LegRecord,
    PlanRecord,
    PropRecord,
    Records,
    RecordTable,
    SolidRecord,
)
from creature_sim.locomotion.rays import is_any_cast
from creature_sim.locomotion.search import rise_of
from creature_sim.locomotion.slots import (
    ARC_RAYS,
    RING,
    arc_slot,
    ring_slot,
)
from creature_sim.maths import Floats, Vec, Z, along, distance, dot, norm, put, quat, rotate, vec
from creature_sim.maths.jit import kernel

CEILING = -0.2
"""What is met on the way up hangs over where its normal points down (its cosine with up)."""
ROOM = 0.9
"""Rays begin at this fraction of the height of it."""
LOOKS_UP = 2.0
"""Who climbs looks up so many ride heights, and not one: below what is nearer it stays level."""


@kernel
def sight_up(plan: PlanRecord) -> float:
    """How far above its centre a body looks for what hangs over it [m]."""
    return float(plan.ride_height * (LOOKS_UP if plan.climbs else 1.0))


@kernel
def may_cover(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    solids: Records[SolidRecord],
    props: Records[PropRecord],
) -> bool:
    """Whether any prop (P,) is as near to any of the segments (N, S) as their rays reach."""
    for n in range(bodies.shape[0]):
        for i in range(legs.shape[0]):
            leg = legs[i]
            centre = vec(bodies[n, leg.segment].position)
            far = norm(vec(leg.mount)) + 2.0 * leg.reach + 2.0 * plan[0].ride_height
            for p in range(solids.shape[0]):
                if distance(centre, vec(props[p].position)) < solids[p].bound + far:
                    return True
    return False


@kernel
def look_up(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    start: Floats,
    is_active: NDArray[np.int8],
    starts: Floats,
    ends: Floats,
    is_asked: NDArray[np.bool_],
    tops: Floats,
) -> None:
    """Rays up from the height of the body to where those of legs begin.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S).
        gaits: (N,).
        feet: (N, L).
        footholds: (N, L).
        start: (N, Q, 3) of planned rays [m, world].
        is_active: (N, Q) which are cast.
        starts: (N, L, 2, 3) over the next foothold, and over a foot in the air; to be written.
        ends: (N, L, 2, 3).
        is_asked: (N, L, 2) which of them are needed.
        tops: (N, S, 3) up to where segments look; to be written.
    """
    leg_count, segment_count = legs.shape[0], bodies.shape[1]
    for n in range(bodies.shape[0]):
        for s in range(segment_count):
            put(tops[n, s], vec(start[n, s]))
            if plan[0].climbs:
                up = rotate(quat(bodies[n, s].orientation), Z)
                put(tops[n, s], along(vec(bodies[n, s].position), up, sight_up(plan[0])))
        if plan[0].climbs:  # rays of its legs begin at its hips
            is_asked[n] = False
            continue
        for i in range(leg_count):
            leg, foot = legs[i], feet[n, i]
            body = bodies[n, leg.segment]
            up = rotate(quat(body.orientation), Z)
            rise = rise_of(plan[0], leg)
            arc = arc_slot(segment_count, leg_count, i)
            flies = is_any_cast(is_active[n, arc : arc + ARC_RAYS])
            is_asked[n, i, 0] = flies or is_active[n, segment_count + i] == 1
            is_asked[n, i, 1] = flies
            top = along(vec(footholds[n, i].aim), up, rise)
            put(ends[n, i, 0], top)
            put(starts[n, i, 0], along(top, up, gaits[n].ride_height - rise))
            put(ends[n, i, 1], along(vec(foot.track), up, rise))
            put(starts[n, i, 1], along(vec(foot.track), up, gaits[n].ride_height))


@kernel
def lower(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    fractions: Floats,
    normals: Floats,
    leg_fractions: Floats,
    leg_normals: Floats,
    start: Floats,
    patch_rows: NDArray[np.int64],
    patch_start: Floats,
    room: Floats,
) -> None:
    """Bring planned rays below what hangs over, and say how much room is left under it.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S).
        gaits: (N,).
        fractions: (N, S) of the rays up at which something is above segments, 1 where nothing is.
        normals: (N, S, 3) there.
        leg_fractions: (N, L, 2) the same over legs, see `look_up`.
        leg_normals: (N, L, 2, 3).
        start: (N, Q, 3) of planned rays [m, world]; changed.
        patch_rows: (N, L) see `Patches`.
        patch_start: (N L, R, 3) of their rays [m, world]; changed.
        room: (N, S) between segments and what hangs over them, inf where nothing does [m]; written.
    """
    leg_count, segment_count = legs.shape[0], bodies.shape[1]
    for n in range(bodies.shape[0]):
        for s in range(segment_count):
            up = rotate(quat(bodies[n, s].orientation), Z)
            free = free_fraction(fractions[n, s], vec(normals[n, s]), up)
            high = sight_up(plan[0])
            room[n, s] = fractions[n, s] * high if free < 1.0 else inf
            sinks = (free - 1.0) * high
            if plan[0].climbs:
                sinks = min(0.0, sinks + high - plan[0].ride_height)
            put(start[n, s], along(vec(start[n, s]), up, sinks))
        if plan[0].climbs:
            continue
        for i in range(leg_count):
            up = rotate(quat(bodies[n, legs[i].segment].orientation), Z)
            free = 1.0
            for k in range(2):
                free = min(
                    free, free_fraction(leg_fractions[n, i, k], vec(leg_normals[n, i, k]), up)
                )
            if free == 1.0:
                continue
            sink = (free - 1.0) * (rise_of(plan[0], legs[i]) - gaits[n].ride_height)
            arc, ring = (
                arc_slot(segment_count, leg_count, i),
                ring_slot(segment_count, leg_count, i),
            )
            put(start[n, segment_count + i], along(vec(start[n, segment_count + i]), up, sink))
            for slot in range(arc, arc + ARC_RAYS):
                put(start[n, slot], along(vec(start[n, slot]), up, sink))
            for slot in range(ring, ring + len(RING) + 1):
                put(start[n, slot], along(vec(start[n, slot]), up, sink))
            row = patch_rows[n, i]
            if row >= 0:
                for k in range(patch_start.shape[1]):
                    put(patch_start[row, k], along(vec(patch_start[row, k]), up, sink))


@kernel
def free_fraction(fraction: float, normal: Vec, up: Vec) -> float:
    """Fraction of a ray up that is free, with some margin below what hangs there."""
    if fraction < 1.0 and dot(normal, up) < CEILING:
        return ROOM * fraction
    return 1.0
