"""Where feet go next: of what was sensed, the ground to stand on, clear of edges and other feet."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    FOUND,
    LOST,
    NOT_FOUND,
    NOT_SOUGHT,
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
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.prediction import travel
from creature_sim.locomotion.reach import hip_of
from creature_sim.locomotion.search import (
    AIM_UNTIL,
    FALLBACKS,
    PRESSING,
    SEARCHING,
    SHIN,
    leans_out,
)
from creature_sim.locomotion.slots import RING, foothold_slot, ring_slot
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import (
    Quat,
    Vec,
    Z,
    add,
    along,
    clamp,
    distance,
    dot,
    norm,
    put,
    quat,
    rotate,
    scale,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

LANDING_STRETCH = 0.93
"""A foothold lies within this fraction of the leg's reach at touchdown."""
EDGE = 0.04
"""Ground that is higher or lower by this fraction of the reach, a step aside, is behind an edge."""
EVADE_SPEED = 1.6
"""How fast a search moves away from an edge [m/s]."""
RETURN_SPEED = 0.5
"""How fast it comes back where there is none [m/s]."""
APART = 0.12
"""Feet keep this fraction of the reach between each other's footholds: legs do not cross."""
EASY_STRETCH = 0.75
"""A foothold within this fraction of the leg's reach is as good as any."""
MAX_OFFSET = 0.2
"""How far a search moves, as a fraction of the reach."""
CHOOSY = 0.85
"""A foot in the air takes another goal that scores no less than this fraction of its own..."""
STUBBORN = 0.2
"""...or lies farther from it than this fraction of the reach..."""
TOO_LATE = 0.3
"""...but from this progress on none that is higher or lower by more than a usual step."""


class Find(NamedTuple):
    """What a leg's search has found in this tick.

    Attributes:
        point: of the ground [m, world].
        normal: there [world].
        stretch: from the hip to it, at touchdown [m].
        is_hit: whether there is anything.
        is_ground: whether it is level enough to stand on.
        is_in_reach: whether the leg reaches it at touchdown.
        prop: that it lies on; -1: the ground.
    """

    point: Vec
    normal: Vec
    stretch: float
    is_hit: bool
    is_ground: bool
    is_in_reach: bool
    prop: int


