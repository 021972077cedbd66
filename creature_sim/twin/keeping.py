"""Feet that stay down: on few feet none lifts out of turn that the body would fall over."""

import numpy as np
from numpy.typing import NDArray

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
from creature_sim.locomotion.balance import DESPERATE, margin
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
    contacts: NDArray[np.int64],
    gravity: GravityRecord,
) -> None:
    """Let feet of N twins stand that have just lifted, and without which the body would fall.

    Out of turn a walk without forces lifts a foot as soon as its leg is strained: it has nothing to
    fall over. Who means to keep its weight over three feet waits for that in turn, too: where its
    weight really is depends on its legs, and on how it stumbled. The same goes for who takes care.
    Out of turn these keep it over three feet that touch the ground, as long as the step has time:
    the gait does not know of it, and would lift another one meanwhile.

    Args:
        plan: (1,).
        gaits: (N,).
        feet: (N, L); written.
        before: (N, L) the same feet before they lifted.
        bases: (N,) of the twins.
        contacts: (N, L) whether their feet touch anything.
        gravity: the field.
    """
    for n in range(bases.shape[0]):
        for i in range(feet.shape[1]):
            foot = feet[n, i]
            has_lifted = foot.phase == LIFTING and before[n, i].phase == STANDING
            is_careful = gaits[n].is_static or bases[n].care > 0.0
            if has_lifted and (foot.reason != BY_PHASE or is_careful):
                seconds = seconds_to_touchdown(plan[0], gaits[n], foot)
                rate = pendulum_rate(gravity, gaits[n])
                off = catches(feet[n], bases[n], contacts[n], rate, seconds)
                if not is_careful:
                    off += plan[0].pad
                elif foot.reason != BY_PHASE and foot.urgency < DESPERATE:
                    off = min(off, room_over(feet[n], bases[n], contacts[n], rate))
                if off < 0.0:
                    feet[n, i] = before[n, i]


@kernel
def room_over(
    feet: Records[FootRecord], base: TwinRecord, contacts: NDArray[np.int64], rate: float
) -> float:
    """How far a body is from falling off the feet that stand [m]; -inf: they are less than three.

    Args:
        feet: (L,) of it.
        base: of the twin.
        contacts: (L,) whether its feet touch anything: one that does not carries nothing.
        rate: of its pendulum [1/s].
    """
    now = np.empty((feet.shape[0], 2))
    standing = 0
    for i in range(feet.shape[0]):
        if feet[i].phase == STANDING and contacts[i]:
            now[standing, 0] = feet[i].goal[0] - base.centre[0]
            now[standing, 1] = feet[i].goal[1] - base.centre[1]
            standing += 1
    off, _, _ = margin(now, standing, base.drift[0] / rate, base.drift[1] / rate)
    return off


@kernel
def catches(
    feet: Records[FootRecord],
    base: TwinRecord,
    contacts: NDArray[np.int64],
    rate: float,
    seconds: float,
) -> float:
    """How far a body is from falling past its feet, those that stand and those that land [m].

    Args:
        feet: (L,) of it.
        base: of the twin.
        contacts: (L,) whether its feet touch anything: one that does not carries nothing.
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
        if feet[i].phase == STANDING and contacts[i]:
            now[standing, 0], now[standing, 1] = x, y
            standing += 1
    x, y = base.drift[0] / rate, base.drift[1] / rate
    return capture_margin(now, standing, later, landed, exp(-rate * seconds), x, y)
