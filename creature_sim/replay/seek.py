"""Goes to any tick of a replay by its keyframes."""

import weakref
from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

import esper

from creature_sim.errors import PluginMissing, ReplayCorrupt
from creature_sim.replay.keyframes import decode_keyframe
from creature_sim.replay.timeline import WRONG, Change
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.systems import SYSTEMS

if TYPE_CHECKING:
    from creature_sim.replay.replay import Replay


def simulate(
    replay: "Replay", tick: int, systems: Sequence[type[esper.Processor]] = SYSTEMS
) -> Simulation:
    """A simulation in the state of a keyframe, or in that of tick 0.

    Raises:
        ReplayCorrupt: the keyframe is not the state that the digest of its tick says.
        PluginMissing: the world needs a kind of ground that is not installed here.
    """
    if replay.missing:
        raise PluginMissing(
            f"{replay.path}: it needs {replay.missing}, which is not installed here"
        )
    simulation = Simulation(replay.start, systems=systems)
    if tick:
        try:
            _restore(simulation, replay, tick, 0)
        except BaseException:
            simulation.close()
            raise
    return simulation


class Seeker:
    """A simulation that is kept to go to one tick after another."""

    def __init__(self, replay: "Replay") -> None:
        """Nothing is built before the first question."""
        self._replay = replay
        self._simulation: Simulation | None = None
        self._origin: Snapshot | None = None
        self._change_count = 0
        self._release: weakref.finalize[..., Seeker] | None = None

    def state_at(self, tick: int) -> Snapshot:
        """All state after a tick; ReplayCorrupt where it is not the recorded one."""
        replay = self._replay
        if not replay.first <= tick <= replay.last:
            raise ValueError(f"tick: expected {replay.first} to {replay.last}, found {tick}")
        simulation = self._brought_near(tick)
        while simulation.tick < tick:
            simulation.step(replay.inputs[simulation.tick - replay.first])
        self._change_count = len(_changes_until(replay, tick))
        snapshot = simulation.snapshot
        _check(replay, snapshot)
        return snapshot

    def _brought_near(self, tick: int) -> Simulation:
        """The simulation at a tick before this one, or at it, and as near as can be."""
        replay, now = self._replay, self._simulation
        index = bisect_right(replay.keyframes.ticks, tick) - 1
        near = replay.keyframes.ticks[index] if index >= 0 else 0
        if now is not None and near <= now.tick <= tick:
            return now
        if now is not None and self._change_count <= len(_changes_until(replay, near)):
            if near:
                _restore(now, replay, near, self._change_count)
                return now
            if self._origin is not None and replay.world.exactness == "everywhere":
                now.restore(self._origin)
                return now
        self.close()
        self._simulation = simulation = simulate(replay, near)
        self._origin = None if near else simulation.snapshot
        self._release = weakref.finalize(self, simulation.close)
        return simulation

    def close(self) -> None:
        """Free the simulation."""
        if self._release is not None:
            self._release()
        self._simulation = None


def _changes_until(replay: "Replay", tick: int) -> Sequence[Change]:
    """Who came and went up to a tick."""
    return replay.changes[: bisect_right([change.tick for change in replay.changes], tick)]


def _restore(simulation: Simulation, replay: "Replay", tick: int, change_count: int) -> None:
    """Put a simulation that has seen so many changes into the state of a keyframe."""
    message = replay.keyframes[replay.keyframes.ticks.index(tick)]
    simulation.change(_changes_until(replay, tick)[change_count:])
    try:
        snapshot = decode_keyframe(message, simulation.snapshot)
    except WRONG as error:
        raise ReplayCorrupt(
            f"{replay.path}: expected a keyframe of tick {tick}, found something else ({error})"
        ) from None
    _check(replay, snapshot)
    simulation.restore(snapshot)


def _check(replay: "Replay", snapshot: Snapshot) -> None:
    """Refuse a state that is not the one whose digests were recorded."""
    if not replay.scheme().is_state(snapshot, replay.digests[int(snapshot.tick) - replay.first]):
        raise ReplayCorrupt(
            f"{replay.path}: expected the state whose digests were recorded after tick "
            f"{snapshot.tick}, found another"
        )
