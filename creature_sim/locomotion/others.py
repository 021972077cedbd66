"""Bodies stop before other creatures, and go along them; feet do not step on others' feet."""

from math import sqrt

from creature_sim.components import Near, NeighbourRecord, Records, SegmentRecord
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.search import Find
from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    X,
    Y,
    Z,
    along,
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
from creature_sim.maths.jit import kernel

FEET_APART = 0.12
"""Feet of two creatures keep this fraction of the reach between their footholds."""
FOOT = 0.05
"""A foot keeps this fraction of the reach to the line half-way to another creature's ground."""
ROUNDS = 2
"""What one neighbour asks for may lead to another one: all are heard so many times."""


@kernel
def near_to(near: Near, n: int, segment_count: int) -> Near:
    """What is near to one creature, of what is near to its herd."""
    begin = n * segment_count
    return Near(near.first[begin : begin + segment_count + 1], near.records, near.feet)


@kernel
def stop_before_others(creature: Creature, leader: int, near: Near) -> bool:
    """Take from the leader's velocity what would carry the trunk into another creature.

    Towards it, it is as fast as its acceleration can stop in half of the gap; the other half is the
    other's. It may follow who goes away. Along it, and away from it, nothing is lost.

    Args:
        creature: the velocity of its leader changes.
        leader: the segment that is steered.
        near: to it.

    Returns:
        Whether anything was taken.
    """
    is_stopped = False
    if near.first[creature.trunk.shape[0]] == near.first[0]:
        return is_stopped
    for _ in range(ROUNDS):
        for s in range(creature.trunk.shape[0]):
            for e in range(near.first[s], near.first[s + 1]):
                if stop_before_other(creature, leader, s, near.records[e]):
                    is_stopped = True
    return is_stopped


@kernel
def stop_before_other(creature: Creature, leader: int, s: int, other: NeighbourRecord) -> bool:
    """The same for one neighbour of a segment; whether anything was taken."""
    gap = max(0.0, other.gap)
    fastest = sqrt(creature.plan.acceleration * gap) + max(0.0, other.away)
    head = creature.trunk[leader]
    x, y, _ = unrotate(quat(head.orientation), vec(other.normal))
    if s != leader:  # what is pulled goes aside with the leader, and where that has gone
        x = 0.0
        if other.gap >= 0.0 and slow_down(creature, leader, s, vec(other.normal), fastest):
            return True
    size = x * x + y * y
    towards = -(x * head.velocity[0] + y * head.velocity[1])
    if towards <= fastest or size < 1e-6:
        return False
    put(head.velocity, along(vec(head.velocity), (x, y, 0.0), (towards - fastest) / size))
    return True


@kernel
def slow_down(creature: Creature, leader: int, s: int, normal: Vec, fastest: float) -> bool:
    """Slow a trunk down whose segment `s` was pulled faster than that against a normal."""
    body, head = creature.trunk[s], creature.trunk[leader]
    towards = -dot(rotate(quat(body.orientation), vec(body.velocity)), normal)
    was = norm(vec(body.velocity))
    now = norm(vec(head.velocity))
    if towards <= fastest or was < 1e-6 or now < 1e-6:
        return False
    most = was * fastest / towards
    if now <= most:
        return False
    put(head.velocity, scale(vec(head.velocity), most / now))
    head.yaw_rate *= most / now
    return True


@kernel
def bodies_stay_apart(
    segments: Records[SegmentRecord], near: Near, position: Floats, orientation: Floats
) -> bool:
    """Whether a trunk in a pose keeps to its side of the planes between it and other bodies.

    Args:
        segments: (S,) of its plan.
        near: to it.
        position: (S, 3) of its segments [m, world].
        orientation: (S, 4).
    """
    for s in range(segments.shape[0]):
        for e in range(near.first[s], near.first[s + 1]):
            other = near.records[e]
            if other.is_inside:
                continue
            own, face = quat(orientation[s]), vec(other.face)
            far = (
                abs(dot(rotate(own, X), face)) * segments[s].front
                + abs(dot(rotate(own, Y), face)) * segments[s].side
                + abs(dot(rotate(own, Z), face)) * segments[s].top
            )
            if dot(vec(position[s]), face) - far < other.offset - 1e-9:
                return False
    return True


@kernel
def leave_others(
    creature: Creature, i: int, near: Near, found: Find, offset: Vec, clear: float, step: float
) -> tuple[Vec, float]:
    """Move a search away from where other creatures' feet stand or land, and from their ground.

    Args:
        creature: whose leg it is.
        i: the leg.
        near: to it.
        found: its foothold, as sensed.
        offset: of the search [m, body].
        clear: how clear of other things the foothold is, 0 to 1.
        step: how far to move it [m].

    Returns:
        The new offset, and how clear the foothold is.
    """
    s = creature.legs[i].segment
    orientation: Quat = quat(creature.trunk[s].orientation)
    apart = FEET_APART * creature.legs[i].reach
    for e in range(near.first[s], near.first[s + 1]):
        other = near.records[e]
        over = other.edge + FOOT * creature.legs[i].reach - dot(found.point, vec(other.normal))
        if over > 0.0:
            x, y, _ = unrotate(orientation, vec(other.normal))
            offset = along(offset, (x, y, 0.0), step)
            clear *= max(0.0, 1.0 - over / apart)
        for k in range(other.first_foot, other.last_foot):
            gap = sub(found.point, vec(near.feet[k]))
            size = norm(gap)
            if size < apart:
                away = unit(reject(gap, found.normal), vec(other.normal))
                x, y, _ = unrotate(orientation, away)
                offset = along(offset, (x, y, 0.0), step)
                clear *= size / apart
    return offset, clear
