"""Runs as files: record them, read them, prove them by simulating them again."""

from creature_sim.replay.reader import Replay, open_replay
from creature_sim.replay.recorder import Recorder, record
from creature_sim.replay.verify import Divergence, Verification, verify

__all__ = [
    "Divergence",
    "Recorder",
    "Replay",
    "Verification",
    "open_replay",
    "record",
    "verify",
]
