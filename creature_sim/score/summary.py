"""The summary of a run or a replay: how far each creature went, from where to where."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from creature_sim.definitions import WorldDef
from creature_sim.inputs import Input
from creature_sim.maths import Floats
from creature_sim.motions.refusals import Causes, held_back, refusals_in, refused_runs
from creature_sim.snapshots.falls import falls_in, lying
from creature_sim.snapshots.poses import Pose, Refusal
from creature_sim.snapshots.snapshot import Snapshot, tips_of


class Odometer:
    """A sink that adds up the distances that bodies cover."""

    def __init__(self, world: WorldDef, positions: Iterable[Floats]) -> None:
        """Begin at the positions of the creatures, (3,) [m, world] each."""
        self._names = {n: world.species_of(where).name for n, where in enumerate(world.creatures)}
        self._start: dict[int, Floats] = {}
        self._last: dict[int, Floats] = {}
        self._distance: dict[int, float] = {}
        self._causes = Causes()
        self._walks: set[tuple[int, str]] = set()
        self._refused: dict[int, list[dict[str, Any]]] = {}
        self._going_on: set[tuple[int, str, str]] = set()
        self._limited: dict[int, list[dict[str, Any]]] = {}
        self._fell: dict[int, list[dict[str, Any]]] = {}
        self._lying: set[int] = set()
        self.add(positions)

    def write(self, given: Input, snapshot: Snapshot) -> None:
        """Take a tick."""
        for creature in snapshot.creatures:
            self._names.setdefault(creature.number, creature.definition.name)
            self._add(creature.number, creature.position)
        refused = {(one.creature, one.motion, one.reason) for one in refusals_in(snapshot)}
        runs = {(one.creature, one.motion, one.reason) for one in self._first_runs(snapshot)}
        # What is tried again in each tick, as to get up where no foot finds ground, is told once.
        for number, motion, reason in sorted((refused - self._going_on) | runs):
            told = {"tick": snapshot.tick, "motion": motion, "reason": reason}
            self._refused.setdefault(number, []).append(told)
        self._going_on = refused
        for number, allowed in held_back(snapshot, given):
            told = {"tick": snapshot.tick, "motion": "pose", "fraction": round(allowed, 2)}
            self._limited.setdefault(number, []).append(told)
        for fall in falls_in(snapshot):
            told = {"tick": fall.tick, "reason": fall.reason}
            self._fell.setdefault(fall.creature, []).append(told)
        self._lying = set(lying(snapshot))

    def _first_runs(self, snapshot: Snapshot) -> Iterator[Refusal]:
        """Runs that are refused, each creature's once for a reason."""
        self._causes.see(snapshot)
        for refusal in refused_runs(snapshot, self._causes.found):
            if (refusal.creature, refusal.reason) not in self._walks:
                self._walks.add((refusal.creature, refusal.reason))
                yield refusal

    def add(self, positions: Iterable[Floats]) -> None:
        """Take the present positions of all creatures, by number; NaN where one is gone."""
        for number, position in enumerate(positions):
            if not np.isnan(position[0]):
                self._add(number, position)

    def _add(self, number: int, position: Floats) -> None:
        step = position - self._last.setdefault(number, position)
        self._start.setdefault(number, position)
        self._distance[number] = self._distance.get(number, 0.0) + float(np.sqrt((step**2).sum()))
        self._last[number] = position

    def summary(self) -> dict[str, Any]:
        """`creatures`, and the first one's `distance` [m], `start` and `end` [m, world].

        Creatures have a list of the leaps and other motions that were `refused` to them, if there
        were any; one of the poses that were `limited`; and one of how often they `fell`, where
        forces move them and they did. Those that have not got up again by the end have `lies`.
        Without creatures the distance is 0, start and end are None.
        """
        creatures = [
            {
                "name": name,
                "distance": round(float(distance), 6),
                "start": [round(float(value), 6) for value in start],
                "end": [round(float(value), 6) for value in end],
                **({"refused": refused} if refused else {}),
                **({"limited": limited} if limited else {}),
                **({"fell": fell} if fell else {}),
                **({"lies": True} if lies else {}),
            }
            for name, distance, start, end, refused, limited, fell, lies in (
                (
                    self._names[n],
                    self._distance[n],
                    self._start[n],
                    self._last[n],
                    self._refused.get(n),
                    self._limited.get(n),
                    self._fell.get(n),
                    n in self._lying,
                )
                for n in sorted(self._last)
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
