"""Tuning: the numbers of a creature's file are varied until its walk is better.

    objective = load_objective("walk")
    task = task_of("hexapod", "gait.stride_length,gait.duty_factor", ["hills"], objective)
    with Journal(Path("better.jsonl")) as journal, open_workers(jobs=2) as workers:
        tuned = tune(task, Evaluator(workers, journal))
        print(tuned.is_better, tuned.values)

Every evaluation is in the journal: with `resume` none of them is run again.
"""

from creature_sim.lab.tuning.archive import Archive, Elite, find_elites
from creature_sim.lab.tuning.evaluate import Evaluator, Ground
from creature_sim.lab.tuning.journal import Journal
from creature_sim.lab.tuning.knobs import Knob, changes_of, knobs_of
from creature_sim.lab.tuning.objective import Objective, load_objective
from creature_sim.lab.tuning.search import search
from creature_sim.lab.tuning.tune import Task, Tuned, task_of, tune
from creature_sim.lab.tuning.writing import text_with

__all__ = [
    "Archive",
    "Elite",
    "Evaluator",
    "Ground",
    "Journal",
    "Knob",
    "Objective",
    "Task",
    "Tuned",
    "changes_of",
    "find_elites",
    "knobs_of",
    "load_objective",
    "search",
    "task_of",
    "text_with",
    "tune",
]
