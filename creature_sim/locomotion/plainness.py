"""Whether a creature walks on plain ground: there it need not look at all of it in every tick.

Plain is what bends so gently that a foot meets nothing between the places that are looked at. Where
a curve bends evenly, each chord is at right angles to the mean of the normals at its ends; a step
between two level places is not. So hills are plain, however steep, and stairs are not, however low.
"""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    GROUND,
    HELD_BY_GROUND,
    LOST,
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    HitRecord,
    LegRecord,
    PlanRecord,
    PropRecord,
    Records,
    RecordTable,
    SolidRecord,
)
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.slots import (
    ARC_RAYS,
    RING,
    ahead_slot,
    arc_slot,
    foothold_slot,
    ring_slot,
)
from creature_sim.locomotion.walls import AHEAD_RAYS
from creature_sim.maths import Floats, Vec, add, distance, dot, norm, sub, vec
from creature_sim.maths.jit import kernel

KNOWN = 1.0
"""Ground is plain where rays have found no other for so long [s]."""
FLAT = 0.03
"""What a leg's rays find is plain where it is off an even curve through the foot's goal by no
more than this fraction of the reach..."""
SMOOTH = 0.9
"""...and its normal within 26 degrees of that at the goal (the cosine)."""


@kernel
def walks_on_plain(gait: GaitRecord) -> bool:
    """Whether a creature walks on plain ground, as far as it knows."""
    return bool(gait.plain >= KNOWN)


@kernel
def note_ground(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    ground: RecordTable[HitRecord],
    is_active: NDArray[np.int8],
    room: Floats,
    solids: Records[SolidRecord],
    props: Records[PropRecord],
    dt: float,
) -> None:
    """Note for how long the rays of every creature have found plain ground and nothing else.

    Ground that moves is never plain: none is where a prop is near.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S).
        gaits: (N,); their time on plain ground is written.
        feet: (N, L).
        footholds: (N, L).
        ground: (N, Q) what the rays found.
        is_active: (N, Q) which of them were cast in this tick.
        room: (N, S) between segments and what hangs over them [m].
        solids: (P,).
        props: (P,).
        dt: length of a tick [s].
    """
    for n in range(bodies.shape[0]):
        creature = Creature(plan[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
        gait = gaits[n]
        gait.plain = min(KNOWN, gait.plain + dt)
        if (
            not goes_by_itself(creature)
            or not is_open(creature, ground[n], room[n])
            or not finds_plain(creature, ground[n], is_active[n])
            or is_near_props(creature, solids, props)
        ):
            gait.plain = 0.0


@kernel
def goes_by_itself(creature: Creature) -> bool:
    """Whether a creature walks, on all of its legs, and is not one that climbs."""
    gait = creature.gait
    if creature.plan.climbs or gait.flight or gait.run or gait.raised_count or gait.lost_count:
        return False
    return bool(gait.is_held != HELD_BY_GROUND)


@kernel
def is_open(creature: Creature, hits: Records[HitRecord], room: Floats) -> bool:
    """Whether there is ground below every segment, and nothing over it and ahead of it."""
    count = creature.trunk.shape[0]
    first = ahead_slot(count, creature.legs.shape[0], 0)
    for s in range(count):
        if hits[s].is_hit == 0 or hits[s].prop != GROUND or room[s] < np.inf:
            return False
        for slot in range(first + AHEAD_RAYS * s, first + AHEAD_RAYS * (s + 1)):
            if hits[slot].is_hit:
                return False
    return True


@kernel
def finds_plain(creature: Creature, hits: Records[HitRecord], is_active: NDArray[np.int8]) -> bool:
    """Whether what the rays of all legs (Q,) found in this tick is plain."""
    segment_count, leg_count = creature.trunk.shape[0], creature.legs.shape[0]
    for i in range(leg_count):
        leg, foot, slot = creature.legs[i], creature.feet[i], foothold_slot(segment_count, i)
        if foot.phase == LOST or foot.prop != GROUND:
            return False
        point, normal = vec(foot.goal), vec(foot.goal_normal)
        if is_active[slot] and not fits(leg, hits[slot], point, normal):
            return False
        arc, ring = arc_slot(segment_count, leg_count, i), ring_slot(segment_count, leg_count, i)
        for along in range(arc, arc + ARC_RAYS):
            if is_active[along] and not fits(leg, hits[along], point, normal):
                return False
        if is_active[slot]:
            point, normal = vec(hits[slot].point), vec(hits[slot].normal)
        for around in range(ring, ring + len(RING)):
            if is_active[around] and not fits(leg, hits[around], point, normal):
                return False
    return True


@kernel
def fits(leg: LegRecord, hit: HitRecord, point: Vec, normal: Vec) -> bool:
    """Whether what a leg's ray found lies on an even curve through a point of the ground.

    Args:
        leg: whose ray it was.
        hit: what it found.
        point: of the ground [m, world].
        normal: there [world].
    """
    if hit.is_hit == 0 or hit.prop != GROUND or dot(vec(hit.normal), normal) < SMOOTH:
        return False
    off = 0.5 * dot(sub(vec(hit.point), point), add(vec(hit.normal), normal))
    return bool(abs(off) <= FLAT * leg.reach)


@kernel
def is_near_props(
    creature: Creature, solids: Records[SolidRecord], props: Records[PropRecord]
) -> bool:
    """Whether any prop (P,) is as near to any leg as its rays may reach."""
    for p in range(solids.shape[0]):
        for i in range(creature.legs.shape[0]):
            leg = creature.legs[i]
            centre = vec(creature.trunk[leg.segment].position)
            far = norm(vec(leg.mount)) + 2.0 * leg.reach + 2.0 * creature.plan.ride_height
            if distance(centre, vec(props[p].position)) < solids[p].bound + far:
                return True
    return False
