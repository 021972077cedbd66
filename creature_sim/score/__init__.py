"""How good is the walk? Metrics M1 to M21 of a run, on exact states.

    from creature_sim.replay import open_replay
    from creature_sim.score import score_replay
    score_replay(open_replay("walk.mcap"))[0]["M1"]

M17 (push recovery) and M19 (tick invariance) need runs of their own.
"""

from creature_sim.score.metric import Metric, Verdict
from creature_sim.score.report import TITLES, score_track
from creature_sim.score.surface import Surface
from creature_sim.score.track import Track, tracks

__all__ = ["TITLES", "Metric", "Surface", "Track", "Verdict", "score_track", "tracks"]
