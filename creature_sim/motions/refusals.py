"""What creatures were asked for in a tick, and do not do."""

from collections.abc import Iterator
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import REFUSALS, TOLD
from creature_sim.motions.motion import MOTIONS
from creature_sim.snapshots.poses import Refusal
from creature_sim.snapshots.stacks import Arrays, Moment


def refusals_in(state: Moment) -> Iterator[Refusal]:
    """Leaps and other motions that were refused in the last tick, creature by creature."""
    found = [
        (int(herd.members[row]), row, herd.parts)
        for herd in state.herds
        for row in np.flatnonzero(are_refused(herd.parts, state.tick)).tolist()
    ]
    for number, row, parts in sorted(found, key=itemgetter(0)):
        yield from _refusals_of(number, row, parts, state.tick)


def are_refused(parts: Arrays, ticks: int | NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which creatures were refused something, (N,), after one tick or each after its own (N,)."""
    flights, motions = parts["flight"]["records"], parts["motion"]["records"]
    is_told = (flights["refusal"] != 0) & (flights["asked_tick"] == ticks)
    found: NDArray[np.bool_] = is_told | (motions["is_refused"] != 0).any(axis=1)
    return found


def _refusals_of(creature: int, row: int, parts: Arrays, tick: int) -> Iterator[Refusal]:
    """What one creature was refused."""
    flight, motions = parts["flight"]["records"][row], parts["motion"]["records"][row]
    if flight["refusal"] and flight["asked_tick"] == tick:
        yield Refusal(tick, creature, TOLD[flight["asked"]], REFUSALS[flight["refusal"]])
    for number in np.flatnonzero(motions["is_refused"]).tolist():
        reason = REFUSALS[motions["refusal"][number]]
        yield Refusal(tick, creature, MOTIONS[number].name, reason)
