"""Writes the MCAP file of a replay: its records, without what they mean.

The writer of the package `mcap` takes 5 us for a message, and compresses a chunk as one block, in
which digits of digests share one code with the bytes of poses. Here messages of one kind are a
block of the chunk's zstd stream, which any reader takes: a file is a fourteenth smaller so.
"""

import struct
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import IO

from mcap.data_stream import RecordBuilder
from mcap.opcode import Opcode
from mcap.records import (
    Attachment,
    AttachmentIndex,
    Channel,
    ChunkIndex,
    DataEnd,
    Footer,
    Header,
    McapRecord,
    Metadata,
    MetadataIndex,
    Schema,
    Statistics,
    SummaryOffset,
)
from zstandard import (
    COMPRESSOBJ_FLUSH_BLOCK,
    STRATEGY_FAST,
    ZstdCompressionParameters,
    ZstdCompressor,
)

from creature_sim.replay.container import MAGIC

CHUNK_SIZE = 1 << 20
"""A chunk that is larger than so much ends by itself [bytes]."""
COMPRESSION = ZstdCompressionParameters(
    strategy=STRATEGY_FAST, min_match=6, hash_log=12, window_log=20
)
"""How zstd looks for what comes again: little does, and a table that fits into the processor's
nearest cache finds it. Level 2 takes half as long again, and saves a thirtieth of the poses of a
thousand creatures, less than a hundredth of those of one."""
_MESSAGE = struct.Struct("<BQHIQQ")
_IN_MESSAGE = _MESSAGE.size - 9
_COMPRESSION = b"zstd"
_CHUNK = struct.Struct("<BQQQQII4sQ")
_INDEX = struct.Struct("<BQHI")


def _record(*records: McapRecord) -> bytes:
    builder = RecordBuilder()
    for each in records:
        each.write(builder)
    data: bytes = builder.end()
    return data


class _Chunk:
    """The messages of a chunk.

    Attributes:
        size: of all of them [bytes].
        index: time [ns] and place of the messages of each channel, in turn.
    """

    def __init__(self, before: bytes) -> None:
        """Begin with records that are no messages."""
        self.size = len(before)
        self.index: dict[int, list[int]] = {}
        self._blocks: list[bytes] = []
        self._open = [before]

    def add(self, channel: int, messages: Sequence[tuple[int, bytes]]) -> None:
        """Take messages of a channel."""
        index, records, place = self.index.setdefault(channel, []), self._open, self.size
        pack, opcode = _MESSAGE.pack, int(Opcode.MESSAGE)
        for time, data in messages:
            index += time, place
            size = _IN_MESSAGE + len(data)
            records += pack(opcode, size, channel, 0, time, time), data
            place += 9 + size
        self.size = place

    def end_block(self) -> None:
        """Let what comes be compressed apart."""
        block = b"".join(self._open)
        if block:
            self._blocks.append(block)
        self._open = []

    def packed(self, compressor: ZstdCompressor) -> tuple[bytes, int]:
        """All of it, compressed; and the checksum of what it was before."""
        self.end_block()
        stream, checksum = compressor.compressobj(size=self.size), 0
        found: list[bytes] = []
        for block in self._blocks:
            checksum = zlib.crc32(block, checksum)
            found += (stream.compress(block), stream.flush(COMPRESSOBJ_FLUSH_BLOCK))
        return b"".join((*found, stream.flush())), checksum


