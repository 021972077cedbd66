"""Sweeps: ten thousand runs from one file, a row for each.

    source, folder = Path("strides.toml"), Path("results")
    plan = read_plan(source)
    with open_results(folder, plan, source) as results, open_workers(jobs=4) as workers:
        for row in run_sweep(plan, results, workers):
            print(row["run"], row["digest"])

Rows are kept as they come: with `resume` those that are there are not run again.
"""

from creature_sim.lab.sweeps.plan import Plan, Point, read_plan
from creature_sim.lab.sweeps.results import Results, open_results, read_rows, run_count
from creature_sim.lab.sweeps.row import Row
from creature_sim.lab.sweeps.sweep import run_sweep

__all__ = [
    "Plan",
    "Point",
    "Results",
    "Row",
    "open_results",
    "read_plan",
    "read_rows",
    "run_count",
    "run_sweep",
]
