"""What legs do besides walking, from the event that asks for it until they stand again."""

from creature_sim.components import (
    ACCEPTED,
    ASKED,
    BRACES,
    ENDS,
    GOES,
    LED,
    NOT_STANDING,
    REACHES,
    RETURNS,
    STANDING,
    STRIKES,
    WOULD_FALL,
    BodyPoseRecord,
    GravityRecord,
    LegTargetRecord,
    MotionRecord,
    Records,
)
from creature_sim.locomotion.bracing import BRACING, LIFTS, margin_now
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.lead import let_walk, take
from creature_sim.locomotion.verdicts import PATIENCE, is_shoved, rests, verdict
from creature_sim.maths import (
    Vec,
    distance,
    put,
    vec,
)
from creature_sim.maths.jit import kernel


@kernel
def refuse(motion: MotionRecord, why: int) -> None:
    """Say why what was asked of a motion is not done, or ACCEPTED."""
    motion.refusal = why
    motion.is_refused = why != ACCEPTED


@kernel
def ask(target: LegTargetRecord, task: int, point: Vec, other: int) -> int:
    """Ask a leg for a task; ACCEPTED so far, or why it cannot be.

    Args:
        target: of the leg; written.
        task: REACHES or STRIKES.
        point: what it shall touch [m, world].
        other: creature that it is about; -1: none.
    """
    is_busy = target.task != 0 and (target.stage == BRACES or target.stage == GOES)
    if is_busy and target.task == STRIKES:
        return NOT_STANDING
    put(target.aim, point)
    target.other = other
    if not is_busy or target.task != task:
        target.task, target.stage, target.ticks = task, ASKED, 0
    return ACCEPTED


@kernel
def retarget(targets: Records[LegTargetRecord], motion: MotionRecord) -> None:
    """Give what no leg was named for to the one that reaches already, nearest to there."""
    if not motion.is_on or not motion.is_asked:
        return
    nearest, least = -1, 1e18
    for i in range(targets.shape[0]):
        target = targets[i]
        far = distance(vec(target.aim), vec(motion.point))
        if target.task == REACHES and target.stage <= GOES and far < least:
            nearest, least = i, far
    if nearest >= 0:
        put(targets[nearest].aim, vec(motion.point))
        targets[nearest].other = motion.other
        motion.is_asked = 0


@kernel
def judge(
    creature: Creature,
    gravity: GravityRecord,
    targets: Records[LegTargetRecord],
    motion: MotionRecord,
    task: int,
    dt: float,
) -> None:
    """Let legs begin what was asked of them, once the creature stands; or refuse it.

    Args:
        creature: as it is planned.
        gravity: the field.
        targets: (L,); written.
        motion: that asks; written.
        task: that it asks for.
        dt: length of a tick [s].
    """
    if motion.is_on and motion.is_asked:
        point = vec(motion.point)
        i, why = verdict(creature, gravity, targets, -1, point, motion.seconds)
        if i >= 0:
            ask(targets[i], task, point, motion.other)
            begin_task(creature, targets[i], i)
        if i >= 0 or why != ACCEPTED:
            motion.is_asked = 0
            refuse(motion, why)
    for i in range(targets.shape[0]):
        target = targets[i]
        if target.task != task or target.stage != ASKED:
            continue
        target.ticks += 1
        aim = vec(target.aim)
        found, why = verdict(creature, gravity, targets, i, aim, target.ticks * dt)
        if found >= 0:
            begin_task(creature, target, i)
        elif why != ACCEPTED:
            refuse(motion, why)
            end_task(creature, gravity, target, i)


@kernel
def begin_task(creature: Creature, target: LegTargetRecord, i: int) -> None:
    """Let a leg whose task was accepted brace, or go at once if it is off the ground already."""
    target.stage, target.ticks = BRACES, 0
    put(target.old_aim, vec(target.aim))
    if target.is_led == LED:
        raise_foot(creature, target, i)


@kernel
def raise_foot(creature: Creature, target: LegTargetRecord, i: int) -> None:
    """Take a foot off the ground."""
    take(creature.feet[i], creature.footholds[i], target)
    put(target.start, vec(target.here))
    target.stage, target.ticks = GOES, 0


@kernel
def end_task(creature: Creature, gravity: GravityRecord, target: LegTargetRecord, i: int) -> None:
    """Let a leg come back to where it finds ground, or stay where it stands."""
    if target.is_led == LED:
        target.stage = ENDS
        if creature.gait.flight == 0:
            put(creature.feet[i].position, vec(target.here))
            let_walk(creature, gravity, target, i)
            target.stage, target.ticks = RETURNS, 0
    elif target.stage != RETURNS or creature.feet[i].phase == STANDING:
        target.task = 0


@kernel
def tend(
    creature: Creature,
    gravity: GravityRecord,
    targets: Records[LegTargetRecord],
    pose: BodyPoseRecord,
    motion: MotionRecord,
    task: int,
    dt: float,
) -> bool:
    """Take the legs of a task through its stages; whether the creature does anything of it.

    A creature stands while it does.

    Args:
        creature: as it is planned.
        gravity: the field.
        targets: (L,); written.
        pose: how the body is held.
        motion: that asks; written.
        task: that it asks for.
        dt: length of a tick [s].
    """
    if task == REACHES:
        retarget(targets, motion)
    if not is_due(targets, motion, task):
        motion.is_on = 0
        return False
    judge(creature, gravity, targets, motion, task, dt)
    safe = margin_now(creature, gravity, targets, pose) / creature.plan.reach
    for i in range(targets.shape[0]):
        if targets[i].task == task:
            go_on(creature, gravity, targets[i], motion, i, safe, dt)
    if not is_due(targets, motion, task):
        return False
    creature.gait.is_braced = 1
    return True


@kernel
def is_due(targets: Records[LegTargetRecord], motion: MotionRecord, task: int) -> bool:
    """Whether a task was asked for, or any leg does it."""
    found = bool(motion.is_on and motion.is_asked)
    for i in range(targets.shape[0]):
        found = found or targets[i].task == task
    return found


@kernel
def go_on(
    creature: Creature,
    gravity: GravityRecord,
    target: LegTargetRecord,
    motion: MotionRecord,
    i: int,
    safe: float,
    dt: float,
) -> None:
    """Take a leg through the stages of its task.

    Args:
        creature: as it is planned.
        gravity: the field.
        target: of the leg; written.
        motion: that asked.
        i: the leg.
        safe: how far the weight is inside the feet that stay, as a fraction of the reach.
        dt: length of a tick [s].
    """
    is_over = motion.is_on == 0 or is_shoved(creature)
    if target.stage == BRACES:
        target.ticks += 1
        if target.ticks * dt > PATIENCE:
            refuse(motion, WOULD_FALL)
            is_over = True
        elif safe >= LIFTS and target.ticks * dt > BRACING and rests(creature) and not is_over:
            raise_foot(creature, target, i)
    elif target.stage == GOES and safe < 0.0:
        is_over = True
    if target.stage == ENDS or target.stage == RETURNS or is_over:
        end_task(creature, gravity, target, i)
