"""Archives of gaits: the best creature of every kind, by MAP-Elites (Mouret & Clune 2015).

Kinds are either how fast it goes and for how much of the time its feet stand, or which leg it has
lost: then the kinds are tasks, and what is good at one is tried at the others (multi-task
MAP-Elites, Mouret & Maguire 2020). A robot with such an archive walks on when it is damaged (Cully,
Clune, Tarapore & Mouret 2015).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np

from creature_sim.lab.tuning.evaluate import Evaluator
from creature_sim.lab.tuning.knobs import Values, changes_of, written
from creature_sim.lab.tuning.packages import needed
from creature_sim.lab.tuning.run import Run
from creature_sim.lab.tuning.search import TRIES
from creature_sim.lab.tuning.tune import Task, is_valid

Kind = Literal["gaits", "legs"]

BATCH = 24
"""Creatures of a generation, whatever the workers are."""
CELLS = 10
"""Kinds of speed, and of duty factor."""
DUTIES = (0.2, 1.0)
"""Range of duty factors."""
ALONE, TOWARDS = 0.06, 0.3
"""Spread of a child about its parent, as a fraction of the bounds, and along the line to another
elite, as a fraction of their distance (Vassiliades & Mouret 2018)."""
STRANGERS = 0.1
"""Fraction of creatures that have no parents."""


class Elite(NamedTuple):
    """The best of its kind.

    Attributes:
        kind: numbers that it is filed under: the leg that is lost; or speed [m/s] and duty factor.
        values: of the knobs.
        score: of the objective.
        runs: on the ground that it was looked for on.
    """

    kind: tuple[float, ...]
    values: Values
    score: float
    runs: tuple[Run, ...]

    @property
    def speed(self) -> float:
        """Mean over its runs [m/s]."""
        return speed_of(self.runs)


@dataclass(frozen=True)
class Archive:
    """What was found.

    Attributes:
        elites: in the order of their kinds.
        kinds: how many there could be.
        evaluations: how many creatures were tried.
    """

    elites: tuple[Elite, ...]
    kinds: int
    evaluations: int


def speed_of(runs: Sequence[Run]) -> float:
    """Mean speed of runs [m/s]; 0 where one could not be."""
    return sum(run.numbers.get("speed") or 0.0 for run in runs) / len(runs)


def find_elites(task: Task, kind: Kind, evaluate: Evaluator) -> Archive:
    """Fill an archive. The same seed fills it alike, whoever evaluates.

    Args:
        task: what is varied, on which ground, how often.
        kind: what is filed: "gaits" by speed and duty factor, "legs" by the leg that is lost.
        evaluate: who evaluates.

    Raises:
        DefinitionError: the package ribs is not installed.
        OutputError: the disk is full; all evaluations up to then are kept.
        ClusterError: the cluster is gone; all evaluations up to then are kept.
    """
    legs = len(task.creature.all_legs)
    archive = _empty(task, kind, legs)
    random = np.random.default_rng(task.seed)
    start = tuple(knob.start for knob in task.knobs)
    runs: dict[tuple[Values, int], tuple[Run, ...]] = {}
    done = 0
    while done < task.budget:
        lost = [(done + place) % legs for place in range(min(BATCH, task.budget - done))]
        if done == 0:
            draws = [start if place < legs else None for place in range(len(lost))]
        else:
            draws = [None] * len(lost)
        children = [_child(task, archive, random) if one is None else one for one in draws]
        found = _runs(task, kind, evaluate, children, lost)
        for values, leg, one in zip(children, lost, found, strict=True):
            score = task.objective.score(one)
            if score >= 0.0:  # behind all walls
                filed = [float(leg)] if kind == "legs" else [speed_of(one), _duty(one)]
                archive.add_single(_point(task, values), score, filed)
                runs[values, leg if kind == "legs" else 0] = one
        done += len(children)
    elites = []
    for elite in sorted(archive, key=lambda elite: tuple(elite["measures"])):
        values = _values(task, elite["solution"])
        numbers = tuple(float(part) for part in elite["measures"])
        leg = round(numbers[0]) if kind == "legs" else 0
        elites.append(Elite(numbers, values, float(elite["objective"]), runs[values, leg]))
    return Archive(tuple(elites), int(archive.cells), done)


def held_out_runs(
    task: Task, kind: Kind, evaluate: Evaluator, elites: Sequence[Elite]
) -> list[tuple[Run, ...]]:
    """The runs of elites on the ground that they were not looked for on."""
    values = [elite.values for elite in elites]
    lost = [round(elite.kind[0]) if kind == "legs" else 0 for elite in elites]
    return _runs(task, kind, evaluate, values, lost, is_held_out=True)


def fallbacks(
    task: Task, evaluate: Evaluator, *, is_held_out: bool = False
) -> list[tuple[Run, ...]]:
    """The runs of the creature as its file says, without its first leg, its second one, ..."""
    legs = range(len(task.creature.all_legs))
    nothing = [None] * len(legs)
    return _runs(task, "legs", evaluate, nothing, list(legs), is_held_out=is_held_out)


def _runs(
    task: Task,
    kind: Kind,
    evaluate: Evaluator,
    creatures: Sequence[Values | None],
    lost: Sequence[int],
    *,
    is_held_out: bool = False,
) -> list[tuple[Run, ...]]:
    """The runs of the creature with values, or as it is, each without one of its legs."""
    ground = task.held_out if is_held_out else task.ground
    drive = task.objective.definition.drive
    jobs, shown = [], []
    for values, leg in zip(creatures, lost, strict=True):
        changes = () if values is None else changes_of(task.knobs, values)
        drives = f"lose {leg}; {drive}" if kind == "legs" else None
        jobs.append(ground.job(task.make(changes), task.creature.motion.speed, drives))
        named = {} if values is None else task.named(values)
        shown.append({**named, **({"lost leg": float(leg)} if kind == "legs" else {})})
    return [found.runs for found in evaluate(jobs, shown)]


def _empty(task: Task, kind: Kind, legs: int) -> Any:  # noqa: ANN401 - ribs has types of its own
    if kind == "legs":
        dims, ranges = [legs], [(-0.5, legs - 0.5)]
    else:
        fastest = max(
            [task.creature.motion.speed]
            + [knob.high for knob in task.knobs if knob.path == ("motion", "speed")]
        )
        dims, ranges = [CELLS, CELLS], [(0.0, fastest), DUTIES]
    return needed("ribs.archives").GridArchive(
        solution_dim=len(task.knobs), dims=dims, ranges=ranges, seed=task.seed
    )


def _child(task: Task, archive: Any, random: np.random.Generator) -> Values:  # noqa: ANN401
    """Values near those of an elite, and nearer to those of another; or any."""
    draw: Callable[[], Any] = partial(random.uniform, size=len(task.knobs))
    start = tuple(knob.start for knob in task.knobs)
    for _ in range(100 * TRIES):
        if archive.empty or random.uniform() < STRANGERS:
            point = draw()
        else:
            elites = sorted(archive, key=lambda elite: int(elite["index"]))
            a, b = (elites[int(random.integers(len(elites)))]["solution"] for _ in range(2))
            point = a + ALONE * random.normal(size=len(a)) + TOWARDS * random.normal() * (b - a)
        values = _values(task, point)
        if is_valid(task, values):
            return values
    return start


def _point(task: Task, values: Values) -> Any:  # noqa: ANN401 - an array
    """Values as fractions of their bounds."""
    pairs = zip(task.knobs, values, strict=True)
    return np.array([(value - knob.low) / (knob.high - knob.low) for knob, value in pairs])


def _values(task: Task, point: Any) -> Values:  # noqa: ANN401 - an array
    parts = zip(task.knobs, np.clip(point, 0.0, 1.0), strict=True)
    return tuple(written(knob.low + float(part) * (knob.high - knob.low)) for knob, part in parts)


def _duty(runs: Sequence[Run]) -> float:
    return sum(run.duty for run in runs) / len(runs)
