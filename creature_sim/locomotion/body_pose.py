"""Bodies are held otherwise than they are planned, as far as their legs and the ground allow.

The walk goes on as it is planned; shift and turn come on top of it. How far a body can go with its
feet where they stand is its workspace: it is searched, not assumed.
"""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    FLYING,
    HELD_BY_OTHER,
    LOST,
    BodyPoseRecord,
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    HeadRecord,
    HitRecord,
    LegRecord,
    LegTargetRecord,
    MotionRecord,
    PlanRecord,
    Records,
    RecordTable,
    SegmentRecord,
    SuspensionRecord,
)
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.hanging import Hanging, carry_trunk, held_back
from creature_sim.locomotion.prediction import ground_velocity, home_of, travel
from creature_sim.locomotion.reach import loses_reach, reaches
from creature_sim.locomotion.search import AIM_UNTIL
from creature_sim.locomotion.stature import AT_REST
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    Z,
    add,
    dot,
    norm,
    put,
    quat,
    quat_turned,
    rotate,
    scale,
    spring,
    sub,
    vec,
)
from creature_sim.maths.jit import kernel

STIFFNESS = 13.0
"""Of the critically damped spring by which a body goes where it is asked to [1/s]."""
HALVINGS = 8
"""So often the way to what is asked is halved to find how far the workspace goes."""
BACK = 1e-6
"""What is nearer to where it is planned, and slower, is there [m, rad, m/s, rad/s]."""
SPARE = 0.92
"""A leg of a body that walks may stretch so far at the ends of its stroke on flat ground."""
CLEAR = 0.01
"""A body is not lowered nearer to the ground below its centre than this [m]."""


@kernel
def ask_nothing(
    motions: RecordTable[MotionRecord],
    gaits: Records[GaitRecord],
    poses: Records[BodyPoseRecord],
    heads: Records[HeadRecord],
    targets: RecordTable[LegTargetRecord],
    is_own: NDArray[np.bool_],
    is_done: NDArray[np.bool_],
    dt: float,
) -> bool:
    """Clear what motions ask of creatures, and count the seconds of each.

    Args:
        motions: (N, M); those of the creatures' own go on where nobody tells them to go.
        gaits: (N,); written.
        poses: (N,); written.
        heads: (N,); written.
        targets: (N, L).
        is_own: (M,) whether each motion is one of the creatures' own, without events.
        is_done: (M,) whether any creature does each; written.
        dt: length of a tick [s].

    Returns:
        Whether any creature does anything, or is held otherwise than planned.
    """
    is_any = False
    is_done[:] = False
    for n in range(motions.shape[0]):
        pose = poses[n]
        pose.allowed = 1.0
        gaits[n].is_braced = 0
        heads[n].is_gazing = 0
        put(pose.asked_shift, (0.0, 0.0, 0.0))
        put(pose.asked_turn, (0.0, 0.0, 0.0))
        is_any = is_any or not is_back(pose)
        for i in range(targets.shape[1]):
            if targets[n, i].task != 0:
                is_done[:] = True
        for m in range(motions.shape[1]):
            motion = motions[n, m]
            motion.is_refused = motion.seconds == 0.0 and motion.refusal != 0
            is_done[m] = is_done[m] or motion.is_on == 1
            if is_own[m]:
                motion.is_on = gaits[n].commanded_pace == 0.0 or waits(gaits[n])
            if motion.is_on:
                motion.seconds += dt
                is_done[m] = True
    for m in range(len(is_done)):
        is_any = is_any or is_done[m]
    return is_any


@kernel
def waits(gait: GaitRecord) -> bool:
    """Whether a body stands because another creature is in its way."""
    return bool(gait.is_held == HELD_BY_OTHER and gait.pace <= AT_REST)


@kernel
def is_back(pose: BodyPoseRecord) -> bool:
    """Whether a trunk is held as it is planned, and stays so."""
    rates = norm(vec(pose.shift_rate)) + norm(vec(pose.turn_rate))
    return bool(norm(vec(pose.shift)) + norm(vec(pose.turn)) + rates == 0.0)


