"""Runs as files: record them, read them, prove them by simulating them again."""

from creature_sim.replay.claims import Divergence
from creature_sim.replay.diff import Difference, Differences, diff
from creature_sim.replay.jobs import verify_in_parallel
from creature_sim.replay.pieces import concat, trim
from creature_sim.replay.reader import open_replay
from creature_sim.replay.recorder import Recorder, record
from creature_sim.replay.recover import Recovery, recover
from creature_sim.replay.replay import Replay
from creature_sim.replay.verify import Verification, verify

__all__ = [
    "Difference",
    "Differences",
    "Divergence",
    "Recorder",
    "Recovery",
    "Replay",
    "Verification",
    "concat",
    "diff",
    "open_replay",
    "record",
    "recover",
    "trim",
    "verify",
    "verify_in_parallel",
]
