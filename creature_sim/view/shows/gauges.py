"""Some of the score's metrics while it walks: over its last seconds, without a ray of their own."""

from collections import deque

import numpy as np

from creature_sim.score.bodies import (
    command_tracking,
    rotation_pops,
    stability_margin,
    support_margin,
)
from creature_sim.score.feet import reach_use, stance_drift
from creature_sim.score.metric import Metric
from creature_sim.score.rhythm import duty_factor, froude_number
from creature_sim.score.track import tracks
from creature_sim.snapshots.snapshot import Snapshot

SECONDS = 5.0
"""How far back they look."""
EVERY = 1.0
"""Time between two readings."""
STRIDE = 2
"""Every so many ticks are looked at: half the cost, and no number differs by much."""


class Gauges:
    """The last seconds of one creature.

    Attributes:
        readings: metrics by their number, made anew about once a second.
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
        margins = support_margin(track) if not track.definition.imbalance else np.zeros(0)
        self.readings = {
            "M1": stance_drift(track),
            "M6": reach_use(track),
            "M9": duty_factor(track),
            "M11": stability_margin(track, margins),
            "M13": rotation_pops(track),
            "M15": command_tracking(track),
            "M20": froude_number(track),
        }
