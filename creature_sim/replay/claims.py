"""What a replay file says of its ticks beside digests: inputs, events, poses and keyframes."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from creature_sim.inputs import Input
from creature_sim.replay.codec import encode_events, encode_input, encode_pose, pose_ticks
from creature_sim.replay.keyframes import encode_keyframe
from creature_sim.replay.reader import Replay
from creature_sim.replay.schemas import KEYFRAME
from creature_sim.replay.timeline import WRONG, Messages
from creature_sim.snapshots.poses import pose_of
from creature_sim.snapshots.snapshot import Snapshot


@dataclass(frozen=True)
class Divergence:
    """The first difference of a re-simulation.

    Attributes:
        tick: the first tick whose state differs.
        part: the first part that differs, in the order of the tick; where all state is equal,
            "chain", "input", "event", "pose", "keyframe" or "end": what else the file says of the
            tick is not what the recorder wrote.
        creature: index of the creature that differs, in the world's list; None: another part.
        chain: index of the chain or tree that differs, as events count them; None: another part.
        prop: index of the prop that differs, in the world's list; None: another part.
    """

    tick: int
    part: str
    creature: int | None
    chain: int | None = None
    prop: int | None = None


class Claims:
    """Compares what a file says with what a recorder would write, tick by tick."""

    def __init__(self, replay: Replay, begin: int) -> None:
        """Begin with the state after a tick."""
        self._replay = replay
        self._pose_ticks = pose_ticks(replay.tick_rate)
        self._next: dict[str, int] = {}
        for topic, messages in self._topics():
            self._next[topic] = bisect_left(messages.ticks, begin)

    def _topics(self) -> Iterator[tuple[str, Messages[Any]]]:
        replay = self._replay
        yield "event", replay.events
        yield "pose", replay.poses
        yield "keyframe", replay.keyframes

    def differs(self, snapshot: Snapshot, given: Input | None) -> Divergence | None:
        """The first thing that the file says wrongly of a tick; None where all is right."""
        tick, replay = snapshot.tick, self._replay
        if given is not None:
            message = replay.inputs.raw(int(tick) - replay.first - 1)
            if not _is_same(message, encode_input(tick, given)):
                return Divergence(tick, "input", None)
        for topic, messages in self._topics():
            begin = end = self._next[topic]
            while end < len(messages) and messages.ticks[end] == tick:
                end += 1
            self._next[topic] = end
            said = [messages.raw(index) for index in range(begin, end)]
            expected = self._expected(topic, snapshot, bool(said))
            if replay.cut and tick == replay.last:  # what came last may be lost
                expected = expected[: len(said)]
            if len(said) != len(expected):
                return Divergence(tick, topic, None)
            for found, right in zip(said, expected, strict=True):
                if not _is_same(found, right):
                    return Divergence(tick, topic, _whose(topic, found, right))
        return None

    def _expected(self, topic: str, snapshot: Snapshot, is_there: bool) -> list[bytes]:
        """The messages of a topic that a recorder writes of a tick."""
        if topic == "event":
            return encode_events(snapshot)
        if topic == "pose":
            is_due = snapshot.tick % self._pose_ticks == 0
            return [encode_pose(pose_of(snapshot))] if is_due else []
        return [encode_keyframe(snapshot)] if is_there else []


def _is_same(found: bytes, expected: bytes) -> bool:
    """Whether two messages say the same."""
    if found == expected:
        return True
    if b"\n" in expected:  # a keyframe
        return False
    try:
        return bool(orjson.loads(found) == orjson.loads(expected))
    except orjson.JSONDecodeError:
        return False


def _whose(topic: str, found: bytes, expected: bytes) -> int | None:
    """The first creature that a pose or a step shows wrongly."""
    if topic == KEYFRAME[1:]:
        return None
    other = orjson.loads(expected)
    if topic == "event":
        return int(other["creature"])
    try:
        pairs = zip(orjson.loads(found)["creatures"], other["creatures"], strict=False)
        return next((index for index, (a, b) in enumerate(pairs) if a != b), None)
    except WRONG:  # it is no pose
        return None
