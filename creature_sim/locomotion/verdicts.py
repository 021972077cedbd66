"""Whether a creature can do with a leg what it is asked for, and with which one."""

import numpy as np

from creature_sim.components import (
    ACCEPTED,
    LED,
    LEG_GONE,
    LOST,
    NOT_STANDING,
    OUT_OF_REACH,
    STANDING,
    WOULD_FALL,
    GravityRecord,
    LegTargetRecord,
    Records,
)
from creature_sim.locomotion.bracing import SHIFTS, may_raise
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.reach import hip_of
from creature_sim.locomotion.search import RESTS
from creature_sim.maths import Vec, add, distance, norm, quat, rotate, vec
from creature_sim.maths.jit import kernel

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
def is_shoved(creature: Creature) -> bool:
    """Whether something throws a creature about that stands on the rest of its feet."""
    return bool(creature.gait.flight != 0 or norm(vec(creature.gait.thrown)) > 0.0)


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
