"""One run of a sweep: a world walks, is scored, and becomes a row."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

import numpy as np

from creature_sim.definitions import WorldDef
from creature_sim.drivers import make_driver
from creature_sim.errors import CreatureSimError
from creature_sim.files.output import temporary
from creature_sim.inputs import Input
from creature_sim.replay import Recorder
from creature_sim.score import Metric, metric_specs, score_run
from creature_sim.score.registry import load_plugins
from creature_sim.simulation import Simulation

Row = dict[str, Any]
"""Values by column; None: there is none."""
Keep = Literal["none", "failed", "all"]

DIGITS = 9
"""Numbers of rows are rounded to so many: sums of many differ between machines after that."""
RANKS = ("n/a", "excellent", "pass", "fail")
"""Verdicts, the best first."""


class Job(NamedTuple):
    """What a worker needs for a run.

    Attributes:
        world: that runs, with its driver.
        seconds: for how long.
        keep: whether a replay is asked for.
    """

    world: WorldDef
    seconds: float
    keep: Keep


def run_job(job: Job) -> tuple[Row, bytes | None]:
    """Run a world: the columns that the run decides, and the bytes of its replay if it is kept.

    An error is a row, too: others have to go on.
    """
    begin = time.perf_counter()
    row: Row = {"status": "ok", "error": None}
    replay = None
    try:
        load_plugins()
        with TemporaryDirectory(prefix="creature_sim-") as folder:
            path = Path(folder) / "run.mcap"
            with temporary("the replay of a run"):
                row |= _run(job, path if job.keep != "none" else None)
            if job.keep == "all" or (job.keep == "failed" and row["failed"]):
                replay = path.read_bytes()
    except CreatureSimError as error:
        row |= {"status": "error", "error": str(error)}
    except Exception as error:  # a defect of one run, which is told of; 9,999 others go on
        row |= {"status": "error", "error": f"{type(error).__name__}: {error}"}
    return {**row, "time": round(time.perf_counter() - begin, 4)}, replay


def _run(job: Job, path: Path | None) -> Row:
    ticks = round(job.seconds * job.world.tick_rate)
    with ExitStack() as stack:
        simulation = stack.enter_context(Simulation(job.world))
        recorder = stack.enter_context(Recorder(path, simulation)) if path else None
        driver = make_driver(job.world)

        def inputs() -> Iterator[Input]:
            for _ in range(ticks):
                yield driver(simulation.snapshot)
                if recorder:  # the tick is over
                    recorder.write(simulation.input, simulation.snapshot)

        scored = score_run(simulation, inputs())
        ways = [np.linalg.norm(np.diff(track.position, axis=0), axis=1) for track, _ in scored]
        metrics = worst_of([found for _, found in scored])
        return {
            "ticks": ticks,
            "distance": rounded(min((float(way.sum()) for way in ways), default=0.0)),
            "failed": sum(metric.verdict == "fail" for metric in metrics.values()),
            **{key: rounded(metric.value) for key, metric in metrics.items()},
            **{f"{key}_verdict": metric.verdict for key, metric in metrics.items()},
            "digest": simulation.digest,
        }


def worst_of(scores: list[dict[str, Metric]]) -> dict[str, Metric]:
    """The worst metric of several creatures, by its verdict, then by its value."""
    found = {}
    for key, spec in metric_specs().items():
        all_of_them = [metrics[key] for metrics in scores]
        sign = -1.0 if spec.larger_is_better else 1.0
        if all_of_them:
            found[key] = max(
                all_of_them,
                key=lambda one: (RANKS.index(one.verdict), sign * (one.value or 0.0)),
            )
    return found


def rounded(value: float | None) -> float | None:
    """A number of a row."""
    return None if value is None else float(f"{value:.{DIGITS}g}")
