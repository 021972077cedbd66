"""The summary of a run or a replay: how far each creature went, from where to where."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from creature_sim.definitions import WorldDef
from creature_sim.inputs import Input
from creature_sim.maths import Floats
from creature_sim.snapshots.poses import Pose
from creature_sim.snapshots.snapshot import Snapshot, tips_of


class Odometer:
    """A sink that adds up the distances that bodies cover."""

    def __init__(self, world: WorldDef, positions: Iterable[Floats]) -> None:
        """Begin at the positions of the creatures, (3,) [m, world] each."""
        self._names = [world.plan_of(placement).name for placement in world.creatures]
        self._start = np.array(list(positions)).reshape(-1, 3)
        self._last = self._start
        self._distance = np.zeros(len(self._start))

    def write(self, given: Input, snapshot: Snapshot) -> None:
        """Take a tick."""
        del given
        self.add([creature.position for creature in snapshot.creatures])

    def add(self, positions: Iterable[Floats]) -> None:
        """Take the present positions of all creatures, (3,) [m, world] each."""
        now = np.array(list(positions)).reshape(-1, 3)
        self._distance += np.sqrt(((now - self._last) ** 2).sum(axis=1))
        self._last = now

    def summary(self) -> dict[str, Any]:
        """`creatures`, and the first one's `distance` [m], `start` and `end` [m, world].

        Without creatures the distance is 0, start and end are None.
        """
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
        first = creatures[0] if creatures else {"distance": 0.0, "start": None, "end": None}
        return {
            "creatures": creatures,
            **{key: first[key] for key in ("distance", "start", "end")},
        }


def chain_summary(world: WorldDef, pose: Pose) -> dict[str, Any]:
    """`chains`: name, targets and tips of each chain and tree [m, world].

    Empty in a world without chains and trees.
    """
    found = [
        {
            "name": rig.name,
            "targets": [[round(float(x), 6) for x in point] for point in chain.targets],
            "tips": [[round(float(x), 6) for x in point] for point in tips_of(rig, chain.joints)],
        }
        for rig, chain in zip(world.rigs, pose.chains, strict=True)
    ]
    return {"chains": found} if found else {}
