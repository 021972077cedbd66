"""What creatures were asked for in a tick, and do not do."""

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import REFUSALS, TOLD
from creature_sim.motions.motion import MOTIONS
from creature_sim.snapshots.poses import Refusal
from creature_sim.snapshots.snapshot import CreatureState, Snapshot


def refusals_in(snapshot: Snapshot) -> Iterator[Refusal]:
    """Leaps and other motions that were refused in the last tick, creature by creature."""
    found = [
        CreatureState(herd, row)
        for herd in snapshot.herds
        for row in np.flatnonzero(are_refused(herd.parts, snapshot.tick)).tolist()
    ]
    for creature in sorted(found, key=attrgetter("number")):
        yield from _refusals_of(creature, snapshot.tick)


def are_refused(
    parts: Mapping[str, Mapping[str, NDArray[Any]]], ticks: int | NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Which creatures were refused something, (N,), after one tick or each after its own (N,)."""
    flights, motions = parts["flight"]["records"], parts["motion"]["records"]
    is_told = (flights["refusal"] != 0) & (flights["asked_tick"] == ticks)
    found: NDArray[np.bool_] = is_told | (motions["is_refused"] != 0).any(axis=1)
    return found


def _refusals_of(creature: CreatureState, tick: int) -> Iterator[Refusal]:
    """What one creature was refused."""
    flight = creature.flight
    if flight.refusal and flight.asked_tick == tick:
        yield Refusal(tick, creature.number, TOLD[flight.asked], REFUSALS[flight.refusal])
    motions = creature.herd.parts["motion"]["records"][creature.row]
    for number in np.flatnonzero(motions["is_refused"]).tolist():
        reason = REFUSALS[motions["refusal"][number]]
        yield Refusal(tick, creature.number, MOTIONS[number].name, reason)
