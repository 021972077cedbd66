"""Writes ticks of one replay, or of several, into a new file, message by message."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import orjson

from creature_sim.files.output import writing
from creature_sim.replay.codec import encode_changes
from creature_sim.replay.message_writer import MessageWriter
from creature_sim.replay.reader import Replay, state_digest
from creature_sim.replay.schemas import FORMAT, KEYFRAME


class Piece(NamedTuple):
    """Ticks of a replay: the state after `first`, and all that follows until `last`.

    Attributes:
        replay: that has them.
        first: its keyframe is copied, too, or `keyframe` is written in its place.
        last: the last tick.
        keyframe: a message with the state after `first`, where the replay has none.
    """

    replay: Replay
    first: int
    last: int
    keyframe: bytes | None = None


def copy(pieces: Sequence[Piece], path: Path, *, force: bool = False) -> None:
    """Write a complete recording of pieces, each of which begins with the state the last one ended.

    Raises:
        OutputError: the file exists or cannot be written.
    """
    replay, begin = pieces[0].replay, pieces[0].first
    with writing(path, force) as stream:
        changes = [change for change in replay.changes if change.tick <= begin]
        before = encode_changes(changes) if begin and changes else b""
        metadata = {**replay.metadata, "format": FORMAT}
        writer = MessageWriter(stream, replay.start, replay.world_bytes, metadata, before)
        tick, end = 0, b""
        for index, piece in enumerate(pieces):
            for tick, topic, data in _messages(piece, is_first=index == 0):
                writer.add(topic, tick, data)
                if topic == "/digest":
                    end = data
        writer.finish(tick, state_digest(orjson.loads(end)))


def _messages(piece: Piece, *, is_first: bool) -> Iterator[tuple[int, str, bytes]]:
    """Tick, topic and data of the messages of a piece, in the order of a recording.

    Those of its first tick are left out where another piece ends with that tick.
    """
    replay = piece.replay
    others = (("/event", replay.events), ("/pose", replay.poses), (KEYFRAME, replay.keyframes))
    begin = piece.first if is_first else piece.first + 1
    at = {topic: bisect_left(messages.ticks, begin) for topic, messages in others}
    for tick in range(begin, piece.last + 1):
        index = tick - replay.first
        if tick > piece.first:
            yield tick, "/input", replay.inputs.raw(index - 1)
        yield tick, "/digest", replay.digests.raw(index)
        for topic, messages in others:
            while at[topic] < len(messages) and messages.ticks[at[topic]] == tick:
                yield tick, topic, messages.raw(at[topic])
                at[topic] += 1
        if tick == piece.first and piece.keyframe is not None:
            yield tick, KEYFRAME, piece.keyframe


def has_poses(pieces: Iterable[Piece]) -> bool:
    """Whether there is anything to show."""
    return any(
        piece.first <= tick <= piece.last for piece in pieces for tick in piece.replay.poses.ticks
    )
