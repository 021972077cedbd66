"""Ticks that a recorder took and has still to write."""

from creature_sim.inputs import Input
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.snapshots.tapes import Reel, Tape


class Pending:
    """Ticks that are written together.

    Attributes:
        reel: how the last of them was taken.
        due: the last tick that is written with them.
        tapes: what is kept of each.
        inputs: before each; None before the first state.
        keyframe: the state of which all is written, if there is one among them.
    """

    def __init__(self, reel: Reel, due: int) -> None:
        """Be none, up to this tick."""
        self.reel, self.due = reel, due
        self.tapes: list[Tape] = []
        self.inputs: list[Input | None] = []
        self.keyframe: Snapshot | None = None

    def add(self, given: Input | None, snapshot: Snapshot) -> None:
        """Take what is written of the next tick."""
        self.inputs.append(given)
        if not (self.tapes and self.tapes[-1].add(snapshot)):
            self._begin(snapshot)

    def _begin(self, snapshot: Snapshot) -> None:
        """Take the first tick, or one before which others were there, with a tape of its own."""
        tick = snapshot.tick
        tape = Tape(self.reel, tick, self.due - tick + 1)
        if not tape.add(snapshot):
            self.reel = Reel(snapshot)
            tape = Tape(self.reel, tick, self.due - tick + 1)
            tape.add(snapshot)
        self.tapes.append(tape)
        self.due = min(self.due, tick + tape.length - 1)
