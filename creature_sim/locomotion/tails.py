"""Segments of a trunk that no leg carries: tails, and bodies that have lost all their legs."""

from creature_sim.components import LOST, FootRecord, HitRecord, Records, SegmentRecord
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.trunk import joint_of
from creature_sim.maths import Vec, X, Z, along, cross, dot, quat, rotate, sub, unrotate, vec
from creature_sim.maths.jit import kernel


@kernel
def is_carried(near: Records[FootRecord]) -> bool:
    """Whether any leg of a segment, or of those beside it, is left."""
    is_any = False
    for foot in near:
        is_any = is_any or foot.phase != LOST
    return is_any


@kernel
def carried_along(
    creature: Creature, segments: Records[SegmentRecord], s: int, below: HitRecord, ground: Vec
) -> tuple[float, Vec]:
    """What a segment wants that no legs carry, as `wanted_change`.

    Its neighbour holds it straight, as a tail; the one that leads lies down.

    Args:
        creature: whose segment it is.
        segments: (S,) of the plan.
        s: which segment that is.
        below: the ground under it.
        ground: its normal [segment].
    """
    body, leader = creature.trunk[s], creature.gait.leader
    position, orientation = vec(body.position), quat(body.orientation)
    up = rotate(orientation, Z)
    if s == leader:
        rise = 0.0
        if below.is_hit:
            rise = dot(sub(vec(below.point), position), up) + segments[s].top
        return rise, cross(Z, ground)
    puller = s - 1 if s > leader else s + 1
    held = quat(creature.trunk[puller].orientation)
    socket, arm = joint_of(segments, s, puller)
    centre = along(vec(creature.trunk[puller].position), rotate(held, X), socket - arm)
    return dot(sub(centre, position), up), cross(Z, unrotate(orientation, rotate(held, Z)))
