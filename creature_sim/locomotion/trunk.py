"""Trunks of one or more segments: hung on one another, moved no farther than legs reach.

One segment leads, the first one forward and the last one back. The others hang on it in a row by
joints that bend so far and no farther, and follow: the far end of each goes towards the joint that
pulls it, as a trailer does (a tractrix).
"""

from math import sqrt

import numpy as np

from creature_sim.components import Records
from creature_sim.locomotion.reach import fits
from creature_sim.maths import (
    Floats,
    X,
    Y,
    add,
    along,
    dot,
    mix,
    nlerp,
    put,
    put_quat,
    quat,
    quat_between,
    quat_multiply,
    quat_unit,
    reject,
    rotate,
    scale,
    sub,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel

ANCHOR = 0.45
"""What stays on its way while a segment is pulled: so far from its centre to its far end.

At the far end it would damp every swing, and cut corners; at the centre the other way round.
"""


@kernel
def leader_of(trunk: Records) -> int:
    """The segment that is steered: the head, or the tail where a trunk of several goes back."""
    return trunk.shape[0] - 1 if trunk[0].velocity[0] < 0.0 else 0


@kernel
def hang(segments: Records, s: int, puller: int, position: Floats, orientation: Floats) -> None:
    """Hang segment `s` on its neighbour `puller` [poses (S, 3) and (S, 4), world].

    A point behind its centre stays where it is while it turns towards the joint between them, at
    most as far as that bends.
    """
    is_behind = s > puller
    arm, far = segments[s].front, segments[s].rear
    if not is_behind:
        arm, far = far, arm
    socket = segments[puller].rear if is_behind else segments[puller].front
    bend = segments[max(s, puller)].bend
    neighbour = quat(orientation[puller])
    joint = add(vec(position[puller]), rotate(neighbour, (socket, 0.0, 0.0)))
    own = quat(orientation[s])
    old = rotate(own, X)
    straight = rotate(neighbour, X)
    end = along(vec(position[s]), old, ANCHOR * far)
    axis = unit(sub(joint, end) if is_behind else sub(end, joint), old)
    if dot(axis, straight) < bend:
        side = unit(reject(axis, straight), rotate(neighbour, Y))
        axis = add(scale(straight, bend), scale(side, sqrt(1.0 - bend * bend)))
    put_quat(orientation[s], quat_unit(quat_multiply(quat_between(old, axis), own)))
    put(position[s], along(joint, axis, -arm))


@kernel
def move_trunk(
    segments: Records,
    legs: Records,
    feet: Records,
    trunk: Records,
    wished_position: Floats,
    wished_orientation: Floats,
) -> float:
    """Move a trunk towards wished poses, as far as planted legs and its joints allow.

    Args:
        segments: (S,) SEGMENT.
        legs: (L,) LEG.
        feet: (L,) FOOT.
        trunk: (S,) BODY; gets its new poses.
        wished_position: (S, 3) [m, world].
        wished_orientation: (S, 4).

    Returns:
        The share of the change that was possible, 1 down to 0.
    """
    count = trunk.shape[0]
    leader = leader_of(trunk)
    position, orientation = np.empty((count, 3)), np.empty((count, 4))
    share = 1.0
    while share > 0.05:
        for s in range(count):
            put(position[s], mix(vec(trunk[s].position), vec(wished_position[s]), share))
            turned = nlerp(quat(trunk[s].orientation), quat(wished_orientation[s]), share)
            put_quat(orientation[s], turned)
        for s in range(leader + 1, count):
            hang(segments, s, s - 1, position, orientation)
        for s in range(leader - 1, -1, -1):
            hang(segments, s, s + 1, position, orientation)
        if fits(legs, feet, trunk, position, orientation):
            for s in range(count):
                put(trunk[s].position, vec(position[s]))
                put_quat(trunk[s].orientation, quat(orientation[s]))
            return share
        share -= 0.125
    return 0.0


@kernel
def centre_of(trunk: Records) -> tuple[float, float, float]:
    """Mean of the segments' centres [m, world]: where the weight is."""
    centre = (0.0, 0.0, 0.0)
    for s in range(trunk.shape[0]):
        centre = along(centre, vec(trunk[s].position), 1.0 / trunk.shape[0])
    return centre
