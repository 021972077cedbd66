"""The files that are written are MCAP files, as the package of its authors reads them."""

import contextlib
import io
import itertools
import zlib
from typing import NamedTuple

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from mcap.data_stream import ReadDataStream
from mcap.opcode import Opcode
from mcap.reader import make_reader
from mcap.records import Chunk, Message, MessageIndex
from mcap.stream_reader import StreamReader

from creature_sim.replay.mcap_file import CHUNK_SIZE, McapFile


class Written(NamedTuple):
    """A file, and the messages that were written into it, in their order."""

    data: bytes
    messages: list[tuple[str, int, bytes]]


def written(batches: list[list[tuple[int, int, bytes]]]) -> Written:
    """A file with a chunk for each batch of channel, time and data."""
    stream = io.BytesIO()
    file = McapFile(stream, "tests")
    topics = ("/a", "/b")
    for topic in topics:
        file.add_channel(topic, "json", (topic, "jsonschema", b"{}"))
    bare = file.add_channel("/bare", "bytes", None)
    file.add_attachment("world.json", "application/json", b"{}" * 50)
    file.add_metadata("about", {"key": "value", "empty": ""})
    found = []
    for batch in batches:
        for channel, each in itertools.groupby(batch, key=lambda message: message[0]):
            mine = list(each)
            file.add_messages(channel, [(time, data) for _, time, data in mine])
            file.end_block()
            found += [((*topics, "/bare")[channel - 1], time, data) for _, time, data in mine]
        file.end_chunk()
    assert bare == 3
    file.finish()
    return Written(stream.getvalue(), found)


messages = st.tuples(st.integers(1, 3), st.integers(0, 10**12), st.binary(max_size=200))


@pytest.mark.slow
@given(st.lists(st.lists(messages, max_size=6), max_size=4))
def test_what_was_written_is_read_by_others(batches: list[list[tuple[int, int, bytes]]]) -> None:
    file = written(batches)
    reader = make_reader(io.BytesIO(file.data), validate_crcs=True)
    read = [
        (channel.topic, message.log_time, message.data)
        for _, channel, message in reader.iter_messages(log_time_order=False)
    ]
    assert read == file.messages
    timed = [message.log_time for _, _, message in reader.iter_messages()]
    assert timed == sorted(time for _, time, _ in file.messages)
    for topic in ("/a", "/b", "/bare"):
        mine = [message.data for *_, message in reader.iter_messages([topic], log_time_order=False)]
        assert mine == [data for name, _, data in file.messages if name == topic]
    (attachment,), (metadata,) = list(reader.iter_attachments()), list(reader.iter_metadata())
    assert (attachment.name, attachment.data) == ("world.json", b"{}" * 50)
    assert metadata.metadata == {"key": "value", "empty": ""}
    summary = reader.get_summary()
    assert summary is not None
    assert summary.statistics is not None
    assert summary.statistics.message_count == len(file.messages)
    assert summary.statistics.chunk_count == sum(map(bool, batches)) == len(summary.chunk_indexes)


def test_every_message_is_where_the_index_says() -> None:
    batches = [
        [(1 + each % 3, 10 * chunk + each, b"x" * each) for each in range(10)] for chunk in range(5)
    ]
    data = written(batches).data
    summary = make_reader(io.BytesIO(data)).get_summary()
    assert summary is not None
    found = []
    for index in summary.chunk_indexes:
        assert index.chunk_length == 9 + int.from_bytes(
            data[index.chunk_start_offset + 1 :][:8], "little"
        )
        chunk = Chunk.read(record(data, index.chunk_start_offset, Opcode.CHUNK))
        inner = zstandard.decompress(chunk.data)
        assert (len(inner), zlib.crc32(inner)) == (chunk.uncompressed_size, chunk.uncompressed_crc)
        for channel, offset in index.message_index_offsets.items():
            entries = MessageIndex.read(record(data, offset, Opcode.MESSAGE_INDEX))
            assert entries.channel_id == channel
            for time, at in entries.records:
                message = Message.read(record(inner, at, Opcode.MESSAGE), len(inner) - at - 9)
                assert (message.channel_id, message.log_time) == (channel, time)
                assert index.message_start_time <= time <= index.message_end_time
                found.append((channel, time))
    assert sorted(found) == sorted(
        (channel, time) for batch in batches for channel, time, _ in batch
    )


def record(data: bytes, at: int, opcode: Opcode) -> ReadDataStream:
    """What a record holds."""
    assert data[at] == opcode
    return ReadDataStream(io.BytesIO(data[at + 9 :]))


def test_a_file_that_breaks_off_is_read_up_to_its_last_whole_chunk() -> None:
    file = written([[(1, chunk, bytes(50))] for chunk in range(4)])
    whole = [
        found.log_time
        for found in StreamReader(io.BytesIO(file.data)).records
        if isinstance(found, Message)
    ]
    assert whole == [0, 1, 2, 3]
    ends = []
    for size in range(100, len(file.data), 7):
        read = []
        records = StreamReader(io.BytesIO(file.data[:size])).records
        with contextlib.suppress(Exception):  # of whatever kind: it breaks off
            while True:
                found = next(records)
                read += [found.log_time] if isinstance(found, Message) else []
        assert read == whole[: len(read)]
        ends.append(len(read))
    assert ends == sorted(ends)
    assert ends[-1] == 4


def test_a_chunk_that_grows_too_large_ends_by_itself() -> None:
    stream = io.BytesIO()
    file = McapFile(stream, "tests")
    file.add_channel("/a", "bytes", None)
    for time in range(5):
        file.add_messages(1, [(time, bytes(CHUNK_SIZE // 2))])
    file.finish()
    summary = make_reader(io.BytesIO(stream.getvalue())).get_summary()
    assert summary is not None
    assert [index.message_start_time for index in summary.chunk_indexes] == [0, 2, 4]
