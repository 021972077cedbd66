"""Tunes a creature, and finds out whether it is better where it was not tuned, too."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from creature_sim.definitions import CreatureDef
from creature_sim.errors import DefinitionError
from creature_sim.lab.tuning.evaluate import Evaluator, Ground
from creature_sim.lab.tuning.knobs import Knob, Make, Values, changes_of, knobs_of
from creature_sim.lab.tuning.objective import Objective
from creature_sim.lab.tuning.run import Run
from creature_sim.lab.tuning.search import search
from creature_sim.library.changes import Change
from creature_sim.library.loader import load_creature


@dataclass(frozen=True)
class Side:
    """A creature, before or after.

    Attributes:
        score: where it is tuned.
        held_out: the score where it is not.
        runs: of all worlds, those that are held out behind the others.
    """

    score: float
    held_out: float
    runs: tuple[Run, ...]


@dataclass(frozen=True)
class Tuned:
    """The result of tuning.

    Attributes:
        task: what was asked for.
        values: of all knobs.
        evaluations: how many creatures were evaluated where it is tuned.
        before: the creature as its file says.
        after: with the values that were found.
    """

    task: "Task"
    values: Values
    evaluations: int
    before: Side
    after: Side

    @property
    def is_better(self) -> bool:
        """Whether it is better where it was tuned, and where it was not."""
        before, after = self.before, self.after
        return after.score > before.score and after.held_out > before.held_out


@dataclass(frozen=True)
class Task:
    """What is tuned, on which ground, for what; see `task_of`.

    Attributes:
        creature: as its file says.
        make: the creature with other values.
        knobs: what is varied.
        objective: what is asked of it.
        ground: that it is tuned on.
        held_out: that it is not tuned on.
        budget: number of evaluations.
        seed: of random numbers.
    """

    creature: CreatureDef
    make: Make
    knobs: tuple[Knob, ...]
    objective: Objective
    ground: Ground
    held_out: Ground
    budget: int
    seed: int

    @property
    def steps(self) -> int:
        """All evaluations, those of what is held out too."""
        return self.budget + 2

    def named(self, values: Values) -> dict[str, float]:
        """Values by the names of their keys."""
        return {knob.name: value for knob, value in zip(self.knobs, values, strict=True)}


def task_of(
    reference: str,
    over: str,
    worlds: Sequence[str],
    objective: Objective,
    *,
    held_out: Sequence[str] = (),
    budget: int = 500,
    seed: int = 0,
    extra: Sequence[str] = (),
) -> Task:
    """What a command line asks for.

    Args:
        reference: name or file of a creature.
        over: the keys to tune, see `knobs_of`.
        worlds: names or files.
        objective: see `load_objective`.
        held_out: names or files of worlds; none: those of the objective.
        budget: number of evaluations.
        seed: of random numbers.
        extra: keys that are tuned, too, where `over` is "auto".

    Raises:
        DefinitionError: something of it is not valid.
    """
    definition = objective.definition
    make = partial(load_creature, reference)
    creature = make(())
    others = tuple(held_out) or definition.held_out.worlds
    if held_out and set(held_out) & set(worlds):
        both = sorted(set(held_out) & set(worlds))[0]
        raise DefinitionError(f"--held-out: expected no world of --worlds, found {both}")
    seeds = definition.held_out.seeds
    source = "--held-out" if held_out else f"{objective.name}: held_out.worlds"
    return Task(
        creature,
        make,
        knobs_of(over, make, extra),
        objective,
        Ground("--worlds", worlds, definition.seeds, objective),
        Ground(source, (*worlds, *others), seeds, objective),
        budget,
        seed,
    )


def tune(task: Task, evaluate: Evaluator) -> Tuned:
    """Tune a creature.

    Args:
        task: what is asked for.
        evaluate: who evaluates.

    Raises:
        OutputError: the disk is full; all evaluations up to then are kept.
        ClusterError: the cluster is gone; all evaluations up to then are kept.
    """
    pace = task.creature.motion.speed
    start = tuple(knob.start for knob in task.knobs)

    def runs_of(creatures: Sequence[Values | None], ground: Ground) -> list[tuple[Run, ...]]:
        """Of the creature with values, or as it is."""
        jobs, values = [], []
        for one in creatures:
            changes: Sequence[Change] = () if one is None else changes_of(task.knobs, one)
            jobs.append(ground.job(task.make(changes), pace))
            values.append({} if one is None else task.named(one))
        return [found.runs for found in evaluate(jobs, values)]

    def scores(generation: Sequence[Values]) -> list[float]:
        return [task.objective.score(runs) for runs in runs_of(generation, task.ground)]

    found = search(task.knobs, scores, partial(is_valid, task), task.budget, task.seed)
    values = found.values
    before, after = runs_of([None, values], task.held_out)
    (first,) = runs_of([None], task.ground)
    (last,) = runs_of([values], task.ground)
    if task.objective.score(first) >= task.objective.score(last):
        values, last, after = start, first, before
    return Tuned(
        task,
        values,
        found.evaluations,
        Side(task.objective.score(first), task.objective.score(before), (*first, *before)),
        Side(task.objective.score(last), task.objective.score(after), (*last, *after)),
    )


def is_valid(task: Task, values: Values) -> bool:
    """Whether a creature can have these values."""
    try:
        task.make(changes_of(task.knobs, values))
    except DefinitionError:
        return False
    return True
