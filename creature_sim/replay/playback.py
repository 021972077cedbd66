"""A recording with a pose at every moment, also between the recorded ones."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from creature_sim.definitions import WorldDef
from creature_sim.snapshots.poses import Happening, Pose, blend

JUMP_SPEED = 20.0
"""A body that is faster than this between two poses was put there [m/s]."""


class Playable(Protocol):
    """What a player needs of a replay."""

    @property
    def world(self) -> WorldDef:
        """The resolved world."""

    @property
    def tick_rate(self) -> int:
        """Ticks per second."""

    @property
    def poses(self) -> Sequence[Pose]:
        """Poses in the order of their ticks, at least one."""

    @property
    def events(self) -> Sequence[Happening]:
        """Steps, motions that were refused, and falls, in the order of their ticks."""


class Playback:
    """A recording between its first and its last pose.

    Attributes:
        first: tick of the first pose.
        last: tick of the last pose.
    """

    def __init__(self, replay: Playable) -> None:
        """Read the tick of every pose."""
        self._rate = replay.tick_rate
        self._poses = replay.poses
        known: Sequence[float] = getattr(self._poses, "ticks", ())  # without reading the file
        self._ticks = known or [pose.tick for pose in self._poses]
        self.first, self.last = self._ticks[0], self._ticks[-1]

    @property
    def seconds(self) -> float:
        """Length of the recording [s]."""
        return (self.last - self.first) / self._rate

    def at(self, seconds: float) -> Pose:
        """The pose at a time [s] after the first one."""
        return self.at_tick(self.first + seconds * self._rate)

    def at_tick(self, tick: float) -> Pose:
        """The pose at a tick, between the two recorded around it."""
        a, b, fraction = self.neighbours(tick)
        return blend(a, b, fraction)

    def between(self, first: float, last: float) -> Sequence[Pose]:
        """The recorded poses after tick `first` and up to tick `last`."""
        return self._poses[bisect_right(self._ticks, first) : bisect_right(self._ticks, last)]

    def neighbours(self, tick: float) -> tuple[Pose, Pose, float]:
        """The poses before and after a tick, and its fraction of the time between them, [0, 1]."""
        index = min(bisect_right(self._ticks, tick), len(self._ticks) - 1)
        a, b = self._poses[max(0, index - 1)], self._poses[index]
        if b.tick <= a.tick:
            return b, b, 0.0
        if is_jump(a, b, self._rate):
            return (b, b, 0.0) if tick >= b.tick else (a, a, 0.0)
        return a, b, min(1.0, (tick - a.tick) / (b.tick - a.tick))


def is_jump(a: Pose, b: Pose, rate: int) -> bool:
    """Whether a creature was moved between two poses faster than it can walk."""
    farthest = JUMP_SPEED * (b.tick - a.tick) / rate
    return bool((np.abs(a.positions - b.positions) > farthest).any())
