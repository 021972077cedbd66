"""How bodies of legs and platforms move in a tick, for those that are near to what they push."""

from creature_sim.components import DYNAMIC, GRAVITY, Records, record_type
from creature_sim.maths import (
    Floats,
    distance,
    put,
    put_quat,
    quat,
    quat_conjugate,
    quat_multiply,
    scale,
    sub,
    vec,
)
from creature_sim.maths.jit import kernel

SPRINT = 20.0
"""Nothing pushes that is faster than this: it was put there [m/s]."""
NEAR = 0.5
"""What pushes is there only this near to what it may push: farther than it goes in a tick [m]."""
MOTION = record_type(
    ("index", "i8"),
    ("place", "f8", (3,)),  # [m, world]
    ("turn", "f8", (4,)),  # xyzw
    ("velocity", "f8", (3,)),  # [m/s, world]
    ("spin", "f8", (3,)),  # [rad/s, world]
)


@kernel
def find_motions(
    old_positions: Floats,
    old_orientations: Floats,
    positions: Floats,
    orientations: Floats,
    bounds: Floats,
    solids: Records,
    props: Records,
    dt: float,
    motions: Records,
) -> int:
    """Say how everything moves that is near to a dynamic prop.

    A heavy body is put where it was, with the velocity that brings it to where it is, though it
    falls meanwhile.

    Args:
        old_positions: (M, 3) a tick ago [m, world].
        old_orientations: (M, 4).
        positions: (M, 3) [m, world].
        orientations: (M, 4).
        bounds: (M,) radius of a ball around each that holds it [m].
        solids: (P,) SOLID.
        props: (P,) PROP.
        dt: length of a tick [s].
        motions: (M,) MOTION, to be written.

    Returns:
        how many were written.
    """
    count = 0
    for m in range(positions.shape[0]):
        place, is_near = vec(positions[m]), False
        for p in range(solids.shape[0]):
            if solids[p].motion == DYNAMIC:
                apart = distance(place, vec(props[p].position))
                is_near = is_near or apart < NEAR + bounds[m] + solids[p].bound
        if not is_near:
            continue
        motion = motions[count]
        count += 1
        motion.index = m
        old, old_turn = vec(old_positions[m]), quat(old_orientations[m])
        vx, vy, vz = scale(sub(place, old), 1.0 / dt)
        x, y, z, w = quat_multiply(quat(orientations[m]), quat_conjugate(old_turn))
        spin = scale((x, y, z), 2.0 / dt if w >= 0.0 else -2.0 / dt)
        if max(abs(vx), abs(vy), abs(vz)) > SPRINT:
            old, old_turn = place, quat(orientations[m])
            vx, vy, vz, spin = 0.0, 0.0, 0.0, (0.0, 0.0, 0.0)
        put(motion.place, old)
        put_quat(motion.turn, old_turn)
        put(motion.velocity, (vx, vy, vz + 0.5 * GRAVITY * dt))
        put(motion.spin, spin)
    return count
