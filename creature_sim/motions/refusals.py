"""What creatures were asked for in a tick, and do not do."""

from collections.abc import Iterator
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import REFUSALS, TOLD
from creature_sim.inputs import FULL, Input
from creature_sim.motions.motion import MOTIONS
from creature_sim.snapshots.poses import Refusal
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.snapshots.stacks import Arrays, Moment

NO_RUN_SPEED = "its file has no run_speed"
NO_FLIGHT = "it has no gait with a flight, or a trunk of several segments"
ROUGH = "no level, even and free ground for all of its feet"
"""Why a creature that is told to run walks."""


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


def refused_runs(snapshot: Snapshot) -> Iterator[Refusal]:
    """Creatures that are told to run and walk, in each tick in which they are told so.

    To run is no event but an axis of a command: so no state remembers when it began, and replays
    have no /event of it.
    """
    for herd in snapshot.herds:
        definition, gaits = herd.definition, herd.parts["gait"]["records"]
        is_told = herd.parts["command"]["records"]["forward"] > FULL
        reason = NO_RUN_SPEED if definition.motion.run_speed is None else NO_FLIGHT
        if definition.can_run:
            is_told, reason = is_told & (gaits["rough"] > 0.0), ROUGH
        for row in np.flatnonzero(is_told).tolist():
            yield Refusal(snapshot.tick, int(herd.members[row]), "run", reason)


def held_back(snapshot: Snapshot, given: Input) -> Iterator[tuple[int, float]]:
    """Creatures whose pose of a tick goes only part of the way, and which part [0, 1]."""
    asked = {event.creature for event in given.events if event.kind == "pose"}
    for herd in snapshot.herds if asked else ():
        allowed = herd.parts["body_pose"]["records"]["allowed"]
        for row in np.flatnonzero(allowed < 1.0).tolist():
            if int(herd.members[row]) in asked:
                yield int(herd.members[row]), float(allowed[row])
