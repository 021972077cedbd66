"""Writes ticks into a file: those together after which the same creatures are there."""

from collections.abc import Callable, Mapping, Sequence

from creature_sim.inputs import Input
from creature_sim.replay.codec import encode_input
from creature_sim.replay.message_writer import MessageWriter
from creature_sim.replay.schemas import KEYFRAME

Message = tuple[int, bytes]
"""Tick and data."""


class RunWriter:
    """Writes inputs where they change, then the digests of a run, then all else of its ticks."""

    def __init__(
        self, writer: MessageWriter, encode: Callable[[int, Input], bytes] = encode_input
    ) -> None:
        """Write to a file, with inputs as this encodes them."""
        self._writer, self._encode = writer, encode
        self._before: Input | None = None  # of the last tick; None: the next one is written

    def write(
        self,
        ticks: Sequence[int],
        inputs: Sequence[Input | None],
        digest: bytes,
        others: Mapping[str, Sequence[Message]],
    ) -> None:
        """Write a run.

        Args:
            ticks: one after the other.
            inputs: before each; None before the first state of a recording.
            digest: the message of all these ticks.
            others: what else is told of them, by topic and ascending tick.
        """
        keyframes = {tick for tick, _ in others[KEYFRAME]}
        found: list[Message] = []
        for tick, given in zip(ticks, inputs, strict=True):
            if given is None:
                self._before = None
                continue
            before = self._before
            if before is None or given.events or given.commands != before.commands:
                found.append((tick, self._encode(tick, given)))
            self._before = None if given.events or tick in keyframes else given
        self._writer.add("/input", found)
        self._writer.add("/digest", [(ticks[0], digest)])
        for topic, messages in others.items():
            if messages:
                self._writer.end_block()
                self._writer.add(topic, messages)
        self._writer.end_block()
