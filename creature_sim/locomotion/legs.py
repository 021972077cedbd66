"""Legs bend so that their tips are where the feet are wanted."""

from creature_sim.components import BodyRecord, FootRecord, LegRecord, Records, RecordTable
from creature_sim.ik.leg import solve_leg
from creature_sim.locomotion.reach import hip_of
from creature_sim.maths import (
    Floats,
    X,
    Y,
    cross,
    put,
    put_quat,
    quat,
    quat_from_axes,
    reject,
    rotate,
    sub,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel


@kernel
def solve_legs(
    legs: Records[LegRecord],
    lengths: Floats,
    bodies: RecordTable[BodyRecord],
    feet: RecordTable[FootRecord],
    joints: Floats,
    rotations: Floats,
    foot_rotation: Floats,
) -> None:
    """Solve every leg.

    Args:
        legs: (L,).
        lengths: (L, J - 1) of their bones [m].
        bodies: (N, S).
        feet: (N, L).
        joints: (N, L, J, 3) of the last tick; written [m, world].
        rotations: (N, L, J - 1, 4) of the bones; written.
        foot_rotation: (N, L, 4); written.
    """
    for n in range(bodies.shape[0]):
        for i in range(legs.shape[0]):
            leg = legs[i]
            body = bodies[n, leg.segment]
            position, orientation = vec(body.position), quat(body.orientation)
            ahead = rotate(orientation, X)
            chain = joints[n, i]
            pole = rotate(orientation, vec(leg.pole))
            count = leg.bone_count
            hip = hip_of(position, orientation, leg)
            solve_leg(chain[: count + 1], lengths[i, :count], hip, vec(feet[n, i].position), pole)
            for j in range(count + 1, chain.shape[0]):
                put(chain[j], vec(chain[count]))
            for b in range(rotations.shape[2]):
                bone = min(b, count - 1)
                x = unit(sub(vec(chain[bone + 1]), vec(chain[bone])), ahead)
                z = unit(reject(pole, x), rotate(orientation, Y))
                put_quat(rotations[n, i, b], quat_from_axes(x, cross(z, x), z))
            z = vec(feet[n, i].normal)
            x = unit(reject(vec(feet[n, i].heading), z), ahead)
            put_quat(foot_rotation[n, i], quat_from_axes(x, cross(z, x), z))
