"""What a run or a replay comes to: how far each creature went, from where to where."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from creature_sim.definitions import WorldDef
from creature_sim.inputs import Input
from creature_sim.maths import Floats
from creature_sim.snapshot import Snapshot


class Odometer:
    """A sink that adds up the ways of all bodies."""

    def __init__(self, world: WorldDef, positions: Iterable[Floats]) -> None:
        """Begin where the creatures are, (3,) [m, world] each."""
        self._names = [world.plan_of(placement).name for placement in world.creatures]
        self._start = np.array(list(positions))
        self._last = self._start
        self._distance = np.zeros(len(self._start))

    def write(self, given: Input, snapshot: Snapshot) -> None:
        """Take a tick."""
        del given
        self.add([creature.position for creature in snapshot.creatures])

    def add(self, positions: Iterable[Floats]) -> None:
        """Take where all creatures are now."""
        now = np.array(list(positions))
        self._distance += np.sqrt(((now - self._last) ** 2).sum(axis=1))
        self._last = now

    def summary(self) -> dict[str, Any]:
        """`creatures`, and the first one's `distance` [m], `start` and `end` [m, world]."""
        creatures = [
            {
                "name": name,
                "distance": round(float(distance), 6),
                "start": [round(float(value), 6) for value in start],
                "end": [round(float(value), 6) for value in end],
            }
            for name, distance, start, end in zip(
                self._names, self._distance, self._start, self._last, strict=True
            )
        ]
        first = {key: creatures[0][key] for key in ("distance", "start", "end")}
        return {"creatures": creatures, **first}
