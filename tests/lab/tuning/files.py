"""Objectives and tasks for tests."""

from pathlib import Path

from creature_sim.lab.tuning import Task, load_objective, task_of

QUICK = """
seconds = 0.5
walls = ["M1"]
held_out = { worlds = ["slope"], seeds = [3] }
[terms]
progress = { worst = 0.0, best = 1.0 }
M7 = { weight = 2.0, worst = 0.0, best = 0.2 }
"""
"""Half a second, and one world that is held out."""
OVER = "gait.step_height,gait.stride_length"


def written(folder: Path, text: str = QUICK, name: str = "quick.toml") -> Path:
    """A file of an objective."""
    path = folder / name
    path.write_text(text)
    return path


def quick_task(folder: Path, over: str = OVER, budget: int = 6, seed: int = 0) -> Task:
    """A hexapod on the meadow."""
    objective = load_objective(str(written(folder)))
    return task_of("hexapod", over, ["meadow"], objective, budget=budget, seed=seed)
