"""What creatures were asked for in a tick, and do not do."""

from collections.abc import Iterator, Mapping
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import NOT_FOUND, REFUSALS, STANDING, TOLD
from creature_sim.inputs import FULL, Input
from creature_sim.locomotion.running import AGAIN, UNEVEN
from creature_sim.locomotion.search import PRESSING
from creature_sim.motions.motion import MOTIONS
from creature_sim.snapshots.poses import Refusal
from creature_sim.snapshots.snapshot import HerdState, Snapshot
from creature_sim.snapshots.stacks import Arrays, Moment

NO_RUN_SPEED = "its file has no run_speed"
NO_FLIGHT = "it has no gait with a flight, or a trunk of several segments"
ROUGH = "no level and even ground for all of its feet"
BLOCKED = "the ground or another creature holds it back, or did less than 1.5 s ago"
NO_PLACE = "a foot that had to step found no place, as after hard braking, less than 1.5 s ago"
LAME = "it has lost a leg"
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


def refused_runs(snapshot: Snapshot, causes: Mapping[int, str] | None = None) -> Iterator[Refusal]:
    """Creatures that are told to run and walk, in each tick in which they are told so.

    To run is no event but an axis of a command: so no state remembers when it began, and replays
    have no /event of it.

    Args:
        snapshot: after the tick.
        causes: why creatures that could run do not, by number, as `Causes` keeps them; of others,
            and without them, the ground is named.
    """
    for herd in snapshot.herds:
        definition, gaits = herd.definition, herd.parts["gait"]["records"]
        is_told = herd.parts["command"]["records"]["forward"] > FULL
        reason = NO_RUN_SPEED if definition.motion.run_speed is None else NO_FLIGHT
        if definition.can_run:
            is_told, reason = is_told & (gaits["rough"] > 0.0), ROUGH
        for row in np.flatnonzero(is_told).tolist():
            number = int(herd.members[row])
            told = (causes or {}).get(number, reason) if definition.can_run else reason
            yield Refusal(snapshot.tick, number, "run", told)


class Causes:
    """Why creatures that could run do not run for a while: it needs every tick of a run.

    Attributes:
        found: what was wrong when each of them looked out last, by number.
    """

    def __init__(self) -> None:
        """Know nothing yet."""
        self.found: dict[int, str] = {}
        self._lacking: set[int] = set()

    def see(self, snapshot: Snapshot) -> None:
        """Take a tick: `look_out` in it has seen feet as they were after the one before."""
        lacking = set()
        for herd in snapshot.herds:
            if not herd.definition.can_run:
                continue
            gaits = herd.parts["gait"]["records"]
            for row in np.flatnonzero(gaits["rough"] == AGAIN).tolist():
                number, gait = int(herd.members[row]), gaits[row]
                cause = NO_PLACE if number in self._lacking else ROUGH
                cause = BLOCKED if gait["is_held"] else cause
                self.found[number] = LAME if gait["lost_count"] else cause
            lacking.update(herd.members[_lack_place_only(herd)].tolist())
        self._lacking = lacking


def _lack_place_only(herd: HerdState) -> NDArray[np.bool_]:
    """Who has a foot that must step and found no place, and feet on even ground, (N,)."""
    feet = herd.parts["foot_target"].of("records")
    status = herd.parts["foothold"].of("records")["status"]
    needs = (feet["phase"] == STANDING) & (feet["urgency"] > PRESSING) & (status == NOT_FOUND)
    goals, normals = feet["goal"], feet["goal_normal"].sum(axis=1)
    normals = normals / np.maximum(np.sqrt((normals * normals).sum(axis=1, keepdims=True)), 1e-9)
    off = ((goals - goals.mean(axis=1, keepdims=True)) * normals[:, None]).sum(axis=2)
    found: NDArray[np.bool_] = needs.any(axis=1) & (
        np.abs(off).max(axis=1) < UNEVEN * herd.plan.body[0].step_height
    )
    return found


def held_back(snapshot: Snapshot, given: Input) -> Iterator[tuple[int, float]]:
    """Creatures whose pose of a tick goes only part of the way, and which part [0, 1]."""
    asked = {event.creature for event in given.events if event.kind == "pose"}
    for herd in snapshot.herds if asked else ():
        allowed = herd.parts["body_pose"]["records"]["allowed"]
        for row in np.flatnonzero(allowed < 1.0).tolist():
            if int(herd.members[row]) in asked:
                yield int(herd.members[row]), float(allowed[row])
