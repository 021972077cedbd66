"""One run of a creature that is tuned: it walks, is scored, and becomes a few numbers."""

import time
from typing import NamedTuple

import numpy as np

from creature_sim.definitions import WorldDef
from creature_sim.drivers import make_driver
from creature_sim.errors import CreatureSimError
from creature_sim.lab.sweeps.row import rounded, worst_of
from creature_sim.score import Track, score_run
from creature_sim.score.registry import load_plugins
from creature_sim.simulation import Simulation

NUMBERS = ("speed", "progress")
"""What an objective may name besides metrics."""
FROM = 1.0
"""Speeds are measured from this time on, if a run is longer than twice that [s]."""


class Run(NamedTuple):
    """What a run says.

    Attributes:
        numbers: of all metrics, and `NUMBERS`; None: it does not apply.
        failed: keys of the metrics that failed.
        duty: fraction of the time that its feet stood, [0, 1].
        error: why there was no run; empty: there was one.
    """

    numbers: dict[str, float | None]
    failed: tuple[str, ...]
    duty: float
    error: str = ""


class Job(NamedTuple):
    """What a worker needs for an evaluation.

    Attributes:
        worlds: that the creature walks in, each with its driver.
        seconds: for how long.
        pace: the speed that is 1 in `progress` [m/s].
    """

    worlds: tuple[WorldDef, ...]
    seconds: float
    pace: float


class Evaluation(NamedTuple):
    """What is known of one set of values.

    Attributes:
        runs: one for each world of the job.
        seconds: of processor time that they took.
    """

    runs: tuple[Run, ...]
    seconds: float


def run_job(job: Job) -> Evaluation:
    """Run all worlds of a job; an error ends up in its run: the others have to go on."""
    begin = time.process_time()
    runs = []
    for world in job.worlds:
        try:
            load_plugins()
            runs.append(_run(world, job.seconds, job.pace))
        except CreatureSimError as error:
            runs.append(Run({}, (), 0.0, str(error)))
        except Exception as error:  # a defect that these values have found
            runs.append(Run({}, (), 0.0, f"{type(error).__name__}: {error}"))
    return Evaluation(tuple(runs), round(time.process_time() - begin, 4))


def _run(world: WorldDef, seconds: float, pace: float) -> Run:
    ticks = round(seconds * world.tick_rate)
    with Simulation(world) as simulation:
        driver = make_driver(world)
        inputs = (driver(simulation.snapshot) for _ in range(ticks))
        ((track, metrics),) = score_run(simulation, inputs)
    worst = worst_of([metrics])  # in the order of their keys
    speed = _speed(track)
    numbers = {key: rounded(metric.value) for key, metric in worst.items()}
    numbers |= {"speed": rounded(speed), "progress": rounded(speed / pace)}
    failed = tuple(key for key, metric in worst.items() if metric.verdict == "fail")
    stands = ~track.is_swinging[~track.is_lost]
    return Run(numbers, failed, rounded(float(stands.mean())) or 0.0)


def _speed(track: Track) -> float:
    """How far the body came, straight, in a second [m/s]."""
    first = round(FROM * track.tick_rate)
    if len(track.position) <= 2 * first:
        first = 0
    way = float(np.linalg.norm(track.position[-1] - track.position[first]))
    return way * track.tick_rate / max(1, len(track.position) - 1 - first)
