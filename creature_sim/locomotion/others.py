"""Bodies stop before other creatures, and go along them; feet do not step on others' feet."""

from math import sqrt

import numpy as np

from creature_sim.components import Near, Records, SegmentRecord
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.orca import Half, choose_velocity, excess, put_half
from creature_sim.locomotion.own_sides import SIDEWAYS, is_held_off, side_of, stop_leg
from creature_sim.locomotion.prediction import centre_ahead
from creature_sim.locomotion.search import Find
from creature_sim.locomotion.sides import least_along, limb_of
from creature_sim.locomotion.swing import seconds_to_touchdown
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


@kernel
def near_to(near: Near, n: int, segment_count: int, leg_count: int) -> Near:
    """What is near to one creature, of what is near to its herd."""
    begin, leg = n * segment_count, n * leg_count
    return Near(
        near.first[begin : begin + segment_count + 1],
        near.records,
        near.feet,
        near.first_side[leg : leg + leg_count + 1],
        near.sides,
    )


@kernel
def stop_before_others(creature: Creature, leader: int, near: Near, dt: float) -> bool:
    """Take from the leader's velocity what would carry the trunk into another creature.

    Towards it, it is as fast as its acceleration can stop in half of the gap; the other half is the
    other's. It may follow who goes away. Along it, and away from it, nothing is lost.

    Args:
        creature: the velocity of its leader changes.
        leader: the segment that is steered.
        near: to it.
        dt: length of a tick [s].

    Returns:
        Whether anything was taken.
    """
    leg_count = creature.legs.shape[0]
    total = near.first[creature.trunk.shape[0]] - near.first[0]
    total += near.first_side[leg_count] - near.first_side[0]
    if total == 0:
        return False
    head, halves, turns = creature.trunk[leader], np.empty((total, 4)), np.zeros(total)
    count, is_stopped = stop_trunk(creature, leader, near, halves)
    for i in range(leg_count):
        if is_held_off(creature, i, near):
            count = stop_leg(creature, leader, i, near, halves, turns, count, dt)
    wished = (head.velocity[0], head.velocity[1])
    for k in range(count):
        if excess(halves, k, wished) > 0.0:
            fastest = norm((wished[0], wished[1], 0.0))
            x, y = choose_velocity(halves, count, fastest, wished)
            put(head.velocity, (x, y, head.velocity[2]))
            is_stopped = True
            break
    for k in range(count):
        left = min(0.0, excess(halves, k, (head.velocity[0], head.velocity[1])))
        if turns[k] * head.yaw_rate < left:
            head.yaw_rate = left / turns[k]
    return is_stopped


@kernel
def stop_trunk(creature: Creature, leader: int, near: Near, halves: Floats) -> tuple[int, bool]:
    """Write the half-planes of velocities that bring a trunk into no other one, (K, 4).

    Returns:
        How many they are, and whether the trunk was slowed down.
    """
    head, count, is_stopped = creature.trunk[leader], 0, False
    for s in range(creature.trunk.shape[0]):
        for e in range(near.first[s], near.first[s + 1]):
            other = near.records[e]
            fastest = sqrt(creature.plan.acceleration * max(0.0, other.gap)) + max(0.0, other.away)
            x, y, _ = unrotate(quat(head.orientation), vec(other.normal))
            if s != leader:  # what is pulled goes aside with the leader, and where that has gone
                x = 0.0
                if other.gap >= 0.0 and slow_down(creature, leader, s, vec(other.normal), fastest):
                    is_stopped = True
            size = sqrt(x * x + y * y)
            if size < SIDEWAYS:
                continue
            x, y, fastest = x / size, y / size, fastest / size
            put_half(halves, count, Half((-fastest * x, -fastest * y), (x, y)))
            count += 1
    return count, is_stopped


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
    if near.first_side[i + 1] > near.first_side[i]:
        seconds = seconds_to_touchdown(creature.plan, creature.gait, creature.feet[i])
        then = centre_ahead(creature.trunk[s], creature.legs[i], seconds)
        limb = limb_of(creature.legs[i], then, orientation, found.point)
        for b in range(near.first_side[i], near.first_side[i + 1]):
            normal, least = side_of(near, b)
            over = least - least_along(limb, normal)
            if over > 0.0:
                x, y, _ = unrotate(orientation, normal)
                offset = along(offset, (x, y, 0.0), step)
                clear *= max(0.0, 1.0 - over / apart)
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
