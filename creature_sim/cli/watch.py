"""What `creature-sim run` sees of a run."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from creature_sim.cli.signals import held

if TYPE_CHECKING:
    from creature_sim.definitions import WorldDef
    from creature_sim.inputs import Input
    from creature_sim.session import End, Sink
    from creature_sim.snapshots.snapshot import Snapshot


class Watch:
    """A sink that passes every tick on, whole, and keeps what the summary says of a run.

    Time counts from the end of the first tick, which may compile kernels.
    """

    def __init__(self, world: "WorldDef", start: "Snapshot") -> None:
        """Start before the first tick."""
        from creature_sim.advice import Pace
        from creature_sim.score.summary import Odometer

        self._world = world
        self._odometer = Odometer(world, [one.position for one in start.creatures])
        self._pace = Pace(world.tick_rate)
        self.sinks: list[Sink] = [self._odometer, self._pace]
        self._last = start
        self._ticks = -1
        self._begin = self._end = 0.0

    def write(self, given: "Input", snapshot: "Snapshot") -> None:
        """Take a tick; a signal that comes now waits until every sink has it."""
        with held():
            for sink in self.sinks:
                sink.write(given, snapshot)
            self._last = snapshot
            self._ticks += 1
            self._end = time.perf_counter()
            if not self._ticks:
                self._begin = self._end

    @property
    def end(self) -> "End":
        """What it saw last."""
        from creature_sim.session import End

        return End(self._world, self._last)

    @property
    def _rate(self) -> float:
        """Ticks per second; 0 before there are two."""
        elapsed = self._end - self._begin
        return round(self._ticks / elapsed, 1) if elapsed > 0.0 else 0.0

    def summary(self, end: "End", path: Path | None, *, has_chains: bool = True) -> dict[str, Any]:
        """The summary of `run --json`; without chains where they may be of another world."""
        from creature_sim.score.summary import chain_summary
        from creature_sim.snapshots.poses import pose_of

        world, last = end
        return {
            "world": world.name,
            "ticks": last.tick,
            "seconds": last.tick / world.tick_rate,
            "tick_rate": world.tick_rate,
            "digest": last.digest,
            "ticks_per_second": self._rate,
            "replay": str(path) if path else None,
            **self._odometer.summary(),
            **(chain_summary(world, pose_of(last)) if has_chains else {}),
            "slow": [slow.document() for slow in self._pace.slow()],
        }