@kernel
def hold_bodies(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    segments: Records[SegmentRecord],
    ground: RecordTable[HitRecord],
    suspensions: RecordTable[SuspensionRecord],
    poses: Records[BodyPoseRecord],
    dt: float,
) -> None:
    """Move trunks towards how motions want them held.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S), where they are planned.
        gaits: (N,).
        feet: (N, L).
        footholds: (N, L).
        segments: (S,).
        ground: (N, Q) what the rays found: below segment s in column s.
        suspensions: (N, S) how they hang on their legs.
        poses: (N,); written.
        dt: length of a tick [s].
    """
    count = bodies.shape[1]
    position, orientation = np.empty((count, 3)), np.empty((count, 4))
    for n in range(bodies.shape[0]):
        pose = poses[n]
        if is_back(pose) and not is_asked(pose):
            continue
        if is_asked(pose):
            creature = Creature(plan[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
            hanging = Hanging(segments, suspensions[n], pose, position, orientation)
            pose.allowed = allowed(creature, hanging, ground[n])
        for k in range(3):
            goal = pose.allowed * pose.asked_shift[k]
            off, pose.shift_rate[k] = spring(
                pose.shift[k] - goal, pose.shift_rate[k], dt, STIFFNESS
            )
            pose.shift[k] = goal + off
            goal = pose.allowed * pose.asked_turn[k]
            off, pose.turn_rate[k] = spring(pose.turn[k] - goal, pose.turn_rate[k], dt, STIFFNESS)
            pose.turn[k] = goal + off
        if not is_asked(pose):
            come_back(pose)


@kernel
def come_back(pose: BodyPoseRecord) -> None:
    """Let a trunk that is all but back be back."""
    left = max(norm(vec(pose.shift)), norm(vec(pose.turn)))
    if max(left, norm(vec(pose.shift_rate)), norm(vec(pose.turn_rate))) < BACK:
        for field in (pose.shift, pose.turn, pose.shift_rate, pose.turn_rate):
            put(field, (0.0, 0.0, 0.0))


@kernel
def is_asked(pose: BodyPoseRecord) -> bool:
    """Whether any motion wants the trunk held otherwise."""
    shift, turn = vec(pose.asked_shift), vec(pose.asked_turn)
    return dot(shift, shift) + dot(turn, turn) > 0.0


@kernel
def allowed(creature: Creature, hanging: Hanging, ground: Records[HitRecord]) -> float:
    """The largest fraction of what is asked at which standing legs reach, and all is above ground.

    Args:
        creature: as it is planned.
        hanging: with the pose that is asked.
        ground: (Q,) below segment s in s.
    """
    least, most = 0.0, 1.0
    if can_be_held(creature, hanging, ground, 1.0):
        return 1.0
    for _ in range(HALVINGS):
        middle = 0.5 * (least + most)
        if can_be_held(creature, hanging, ground, middle):
            least = middle
        else:
            most = middle
    return least


@kernel
def can_be_held(
    creature: Creature, hanging: Hanging, ground: Records[HitRecord], fraction: float
) -> bool:
    """Whether legs and ground allow a fraction of what is asked; arguments as in `allowed`."""
    pose, position, orientation = hanging.pose, hanging.position, hanging.orientation
    shift, turn = scale(vec(pose.asked_shift), fraction), scale(vec(pose.asked_turn), fraction)
    if not keeps_stride(creature, shift, turn):
        return False
    carry_trunk(creature.trunk, hanging, 0.0, shift, turn)
    if held_back(creature, position, orientation, False) >= 0:
        return False
    if not can_land(creature, position, orientation):
        return False
    for s in range(len(hanging.segments)):
        segment = hanging.segments[s]
        lower = room_below(ground[s], segment, vec(position[s]), quat(orientation[s]))
        planned = quat(creature.trunk[s].orientation)
        there = vec(creature.trunk[s].position)
        if lower < min(CLEAR, room_below(ground[s], segment, there, planned)):
            return False
    return True


@kernel
def can_land(creature: Creature, positions: Floats, orientations: Floats) -> bool:
    """Whether legs reach where their feet in the air will land, from a trunk that is held so.

    Where the trunk as it is planned lets them.

    Args:
        creature: as it is planned.
        positions: (S, 3) of its segments [m, world].
        orientations: (S, 4).
    """
    for i in range(creature.legs.shape[0]):
        leg, foot = creature.legs[i], creature.feet[i]
        if foot.phase != FLYING or foot.progress <= AIM_UNTIL:
            continue
        body, goal = creature.trunk[leg.segment], vec(foot.goal)
        seconds = seconds_to_touchdown(creature.plan, creature.gait, foot)
        moved = rotate(quat(body.orientation), travel(body, leg, seconds))
        held = add(vec(positions[leg.segment]), moved)
        if not reaches(held, quat(orientations[leg.segment]), leg, goal):
            planned = add(vec(body.position), moved)
            if reaches(planned, quat(body.orientation), leg, goal):
                return False
    return True


@kernel
def keeps_stride(creature: Creature, shift: Vec, turn: Vec) -> bool:
    """Whether legs of a body that walks reach both ends of their stroke with something to spare.

    Or reach no less far than without shift and turn.
    """
    gait = creature.gait
    if gait.pace < AT_REST:
        return True
    back = quat_turned(scale(turn, -1.0))
    for i in range(creature.legs.shape[0]):
        leg = creature.legs[i]
        if creature.feet[i].phase == LOST:
            continue
        x, y, speed = ground_velocity(creature.trunk[leg.segment], leg)
        half = 0.5 * gait.stroke / max(speed, gait.pace)
        for sign in (-half, half):
            foot = add(home_of(gait, leg), (sign * x, sign * y, 0.0))
            held = rotate(back, sub(foot, shift))
            if loses_reach(leg, foot, held, leg.min_reach, SPARE):
                return False
    return True


@kernel
def room_below(below: HitRecord, segment: SegmentRecord, position: Vec, orientation: Quat) -> float:
    """Between the lowest corner of a segment and the plane of the ground below it [m]."""
    if not below.is_hit:
        return 1e9
    normal = vec(below.normal)
    room = dot(sub(position, vec(below.point)), normal)
    x = rotate(orientation, (segment.front, 0.0, 0.0))
    y = rotate(orientation, (0.0, segment.side, 0.0))
    z = rotate(orientation, scale(Z, segment.top))
    return room - abs(dot(x, normal)) - abs(dot(y, normal)) - abs(dot(z, normal))
