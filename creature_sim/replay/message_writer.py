"""Writes the container of a replay: its head, the messages of its ticks, its end."""

from collections.abc import Mapping, Sequence
from typing import IO

import orjson

from creature_sim.definitions import WorldDef
from creature_sim.replay.codec import data_of, encode_data
from creature_sim.replay.mcap_file import McapFile
from creature_sim.replay.pose_schema import POSE_NAME
from creature_sim.replay.pose_schema import schema as pose_schema
from creature_sim.replay.schemas import (
    BEFORE_NAME,
    DIGESTS,
    KEYFRAME,
    METADATA_NAME,
    SCHEMAS,
    WORLD_NAME,
    is_batched,
    time_of,
)


class MessageWriter:
    """An MCAP file that is a replay; whoever opened the stream closes it."""

    def __init__(
        self,
        stream: IO[bytes],
        world: WorldDef,
        world_bytes: bytes,
        metadata: Mapping[str, str],
        before: bytes = b"",
    ) -> None:
        """Write what comes before the first tick.

        Args:
            stream: to write to.
            world: before its first tick, with the data of its grounds and models.
            world_bytes: the same as the file shall have it.
            metadata: of the recording.
            before: creatures that came and went before the first state; empty where none did.
        """
        self._rate = world.tick_rate
        self._file = McapFile(stream, "creature_sim")
        self._channels = {
            topic: self._channel(topic, schema, is_old=not is_batched(metadata["format"]))
            for topic, schema in SCHEMAS.items()
        }
        self._channels[KEYFRAME] = self._file.add_channel(KEYFRAME, "creature_sim", None)
        self._file.add_attachment(WORLD_NAME, "application/json", world_bytes)
        for name, data in data_of(world).items():
            self._file.add_attachment(name, "application/zstd", encode_data(data))
        if before:
            self._file.add_attachment(BEFORE_NAME, "application/json", before)
        self._file.add_metadata(METADATA_NAME, metadata)

    def _channel(self, topic: str, schema: bytes, *, is_old: bool) -> int:
        """The number of a new channel."""
        name, encoding, data = f"creature_sim{topic}", "jsonschema", schema
        if topic == "/pose" and not is_old:
            name, encoding, data = POSE_NAME, "protobuf", pose_schema()
        elif topic == "/digest" and not is_old:
            data = DIGESTS
        words = encoding.removesuffix("schema")
        return self._file.add_channel(topic, words, (name, encoding, data))

    def add(self, topic: str, messages: Sequence[tuple[int, bytes]]) -> None:
        """Write messages of a topic: the tick and the data of each."""
        rate = self._rate
        timed = [(time_of(tick, rate), data) for tick, data in messages]
        self._file.add_messages(self._channels[topic], timed)

    def end_block(self) -> None:
        """Say that messages of another kind come: the two are compressed apart."""
        self._file.end_block()

    def flush(self) -> int:
        """End a chunk: what was written so far can be read; returns its size [bytes]."""
        self._file.end_chunk()
        return self._file.size

    def finish(self, tick: int, digest: str) -> None:
        """Write the end mark, after the last tick and the digest of its state."""
        self.add("/end", [(tick, orjson.dumps({"tick": tick, "digest": digest}))])
        self._file.finish()
