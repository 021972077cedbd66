"""Feet that lifted in many ticks, found by one kernel in what a tape keeps."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import LIFTING
from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel
from creature_sim.snapshots.tapes import Shown, Words

_PLACES = (
    *(("foot_target", "records", name) for name in ("phase", "reason", "goal")),
    ("foothold", "records", "score"),
)
"""What is read, in the order of `find_lifts`."""


class Lifts(NamedTuple):
    """Feet of a herd that lifted.

    Attributes:
        place: of the tick among those asked for.
        creature: its number.
        leg: its index among the creature's.
        reason: as `foot_target` has it.
        goal: (M, 3) [m, world].
        score: of the foothold that it left for.
    """

    place: list[int]
    creature: list[int]
    leg: list[int]
    reason: list[int]
    goal: Floats
    score: list[float]


@kernel
def find_lifts(found: Words, words: Words, places: NDArray[np.int64], rows: int, legs: int) -> int:
    """Find the feet of a herd that lifted; returns how many.

    Args:
        found: (M, 8) of each the tick, row and leg, its reason, goal [m, world] and score.
        words: (T, C) what is kept of several ticks.
        places: (4, 2) where each of `_PLACES` begins, and the size of a record of it [words].
        rows: how many creatures there are.
        legs: of each.
    """
    count = 0
    for tick in range(len(words)):
        for leg in range(rows * legs):
            if words[tick, places[0, 0] + leg * places[0, 1]] != LIFTING:
                continue
            found[count, 0] = tick
            found[count, 1] = leg // legs
            found[count, 2] = leg % legs
            found[count, 3] = words[tick, places[1, 0] + leg * places[1, 1]]
            for i in range(3):
                found[count, 4 + i] = words[tick, places[2, 0] + leg * places[2, 1] + i]
            found[count, 7] = words[tick, places[3, 0] + leg * places[3, 1]]
            count += 1
    return count


def lifts_of(shown: Shown, words: Words) -> Lifts:
    """The feet of a herd that lifted in several ticks, (T, C)."""
    rows, legs = shown.field("foot_target", "records").shape
    found = np.empty((len(words) * rows * legs, 8), np.uint64)
    found = found[: find_lifts(found, words, shown.places(_PLACES), rows, legs)]
    place, row, leg, reason = found[:, :4].T.tolist()
    creatures = [int(shown.like.members[each]) for each in row]
    values = found[:, 4:].view(np.float64)
    return Lifts(place, creatures, leg, reason, values[:, :3], values[:, 3].tolist())
