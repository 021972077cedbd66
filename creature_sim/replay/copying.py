"""Writes ticks of one replay, or of several, into a new file, message by message."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import orjson
from mcap.writer import Writer

from creature_sim.files.output import writing
from creature_sim.replay.codec import data_name, encode_changes, encode_data
from creature_sim.replay.reader import Replay, state_digest
from creature_sim.replay.recorder import register
from creature_sim.replay.schemas import BEFORE_NAME, FORMAT, KEYFRAME, METADATA_NAME, WORLD_NAME
from creature_sim.terrain import imports_of


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
    replay, rate = pieces[0].replay, pieces[0].replay.tick_rate
    begin = pieces[0].first
    with writing(path, force) as stream:
        writer = Writer(stream, enable_data_crcs=True)
        writer.start(library="creature_sim")
        channels = register(writer)
        writer.add_attachment(0, 0, WORLD_NAME, "application/json", replay.world_bytes)
        for name, ground in {data_name(g): g for _, g in imports_of(replay.start.terrain)}.items():
            writer.add_attachment(0, 0, name, "application/zstd", encode_data(ground))
        before = [change for change in replay.changes if change.tick <= begin]
        if begin and before:
            data = encode_changes(before)
            writer.add_attachment(0, 0, BEFORE_NAME, "application/json", data)
        writer.add_metadata(METADATA_NAME, {**replay.metadata, "format": FORMAT})
        tick, end = 0, b""
        for index, piece in enumerate(pieces):
            for tick, topic, data in _messages(piece, is_first=index == 0):
                time = tick * 10**9 // rate
                writer.add_message(channels[topic], time, data, time, tick)
                if topic == "/digest":
                    end = data
        digest = {"tick": tick, "digest": state_digest(orjson.loads(end))}
        time = tick * 10**9 // rate
        writer.add_message(channels["/end"], time, orjson.dumps(digest), time, tick)
        writer.finish()


def _messages(piece: Piece, *, is_first: bool) -> Iterator[tuple[int, str, bytes]]:
    """Tick, topic and data of the messages of a piece, in the order of a recording.

    Those of its first tick are left out where another piece ends with that tick.
    """
    replay = piece.replay
    others = (("/event", replay.steps), ("/pose", replay.poses), (KEYFRAME, replay.keyframes))
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
