"""How good is the walk? Metrics M1 to M21 of a run, on exact states.

    with Simulation(replay.start) as simulation:
        ((track, metrics),) = score_run(simulation, replay.inputs)
        metrics["M1"].verdict

M17 (push recovery) and M19 (tick invariance) need runs of their own.
"""

from creature_sim.score.limits import load_limits, shortfalls
from creature_sim.score.metric import Metric, Verdict, not_applicable
from creature_sim.score.plot import plot
from creature_sim.score.report import TITLES, score_track
from creature_sim.score.run import score_run
from creature_sim.score.surface import Surface
from creature_sim.score.track import Track, tracks

__all__ = [
    "TITLES",
    "Metric",
    "Surface",
    "Track",
    "Verdict",
    "load_limits",
    "not_applicable",
    "plot",
    "score_run",
    "score_track",
    "shortfalls",
    "tracks",
]
