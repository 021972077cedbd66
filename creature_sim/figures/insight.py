"""What a pose does not show of feet: why they stepped, scores of footholds, IK, what rays found."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from creature_sim.components import GRAVITY, REASONS
from creature_sim.maths import Floats
from creature_sim.snapshots.poses import Happening, Step
from creature_sim.snapshots.snapshot import CreatureState


@dataclass(frozen=True)
class Insight:
    """What a pose does not show.

    Attributes:
        reasons: (L,) why each foot last stepped; "" before its first step.
        scores: (L,) of footholds, 0 to 1; NaN where unknown.
        solved: (L,) how the last tick solved each leg: passes of FABRIK, or "laid"; "" if unknown.
        hits: (K, 3) points of the ground that rays found [m, world].
        normals: (K, 3) of the ground there [world].
        forces: (L, 3) of the ground on feet, over the creature's weight [world]; (0, 3) where no
            force moves it, or they are not known.
    """

    reasons: tuple[str, ...]
    scores: Floats
    solved: tuple[str, ...]
    hits: Floats
    normals: Floats
    forces: Floats = field(default_factory=lambda: np.empty((0, 3)))


def insight_of(creature: CreatureState) -> Insight:
    """The insight into a creature that is being simulated."""
    sensed = creature.herd.parts["sensed"]["records"][creature.row]
    chain, row = creature.herd.parts["leg_chain"], creature.row
    found = sensed[sensed["is_hit"] == 1]
    return Insight(
        tuple(REASONS[reason] for reason in creature.feet["reason"].tolist()),
        creature.footholds["score"],
        tuple(
            "laid" if is_laid else f"{passes} {'pass' if passes == 1 else 'passes'}"
            for passes, is_laid in zip(chain["passes"][row], chain["is_laid"][row], strict=True)
        ),
        found["point"],
        found["normal"],
        _forces_on(creature),
    )


def _forces_on(creature: CreatureState) -> Floats:
    """See `Insight.forces`."""
    if "twin" not in creature.herd.parts:
        return np.empty((0, 3))
    mass = creature.definition.body.mass * (1.0 + creature.definition.motion.load)
    forces: Floats = creature.herd.parts["twin"]["forces"][creature.row] / (GRAVITY * mass)
    return forces


class StepLog:
    """The steps of a recording, by time."""

    def __init__(self, events: Sequence[Happening]) -> None:
        """Take the steps of events in the order of their ticks."""
        self._legs: dict[tuple[int, int], tuple[list[int], list[Step]]] = {}
        for step in events:
            if not isinstance(step, Step):
                continue
            ticks, found = self._legs.setdefault((step.creature, step.leg), ([], []))
            ticks.append(step.tick)
            found.append(step)

    def ticks(self, creature: int) -> list[int]:
        """Ticks at which a creature stepped, ascending."""
        mine = [ticks for (other, _), (ticks, _) in self._legs.items() if other == creature]
        return sorted({tick for ticks in mine for tick in ticks})

    def insight(self, creature: int, leg_count: int, tick: float) -> Insight:
        """The last step of each leg up to a tick; a recording has no rays."""
        last = [self._last(creature, leg, tick) for leg in range(leg_count)]
        return Insight(
            tuple(step.reason if step else "" for step in last),
            np.array([step.score if step else np.nan for step in last]),
            ("",) * leg_count,
            np.empty((0, 3)),
            np.empty((0, 3)),
        )

    def _last(self, creature: int, leg: int, tick: float) -> Step | None:
        ticks, steps = self._legs.get((creature, leg), ([], []))
        count = bisect_right(ticks, tick)
        return steps[count - 1] if count else None
