"""Writes ticks of one replay, or of several, into a new file, message by message."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from creature_sim.files.output import writing
from creature_sim.replay.codec import encode_changes
from creature_sim.replay.digests import Rows
from creature_sim.replay.message_writer import MessageWriter
from creature_sim.replay.reader import state_digest
from creature_sim.replay.replay import Replay
from creature_sim.replay.run_writer import Message, RunWriter
from creature_sim.replay.schemas import KEYFRAME
from creature_sim.replay.timeline import Messages

LAST_OLD = "4"
"""Format of copies of files of 2 to 4."""


class Piece(NamedTuple):
    """Ticks of a replay: the state after `first`, and all that follows until `last`.

    Attributes:
        replay: that has them.
        first: its keyframe is copied, too, or `keyframe` is written in its place.
        last: the last tick.
        keyframe: a message with the state after `first`, where the replay has none.
        digest: of the state after `last`, where the replay does not tell it; empty: unknown.
    """

    replay: Replay
    first: int
    last: int
    keyframe: bytes | None = None
    digest: str = ""


def copy(pieces: Sequence[Piece], path: Path, *, force: bool = False) -> None:
    """Write a complete recording of pieces, each of which begins with the state the last one ended.

    Raises:
        OutputError: the file exists or cannot be written.
    """
    replay, begin = pieces[0].replay, pieces[0].first
    with writing(path, force) as stream:
        changes = [change for change in replay.changes if change.tick <= begin]
        before = encode_changes(changes) if begin and changes else b""
        is_new = isinstance(replay.digests, Rows)
        metadata = replay.metadata if is_new else {**replay.metadata, "format": LAST_OLD}
        writer = MessageWriter(stream, replay.start, replay.world_bytes, metadata, before)
        if is_new:
            runs = RunWriter(writer)
            for index, piece in enumerate(pieces):
                _write_runs(runs, piece, is_first=index == 0)
        else:
            for index, piece in enumerate(pieces):
                for tick, topic, data in _messages(piece, is_first=index == 0):
                    writer.add(topic, [(tick, data)])
        last = pieces[-1]
        ends = last.last == last.replay.last
        told = state_digest(last.replay.digests[: last.last - last.replay.first + 1])
        writer.finish(last.last, last.replay.digest if ends else told or last.digest)


def _write_runs(runs: RunWriter, piece: Piece, *, is_first: bool) -> None:
    """Write a piece of a newer file; its first tick is left out where another ends with it."""
    replay, tick = piece.replay, piece.first if is_first else piece.first + 1
    assert isinstance(replay.digests, Rows)
    others, at = [each for each in _others(piece, tick) if each[0] >= tick], 0
    while tick <= piece.last:
        batch = replay.digests.batch(tick)
        end = min(batch.tick + batch.count - 1, piece.last)
        ticks = range(tick, end + 1)
        inputs = [
            replay.inputs[each - replay.first - 1] if each > piece.first else None for each in ticks
        ]
        mine: dict[str, list[Message]] = {"/event": [], "/pose": [], KEYFRAME: []}
        while at < len(others) and others[at][0] <= end:
            number, topic, data = others[at]
            mine[topic].append((number, data))
            at += 1
        runs.write(ticks, inputs, batch.part(tick, end), mine)
        tick = end + 1


def _others(piece: Piece, begin: int) -> Iterator[tuple[int, str, bytes]]:
    """All messages but inputs and digests from a tick on, in the order of a recording."""
    replay = piece.replay
    topics = (("/event", replay.events), ("/pose", replay.poses), (KEYFRAME, replay.keyframes))
    at = {topic: bisect_left(messages.ticks, begin) for topic, messages in topics}
    for tick in range(begin, piece.last + 1):
        for topic, messages in topics:
            while at[topic] < len(messages) and messages.ticks[at[topic]] == tick:
                yield tick, topic, messages.raw(at[topic])
                at[topic] += 1
        if tick == piece.first and piece.keyframe is not None:
            yield tick, KEYFRAME, piece.keyframe


def _messages(piece: Piece, *, is_first: bool) -> Iterator[tuple[int, str, bytes]]:
    """The messages of a piece of an older format, in the order of a recording.

    Those of its first tick are left out where another piece ends with that tick.
    """
    replay, begin = piece.replay, piece.first if is_first else piece.first + 1
    assert isinstance(replay.digests, Messages)
    others = [*_others(piece, begin), (piece.last + 1, "", b"")]
    at = 0
    for tick in range(begin, piece.last + 1):
        index = tick - replay.first
        if tick > piece.first:
            yield tick, "/input", replay.inputs.raw(index - 1)
        yield tick, "/digest", replay.digests.raw(index)
        while others[at][0] == tick:
            yield others[at]
            at += 1


def has_poses(pieces: Iterable[Piece]) -> bool:
    """Whether there is anything to show."""
    return any(
        piece.first <= tick <= piece.last for piece in pieces for tick in piece.replay.poses.ticks
    )
