"""Proves a replay: simulates it again from the file alone and compares every digest."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import esper

from creature_sim.errors import VerifyMismatch
from creature_sim.replay.codec import encode_input
from creature_sim.replay.hash_chain import Chain
from creature_sim.replay.provenance import computer, system_names
from creature_sim.replay.reader import Replay, open_replay
from creature_sim.simulation import MATH_PROFILE, Simulation
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.systems import SYSTEMS


@dataclass(frozen=True)
class Divergence:
    """Where a re-simulation first differs.

    Attributes:
        tick: the first tick whose state differs.
        part: the first part that differs, in the order of the tick; "chain" where only the
            recorded chain of hashes does.
        creature: its place in the world's list; None where it is no creature that differs.
        chain: place of the chain or tree that differs, as events count them; None otherwise.
        prop: place of the prop that differs in the world's list; None otherwise.
    """

    tick: int
    part: str
    creature: int | None
    chain: int | None = None
    prop: int | None = None


@dataclass(frozen=True)
class Verification:
    """What re-simulating a replay showed.

    Attributes:
        path: of the file.
        ok: True proven, False refuted, None where it cannot be verified here.
        ticks: how many were compared.
        digest: of the last state that was re-simulated; the recorded one where none was.
        divergence: where it differs first.
        reason: why it cannot be verified here; empty otherwise.
    """

    path: Path
    ok: bool | None
    ticks: int
    digest: str
    divergence: Divergence | None = None
    reason: str = ""

    def require(self) -> None:
        """Raise VerifyMismatch unless the replay is proven."""
        if self.ok is not True:
            found = self.reason or f"a difference: {self.divergence}"
            raise VerifyMismatch(f"{self.path}: expected the recorded run, found {found}")


def verify(
    source: str | Path | Replay,
    *,
    systems: Sequence[type[esper.Processor]] = SYSTEMS,
    progress: Callable[[int], None] | None = None,
) -> Verification:
    """Simulate a replay again and compare every digest of every tick.

    Args:
        source: a replay, or the path of its file.
        systems: the tick that recorded it, where that was not ours.
        progress: called with the number of ticks done, after each.

    Raises:
        ReplayError: the file cannot be read.
    """
    replay = source if isinstance(source, Replay) else open_replay(source)
    reason = _why_not(replay, systems)
    if reason:
        return Verification(replay.path, None, 0, replay.digest, None, reason)
    with Simulation(replay.start, systems=systems) as simulation:
        if simulation.terrain.digest != replay.metadata.get("heights"):
            reason = (
                f"its ground has the heights digest {replay.metadata.get('heights')}, "
                f"generated here it has {simulation.terrain.digest}"
            )
            return Verification(replay.path, None, 0, replay.digest, None, reason)
        return _compare(replay, simulation, progress)


def _why_not(replay: Replay, systems: Sequence[type[esper.Processor]]) -> str:
    """Why this replay cannot be verified by these kernels; empty if it can."""
    profile = replay.metadata.get("math_profile")
    if profile != str(MATH_PROFILE):
        return f"it was made with math_profile {profile}, here it is {MATH_PROFILE}"
    names = system_names(systems)
    if replay.metadata.get("systems") != names:
        return f"it was made with the systems {replay.metadata.get('systems')}, here are {names}"
    made_on = replay.metadata.get("computer")
    if replay.world.exactness == "machine" and made_on != computer():
        return (
            f"its props were pushed on {made_on}, here is {computer()}: dynamics are exact on one "
            "machine only"
        )
    return ""


def _compare(
    replay: Replay, simulation: Simulation, progress: Callable[[int], None] | None
) -> Verification:
    chain = Chain(replay.world_bytes)
    snapshot = simulation.snapshot
    divergence = _difference(snapshot, b"", replay.digests[0], chain)
    for given, recorded in zip(replay.inputs, replay.digests[1:], strict=True):
        if divergence:
            break
        simulation.step(given)
        snapshot = simulation.snapshot
        encoded = encode_input(snapshot.tick, given)
        divergence = _difference(snapshot, encoded, recorded, chain)
        if progress:
            progress(snapshot.tick)
    if not divergence and snapshot.digest != replay.digest:
        divergence = Divergence(snapshot.tick, "end", None)
    return Verification(replay.path, divergence is None, snapshot.tick, snapshot.digest, divergence)


def _difference(
    snapshot: Snapshot, given: bytes, recorded: Mapping[str, Any], chain: Chain
) -> Divergence | None:
    """The first part of a tick that is not as recorded, in the order in which parts are made."""
    link = chain.add(given, (*snapshot.digests, *snapshot.chain_digests, *snapshot.prop_digests))
    found = _first_difference(snapshot.digests, recorded["creatures"])
    if found:
        return Divergence(snapshot.tick, found[0], found[1])
    found = _first_difference(snapshot.chain_digests, recorded.get("chains", []))
    if found:
        return Divergence(snapshot.tick, found[0], None, found[1])
    found = _first_difference(snapshot.prop_digests, recorded.get("props", []))
    if found:
        return Divergence(snapshot.tick, found[0], None, None, found[1])
    if recorded["chain"] != link:
        return Divergence(snapshot.tick, "chain", None)
    return None


def _first_difference(found: Sequence[Mapping[str, str]], expected: Any) -> tuple[str, int] | None:
    """The first part whose hashes differ, and whose; in the order in which parts are made."""
    if list(found) == expected:
        return None
    parts = dict.fromkeys(part for digests in found for part in digests)
    for part in parts:
        for index, digests in enumerate(found):
            if part in digests and digests[part] != expected[index].get(part):
                return part, index
    for index, (digests, recorded) in enumerate(zip(found, expected, strict=True)):
        for part in recorded:
            if part not in digests:
                return str(part), index
    return None
