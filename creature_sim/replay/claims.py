"""What a replay file says of its ticks beside digests: inputs, events, poses and keyframes."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson

from creature_sim.inputs import Input
from creature_sim.replay.codec import encode_input
from creature_sim.replay.events import encode_events
from creature_sim.replay.json_poses import encode_pose
from creature_sim.replay.keyframes import encode_keyframe
from creature_sim.replay.pose_arrays import POSE_FIELDS, pose_ticks
from creature_sim.replay.pose_codec import decode_pose, per_metre
from creature_sim.replay.pose_codec import encode_pose as encode_pose_bytes
from creature_sim.replay.replay import Replay
from creature_sim.replay.schemas import is_batched
from creature_sim.replay.timeline import WRONG, Messages
from creature_sim.snapshots.poses import Pose, pose_of
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
        self._version = replay.metadata["format"]
        self._is_old = not is_batched(self._version)
        self._world, self._scale = replay.world, per_metre(replay.start)
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
            if not self._is_input(message, tick, given):
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
                    return Divergence(tick, topic, self._whose(topic, found, right))
        return None

    def _expected(self, topic: str, snapshot: Snapshot, is_there: bool) -> list[bytes]:
        """The messages of a topic that a recorder writes of a tick."""
        if topic == "event":
            return encode_events(snapshot)
        if topic == "pose":
            is_due = snapshot.tick % self._pose_ticks == 0
            return [self._pose(snapshot)] if is_due else []
        return [encode_keyframe(snapshot)] if is_there else []

    def _is_input(self, message: bytes, tick: int, given: Input) -> bool:
        """Whether a message is the input of a tick, or, in newer files, of one before it."""
        said = orjson.loads(message)["tick"]
        return _is_same(message, encode_input(tick if self._is_old else said, given))

    def _pose(self, snapshot: Snapshot) -> bytes:
        if self._is_old:
            return encode_pose(pose_of(snapshot))
        return encode_pose_bytes(pose_of(snapshot), self._scale, self._version)

    def _whose(self, topic: str, found: bytes, expected: bytes) -> int | None:
        """The first creature that a pose or a step shows wrongly."""
        if topic == "event":
            return int(orjson.loads(expected)["creature"])
        if topic != "pose":
            return None
        try:
            if not self._is_old:
                poses = (
                    decode_pose(each, self._world, self._version) for each in (found, expected)
                )
                return _first_other(*poses)
            pairs = zip(
                orjson.loads(found)["creatures"], orjson.loads(expected)["creatures"], strict=False
            )
            return next((index for index, (a, b) in enumerate(pairs) if a != b), None)
        except WRONG:  # it is no pose
            return None


def _first_other(found: Pose, expected: Pose) -> int | None:
    """The first creature that two poses show in other ways."""
    for mine, right in zip(found.creatures, expected.creatures, strict=True):
        if any(
            not np.array_equal(getattr(mine, field), getattr(right, field))
            for field in (*POSE_FIELDS, "is_swinging")
        ):
            return int(right.herd.members[right.row])
    return None


def _is_same(found: bytes, expected: bytes) -> bool:
    """Whether two messages say the same."""
    if found == expected:
        return True
    try:
        return bool(orjson.loads(found) == orjson.loads(expected))
    except orjson.JSONDecodeError:  # bytes, of keyframes and newer poses
        return False