@kernel
def choose_footholds(
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
    """Take each leg's probe as its foothold if it is ground and in reach at touchdown.

    A leg that finds none looks nearer to its hip in the next tick; one in the air keeps its goal.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S).
        gaits: (N,).
        feet: (N, L); goals of feet in the air are written.
        footholds: (N, L); written.
        ground: (N, Q) what the rays found.
        is_active: (N, Q) which of them were cast in this tick.
        dt: length of a tick [s].
    """
    segment_count, leg_count = bodies.shape[1], legs.shape[0]
    for n in range(bodies.shape[0]):
        creature = Creature(plan[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
        for i in range(leg_count):
            slot = foothold_slot(segment_count, i)
            if not is_active[n, slot]:
                footholds[n, i].status = NOT_SOUGHT
                continue
            found = judge(creature, i, ground[n, slot])
            score = 0.0
            if found.is_hit:
                ring = ring_slot(segment_count, leg_count, i)
                around = ground[n, ring : ring + len(RING) + 1]
                score = score_of(creature, i, found, evade(creature, i, found, around, dt))
            if adopt(creature, i, found, score):
                retarget(creature, i, found, score)
            else:
                fall_back(creature, i, found)


@kernel
def judge(creature: Creature, i: int, hit: HitRecord) -> Find:
    """Whether what a leg's ray found is ground, and in reach when the foot lands there."""
    leg = creature.legs[i]
    body = creature.trunk[leg.segment]
    orientation = quat(body.orientation)
    point, normal = vec(hit.point), vec(hit.normal)
    seconds = seconds_to_touchdown(creature.plan, creature.gait, creature.feet[i])
    x, y, _ = travel(body, leg, seconds)
    moved = rotate(orientation, (x, y, body.climb * seconds))
    stretch = distance(add(hip_of(vec(body.position), orientation, leg), moved), point)
    is_ground = hit.is_hit == 1 and dot(normal, rotate(orientation, Z)) >= STEEPEST
    is_in_reach = leg.min_reach <= stretch <= LANDING_STRETCH * leg.reach
    return Find(point, normal, stretch, hit.is_hit == 1, is_ground, is_in_reach, hit.prop)


@kernel
def score_of(creature: Creature, i: int, found: Find, clear: float) -> float:
    """How good a foothold is, 0 to 1: level, clear of edges and feet (0 to 1), in easy reach."""
    leg = creature.legs[i]
    up = rotate(quat(creature.trunk[leg.segment].orientation), Z)
    level = (dot(found.normal, up) - STEEPEST) / (1.0 - STEEPEST)
    ease = (LANDING_STRETCH - found.stretch / leg.reach) / (LANDING_STRETCH - EASY_STRETCH)
    return level * clear * clamp(ease, 0.0, 1.0)


@kernel
def adopt(creature: Creature, i: int, found: Find, score: float) -> bool:
    """Make what was found the foothold, where it is one; returns whether it is."""
    foot, foothold = creature.feet[i], creature.footholds[i]
    is_foothold = found.is_ground and found.is_in_reach
    foothold.status = FOUND if is_foothold else NOT_FOUND
    if foot.phase == STANDING:
        foothold.score = score if is_foothold else 0.0
    if is_foothold:
        put(foothold.position, found.point)
        put(foothold.normal, found.normal)
        foothold.prop = found.prop
        if foot.phase == STANDING and foot.urgency < 1.0:
            foothold.fallback = 0  # there is time to look at the best position again
    return is_foothold


@kernel
def retarget(creature: Creature, i: int, found: Find, score: float) -> None:
    """Let a foot in the air go to its new foothold, if that is better than its goal, or far off."""
    leg, foot, foothold = creature.legs[i], creature.feet[i], creature.footholds[i]
    if foot.phase == STANDING:
        return
    up = rotate(quat(creature.trunk[leg.segment].orientation), Z)
    rise = abs(dot(sub(found.point, vec(foot.goal)), up))
    if rise > creature.plan.step_height and foot.progress >= TOO_LATE:
        return
    is_far = distance(vec(foot.goal), found.point) > STUBBORN * leg.reach
    if score > CHOOSY * foothold.score or is_far:
        put(foot.goal, found.point)
        put(foot.goal_normal, found.normal)
        foot.prop = found.prop
        foothold.score = score


@kernel
def fall_back(creature: Creature, i: int, found: Find) -> None:
    """Look elsewhere in the next tick; a wall is evaded first, where there is time for that."""
    foot, foothold = creature.feet[i], creature.footholds[i]
    evades = foot.phase != STANDING or SEARCHING < foot.urgency < PRESSING
    if not found.is_hit or not found.is_in_reach or not evades:
        foothold.fallback = (foothold.fallback + 1) % len(FALLBACKS)
        put(foothold.offset, scale(vec(foothold.offset), 0.5))


@kernel
def evade(creature: Creature, i: int, found: Find, ring: Records[HitRecord], dt: float) -> float:
    """Move a leg's search away from edges, and from where its neighbours stand.

    What is moved now is sensed at its new position in the next tick. Where nothing is in the way,
    a standing foot's search comes back to where it wants to be.

    Args:
        creature: whose leg it is.
        i: the leg.
        found: its foothold, as sensed.
        ring: (R + 1,) around the foothold, and below the bone above it.
        dt: [s].

    Returns:
        How clear the foothold is, 1 down to 0.
    """
    leg, foot, foothold = creature.legs[i], creature.feet[i], creature.footholds[i]
    if foot.phase != STANDING:
        if foot.progress > AIM_UNTIL:
            return 1.0
    elif foot.urgency <= SEARCHING:
        return 1.0
    step = EVADE_SPEED * dt
    push, clear = leave_edges(leg, found, ring)
    offset = along(vec(foothold.offset), push, step)
    push, blocked = leave_shin(leg, found, ring)
    offset = along(offset, push, step)
    clear -= blocked
    offset, clear = leave_feet(creature, i, found, offset, clear, step)
    size = norm(offset)
    if clear == 1.0 and foot.phase == STANDING:
        offset = scale(offset, max(0.0, 1.0 - RETURN_SPEED * dt / max(size, 1e-9)))
    elif size > MAX_OFFSET * leg.reach:
        offset = scale(offset, MAX_OFFSET * leg.reach / size)
    put(foothold.offset, offset)
    return clear


@kernel
def leave_edges(leg: LegRecord, found: Find, ring: Records[HitRecord]) -> tuple[Vec, float]:
    """Direction away from edges [body], and how clear of them a foothold is, 1 down to 0.

    Edges are where rays of the ring find the ground elsewhere. Between two, it goes along them.
    """
    clear, x, y = 1.0, 0.0, 0.0
    across = 0  # edges in the way of X, less those in the way of Y
    for k in range(len(RING)):
        rise = dot(sub(vec(ring[k].point), found.point), found.normal)
        is_wall = dot(vec(ring[k].normal), found.normal) < STEEPEST
        if ring[k].is_hit == 0 or is_wall or abs(rise) > EDGE * leg.reach:
            rx, ry, _ = RING[k]
            x, y = x - rx, y - ry
            across += 1 if rx != 0.0 else -1
            clear -= 1.0 / len(RING)
    if clear < 1.0 and x == 0.0 and y == 0.0:
        x, y = (1.0, 0.0) if across <= 0 else (0.0, 1.0)
    return (x, y, 0.0), clear


@kernel
def leave_shin(leg: LegRecord, found: Find, ring: Records[HitRecord]) -> tuple[Vec, float]:
    """Direction away from ground that the bone above the foot would pass through [body].

    Returns:
        The direction, zero where nothing is in the way, and what that takes from how clear the
        foothold is.
    """
    out, below = leans_out(leg), ring[len(RING)]
    if out > 0.0 and below.is_hit:
        rise = dot(sub(vec(below.point), found.point), found.normal)
        if rise > SHIN * leg.shin[2] - 0.5 * EDGE * leg.reach:
            x, y = leg.shin[0] * SHIN / out, leg.shin[1] * SHIN / out
            return (-x, -y, 0.0), 1.0 / len(RING)
    return (0.0, 0.0, 0.0), 0.0


@kernel
def leave_feet(
    creature: Creature, i: int, found: Find, offset: Vec, clear: float, step: float
) -> tuple[Vec, float]:
    """Move a search away from where other feet of its side stand or land.

    Args:
        creature: whose leg it is.
        i: the leg.
        found: its foothold, as sensed.
        offset: of the search [m, body].
        clear: how clear of other things the foothold is, 0 to 1.
        step: how far to move it [m].

    Returns:
        The new offset, and how clear the foothold is.
    """
    legs, feet = creature.legs, creature.feet
    orientation: Quat = quat(creature.trunk[legs[i].segment].orientation)
    apart = APART * legs[i].reach
    for other in range(legs.shape[0]):
        if other != i and legs[other].side == legs[i].side and feet[other].phase != LOST:
            gap = sub(found.point, vec(feet[other].goal))
            size = norm(gap)
            if size < apart:
                x, y, _ = unrotate(orientation, unit(gap, found.normal))
                offset = along(offset, (x, y, 0.0), step)
                clear *= size / apart
    return offset, clear
