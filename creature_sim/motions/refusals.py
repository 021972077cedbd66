"""What creatures were asked for in a tick, and do not do."""

from collections.abc import Iterator

import numpy as np

from creature_sim.components import REFUSALS, TOLD
from creature_sim.motions.motion import MOTIONS
from creature_sim.snapshots.poses import Refusal
from creature_sim.snapshots.snapshot import CreatureState, Snapshot


def refusals_in(snapshot: Snapshot) -> Iterator[Refusal]:
    """Leaps and other motions that were refused in the last tick, creature by creature."""
    for creature in snapshot.creatures:
        yield from _refusals_of(creature, snapshot.tick)


def _refusals_of(creature: CreatureState, tick: int) -> Iterator[Refusal]:
    """What one creature was refused."""
    flight = creature.flight
    if flight.refusal and flight.asked_tick == tick:
        yield Refusal(tick, creature.number, TOLD[flight.asked], REFUSALS[flight.refusal])
    motions = creature.herd.parts["motion"]["records"][creature.row]
    for number in np.flatnonzero(motions["is_refused"]).tolist():
        reason = REFUSALS[motions["refusal"][number]]
        yield Refusal(tick, creature.number, MOTIONS[number].name, reason)
