"""Legs bend so that their tips are where the feet are wanted."""

from math import inf, sqrt

from creature_sim.components import BodyRecord, FootRecord, LegRecord, Records, RecordTable
from creature_sim.ik.leg import solve_leg
from creature_sim.locomotion.reach import hip_of
from creature_sim.maths import (
    Floats,
    Vec,
    X,
    Y,
    Z,
    along,
    cross,
    dot,
    put,
    put_quat,
    quat,
    quat_from_axes,
    reject,
    rotate,
    scale,
    sub,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel

ROOM_OVER_KNEES = 0.02
"""Knees stay so far below what hangs over their body [m]: half of a bone's thickness."""


@kernel
def fold(chain: Floats, pole: Vec, up: Vec, top: float, side: float) -> Vec:
    """Turn a leg about the line from its hip to its tip until no knee is higher than `top`.

    Both ends stay where they are, and bones as long as they are. It lies down flat at the most.

    Args:
        chain: (J, 3) hip to tip; written [m, world].
        pole: direction that its knees point to [world].
        up: of its body [world].
        top: along `up` [m, world].
        side: 1 on the left of the body, -1 on the right: both fold to the same end.

    Returns:
        the direction that its knees point to now [world].
    """
    last = chain.shape[0] - 1
    hip = vec(chain[0])
    line = unit(sub(vec(chain[last]), hip), up)
    high = unit(reject(pole, line), up)
    cosine = 1.0
    for j in range(1, last):
        out = sub(vec(chain[j]), hip)
        rise = dot(out, high) * dot(high, up)
        room = top - dot(along(hip, line, dot(out, line)), up)
        if rise > room:
            cosine = min(cosine, max(0.0, room / rise))
    if cosine == 1.0:
        return pole
    aside = scale(cross(line, high), side * sqrt(1.0 - cosine * cosine))
    folded = along(aside, high, cosine)
    for j in range(1, last):
        out = sub(vec(chain[j]), hip)
        foot = along(hip, line, dot(out, line))
        put(chain[j], along(foot, folded, dot(out, high)))
    return folded


@kernel
def solve_legs(
    legs: Records[LegRecord],
    lengths: Floats,
    bodies: RecordTable[BodyRecord],
    feet: RecordTable[FootRecord],
    room: Floats,
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
        room: (N, S) between segments and what hangs over them, inf where nothing does [m].
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
            if room[n, leg.segment] < inf:
                up = rotate(orientation, Z)
                top = dot(position, up) + room[n, leg.segment] - ROOM_OVER_KNEES
                pole = fold(chain[: count + 1], pole, up, top, float(leg.side))
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
