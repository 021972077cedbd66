"""Trunks of one or more segments: hung on one another, moved no farther than legs reach.

One segment leads, the first one forward and the last one back. The others hang on it in a row by
joints that bend so far and no farther, and follow: the far end of each goes towards the joint that
pulls it, as a trailer does (a tractrix).
"""

from math import sqrt

import numpy as np

from creature_sim.components import BodyRecord, Near, Records, SegmentRecord
from creature_sim.locomotion.clearance import carried, goes_along
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.others import bodies_stay_apart
from creature_sim.locomotion.outlines import Pose
from creature_sim.locomotion.own_sides import legs_stay_apart
from creature_sim.locomotion.reach import fits
from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    X,
    Y,
    Z,
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
"""The point of a segment that keeps its direction of travel while the segment is pulled, as a
fraction of the line from its centre to its far end.

At the far end it would damp every swing, and cut corners; at the centre the other way round.
"""
WHIP_RATE = 2.4
"""Segments of a trunk turn no faster than this, where all of it can go less far instead [rad/s]."""


@kernel
def bent(axis: Vec, neighbour: Quat, bend: float) -> Vec:
    """The direction next to `axis`, unit [world], to which a joint bends.

    Args:
        axis: in which a segment should point.
        neighbour: orientation of the segment on the other side of the joint.
        bend: cosine of how far it bends at most.
    """
    straight = rotate(neighbour, X)
    if dot(axis, straight) >= bend:
        return axis
    side = unit(reject(axis, straight), rotate(neighbour, Y))
    return add(scale(straight, bend), scale(side, sqrt(1.0 - bend * bend)))


@kernel
def joint_of(segments: Records[SegmentRecord], s: int, puller: int) -> tuple[float, float]:
    """Where segment `s` is joined to its neighbour: x of the joint in that, and in itself [m]."""
    if s > puller:
        return segments[puller].rear, segments[s].front
    return segments[puller].front, segments[s].rear


@kernel
def hang(
    segments: Records[SegmentRecord], s: int, puller: int, position: Floats, orientation: Floats
) -> None:
    """Hang segment `s` on its neighbour `puller`.

    A point behind its centre stays where it is while it turns towards the joint between them, at
    most as far as that bends.

    Args:
        segments: (S,).
        s: the segment.
        puller: its neighbour.
        position: (S, 3) of all segments; that of `s` is written [m, world].
        orientation: (S, 4); that of `s` is written.
    """
    is_behind = s > puller
    socket, arm = joint_of(segments, s, puller)
    far = segments[s].rear if is_behind else segments[s].front
    bend = segments[max(s, puller)].bend
    neighbour = quat(orientation[puller])
    joint = add(vec(position[puller]), rotate(neighbour, (socket, 0.0, 0.0)))
    own = quat(orientation[s])
    old = rotate(own, X)
    end = along(vec(position[s]), old, ANCHOR * far)
    axis = bent(unit(sub(joint, end) if is_behind else sub(end, joint), old), neighbour, bend)
    put_quat(orientation[s], quat_unit(quat_multiply(quat_between(old, axis), own)))
    put(position[s], along(joint, axis, -arm))


@kernel
def join(segments: Records[SegmentRecord], position: Floats, orientation: Floats) -> None:
    """Join segments that are turned as wished, all together where they are on the mean.

    No joint bends farther than it may.

    Args:
        segments: (S,).
        position: (S, 3) wished of all of them; written [m, world].
        orientation: (S, 4) wished; written.
    """
    count = len(segments)
    off = (0.0, 0.0, 0.0)
    for s in range(1, count):
        own, neighbour = quat(orientation[s]), quat(orientation[s - 1])
        axis = rotate(own, X)
        within = bent(axis, neighbour, segments[s].bend)
        turned = quat_unit(quat_multiply(quat_between(axis, within), own))
        put_quat(orientation[s], turned)
        joint = add(vec(position[s - 1]), rotate(neighbour, (segments[s - 1].rear, 0.0, 0.0)))
        place = sub(joint, rotate(turned, (segments[s].front, 0.0, 0.0)))
        off = add(off, scale(sub(vec(position[s]), place), 1.0 / count))
        put(position[s], place)
    for s in range(count):
        put(position[s], add(vec(position[s]), off))


