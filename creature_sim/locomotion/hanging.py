"""Carried trunks hang on their legs as far as these, and their own joints, let them."""

from typing import NamedTuple

from creature_sim.components import (
    FLIES,
    FLYING,
    LOST,
    STANDING,
    BodyPoseRecord,
    BodyRecord,
    Records,
    SegmentRecord,
    SuspensionRecord,
)
from creature_sim.locomotion.clearance import leg_that_meets
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.frames import into_frame
from creature_sim.locomotion.hips import swings
from creature_sim.locomotion.leaps import axis_of
from creature_sim.locomotion.reach import (
    FOLDS_TO,
    bring_from_fold,
    lands_soon,
    leaves,
    loses_reach,
    overpitches,
    overswings,
    pitch_to,
    reach_in_world,
    reach_to,
)
from creature_sim.locomotion.trunk import join
from creature_sim.maths import (
    Floats,
    Vec,
    Z,
    add,
    angle_between,
    norm,
    put,
    put_quat,
    quat,
    quat_between,
    quat_conjugate,
    quat_multiply,
    quat_turned,
    quat_unit,
    rotate,
    scale,
    slerp,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

FARTHEST = 0.98
"""A planted leg of a body that is carried stretches no farther."""
HANGS_GAP = 0.004
"""Legs of a hanging body come no nearer to one another than this fraction of their reach."""
GIVES = 0.3
"""Time in which a body that a leg has held back hangs freely again [s]."""
LEAVES, LIGHT, NEARLY_OUT = 0.1, 0.1, 0.995
"""A foot that has just left the ground holds the body back, too: until the fraction `LEAVES` of its
swing, while it has more than `LIGHT` of its load, if its leg would stretch beyond `NEARLY_OUT`."""
YIELDS = 0.06
"""Time in which it gives way to a foot that lands soon, and to one that leaves..."""
RIGHTS = 1.5
"""...but turns back no faster than this, however far it has toppled [rad/s]."""
CALM = 2.0
"""The up of a body that climbs turns no faster than this, 1.91 degrees in 1/60 s [rad/s]."""
TIGHT = 0.1
"""A body hangs less where a leg is nearer to its limits than this fraction of them."""
TRIES, LESS, LEAST = 16, 0.85, 0.1
"""At most `TRIES` times a body is let hang less, by the factor `LESS`. Below `LEAST` motions hold
it less far from where it is planned, too."""


class Hanging(NamedTuple):
    """How a trunk hangs on its legs, and room to work out where its segments are then.

    Attributes:
        segments: (S,) of its plan.
        hung: (S,) their springs, and their poses in the last tick.
        pose: how motions hold the trunk.
        position: (S, 3) of the segments, as they hang [m, world].
        orientation: (S, 4) of them.
    """

    segments: Records[SegmentRecord]
    hung: Records[SuspensionRecord]
    pose: BodyPoseRecord
    position: Floats
    orientation: Floats


@kernel
def hang(creature: Creature, hanging: Hanging, dt: float) -> None:
    """Carry a trunk from where it is planned, as far as its standing legs and its joints let it.

    In the flights of a run no leg holds it: only gravity does.

    Args:
        creature: whose trunk it is; the poses of its segments are written.
        hanging: written: `hung` gets the planned poses, `pose` is reduced where it is too far.
        dt: length of a tick [s].
    """
    trunk, hung, pose = creature.trunk, hanging.hung, hanging.pose
    if creature.gait.run != FLIES:
        for s in range(trunk.shape[0]):
            give(creature, s, hung[s], dt)
    if not find_hold(creature, hanging, dt):
        put(pose.shift, (0.0, 0.0, 0.0))
        put(pose.turn, (0.0, 0.0, 0.0))
        for s in range(trunk.shape[0]):
            hung[s].given = 0.0
            put(hanging.position[s], vec(trunk[s].position))
            put_quat(hanging.orientation[s], quat(trunk[s].orientation))
    if creature.plan.climbs and not (creature.gait.flight or creature.gait.run):
        turn_calmly(creature, hanging, dt)
    for s in range(trunk.shape[0]):
        put(hung[s].position, vec(trunk[s].position))
        put_quat(hung[s].orientation, quat(trunk[s].orientation))
        put(trunk[s].position, vec(hanging.position[s]))
        put_quat(trunk[s].orientation, quat(hanging.orientation[s]))
    if creature.plan.climbs:
        take_feet_along(creature)


@kernel
def take_feet_along(creature: Creature) -> None:
    """Take feet in the air along to which a body has come nearer than their legs fold.

    They keep clear of it where it is planned. It hangs nearer to walls and ceilings.
    """
    for i in range(creature.legs.shape[0]):
        leg, foot = creature.legs[i], creature.feet[i]
        if foot.phase == STANDING or foot.phase == LOST:
            continue
        body, here = creature.trunk[leg.segment], vec(foot.position)
        position, orientation = vec(body.position), quat(body.orientation)
        nearest = FOLDS_TO * leg.min_reach
        if reach_in_world(position, orientation, leg, here)[0] < nearest:
            put(foot.position, bring_from_fold(position, orientation, leg, here, nearest))


@kernel
def find_hold(creature: Creature, hanging: Hanging, dt: float) -> bool:
    """Let a trunk hang less until its standing legs allow it; whether that was found."""
    trunk, flies, weight = creature.trunk, creature.gait.run == FLIES, creature.plan.weight
    hung, pose = hanging.hung, hanging.pose
    position, orientation = hanging.position, hanging.orientation
    for _ in range(TRIES * min(4, 1 + trunk.shape[0])):
        shift, turn = vec(pose.shift), vec(pose.turn)
        carry_trunk(trunk, hanging, weight, shift, turn)
        held = -1 if flies else held_back(creature, position, orientation, False)
        if held < 0:
            soon = -1 if flies else held_back(creature, position, orientation, True)
            if soon < 0 and not flies and not creature.plan.climbs:
                soon = swings_out(creature, hung, position, orientation)
            if soon >= 0:
                hung[soon].given = max(0.0, hung[soon].given - yields(hung[soon], dt))
            return True
        for s in range(trunk.shape[0]):  # those that hang on it take it along
            hung[s].given *= 1.0 - (1.0 - LESS) / (1 + abs(s - held))
        if hung[held].given < LEAST:  # it is not its weight, but how it is held
            put(pose.shift, scale(shift, LESS))
            put(pose.turn, scale(turn, LESS))
    return False


@kernel
def turn_calmly(creature: Creature, hanging: Hanging, dt: float) -> None:
    """Turn no up of a trunk that climbs faster than `CALM` from where it was in the last tick.

    Its planned turn and its swing on its legs add up, and a leg that holds it back takes the swing
    away at once. The springs take up what is left of the turn.

    Args:
        creature: as it is planned.
        hanging: written, but for `pose`.
        dt: length of a tick [s].
    """
    hung, pose = hanging.hung, hanging.pose
    weight, is_fast = creature.plan.weight, False
    for s in range(hung.shape[0]):
        was, wished = rotate(quat(hung[s].orientation), Z), quat(hanging.orientation[s])
        now = rotate(wished, Z)
        angle = angle_between(was, now)
        if angle <= CALM * dt or weight == 0.0:
            continue
        is_fast = True
        back = quat_between(now, slerp(was, now, CALM * dt / angle))
        held = quat_multiply(quat(creature.trunk[s].orientation), quat_turned(vec(pose.turn)))
        left = quat_multiply(quat_conjugate(held), quat_multiply(back, wished))
        for field in (hung[s].offset, hung[s].rate, hung[s].spin):
            put(field, scale(vec(field), hung[s].given))
        axis, turn = axis_of(left)
        put(hung[s].turn, scale(axis, turn / weight))
        hung[s].given = 1.0
    if is_fast:
        carry_trunk(creature.trunk, hanging, weight, vec(pose.shift), vec(pose.turn))


@kernel
def give(creature: Creature, s: int, hung: SuspensionRecord, dt: float) -> None:
    """Let a segment hang more freely again, as far as its legs have room for that.

    Where a leg comes to its limit as the body is planned it gives way before: what it hangs would
    go all at once.

    Args:
        creature: as it is planned.
        s: which segment.
        hung: how it hangs on its legs; written.
        dt: length of a tick [s].
    """
    freely = min(1.0, hung.given + dt / GIVES)
    hung.given = max(min(freely, room_left(creature, s)), hung.given - yields(hung, dt))


@kernel
def swings_out(
    creature: Creature, hung: Records[SuspensionRecord], positions: Floats, orientations: Floats
) -> int:
    """The first segment whose standing legs it will stretch too far as it swings on; -1: none.

    In the time in which it gives way.

    Args:
        creature: as it is planned.
        hung: (S,) how its segments hang on their legs.
        positions: (S, 3) of them [m, world].
        orientations: (S, 4).
    """
    for i in range(creature.legs.shape[0]):
        leg, foot = creature.legs[i], creature.feet[i]
        if foot.phase != STANDING:
            continue
        s = leg.segment
        rate = add(vec(creature.trunk[s].velocity), scale(vec(hung[s].rate), hung[s].given))
        on = rotate(quat(creature.trunk[s].orientation), scale(rate, YIELDS))
        position, orientation, point = vec(positions[s]), quat(orientations[s]), vec(foot.goal)
        was = into_frame(position, orientation, point)
        then = into_frame(add(position, on), orientation, point)
        if loses_reach(leg, was, then, 0.0, FARTHEST):
            return int(s)
    return -1


@kernel
def yields(hung: SuspensionRecord, dt: float) -> float:
    """How much less a segment may hang after a tick: it gives way softly."""
    return dt * min(1.0 / YIELDS, RIGHTS / max(norm(vec(hung.turn)), 1e-9))


@kernel
def room_left(creature: Creature, s: int) -> float:
    """How much of TIGHT the legs of a segment have left before their limits, 1 to 0, as planned.

    Those that stand count, and those that land soon.
    """
    body, left = creature.trunk[s], 1.0
    for i in range(creature.legs.shape[0]):
        leg, foot = creature.legs[i], creature.feet[i]
        if leg.segment != s or not (foot.phase == STANDING or lands_soon(foot)):
            continue
        stand = unrotate(quat(body.orientation), sub(vec(foot.goal), vec(body.position)))
        used = max(pitch_to(leg, stand), reach_to(leg, stand)[1] + 1.0 - FARTHEST)
        left = min(left, (1.0 - used) / TIGHT)
    return max(0.0, left)


@kernel
def carry_trunk(
    trunk: Records[BodyRecord], hanging: Hanging, weight: float, shift: Vec, turn: Vec
) -> None:
    """Write where segments hang: each turned as it is, all together where they are on the mean.

    Args:
        trunk: (S,) its segments, where they are planned.
        hanging: its `position` and `orientation` are written.
        weight: how much of how they hang shows.
        shift: of each against where it is planned [m, segment].
        turn: likewise, a rotation vector [rad, segment].
    """
    hung, position, orientation = hanging.hung, hanging.position, hanging.orientation
    for s in range(trunk.shape[0]):
        own, by = quat(trunk[s].orientation), weight * hung[s].given
        held = quat_multiply(own, quat_turned(turn))
        hangs = quat_turned(scale(vec(hung[s].turn), by))
        put_quat(orientation[s], quat_unit(quat_multiply(held, hangs)))
        wished = add(shift, scale(vec(hung[s].offset), by))
        put(position[s], add(vec(trunk[s].position), rotate(own, wished)))
    join(hanging.segments, position, orientation)


@kernel
def held_back(creature: Creature, positions: Floats, orientations: Floats, is_soon: bool) -> int:
    """The first segment that a standing leg holds back, since it does not reach its foot; -1: none.

    So does one that has just lifted: the foot would be dragged off the ground; and one that would
    come too near another one, to which who climbs gives way instead. Unless it is planned so, and
    no farther.

    Args:
        creature: as it is planned.
        positions: (S, 3) of its segments [m, world].
        orientations: (S, 4).
        is_soon: whether legs count to which it gives way, whose feet land soon or leave, instead
            of those that hold it.
    """
    trunk = creature.trunk
    for i in range(creature.legs.shape[0]):
        leg, foot = creature.legs[i], creature.feet[i]
        is_leaving = leaves(foot, LEAVES) and (is_soon or foot.load > LIGHT)
        lands = is_soon and lands_soon(foot)
        hovers = is_soon and creature.plan.climbs and foot.phase == FLYING and not lands
        is_up = is_leaving or hovers
        if not (lands or is_up or (not is_soon and foot.phase == STANDING)):
            continue
        body, point = trunk[leg.segment], vec(foot.position if is_up else foot.goal)
        position, orientation = vec(positions[leg.segment]), quat(orientations[leg.segment])
        if not is_soon and (
            overpitches(creature, i, position, orientation)
            or (swings(leg) and overswings(creature, i, position, orientation))
        ):
            return int(leg.segment)
        nearest = 0.0 if is_up else FOLDS_TO * leg.min_reach
        farthest = NEARLY_OUT if is_leaving and not is_soon else FARTHEST
        was = into_frame(vec(body.position), quat(body.orientation), point)
        then = into_frame(position, orientation, point)
        if loses_reach(leg, was, then, nearest, farthest):
            return int(leg.segment)
    if is_soon != bool(creature.plan.climbs):
        return -1
    meets = leg_that_meets(creature, positions, orientations, HANGS_GAP, True)
    return int(creature.legs[meets].segment) if meets >= 0 else -1


@kernel
def show(creature: Creature, hanging: Hanging) -> None:
    """Show what is left of how a body hung on its legs that is thrown: no spring moves it.

    The arguments are those of `hang`.
    """
    trunk, hung, pose = creature.trunk, hanging.hung, hanging.pose
    left = 0.0
    for s in range(trunk.shape[0]):
        put(hung[s].position, vec(trunk[s].position))
        put_quat(hung[s].orientation, quat(trunk[s].orientation))
        left = max(left, hung[s].given)
    put(pose.shift, scale(vec(pose.shift), left))
    put(pose.turn, scale(vec(pose.turn), left))
    if left > 0.0:
        carry_trunk(trunk, hanging, creature.plan.weight, vec(pose.shift), vec(pose.turn))
        for s in range(trunk.shape[0]):
            put(trunk[s].position, vec(hanging.position[s]))
            put_quat(trunk[s].orientation, quat(hanging.orientation[s]))
