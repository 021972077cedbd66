"""Some metrics of the score while a creature walks: over its last seconds, without casting rays."""

from collections import deque

from creature_sim.score import Metric, Walk, metric_specs, tracks
from creature_sim.snapshots.snapshot import Snapshot

SECONDS = 5.0
"""How far back the metrics look [s]."""
EVERY = 1.0
"""Time between two readings [s]."""
STRIDE = 2
"""Every second tick is looked at: half the cost, and no number differs by much."""
METRICS = ("M1", "M6", "M9", "M11", "M13", "M15", "M20", "M22", "M24", "M26")
"""Those that ask the ground nothing and make sense of every second tick: M25 does not."""


class Gauges:
    """The last seconds of one creature.

    Attributes:
        readings: metrics by key, measured anew about once a second.
    """

    def __init__(self, creature: int, tick_rate: int) -> None:
        """Start with no readings."""
        self.creature = creature
        self.readings: dict[str, Metric] = {}
        self._rate = tick_rate // STRIDE
        self._seen: deque[Snapshot] = deque(maxlen=round(SECONDS * self._rate))
        self._next = 0

    def add(self, snapshot: Snapshot) -> None:
        """Take the state after a tick."""
        if snapshot.tick % STRIDE:
            return
        self._seen.append(snapshot.of(self.creature))
        self._next -= 1
        if self._next <= 0 and len(self._seen) >= self._rate:
            self._next = round(EVERY * self._rate)
            self._read()

    def _read(self) -> None:
        (track,) = tracks(self._seen, self._rate)
        walk, specs = Walk(track), metric_specs()
        self.readings = {key: specs[key].measure(walk) for key in METRICS}