class McapFile:
    """An MCAP file that is written; whoever opened the stream closes it.

    Attributes:
        size: of what was written so far [bytes].
    """

    def __init__(self, stream: IO[bytes], library: str) -> None:
        """Write its beginning."""
        self._stream = stream
        self._compressor = ZstdCompressor(compression_params=COMPRESSION)
        self.size, self._checksum = 0, 0
        self._schemas: list[Schema] = []
        self._channels: list[Channel] = []
        self._chunks: list[ChunkIndex] = []
        self._attachments: list[AttachmentIndex] = []
        self._metadata: list[MetadataIndex] = []
        self._counts: Counter[int] = Counter()
        self._chunk = _Chunk(b"")
        self._write(MAGIC + _record(Header("", library)))

    def add_channel(self, topic: str, encoding: str, schema: tuple[str, str, bytes] | None) -> int:
        """Begin a channel, before the first message; returns its number.

        Args:
            topic: its name.
            encoding: of its messages.
            schema: name, encoding and data; None: it has none.
        """
        number = 0
        if schema is not None:
            number = len(self._schemas) + 1
            name, kind, data = schema
            self._schemas.append(Schema(id=number, name=name, encoding=kind, data=data))
        found = Channel(len(self._channels) + 1, topic, encoding, {}, number)
        self._channels.append(found)
        self._chunk = _Chunk(_record(*self._schemas, *self._channels))
        return len(self._channels)

    def add_attachment(self, name: str, kind: str, data: bytes) -> None:
        """Write a file that belongs to the messages; before the first of them."""
        record = _record(Attachment(0, 0, name, kind, data))
        self._attachments.append(
            AttachmentIndex(self.size, len(record), 0, 0, len(data), name, kind)
        )
        self._write(record)

    def add_metadata(self, name: str, fields: Mapping[str, str]) -> None:
        """Write words about the file; before the first message."""
        record = _record(Metadata(name=name, metadata=dict(fields)))
        self._metadata.append(MetadataIndex(self.size, len(record), name))
        self._write(record)

    def add_messages(self, channel: int, messages: Sequence[tuple[int, bytes]]) -> None:
        """Take messages into the running chunk.

        Args:
            channel: its number.
            messages: of each its time [ns], and data as the channel encodes them.
        """
        if not messages:
            return
        self._counts[channel] += len(messages)
        self._chunk.add(channel, messages)
        if self._chunk.size > CHUNK_SIZE:
            self.end_chunk()

    def end_block(self) -> None:
        """Let messages of another kind come: they are compressed apart from those before."""
        self._chunk.end_block()

    def end_chunk(self) -> None:
        """Write the running chunk, if there is anything in it."""
        chunk = self._chunk
        if not chunk.index:
            return
        self._chunk = _Chunk(b"")
        data, checksum = chunk.packed(self._compressor)
        begin = min(min(numbers[::2]) for numbers in chunk.index.values())
        end = max(max(numbers[::2]) for numbers in chunk.index.values())
        head = _CHUNK.pack(
            *(Opcode.CHUNK, _CHUNK.size - 9 + len(data), begin, end, chunk.size, checksum),
            *(len(_COMPRESSION), _COMPRESSION, len(data)),
        )
        place, parts, offsets = self.size, [head, data], {}
        length = len(head) + len(data)
        at = place + length
        for channel, numbers in chunk.index.items():
            offsets[channel] = at
            size = 8 * len(numbers)
            parts.append(_INDEX.pack(Opcode.MESSAGE_INDEX, 6 + size, channel, size))
            parts.append(struct.pack(f"<{len(numbers)}Q", *numbers))
            at += _INDEX.size + size
        self._chunks.append(
            ChunkIndex(
                chunk_length=length,
                chunk_start_offset=place,
                compression=_COMPRESSION.decode(),
                compressed_size=len(data),
                message_end_time=end,
                message_index_length=at - place - length,
                message_index_offsets=offsets,
                message_start_time=begin,
                uncompressed_size=chunk.size,
            )
        )
        self._write(b"".join(parts))

    def finish(self) -> None:
        """Write the last chunk, and the summary by which readers find everything."""
        self.end_chunk()
        self._write(_record(DataEnd(self._checksum)))
        begin = at = self.size
        found, offsets = [], []
        groups: list[Sequence[McapRecord]] = [self._schemas, self._channels, [self._statistics()]]
        groups += [self._chunks, self._attachments, self._metadata]
        for group in groups:
            data = _record(*group)
            if data:
                offsets.append(SummaryOffset(data[0], at, len(data)))
            found.append(data)
            at += len(data)
        summary = b"".join((*found, _record(*offsets)))
        end = _record(Footer(begin, at, 0))[:-4]
        checksum = zlib.crc32(end, zlib.crc32(summary))
        self._write(summary + end + struct.pack("<I", checksum) + MAGIC)

    def _statistics(self) -> Statistics:
        chunks = self._chunks
        return Statistics(
            attachment_count=len(self._attachments),
            channel_count=len(self._channels),
            channel_message_counts=dict(self._counts),
            chunk_count=len(chunks),
            message_count=self._counts.total(),
            message_end_time=max((each.message_end_time for each in chunks), default=0),
            message_start_time=min((each.message_start_time for each in chunks), default=0),
            metadata_count=len(self._metadata),
            schema_count=len(self._schemas),
        )

    def _write(self, data: bytes) -> None:
        self._stream.write(data)
        self.size += len(data)
        self._checksum = zlib.crc32(data, self._checksum)
