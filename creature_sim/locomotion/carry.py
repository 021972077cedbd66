"""Whoever stands on a prop moves with it."""

from math import inf
from typing import NamedTuple

import numpy as np

from creature_sim.components import (
    DYNAMIC,
    GROUND,
    LOST,
    STANDING,
    STATIC,
    TO_RECOVER,
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
    SegmentRecord,
    SolidRecord,
)
from creature_sim.locomotion.arcs import path_done
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.frames import taken_along
from creature_sim.locomotion.hulls import feeler_slot, gap_before
from creature_sim.locomotion.judging import FARTHEST_ROUND
from creature_sim.locomotion.reach import FULL_STRETCH, reach_in_world
from creature_sim.locomotion.slots import HULL_RAYS
from creature_sim.locomotion.swing import lift_off
from creature_sim.locomotion.trunk import centre_of
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    Z,
    add,
    along,
    dot,
    mix,
    norm,
    put,
    put_quat,
    quat,
    quat_multiply,
    quat_unit,
    rotate,
    scale,
    sub,
    vec,
)
from creature_sim.maths.jit import kernel
from creature_sim.props.paths import carried, turn_of


class Riders(NamedTuple):
    """One creature, and the props that it may stand on.

    Attributes:
        plan: of its body.
        legs: (L,) of it.
        trunk: (S,) its segments; moved.
        feet: (L,) moved.
        footholds: (L,) moved.
        solids: (P,).
        props: (P,) where they are, and were.
    """

    plan: PlanRecord
    legs: Records[LegRecord]
    trunk: Records[BodyRecord]
    feet: Records[FootRecord]
    footholds: Records[FootholdRecord]
    solids: Records[SolidRecord]
    props: Records[PropRecord]


@kernel
def carry(
    plans: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    solids: Records[SolidRecord],
    props: Records[PropRecord],
) -> None:
    """Move all that stands on props with them.

    1. A trunk moves by the mean displacement, and turns by the mean turn, of what its feet stand
       on: on one prop it keeps still against that, and half on the ground it goes half as far. It
       does not turn with balls. It goes as a whole, so that two things that part do not tear it.
    2. Feet that stand move exactly with their prop.
    3. The goal of a foot in the air moves with the prop that it lies on; the foot at first as what
       it stood on did, and at last as its goal.
    4. A foot lets go that would be drawn out of its leg's reach, or off a ball that turns. One of
       who climbs, and any on a prop with a spin, comes back to where it was, if it finds no other
       place: so it does not forget its prop, and neither does the place to which it would step.

    Args:
        plans: (1,) of the body.
        legs: (L,).
        bodies: (N, S); written.
        feet: (N, L); written.
        footholds: (N, L); written.
        solids: (P,).
        props: (P,).
    """
    for n in range(bodies.shape[0]):
        riders = Riders(plans[0], legs, bodies[n], feet[n], footholds[n], solids, props)
        if any_rides(riders):
            carry_trunk(riders)
            carry_feet(riders)