@kernel
def lift(position: Floats, wished: Floats, orientation: Floats) -> None:
    """Lift a whole trunk until no segment is lower than it wishes to be.

    Args:
        position: (S, 3) of its segments; written [m, world].
        wished: (S, 3) of them [m, world].
        orientation: (S, 4) of them.
    """
    for s in range(position.shape[0]):
        up = rotate(quat(orientation[s]), Z)
        lack = dot(sub(vec(wished[s]), vec(position[s])), up)
        if lack > 0.0:
            for k in range(position.shape[0]):
                put(position[k], along(vec(position[k]), up, lack))


@kernel
def turns_calmly(trunk: Records[BodyRecord], orientation: Floats, dt: float) -> bool:
    """Whether no segment turns faster than `WHIP_RATE` to get to new orientations, (S, 4)."""
    half = 0.5 * WHIP_RATE * dt
    least = 1.0 - half * half  # square of the cosine of half the turn, for small turns
    for s in range(trunk.shape[0]):
        ax, ay, az, aw = quat(trunk[s].orientation)
        bx, by, bz, bw = quat(orientation[s])
        cosine = ax * bx + ay * by + az * bz + aw * bw
        if cosine * cosine < least:
            return False
    return True


@kernel
def move_trunk(
    creature: Creature,
    segments: Records[SegmentRecord],
    near: Near,
    position: Floats,
    orientation: Floats,
    dt: float,
) -> float:
    """Move a trunk towards wished poses, as far as planted legs, joints and other bodies allow.

    No segment is whipped around: where one would turn too fast all go less far, if they can.

    Args:
        creature: its trunk gets its new poses.
        segments: (S,) of its plan.
        near: other creatures near to it.
        position: (S, 3) wished [m, world].
        orientation: (S, 4) wished.
        dt: length of a tick [s].

    Returns:
        The fraction of the change that was possible, 1 down to 0.
    """
    trunk = creature.trunk
    count, leader = trunk.shape[0], creature.gait.leader
    new_position, new_orientation = np.empty((count, 3)), np.empty((count, 4))
    fraction = 1.0
    while fraction > 0.05:
        for s in range(count):
            put(new_position[s], mix(vec(trunk[s].position), vec(position[s]), fraction))
            turned = nlerp(quat(trunk[s].orientation), quat(orientation[s]), fraction)
            put_quat(new_orientation[s], turned)
        for s in range(leader + 1, count):
            hang(segments, s, s - 1, new_position, new_orientation)
        for s in range(leader - 1, -1, -1):
            hang(segments, s, s + 1, new_position, new_orientation)
        is_calm = count == 1 or fraction < 0.2 or turns_calmly(trunk, new_orientation, dt)
        is_free = bodies_stay_apart(segments, near, new_position, new_orientation)
        is_free = is_free and legs_stay_apart(creature, near, new_position, new_orientation)
        if is_calm and is_free and fits(creature, new_position, new_orientation):
            carry_feet(creature, new_position, new_orientation)
            for s in range(count):
                put(trunk[s].position, vec(new_position[s]))
                put_quat(trunk[s].orientation, quat(new_orientation[s]))
            return fraction
        fraction -= 0.125
    return 0.0


@kernel
def carry_feet(creature: Creature, position: Floats, orientation: Floats) -> None:
    """Carry feet that found no place along with a trunk that goes to (S, 3) and (S, 4)."""
    for i in range(creature.feet.shape[0]):
        if goes_along(creature, i):
            s = creature.legs[i].segment
            then = Pose(vec(position[s]), quat(orientation[s]))
            there = carried(creature, i, then)
            put(creature.feet[i].position, there)
            put(creature.feet[i].track, there)


@kernel
def centre_of(trunk: Records[BodyRecord]) -> tuple[float, float, float]:
    """Mean of the segments' centres by their weight [m, world]."""
    centre = (0.0, 0.0, 0.0)
    for s in range(trunk.shape[0]):
        centre = along(centre, vec(trunk[s].position), trunk[s].share)
    return centre
