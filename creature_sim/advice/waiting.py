"""Which bodies wait for feet that step high."""

import numpy as np

from creature_sim.components import (
    FLYING,
    STANDING,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    Records,
    RecordTable,
)
from creature_sim.locomotion.advance import HIGH
from creature_sim.score.track import Flags
from creature_sim.snapshots.snapshot import HerdState

LOOKED_AT = 20
"""Of a larger herd so many creatures are looked at."""


def waits(
    herd: HerdState,
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    high: set[int],
) -> Flags:
    """Whether bodies are slower than asked as their feet stepped high, (N,).

    `is_waiting` alone says that a body is not at its speed yet, also where it only sets out: a foot
    has to have stepped high meanwhile, or its shin met the ground.

    Args:
        herd: whose bodies they are.
        feet: (N, L).
        footholds: (N, L).
        high: numbers of those of which that was so; changed.
    """
    gait: Records[GaitRecord] = herd.parts["gait"].of("records")[:LOOKED_AT]
    is_slow = gait["is_waiting"] == 1
    is_high = (feet["phase"] == FLYING) & (feet["apex"] > HIGH * herd.plan.body[0].step_height)
    is_high |= (feet["phase"] == STANDING) & (footholds["is_blocked"] != 0)
    numbers = herd.members[: len(gait)].tolist()
    for number, slow, now in zip(numbers, is_slow, is_high.any(axis=1), strict=True):
        if not slow:
            high.discard(number)
        elif now:
            high.add(number)
    found: Flags = is_slow & np.isin(numbers, list(high))
    return found
