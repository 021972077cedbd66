"""How good is the walk? Metrics M1 to M44 of a run, on exact states.

    with replay.simulation() as simulation:
        ((track, metrics),) = score_run(simulation, replay.inputs)
        metrics["M1"].verdict

M17 (push recovery) and M19 (tick invariance) need runs of their own: they are in
`creature_sim.lab`. How to add a metric of your own: see `creature_sim.score.registry`.
"""

from creature_sim.score.limits import load_limits, shortfalls
from creature_sim.score.metric import Metric, Verdict, judge, not_applicable
from creature_sim.score.plot import check_plot, plot
from creature_sim.score.registry import MetricSpec, metric_specs, register, title_of
from creature_sim.score.report import score_track
from creature_sim.score.rows import tracks
from creature_sim.score.run import score_run
from creature_sim.score.surface import Surface
from creature_sim.score.track import Track
from creature_sim.score.walk import Walk

__all__ = [
    "Metric",
    "MetricSpec",
    "Surface",
    "Track",
    "Verdict",
    "Walk",
    "check_plot",
    "judge",
    "load_limits",
    "metric_specs",
    "not_applicable",
    "plot",
    "register",
    "score_run",
    "score_track",
    "shortfalls",
    "title_of",
    "tracks",
]
