"""Writes the container of a replay: its head, the messages of its ticks, its end."""

from collections.abc import Mapping
from typing import IO

import orjson
from mcap.writer import Writer

from creature_sim.definitions import WorldDef
from creature_sim.replay.codec import data_of, encode_data
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
        self._writer = Writer(stream, enable_data_crcs=True)
        self._writer.start(library="creature_sim")
        self._channels = {
            topic: self._channel(topic, schema, is_old=not is_batched(metadata["format"]))
            for topic, schema in SCHEMAS.items()
        }
        self._channels[KEYFRAME] = self._writer.register_channel(KEYFRAME, "creature_sim", 0)
        self._writer.add_attachment(0, 0, WORLD_NAME, "application/json", world_bytes)
        for name, data in data_of(world).items():
            self._writer.add_attachment(0, 0, name, "application/zstd", encode_data(data))
        if before:
            self._writer.add_attachment(0, 0, BEFORE_NAME, "application/json", before)
        self._writer.add_metadata(METADATA_NAME, dict(metadata))

    def _channel(self, topic: str, schema: bytes, *, is_old: bool) -> int:
        """The number of a new channel."""
        name, encoding, data = f"creature_sim{topic}", "jsonschema", schema
        if topic == "/pose" and not is_old:
            name, encoding, data = POSE_NAME, "protobuf", pose_schema()
        elif topic == "/digest" and not is_old:
            data = DIGESTS
        number = self._writer.register_schema(name, encoding, data)
        return int(self._writer.register_channel(topic, encoding.removesuffix("schema"), number))

    def add(self, topic: str, tick: int, data: bytes) -> None:
        """Write a message of a tick."""
        time = tick * 10**9 // self._rate
        self._writer.add_message(self._channels[topic], time, data, time, tick)

    def flush(self) -> None:
        """End a chunk: what was written so far can be read."""
        self._writer.flush()

    def finish(self, tick: int, digest: str) -> None:
        """Write the end mark, after the last tick and the digest of its state."""
        self.add("/end", tick, orjson.dumps({"tick": tick, "digest": digest}))
        self._writer.finish()
