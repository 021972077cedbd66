"""Proves a replay: simulates it again from the file alone and compares all that it says."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import esper

from creature_sim.errors import ReplayCorrupt, VerifyMismatch
from creature_sim.inputs import Input
from creature_sim.replay.claims import Claims, Divergence
from creature_sim.replay.plugins import missing_systems
from creature_sim.replay.provenance import computer, system_names
from creature_sim.replay.reader import open_replay
from creature_sim.replay.replay import Replay
from creature_sim.replay.schemes import Scheme
from creature_sim.replay.seek import simulate
from creature_sim.simulation import MATH_PROFILE, Simulation
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.systems import SYSTEMS

Digests = Sequence[Mapping[str, str]]
"""Hashes by part, of each creature, chain or prop."""


@dataclass(frozen=True)
class Verification:
    """The result of re-simulating a replay, or some of its ticks.

    Attributes:
        path: of the file.
        ok: True: proven; False: refuted; None: it cannot be verified here, or is proven as far as
            it goes and then cut off.
        ticks: number of ticks compared.
        digest: of the last state that was re-simulated; where none was, the recorded one.
        divergence: the first difference; None where there is none.
        reason: why it cannot be verified here, or where it is cut off; empty otherwise.
        first: tick of the state that it was simulated from.
        is_cut: whether all is proven up to where the file breaks off.
    """

    path: Path
    ok: bool | None
    ticks: int
    digest: str
    divergence: Divergence | None = None
    reason: str = ""
    first: int = 0
    is_cut: bool = False

    @property
    def last(self) -> int:
        """The last tick that was compared."""
        return self.first + self.ticks

    def require(self) -> None:
        """Raise VerifyMismatch unless the replay is proven."""
        if self.ok is not True:
            found = self.reason or f"a difference: {self.divergence}"
            raise VerifyMismatch(f"{self.path}: expected the recorded run, found {found}")


def verify(
    source: str | Path | Replay,
    *,
    first: int | None = None,
    last: int | None = None,
    systems: Sequence[type[esper.Processor]] = SYSTEMS,
    progress: Callable[[int], None] | None = None,
) -> Verification:
    """Simulate a replay again and compare every digest, pose, event and keyframe of every tick.

    With `first`, what is proven is that the ticks follow from the keyframe before it, not how the
    state there came to be.

    Args:
        source: a replay, or the path of its file.
        first: begin at this tick, or at the last keyframe before it; None: at the start.
        last: end with this tick; None: with the last one.
        systems: of the tick that recorded it, where those were not the built-in ones.
        progress: called with the number of ticks done, after each.

    Raises:
        ReplayError: the file cannot be read.
        ValueError: it has no such ticks.
    """
    replay = source if isinstance(source, Replay) else open_replay(source)
    begin = replay.first if first is None else first
    end = replay.last if last is None else last
    if not replay.first <= begin <= end <= replay.last:
        raise ValueError(
            f"expected ticks within {replay.first} to {replay.last}, found {begin} to {end}"
        )
    reason = why_not(replay, systems)
    if reason:
        return Verification(replay.path, None, 0, replay.digest, None, reason)
    ticks = [tick for tick in replay.keyframes.ticks if tick <= begin]
    begin = ticks[-1] if ticks and (first is not None or replay.first) else 0
    try:
        simulation = simulate(replay, begin, systems)
    except ReplayCorrupt:  # a keyframe that is not the state whose digests were recorded
        where = Divergence(begin, "keyframe", None)
        return Verification(replay.path, False, 0, replay.digest, where, first=begin)
    with simulation:
        if simulation.terrain.digest != replay.metadata.get("heights"):
            reason = (
                f"its ground has the heights digest {replay.metadata.get('heights', 'none')}; "
                f"generated here, it has {simulation.terrain.digest}"
            )
            return Verification(replay.path, None, 0, replay.digest, None, reason)
        found = _compare(replay, simulation, end, progress)
    if found.ok and replay.cut and end == replay.last:
        reason = f"proven up to tick {end}, then cut off: {replay.cut}"
        return replace(found, ok=None, reason=reason, is_cut=True)
    return found


def why_not(replay: Replay, systems: Sequence[type[esper.Processor]] = SYSTEMS) -> str:
    """Why this replay cannot be simulated here; empty if it can."""
    if replay.missing:
        return f"it needs {replay.missing}, which is not installed here"
    profile = replay.metadata.get("math_profile", "none")
    if profile != str(MATH_PROFILE):
        return f"it was made with math_profile {profile}; here it is {MATH_PROFILE}"
    names = system_names(systems)
    given = replay.metadata.get("systems", "none")
    if given != names:
        missing = missing_systems(replay.metadata, names.split())
        if missing:
            return f"it was made with {missing}, which is not given here"
        return f"it was made with the systems {given}; here they are {names}"
    made_on = replay.metadata.get("computer")
    if replay.world.exactness == "machine" and made_on != computer():
        return (
            f"its props were pushed on {made_on}, and this is {computer()}: dynamics are exact on "
            "one machine only"
        )
    return ""


def _compare(
    replay: Replay, simulation: Simulation, end: int, progress: Callable[[int], None] | None
) -> Verification:
    """Simulate up to a tick, as far as nothing differs."""
    begin = simulation.tick
    claims = Claims(replay, begin)
    scheme = replay.scheme(replay.digests[begin - replay.first]["chain"] if begin else "")
    snapshot = simulation.snapshot
    divergence = None if begin else _difference(snapshot, None, replay.digests[0], scheme)
    divergence = divergence or claims.differs(snapshot, None)
    while not divergence and simulation.tick < end:
        index = simulation.tick - replay.first
        given = replay.inputs[index]
        simulation.step(given)
        snapshot = simulation.snapshot
        divergence = _difference(snapshot, given, replay.digests[index + 1], scheme)
        divergence = divergence or claims.differs(snapshot, given)
        if progress:
            progress(snapshot.tick - begin)
    is_end = snapshot.tick == replay.last and replay.digest
    if not divergence and is_end and snapshot.digest != replay.digest:
        divergence = Divergence(snapshot.tick, "end", None)
    ticks = snapshot.tick - begin
    return Verification(
        replay.path, divergence is None, ticks, snapshot.digest, divergence, first=begin
    )


def _difference(
    snapshot: Snapshot, given: Input | None, recorded: Mapping[str, Any], scheme: Scheme
) -> Divergence | None:
    """The first part of a tick that differs from the recording, in the order of computation."""
    digests, link = scheme.add(given, snapshot)
    found = _first_difference(digests["creatures"], recorded["creatures"])
    if found:
        return Divergence(snapshot.tick, found[0], snapshot.creatures[found[1]].number)
    found = _first_difference(digests["chains"], recorded.get("chains", []))
    if found:
        return Divergence(snapshot.tick, found[0], None, found[1])
    found = _first_difference(digests["props"], recorded.get("props", []))
    if found:
        return Divergence(snapshot.tick, found[0], None, None, found[1])
    if recorded["chain"] != link:
        return Divergence(snapshot.tick, "chain", None)
    return None


def _first_difference(found: Digests, expected: Digests) -> tuple[str, int] | None:
    """The first part whose hashes differ, in the order of computation, and its owner's index."""
    if list(found) == list(expected):
        return None
    parts = dict.fromkeys(part for digests in found for part in digests)
    for part in parts:
        for index, digests in enumerate(found):
            if part in digests and digests[part] != expected[index].get(part):
                return part, index
    for index, (digests, recorded) in enumerate(zip(found, expected, strict=True)):
        for part in recorded:
            if part not in digests:
                return part, index
    return None
