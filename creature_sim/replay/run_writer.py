"""Writes ticks into a file of format 5: those together after which the same creatures are there."""

from collections.abc import Sequence

from creature_sim.inputs import Input
from creature_sim.replay.codec import encode_input
from creature_sim.replay.message_writer import MessageWriter
from creature_sim.replay.schemas import KEYFRAME

Message = tuple[int, str, bytes]
"""Tick, topic and data."""


class RunWriter:
    """Writes inputs where they change, then the digests of a run, then all else of its ticks."""

    def __init__(self, writer: MessageWriter) -> None:
        """Write to a file."""
        self._writer = writer
        self._before: Input | None = None  # of the last tick; None: the next one is written

    def write(
        self,
        ticks: Sequence[int],
        inputs: Sequence[Input | None],
        digest: bytes,
        others: Sequence[Message],
    ) -> None:
        """Write a run.

        Args:
            ticks: one after the other.
            inputs: before each; None before the first state of a recording.
            digest: the message of all these ticks.
            others: what else is told of them, by ascending tick.
        """
        keyframes = {tick for tick, topic, _ in others if topic == KEYFRAME}
        for tick, given in zip(ticks, inputs, strict=True):
            if given is not None and (given != self._before or given.events):
                self._writer.add("/input", tick, encode_input(tick, given))
            is_repeated = given is not None and not given.events and tick not in keyframes
            self._before = given if is_repeated else None
        self._writer.add("/digest", ticks[0], digest)
        for tick, topic, data in others:
            self._writer.add(topic, tick, data)
