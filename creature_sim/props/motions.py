"""How bodies of legs and platforms move in a tick, for those that are near to what they push."""

from creature_sim.components import (
    DYNAMIC,
    PropRecord,
    Quaternion,
    Record,
    Records,
    SolidRecord,
    Vector,
)
from creature_sim.maths import (
    Floats,
    distance,
    put,
    put_quat,
    quat,
    scale,
    sub,
    turn_between,
    vec,
)
from creature_sim.maths.jit import kernel

SPRINT = 20.0
"""What is faster than this pushes nothing: it was put where it is [m/s]."""
NEAR = 0.5
"""A pusher is active only within this distance of what it may push [m]: it moves less in a tick."""


class MotionRecord(Record):
    """How a pusher moves in a tick."""

    index: int
    position: Vector  # [m, world]
    turn: Quaternion  # xyzw
    velocity: Vector  # [m/s, world]
    spin: Vector  # [rad/s, world]


@kernel
def find_motions(
    old_positions: Floats,
    old_orientations: Floats,
    positions: Floats,
    orientations: Floats,
    bounds: Floats,
    solids: Records[SolidRecord],
    props: Records[PropRecord],
    twins: Floats,
    gravity: float,
    dt: float,
    motions: Records[MotionRecord],
) -> int:
    """Say how everything moves that is near to a dynamic prop, or to a creature that forces move.

    A heavy body is put where it was, with the velocity that brings it to where it is, though it
    falls meanwhile.

    Args:
        old_positions: (M, 3) a tick ago [m, world].
        old_orientations: (M, 4).
        positions: (M, 3) [m, world].
        orientations: (M, 4).
        bounds: (M,) radius of a ball around each that holds it [m].
        solids: (P,).
        props: (P,).
        twins: (T, 4) where such creatures are, and the radius of a ball that holds each [m, world].
        gravity: acceleration down the world's Z [m/s^2].
        dt: length of a tick [s].
        motions: (M,); written.

    Returns:
        how many were written.
    """
    count = 0
    for m in range(positions.shape[0]):
        position, is_near = vec(positions[m]), False
        for p in range(solids.shape[0]):
            if solids[p].motion == DYNAMIC:
                apart = distance(position, vec(props[p].position))
                is_near = is_near or apart < NEAR + bounds[m] + solids[p].bound
        for t in range(twins.shape[0]):
            apart = distance(position, (twins[t, 0], twins[t, 1], twins[t, 2]))
            is_near = is_near or apart < NEAR + bounds[m] + twins[t, 3]
        if not is_near:
            continue
        motion = motions[count]
        count += 1
        motion.index = m
        old, old_turn = vec(old_positions[m]), quat(old_orientations[m])
        vx, vy, vz = scale(sub(position, old), 1.0 / dt)
        spin = scale(turn_between(old_turn, quat(orientations[m])), 1.0 / dt)
        if max(abs(vx), abs(vy), abs(vz)) > SPRINT:
            old, old_turn = position, quat(orientations[m])
            vx, vy, vz, spin = 0.0, 0.0, 0.0, (0.0, 0.0, 0.0)
        put(motion.position, old)
        put_quat(motion.turn, old_turn)
        put(motion.velocity, (vx, vy, vz + 0.5 * gravity * dt))
        put(motion.spin, spin)
    return count
