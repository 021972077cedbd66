"""What metrics read from the records of legs, feet and commands."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    NOT_FOUND,
    FootholdRecord,
    FootRecord,
    Plan,
    Records,
    RecordTable,
)
from creature_sim.inputs import FULL
from creature_sim.locomotion.search import PRESSING
from creature_sim.locomotion.workspace import wanted_twist
from creature_sim.maths import Floats

Flags = NDArray[np.bool_]


def stretch_of(plan: Plan, joints: Floats) -> Floats:
    """How far legs with joints (..., L, J, 3) are stretched, (..., L): 1 is straight.

    From where a leg begins to bend, behind a coxa, to its tip or ankle, as a fraction of the bones
    between.
    """
    legs = np.arange(len(plan.legs))
    first = plan.legs["first"]
    last = first + plan.legs["bend_count"]
    arms = joints[..., legs, last, :] - joints[..., legs, first, :]
    found: Floats = np.linalg.norm(arms, axis=-1) / plan.legs["arm"]
    return found


def spans(flags: Flags, cuts: Flags | None = None) -> Iterator[tuple[int, int, int]]:
    """Leg, first tick and last tick + 1 of every run of true flags (T, L).

    Another run begins at every cut (T,).
    """
    closed = np.zeros((1, flags.shape[1]), bool)
    padded = np.concatenate((closed, flags, closed))
    between = np.flatnonzero(cuts).tolist() if cuts is not None else []
    for leg in range(flags.shape[1]):
        changes = np.flatnonzero(padded[1:, leg] != padded[:-1, leg]).tolist()
        for first, last in zip(changes[::2], changes[1::2], strict=True):
            ends = [first, *(cut for cut in between if first < cut < last), last]
            yield from ((leg, *span) for span in pairwise(ends))


def is_searching(
    feet: Records[FootRecord] | RecordTable[FootRecord],
    footholds: Records[FootholdRecord] | RecordTable[FootholdRecord],
) -> Flags:
    """Whether feet, (L,) or (N, L), must step and find no ground to step on."""
    found: Flags = (footholds["status"] == NOT_FOUND) & (feet["urgency"] > PRESSING)
    return found


def wanted_of(plan: Plan, commands: NDArray[np.int64]) -> Floats:
    """Velocity, yaw rate and height that commands (T, 4) ask for, after the gait's limit."""
    pairs, where = np.unique(commands, axis=0, return_inverse=True)
    twists = [
        (*wanted_twist(plan.body[0], plan.cycles, plan.legs, *axes), axes[-1])
        for axes in (pairs / FULL).tolist()
    ]
    return np.array(twists)[where.reshape(-1)]
