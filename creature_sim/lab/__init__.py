"""Trials: courses over harder and harder ground, by the hundred.

    creature = load_creature("hexapod")
    trials = plan(["stairs", "gap"], [0.0, 0.5, 1.0], seeds=3)
    for outcome in sweep(creature, trials, jobs=2):
        print(outcome.trial.name, outcome.verdict, outcome.cause)

Metrics M16 (success by kind and difficulty of the ground), M17 (push recovery) and M19 (tick
invariance) come from here.
"""

from creature_sim.lab.course import Course, Trial, plan
from creature_sim.lab.difficulty import KINDS, check_kind, ground
from creature_sim.lab.plot import plot
from creature_sim.lab.pushes import push_recovery
from creature_sim.lab.rates import tick_invariance
from creature_sim.lab.report import Report
from creature_sim.lab.run import Outcome, replay_path, run_trial
from creature_sim.lab.sweep import sweep

__all__ = [
    "KINDS",
    "Course",
    "Outcome",
    "Report",
    "Trial",
    "check_kind",
    "ground",
    "plan",
    "plot",
    "push_recovery",
    "replay_path",
    "run_trial",
    "sweep",
    "tick_invariance",
]