@kernel
def carry_climbers(
    plans: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    segments: Records[SegmentRecord],
    hits: RecordTable[HitRecord],
    solids: Records[SolidRecord],
    props: Records[PropRecord],
) -> None:
    """Move who climbs as `carry` does, with what its rays have found on props, and not into rock.

    Args:
        plans: (1,) of the body.
        legs: (L,).
        bodies: (N, S); written.
        gaits: (N,).
        feet: (N, L); written.
        footholds: (N, L); written.
        segments: (S,) of the plan.
        hits: (N, Q) what rays have found; written.
        solids: (P,).
        props: (P,).
    """
    count, segment_count = bodies.shape
    before = np.empty((segment_count, HULL_RAYS + legs.shape[0]))
    after = np.empty(before.shape)
    for n in range(count):
        creature = Creature(plans[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
        riders = Riders(plans[0], legs, bodies[n], feet[n], footholds[n], solids, props)
        goes_along = any_rides(riders)
        find_gaps(creature, segments, hits[n], before)
        if goes_along:
            carry_trunk(riders)
        carry_hits(hits[n], solids, props)
        find_gaps(creature, segments, hits[n], after)
        if stay_out(creature, hits[n], before, after) or goes_along:
            carry_feet(riders)


@kernel
def find_gaps(
    creature: Creature, segments: Records[SegmentRecord], hits: Records[HitRecord], gaps: Floats
) -> None:
    """Write how far hulls and coxae are from rock: (S, K), see `gap_before` [m]."""
    for s in range(gaps.shape[0]):
        for k in range(gaps.shape[1]):
            slot = feeler_slot(creature, s, k)
            gaps[s, k] = inf
            if slot >= 0 and hits[slot].is_hit:
                gaps[s, k] = gap_before(creature, segments[s], s, k, hits[slot])


@kernel
def stay_out(creature: Creature, hits: Records[HitRecord], before: Floats, after: Floats) -> bool:
    """Take back what has carried a trunk into rock, or deeper into it than it was.

    Args:
        creature: whose trunk moves, as a whole.
        hits: (Q,) what its rays have found.
        before: (S, K) how far it was from that, see `find_gaps` [m].
        after: (S, K) how far it is.

    Returns:
        whether there was anything to take back.
    """
    back = (0.0, 0.0, 0.0)
    for s in range(after.shape[0]):
        for k in range(after.shape[1]):
            if after[s, k] < min(0.0, before[s, k]):
                normal = vec(hits[feeler_slot(creature, s, k)].normal)
                lacks = min(0.0, before[s, k]) - after[s, k] - dot(back, normal)
                back = along(back, normal, max(0.0, lacks))
    for s in range(after.shape[0]):
        put(creature.trunk[s].position, add(vec(creature.trunk[s].position), back))
    return norm(back) > 0.0


@kernel
def carry_hits(
    hits: Records[HitRecord], solids: Records[SolidRecord], props: Records[PropRecord]
) -> None:
    """Move what rays have found on props with these: who climbs remembers it for many ticks.

    Args:
        hits: (Q,) of one creature; written.
        solids: (P,).
        props: (P,).
    """
    for q in range(hits.shape[0]):
        hit = hits[q]
        if hit.prop >= 0 and solids[hit.prop].motion != STATIC:
            put(hit.point, carried(props[hit.prop], vec(hit.point)))
            put(hit.normal, rotate(turn_of(props[hit.prop]), vec(hit.normal)))


@kernel
def any_rides(riders: Riders) -> bool:
    """Whether any foot stands, will stand, or stood, on what may move."""
    found = False
    for i in range(riders.feet.shape[0]):
        foot = riders.feet[i]
        found = found or rides(foot, riders.solids) or norm(vec(foot.drift)) > 0.0
    return found


@kernel
def carry_trunk(riders: Riders) -> None:
    """Move a trunk with what its feet stand on, and with it where those in the air aim."""
    centre = centre_of(riders.trunk)
    moved, turn, standing = mean_motion(riders, centre)
    if standing == 0:
        return
    goes = add(centre, scale(moved, 1.0 / standing))
    turned = quat_unit(turn)
    for s in range(riders.trunk.shape[0]):
        body = riders.trunk[s]
        put(body.position, taken_along(centre, goes, turned, vec(body.position)))
        if turn[0] != 0.0 or turn[1] != 0.0 or turn[2] != 0.0:
            put_quat(body.orientation, quat_unit(quat_multiply(turned, quat(body.orientation))))
    for i in range(riders.feet.shape[0]):
        foot, foothold = riders.feet[i], riders.footholds[i]
        if foot.phase != STANDING:
            put(foothold.aim, taken_along(centre, goes, turned, vec(foothold.aim)))
            put(foot.normal, rotate(turned, vec(foot.normal)))
            put(foot.heading, rotate(turned, vec(foot.heading)))


@kernel
def mean_motion(riders: Riders, centre: Vec) -> tuple[Vec, Quat, int]:
    """Sums of how far [m, world], and how, what feet stand on has moved.

    Args:
        riders: whose feet they are.
        centre: that goes so far [m, world].

    Returns:
        The sums, and how many feet stand; 0 where none of them is moved.
    """
    moved, turn, standing = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0), 0
    moves = False
    for i in range(riders.feet.shape[0]):
        foot = riders.feet[i]
        if foot.phase != STANDING:
            continue
        standing += 1
        own = (0.0, 0.0, 0.0, 1.0)
        if rides(foot, riders.solids):
            moves = True
            prop = riders.props[foot.prop]
            if rolls(riders.solids[foot.prop]):
                moved = add(moved, sub(vec(prop.position), vec(prop.old_position)))
            else:
                moved = add(moved, sub(carried(prop, centre), centre))
                own = turn_of(prop)
        turn = _summed(turn, own)
    return moved, turn, standing if moves else 0


@kernel
def carry_feet(riders: Riders) -> None:
    """Move every foot, or its goal, with its prop, see `carry_foot`."""
    for i in range(riders.feet.shape[0]):
        if riders.feet[i].phase != LOST:
            carry_foot(riders, i)


@kernel
def carry_foot(riders: Riders, i: int) -> None:
    """Move a foot that stands, or the goal of one in the air, with its prop.

    What would be drawn out of reach, or stand on what has turned too steep, lets go. The trunk has
    been carried already.
    """
    climbs = riders.plan.climbs == 1
    leg, foot, foothold = riders.legs[i], riders.feet[i], riders.footholds[i]
    is_carried = rides(foot, riders.solids)
    comes_back = climbs or turns(foot.prop, riders.solids)
    body = riders.trunk[leg.segment]
    position, orientation = vec(body.position), quat(body.orientation)
    goal, normal, turned = vec(foot.goal), vec(foot.goal_normal), (0.0, 0.0, 0.0, 1.0)
    if is_carried:
        turned = turn_of(riders.props[foot.prop])
        goal, normal = carried(riders.props[foot.prop], goal), rotate(turned, normal)
    drift = sub(goal, vec(foot.goal))
    if foot.phase == STANDING:
        put(foot.drift, drift)
    else:
        drift = mix(vec(foot.drift), drift, path_done(foot))
        put(foot.track, add(vec(foot.track), drift))
        put(foot.position, add(vec(foot.position), drift))
    far = reach_in_world(position, orientation, leg, goal)[1] > FULL_STRETCH
    steepest = FARTHEST_ROUND if climbs else STEEPEST
    steep = is_carried and dot(normal, rotate(orientation, Z)) < steepest
    lets_go = far or steep
    looks_there = foothold.prop >= 0 and riders.solids[foothold.prop].motion != STATIC
    if looks_there and (climbs or turns(foothold.prop, riders.solids)):
        there = riders.props[foothold.prop]
        put(foothold.position, carried(there, vec(foothold.position)))
        put(foothold.normal, rotate(turn_of(there), vec(foothold.normal)))
    if lets_go and not comes_back:
        foot.prop = foothold.prop = GROUND
    elif is_carried:
        put(foot.goal, goal)
        put(foot.goal_normal, normal)
        if foot.phase == STANDING:
            put(foot.position, goal)
            put(foot.track, goal)
            put(foot.normal, rotate(turned, vec(foot.normal)))
            put(foot.heading, rotate(turned, vec(foot.heading)))
    if lets_go and foot.phase == STANDING:
        foothold.prop = foot.prop
        put(foothold.position, vec(foot.goal))
        put(foothold.normal, vec(foot.goal_normal))
        lift_off(foot, foothold, TO_RECOVER)


@kernel
def rides(foot: FootRecord, solids: Records[SolidRecord]) -> bool:
    """Whether what a foot stands on, or will, may move."""
    return bool(foot.prop >= 0 and solids[foot.prop].motion != STATIC)


@kernel
def turns(prop: int, solids: Records[SolidRecord]) -> bool:
    """Whether a prop, if it is one, has a spin."""
    return bool(prop >= 0 and solids[prop].rate > 0.0)


@kernel
def rolls(solid: SolidRecord) -> bool:
    """Whether a prop turns below what stands on it: a ball that is pushed."""
    return bool(solid.motion == DYNAMIC and solid.radius > 0.0)


@kernel
def _summed(a: Quat, b: Quat) -> Quat:
    """Sum of two turns that are small, so that both have a positive real part."""
    sign = 1.0 if b[3] >= 0.0 else -1.0
    return (a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2], a[3] + sign * b[3])
