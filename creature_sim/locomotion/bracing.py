"""Legs leave the ground for something else than a step, once the weight is over the others."""

import numpy as np

from creature_sim.components import (
    ACCEPTED,
    ASKED,
    BRACES,
    ENDS,
    GOES,
    LED,
    LEG_GONE,
    LOST,
    NOT_STANDING,
    OUT_OF_REACH,
    REACHES,
    RETURNS,
    STANDING,
    STRIKES,
    WOULD_FALL,
    BodyPoseRecord,
    BodyRecord,
    GravityRecord,
    LegRecord,
    LegTargetRecord,
    MotionRecord,
    Records,
)
from creature_sim.locomotion.balance import margin, support
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.hanging import held_back
from creature_sim.locomotion.hips import IN_CONE, pole_in, swing_to, swings
from creature_sim.locomotion.lead import let_walk, take
from creature_sim.locomotion.reach import ankle_of, hip_of, reach_to
from creature_sim.locomotion.search import RESTS
from creature_sim.maths import (
    Vec,
    add,
    clamp,
    distance,
    norm,
    put,
    put_quat,
    quat,
    rotate,
    scale,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

SAFE = 0.1
"""A body shifts until its weight is inside the feet that stay by this fraction of its reach..."""
LIFTS = 0.04
"""...and a foot leaves the ground from this one on..."""
BRACING = 0.2
"""...and so long after the body began to shift at the soonest [s]."""
OVER = 0.4
"""It goes by this fraction of the way over their middle anyhow."""
SHIFTS = 0.3
"""It does not shift farther than this fraction of its reach."""
FITTINGS = 24
"""So often a shift is moved in from the nearest edge."""
EASY = 0.8
"""A body leans to what is farther from a hip than this fraction of the leg's arm..."""
LEANS = 0.12
"""...by this fraction of its reach at most."""
STRETCH, FOLD = 0.95, 1.02
"""A leg touches what it reaches with something to spare: its body hangs on its springs."""
PATIENCE = 3.0
"""Who does not come to rest, or get its weight off a foot, gives up after so long [s]."""


@kernel
def rests(creature: Creature) -> bool:
    """Whether a creature stands still on all its feet, but those that are led."""
    if creature.gait.flight or creature.gait.pace > RESTS:
        return False
    for i in range(creature.feet.shape[0]):
        phase = creature.feet[i].phase
        if phase != STANDING and phase != LOST:
            return False
    return True


@kernel
def safe_shift(
    creature: Creature,
    gravity: GravityRecord,
    targets: Records[LegTargetRecord],
    more: int,
    wished: Vec,
) -> tuple[Vec, float]:
    """A shift near to the one that is wished, for which the weight is over the feet that stay.

    Args:
        creature: as it is planned.
        gravity: the field.
        targets: (L,) legs that brace do not stay.
        more: a leg that does not stay either; -1: none.
        wished: [m, head].

    Returns:
        The shift, and how far the weight is inside then [m]; -inf on fewer than three feet.
    """
    leaves = np.zeros(creature.legs.shape[0], np.bool_)
    for i in range(len(leaves)):
        leaves[i] = i == more or (targets[i].task != 0 and targets[i].stage == BRACES)
    points, count = support(creature, gravity, (0.0, 0.0, 0.0), leaves, 0.0)
    x, y, z = wished
    for k in range(count):
        x += OVER / count * points[k, 0]
        y += OVER / count * points[k, 1]
    wanted = SAFE * creature.plan.reach
    off, nx, ny = margin(points, count, x, y)
    best, most = (x, y, z), off
    for k in range(FITTINGS):
        if count < 3 or off >= wanted:
            break
        step = (wanted - off) / (1.0 + 0.1 * k)
        x, y = x + step * nx, y + step * ny
        off, nx, ny = margin(points, count, x, y)
        if off > most:
            best, most = (x, y, z), off
    return best, most


@kernel
def margin_now(
    creature: Creature,
    gravity: GravityRecord,
    targets: Records[LegTargetRecord],
    pose: BodyPoseRecord,
) -> float:
    """How far the weight of a body as it is held is inside the feet that stay [m]."""
    leaves = np.zeros(creature.legs.shape[0], np.bool_)
    for i in range(len(leaves)):
        leaves[i] = targets[i].task != 0 and targets[i].stage == BRACES
    points, count = support(creature, gravity, (0.0, 0.0, 0.0), leaves, 0.0)
    off, _, _ = margin(points, count, pose.shift[0], pose.shift[1])
    return off


@kernel
def lean_to(leg: LegRecord, body: BodyRecord, point: Vec) -> Vec:
    """Shift of a body towards what a leg does not reach with ease [m, segment], level."""
    seen = unrotate(quat(body.orientation), sub(point, vec(body.position)))
    x, y, z = sub(seen, vec(leg.mount))
    far = norm((x, y, z))
    more = clamp(far - leg.coxa - EASY * leg.arm, 0.0, LEANS * leg.reach)
    return (x / max(far, 1e-9) * more, y / max(far, 1e-9) * more, 0.0)


@kernel
def touches(creature: Creature, i: int, point: Vec, shift: Vec) -> bool:
    """Whether a leg reaches a point [m, world] from a body that is shifted [m, segment]."""
    leg, foot = creature.legs[i], creature.feet[i]
    body = creature.trunk[leg.segment]
    orientation = quat(body.orientation)
    seen = sub(unrotate(orientation, sub(point, vec(body.position))), shift)
    far, stretch = reach_to(leg, seen)
    if far < FOLD * leg.min_reach or stretch > STRETCH:
        return False
    if swings(leg):
        return swing_to(leg, ankle_of(leg, seen), pole_in(leg, orientation, foot)) <= IN_CONE
    return True


@kernel
def can_shift(creature: Creature, shift: Vec) -> bool:
    """Whether standing legs reach their feet from a body that is shifted [m, segment]."""
    count = creature.trunk.shape[0]
    positions, orientations = np.empty((count, 3)), np.empty((count, 4))
    for s in range(count):
        body = creature.trunk[s]
        put_quat(orientations[s], quat(body.orientation))
        put(positions[s], add(vec(body.position), rotate(quat(body.orientation), shift)))
    return held_back(creature, positions, orientations) < 0


@kernel
def may_raise(
    creature: Creature,
    gravity: GravityRecord,
    targets: Records[LegTargetRecord],
    i: int,
    point: Vec,
) -> int:
    """Whether a leg may leave the ground and touch a point [m, world]: ACCEPTED, or why not."""
    foot, target = creature.feet[i], targets[i]
    if foot.phase == LOST and target.is_led != LED:
        return LEG_GONE
    leg = creature.legs[i]
    shift, safe = safe_shift(creature, gravity, targets, i, (0.0, 0.0, 0.0))
    if safe < LIFTS * creature.plan.reach or norm(shift) > SHIFTS * creature.plan.reach:
        return WOULD_FALL
    if not can_shift(creature, shift):
        return WOULD_FALL
    if touches(creature, i, point, shift):
        return ACCEPTED
    lean = lean_to(leg, creature.trunk[leg.segment], point)
    shift, safe = safe_shift(creature, gravity, targets, i, lean)
    is_safe = safe >= LIFTS * creature.plan.reach and can_shift(creature, shift)
    return ACCEPTED if is_safe and touches(creature, i, point, shift) else OUT_OF_REACH


@kernel
def never_can(creature: Creature, targets: Records[LegTargetRecord], i: int, point: Vec) -> int:
    """Why a leg of a creature that still goes cannot touch a point, wherever it stops; or ACCEPTED.

    Args:
        creature: that goes.
        targets: (L,).
        i: the leg; -1: whichever.
        point: [m, world].
    """
    left = raised = 0
    for k in range(creature.legs.shape[0]):
        led = targets[k].is_led == LED
        left += creature.feet[k].phase != LOST or led
        raised += led and k != i
    if i >= 0 and creature.feet[i].phase == LOST and targets[i].is_led != LED:
        return LEG_GONE
    if left - raised - 1 < 3:
        return WOULD_FALL
    plan, body = creature.plan, creature.trunk[creature.gait.leader]
    speed = norm(vec(body.velocity))
    stops = speed * (1.0 + speed / max(plan.acceleration, 1e-9))
    for k in range(creature.legs.shape[0]):
        leg = creature.legs[k]
        own = creature.trunk[leg.segment]
        hip = hip_of(vec(own.position), quat(own.orientation), leg)
        if (i < 0 or k == i) and distance(hip, point) < (1.0 + SHIFTS) * leg.reach + stops:
            return ACCEPTED
    return OUT_OF_REACH


@kernel
def nearest_leg(
    creature: Creature, gravity: GravityRecord, targets: Records[LegTargetRecord], point: Vec
) -> tuple[int, int]:
    """The leg whose home is nearest to a point [m, world] of those that can touch it.

    And ACCEPTED, or why the nearest one cannot; it is -1 then.
    """
    count = creature.legs.shape[0]
    is_tried = np.zeros(count, np.bool_)
    refusal = ACCEPTED
    for _ in range(count):
        nearest, least = -1, 1e18
        for i in range(count):
            leg = creature.legs[i]
            body = creature.trunk[leg.segment]
            home = add(vec(body.position), rotate(quat(body.orientation), vec(leg.home)))
            if not is_tried[i] and targets[i].task == 0 and distance(home, point) < least:
                nearest, least = i, distance(home, point)
        if nearest < 0:
            break
        is_tried[nearest] = True
        why = may_raise(creature, gravity, targets, nearest, point)
        if why == ACCEPTED:
            return nearest, ACCEPTED
        refusal = why if refusal == ACCEPTED else refusal
    return -1, NOT_STANDING if refusal == ACCEPTED else refusal


@kernel
def brace(
    creature: Creature,
    gravity: GravityRecord,
    targets: Records[LegTargetRecord],
    pose: BodyPoseRecord,
    lean: Vec,
) -> None:
    """Ask for a body whose weight is over the feet that stay, and that leans as it is wished to.

    Args:
        creature: as it is planned.
        gravity: the field.
        targets: (L,).
        pose: what is asked of it is changed.
        lean: wished shift on top of what is asked already [m, head].
    """
    asked = add(vec(pose.asked_shift), lean)
    shift, _ = safe_shift(creature, gravity, targets, -1, asked)
    size, farthest = norm(shift), SHIFTS * creature.plan.reach
    put(pose.asked_shift, shift if size <= farthest else scale(shift, farthest / size))


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
def end_task(
    creature: Creature, gravity: GravityRecord, target: LegTargetRecord, i: int
) -> None:
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
def is_shoved(creature: Creature) -> bool:
    """Whether something throws a creature about that stands on the rest of its feet."""
    return bool(creature.gait.flight != 0 or norm(vec(creature.gait.thrown)) > 0.0)


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
def verdict(
    creature: Creature,
    gravity: GravityRecord,
    targets: Records[LegTargetRecord],
    i: int,
    point: Vec,
    seconds: float,
) -> tuple[int, int]:
    """Which leg may touch a point, and ACCEPTED; or -1 and why none may; ACCEPTED: not yet.

    Args:
        creature: that may still be on its way.
        gravity: the field.
        targets: (L,).
        i: the leg; -1: the nearest one that can.
        point: [m, world].
        seconds: since it was asked for.
    """
    if is_shoved(creature) or seconds > PATIENCE:
        return -1, NOT_STANDING
    if not rests(creature):
        return -1, never_can(creature, targets, i, point)
    if i < 0:
        return nearest_leg(creature, gravity, targets, point)
    why = may_raise(creature, gravity, targets, i, point)
    return i if why == ACCEPTED else -1, why


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
        i, motion.refusal = verdict(creature, gravity, targets, -1, point, motion.seconds)
        if i >= 0:
            ask(targets[i], task, point, motion.other)
            begin_task(creature, targets[i], i)
        if i >= 0 or motion.refusal != ACCEPTED:
            motion.is_asked = 0
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
            motion.refusal = why
            end_task(creature, gravity, target, i)


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

    A creature stands while it does. The arguments are those of `judge`, and:

    Args:
        pose: how the body is held.
    """
    is_due = motion.is_on and motion.is_asked
    for i in range(targets.shape[0]):
        is_due = is_due or targets[i].task == task
    if not is_due:
        motion.is_on = 0
        return False
    judge(creature, gravity, targets, motion, task, dt)
    is_due = motion.is_on and motion.is_asked
    safe = margin_now(creature, gravity, targets, pose) / creature.plan.reach
    for i in range(targets.shape[0]):
        target = targets[i]
        if target.task != task:
            continue
        is_over = motion.is_on == 0 or is_shoved(creature)
        if target.stage == BRACES:
            target.ticks += 1
            if target.ticks * dt > PATIENCE:
                motion.refusal, is_over = WOULD_FALL, True
            elif safe >= LIFTS and target.ticks * dt > BRACING and not is_over:
                raise_foot(creature, target, i)
        elif target.stage == GOES and safe < 0.0:
            is_over = True
        if target.stage == ENDS or target.stage == RETURNS or is_over:
            end_task(creature, gravity, target, i)
        is_due = is_due or target.task == task
    if is_due:
        creature.gait.is_braced = 1
    return bool(is_due)


@kernel
def retarget(targets: Records[LegTargetRecord], motion: MotionRecord, task: int) -> None:
    """Give what was asked of no leg to the one that does it already, nearest to there.

    Args:
        targets: (L,); written.
        motion: that asks; written.
        task: that it asks for.
    """
    if not motion.is_on or not motion.is_asked:
        return
    nearest, least = -1, 1e18
    for i in range(targets.shape[0]):
        target = targets[i]
        far = distance(vec(target.aim), vec(motion.point))
        if target.task == task and target.stage <= GOES and far < least:
            nearest, least = i, far
    if nearest >= 0:
        put(targets[nearest].aim, vec(motion.point))
        targets[nearest].other = motion.other
        motion.is_asked = 0
