"""Feet that stay down: on few feet none lifts out of turn that the body would fall over."""

import numpy as np

from creature_sim.components import (
    BY_PHASE,
    LIFTING,
    LOST,
    STANDING,
    FootRecord,
    GaitRecord,
    GravityRecord,
    PlanRecord,
    Records,
    RecordTable,
    TwinRecord,
)
from creature_sim.locomotion.capture import capture_margin, pendulum_rate
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.maths import exp
from creature_sim.maths.jit import kernel


@kernel
def keep_down(
    plan: Records[PlanRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    before: RecordTable[FootRecord],
    bases: Records[TwinRecord],
    gravity: GravityRecord,
) -> None:
    """Let feet of N twins stand that have just lifted out of turn, and that others need.

    A walk without forces lifts a foot as soon as its leg is strained: it has nothing to fall over.

    Args:
        plan: (1,).
        gaits: (N,).
        feet: (N, L); written.
        before: (N, L) the same feet before they lifted.
        bases: (N,) of the twins.
        gravity: the field.
    """
    for n in range(bases.shape[0]):
        for i in range(feet.shape[1]):
            foot = feet[n, i]
            has_lifted = foot.phase == LIFTING and before[n, i].phase == STANDING
            if has_lifted and foot.reason != BY_PHASE:
                seconds = seconds_to_touchdown(plan[0], gaits[n], foot)
                rate = pendulum_rate(gravity, gaits[n])
                if catches(feet[n], bases[n], rate, seconds) < -plan[0].pad:
                    feet[n, i] = before[n, i]


@kernel
def catches(feet: Records[FootRecord], base: TwinRecord, rate: float, seconds: float) -> float:
    """How far a body is from falling past its feet, those that stand and those that land [m].

    Args:
        feet: (L,) of it.
        base: of the twin.
        rate: of its pendulum [1/s].
        seconds: until those in the air stand [s].
    """
    now, later = np.empty((feet.shape[0], 2)), np.empty((feet.shape[0], 2))
    standing = landed = 0
    for i in range(feet.shape[0]):
        if feet[i].phase == LOST:
            continue
        x, y = feet[i].goal[0] - base.centre[0], feet[i].goal[1] - base.centre[1]
        later[landed, 0], later[landed, 1] = x, y
        landed += 1
        if feet[i].phase == STANDING:
            now[standing, 0], now[standing, 1] = x, y
            standing += 1
    x, y = base.drift[0] / rate, base.drift[1] / rate
    return capture_margin(now, standing, later, landed, exp(-rate * seconds), x, y)
