"""When each foot of one creature stood, over the last seconds."""

from collections import deque
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from creature_sim.snapshots.poses import Pose

SECONDS = 4.0
"""Length of what is kept [s]."""
LONGEST_GAP = 0.5
"""After a longer gap between two poses, or a step back in time, the past is read anew [s]."""


class GaitLog:
    """Collects which feet swing from poses in the order of time."""

    def __init__(self, tick_rate: int) -> None:
        """Start empty."""
        self._rate = tick_rate
        self._samples: deque[tuple[float, NDArray[np.bool_]]] = deque()
        self._creature = -1

    def is_broken(self, pose: Pose, creature: int) -> bool:
        """Whether a pose does not follow the last one: then call `restart` before `add`."""
        if creature != self._creature or not self._samples:
            return True
        gap = (pose.tick - self._samples[-1][0]) / self._rate
        return not 0.0 <= gap <= LONGEST_GAP

    def restart(self, past: Sequence[Pose], creature: int) -> None:
        """Forget everything, then take in the past of a creature."""
        self._samples.clear()
        self._creature = creature
        for pose in past:
            self.add(pose)

    def add(self, pose: Pose) -> None:
        """Take the next pose; the same one again changes nothing."""
        if not self._samples or pose.tick > self._samples[-1][0]:
            self._samples.append((pose.tick, pose.creature(self._creature).is_swinging))
        while pose.tick - self._samples[0][0] > SECONDS * self._rate:
            self._samples.popleft()

    def stances(self, count: int) -> NDArray[np.int8]:
        """Each leg at `count` moments up to now, (L, count): 1 stands, 0 swings, -1 unknown."""
        ticks = np.array([tick for tick, _ in self._samples])
        swings = np.array([swing for _, swing in self._samples])
        moments = ticks[-1] + np.linspace(-SECONDS * self._rate, 0.0, count)
        samples = np.searchsorted(ticks, moments, side="right") - 1
        found = np.where(swings[np.maximum(samples, 0)].T, 0, 1).astype(np.int8)
        found[:, samples < 0] = -1
        return found
