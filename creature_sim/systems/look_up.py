"""Rays begin below what hangs over a creature: a roof, a plank, a platform."""

import esper
import numpy as np
from numpy.typing import NDArray

from creature_sim.components import Body, Feet, Ground, Plan, Probes, Records, Roofs
from creature_sim.components.queries import find_props
from creature_sim.maths import Floats, Vec, Z, along, distance, dot, norm, put, quat, rotate, vec
from creature_sim.maths.jit import kernel
from creature_sim.props.rays import cast_props
from creature_sim.systems.plan_probes import ARC_RAYS, RING, arc_slot, ring_slot, rise_of

CEILING = -0.2
"""What is met on the way up hangs over where its normal points down (its cosine with up)."""
ROOM = 0.9
"""Rays begin at this share of the way up to it."""


class LookUp(esper.Processor):
    """Lower the starts of rays that would begin above what hangs over."""

    def process(self, dt: float) -> None:
        """Look up from the height of bodies, where anything may hang over them at all."""
        del dt  # looking takes no time
        ((_, ground),) = esper.get_component(Ground)
        roofs = [roofs for _, roofs in esper.get_component(Roofs)]
        things = [find_props(), *(roof.solids for roof in roofs)]
        is_unknown = any(roof.is_unknown for roof in roofs)
        if not is_unknown and not any(things):
            return
        for _, (plan, body, feet, probes) in esper.get_components(Plan, Body, Feet, Probes):
            shape = (*feet.records.shape, 2, 3)
            bodies = body.records["position"]
            if not is_unknown and not any(
                may_cover(plan.body, plan.legs, body.records, solids.records, props.records)
                for solids, props in filter(None, things)
            ):
                continue
            starts, ends = np.empty(shape), np.empty(shape)
            is_asked = np.zeros(shape[:-1], np.bool_)
            look_up(
                plan.body, plan.legs, body.records, body.gaits, feet.records, probes.start,
                probes.is_active, starts, ends, is_asked,
            )  # fmt: skip
            count = bodies.size // 3
            rays = (
                np.concatenate((bodies.reshape(-1, 3), starts[is_asked])),
                np.concatenate((probes.start[:, : bodies.shape[1]].reshape(-1, 3), ends[is_asked])),
            )
            fractions, normals = np.ones(len(rays[0])), np.zeros(rays[0].shape)
            if is_unknown:
                fractions, normals = ground.physics.cast(*rays)
            numbers = np.empty(len(fractions), np.int64)
            for solids, props in filter(None, things):
                cast_props(
                    solids.records, solids.planes, props.records, *rays, fractions, normals, numbers
                )
            shares, faces = np.ones(shape[:-1]), np.zeros(shape)
            shares[is_asked], faces[is_asked] = fractions[count:], normals[count:]
            lower(
                plan.body, plan.legs, body.records, body.gaits,
                fractions[:count].reshape(bodies.shape[:2]), normals[:count].reshape(bodies.shape),
                shares, faces, probes.start,
            )  # fmt: skip


@kernel
def may_cover(
    plan: Records, legs: Records, bodies: Records, solids: Records, props: Records
) -> bool:
    """Whether any prop (P,) is as near to any of the segments (N, S) as their rays may go."""
    for n in range(bodies.shape[0]):
        for i in range(legs.shape[0]):
            leg = legs[i]
            place = vec(bodies[n, leg.segment].position)
            far = norm(vec(leg.mount)) + 2.0 * leg.reach + 2.0 * plan[0].ride_height
            for p in range(solids.shape[0]):
                if distance(place, vec(props[p].position)) < solids[p].bound + far:
                    return True
    return False


@kernel
def look_up(
    plan: Records,
    legs: Records,
    bodies: Records,
    gaits: Records,
    feet: Records,
    start: Floats,
    is_active: NDArray[np.int64],
    starts: Floats,
    ends: Floats,
    is_asked: NDArray[np.bool_],
) -> None:
    """Rays up from the height of the body to where those of legs begin.

    Args:
        plan: (1,) PLAN.
        legs: (L,) LEG.
        bodies: (N, S) BODY.
        gaits: (N,) GAIT.
        feet: (N, L) FOOT.
        start: (N, S, 3) of planned rays [m, world].
        is_active: (N, S) which are cast.
        starts: (N, L, 2, 3) over the next foothold, and over a foot in the air; to be written.
        ends: (N, L, 2, 3).
        is_asked: (N, L, 2) which of them are needed.
    """
    leg_count, segment_count = legs.shape[0], bodies.shape[1]
    for n in range(bodies.shape[0]):
        for i in range(leg_count):
            leg, foot = legs[i], feet[n, i]
            body = bodies[n, leg.segment]
            up = rotate(quat(body.orientation), Z)
            rise = rise_of(plan[0], leg)
            flies = is_active[n, arc_slot(segment_count, leg_count, i)] == 1
            is_asked[n, i, 0] = flies or is_active[n, segment_count + i] == 1
            is_asked[n, i, 1] = flies
            top = vec(start[n, segment_count + i])
            put(ends[n, i, 0], top)
            put(starts[n, i, 0], along(top, up, gaits[n].height - rise))
            put(ends[n, i, 1], along(vec(foot.track), up, rise))
            put(starts[n, i, 1], along(vec(foot.track), up, gaits[n].height))


@kernel
def lower(
    plan: Records,
    legs: Records,
    bodies: Records,
    gaits: Records,
    fractions: Floats,
    normals: Floats,
    shares: Floats,
    faces: Floats,
    start: Floats,
) -> None:
    """Bring planned rays below what hangs over.

    Args:
        plan: (1,) PLAN.
        legs: (L,) LEG.
        bodies: (N, S) BODY.
        gaits: (N,) GAIT.
        fractions: (N, S) of the way up at which something is over segments, 1 where nothing is.
        normals: (N, S, 3) there.
        shares: (N, L, 2) the same over legs, see `look_up`.
        faces: (N, L, 2, 3).
        start: (N, S, 3) of planned rays [m, world]; changed.
    """
    leg_count, segment_count = legs.shape[0], bodies.shape[1]
    for n in range(bodies.shape[0]):
        for s in range(segment_count):
            up = rotate(quat(bodies[n, s].orientation), Z)
            free = free_share(fractions[n, s], vec(normals[n, s]), up)
            put(start[n, s], along(vec(start[n, s]), up, (free - 1.0) * plan[0].ride_height))
        for i in range(leg_count):
            up = rotate(quat(bodies[n, legs[i].segment].orientation), Z)
            free = 1.0
            for k in range(2):
                free = min(free, free_share(shares[n, i, k], vec(faces[n, i, k]), up))
            if free == 1.0:
                continue
            sink = (free - 1.0) * (rise_of(plan[0], legs[i]) - gaits[n].height)
            arc, ring = (
                arc_slot(segment_count, leg_count, i),
                ring_slot(segment_count, leg_count, i),
            )
            put(start[n, segment_count + i], along(vec(start[n, segment_count + i]), up, sink))
            for slot in range(arc, arc + ARC_RAYS):
                put(start[n, slot], along(vec(start[n, slot]), up, sink))
            for slot in range(ring, ring + len(RING) + 1):
                put(start[n, slot], along(vec(start[n, slot]), up, sink))


@kernel
def free_share(fraction: float, normal: Vec, up: Vec) -> float:
    """Share of a way up that is free, with some room below what hangs there."""
    if fraction < 1.0 and dot(normal, up) < CEILING:
        return ROOM * fraction
    return 1.0
