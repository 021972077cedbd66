"""What pushes dynamic props: a capsule in every bone and a box in every segment of a body."""

from dataclasses import dataclass

import numpy as np

from creature_sim.components import (
    DYNAMIC,
    STANDING,
    BodyRecord,
    FootRecord,
    LegRecord,
    Plan,
    Record,
    Records,
    RecordTable,
    SolidRecord,
    Vector,
    zeros,
)
from creature_sim.definitions import CreatureDef
from creature_sim.maths import Floats, mix, put, put_quat, quat, quat_multiply, vec
from creature_sim.maths.jit import kernel

THICKNESS = 0.03
"""Radius of a bone's capsule as a fraction of the leg's reach."""
AWAY = (0.0, 0.0, -1000.0)
"""Pushers that must push nothing wait here [m, world]."""
UPRIGHT = (0.0, -0.7071067811865476, 0.0, 0.7071067811865476)
"""Turns Z, the axis of pybullet's capsules, onto -X: along a bone."""


class LoadRecord(Record):
    """What a foot weighs on a prop."""

    prop: int  # that a foot stands on
    point: Vector  # where [m, world]
    force: Vector  # its part of the weight [N, world]


@dataclass
class Pushers:
    """What pushes, of one herd: K = S + L (J - 1) a creature, segments first.

    Attributes:
        halves: (S, 3) of the segments' boxes [m].
        capsules: (L (J - 1), 2) radius and length between the ends' middles [m]; 0, 0: no bone.
        positions: (N, K, 3) of their middles [m, world].
        orientations: (N, K, 4) xyzw.
        loads: (N L,) room for what feet weigh on props in a tick.
    """

    halves: Floats
    capsules: Floats
    positions: Floats
    orientations: Floats
    loads: Records[LoadRecord]


def pushers_of(definition: CreatureDef, plan: Plan, count: int) -> Pushers:
    """Sizes of what pushes, for `count` creatures of a plan."""
    halves = 0.5 * np.array([segment.size for segment in definition.trunk])
    radii = THICKNESS * plan.legs["reach"][:, None] * np.ones_like(plan.lengths)
    radii = np.where(plan.lengths > 0.0, np.minimum(radii, 0.45 * plan.lengths), 0.0)
    capsules = np.stack((radii, plan.lengths - 2.0 * radii), axis=-1).reshape(-1, 2)
    whole = len(halves) + len(capsules)
    loads = zeros(LoadRecord, count * len(plan.legs))
    poses = np.zeros((count, whole, 3)), np.zeros((count, whole, 4))
    return Pushers(halves, capsules, *poses, loads)


@kernel
def place_pushers(
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    feet: RecordTable[FootRecord],
    joints: Floats,
    rotations: Floats,
    solids: Records[SolidRecord],
    positions: Floats,
    orientations: Floats,
) -> None:
    """Put capsules and boxes where bones and segments are.

    Whoever stands on a dynamic prop does not push with what stands there: it would move itself.

    Args:
        legs: (L,).
        bodies: (N, S).
        feet: (N, L).
        joints: (N, L, J, 3) [m, world].
        rotations: (N, L, J - 1, 4).
        solids: (P,).
        positions: (N, K, 3) of what pushes [m, world]; changed.
        orientations: (N, K, 4); changed.
    """
    segment_count, bone_count = bodies.shape[1], rotations.shape[2]
    for n in range(bodies.shape[0]):
        riders = 0
        for i in range(legs.shape[0]):
            foot = feet[n, i]
            rides = (
                foot.phase == STANDING and foot.prop >= 0 and solids[foot.prop].motion == DYNAMIC
            )
            riders += rides
            for b in range(bone_count):
                k = segment_count + i * bone_count + b
                put_quat(orientations[n, k], quat_multiply(quat(rotations[n, i, b]), UPRIGHT))
                put(positions[n, k], mix(vec(joints[n, i, b]), vec(joints[n, i, b + 1]), 0.5))
                if rides or b >= legs[i].bone_count:
                    put(positions[n, k], AWAY)
        for s in range(segment_count):
            put(positions[n, s], vec(bodies[n, s].position) if riders == 0 else AWAY)
            put_quat(orientations[n, s], quat(bodies[n, s].orientation))


@kernel
def weigh(
    feet: RecordTable[FootRecord],
    solids: Records[SolidRecord],
    weight: float,
    loads: Records[LoadRecord],
) -> int:
    """Divide the weight of creatures equally between the feet that they stand on.

    Args:
        feet: (N, L).
        solids: (P,).
        weight: of one creature [N].
        loads: (N L,); written for those that stand on dynamic props.

    Returns:
        how many were written.
    """
    count = 0
    for n in range(feet.shape[0]):
        standing = 0
        for i in range(feet.shape[1]):
            standing += feet[n, i].phase == STANDING
        for i in range(feet.shape[1]):
            foot = feet[n, i]
            if foot.phase != STANDING or foot.prop < 0 or solids[foot.prop].motion != DYNAMIC:
                continue
            loads[count].prop = foot.prop
            put(loads[count].point, vec(foot.position))
            put(loads[count].force, (0.0, 0.0, -weight / standing))
            count += 1
    return count
