"""Objectives by name or file, and the score that they give."""

from collections.abc import Sequence
from math import fsum
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from creature_sim.definitions.objective import ObjectiveDef, TermDef
from creature_sim.errors import DefinitionError
from creature_sim.files.definition import problems_of
from creature_sim.files.hints import hint
from creature_sim.files.lines import located
from creature_sim.files.problems import Problem, shown
from creature_sim.files.toml import read_toml
from creature_sim.lab.tuning.run import NUMBERS, Run
from creature_sim.library.loader import objective_folder, objective_names
from creature_sim.score import metric_specs

BROKEN = -1000.0
"""Score of what cannot be run at all."""


class Objective(NamedTuple):
    """What is asked of a walk.

    Attributes:
        name: of the file.
        definition: what the file says.
        walls: keys of the metrics that must not fail.
    """

    name: str
    definition: ObjectiveDef
    walls: frozenset[str]

    def failed(self, runs: Sequence[Run]) -> list[str]:
        """The metrics that must not fail and have, run by run.

        Of a run that hardly moves all have, or who stands would be better than who learns to walk.
        """
        return [key for run in runs for key in self._failed(run) if key in self.walls]

    def _failed(self, run: Run) -> Sequence[str]:
        return sorted(self.walls) if self._hardly_moves(run) else run.failed

    def _hardly_moves(self, run: Run) -> bool:
        return (run.numbers.get("progress") or 0.0) < self.definition.min_progress

    def score(self, runs: Sequence[Run]) -> float:
        """At most 1: the mean of the terms over the runs, less 1 for every metric that failed."""
        if any(run.error for run in runs):
            return BROKEN
        return fsum(map(self.quality, runs)) / len(runs) - len(self.failed(runs))

    def quality(self, run: Run) -> float:
        """The terms of a run, [0, 1]; what a metric does not apply to counts nothing.

        Of a run that hardly moves only its progress counts: who stands is steady and upright
        without any merit, and would be kept instead of who comes a little way.
        """
        terms = self.definition.terms
        total = fsum(term.weight for term in terms.values())
        keys = [key for key in terms if key == "progress" or not self._hardly_moves(run)]
        return fsum(_counted(terms[key], run.numbers[key]) for key in keys) / total


def _counted(term: TermDef, value: float | None) -> float:
    """What a number adds, from 0 to the weight of its term."""
    if value is None:
        return 0.0
    done = (value - term.worst) / (term.best - term.worst)
    return term.weight * min(max(done, 0.0), 1.0)


def load_objective(reference: str) -> Objective:
    """Read an objective by its built-in name or path; DefinitionError says what is wrong."""
    if reference.endswith(".toml") or "/" in reference:
        path = Path(reference)
    elif reference in objective_names():
        path = objective_folder() / f"{reference}.toml"
    else:
        raise DefinitionError(
            f"--objective: expected a built-in objective ({', '.join(objective_names())}) or the "
            f"path of a .toml file, found {shown(reference)}{hint(reference, objective_names())}"
        )
    try:
        definition = ObjectiveDef.model_validate(read_toml(path))
    except ValidationError as error:
        raise DefinitionError(located(path, problems_of(error))) from None
    known = list(metric_specs())
    problems = [
        Problem(("terms", key), f"expected a metric, or one of {', '.join(NUMBERS)}, found another")
        for key in definition.terms
        if key not in known and key not in NUMBERS
    ]
    walls = known if definition.walls == "all" else definition.walls
    problems += [
        Problem(("walls", place), f"expected a metric, found {shown(key)}")
        for place, key in enumerate(walls)
        if key not in known
    ]
    if problems:
        raise DefinitionError(located(path, problems))
    return Objective(path.stem, definition, frozenset(walls))
