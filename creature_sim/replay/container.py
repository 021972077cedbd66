"""The MCAP container of a replay: its records, without what they mean.

A file may be cut off, damaged, or made to do harm: every size is checked before memory is taken
for it, and what follows the first damage is not read.
"""

import re
import struct
import zlib
from array import array
from collections import OrderedDict
from collections.abc import Iterator
from io import BytesIO
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import BinaryIO, NamedTuple

import lz4.frame
import zstandard
from mcap.data_stream import ReadDataStream
from mcap.exceptions import McapError
from mcap.opcode import Opcode
from mcap.records import Attachment, Channel, Chunk, DataEnd, Metadata

from creature_sim.errors import ReplayCorrupt, ReplayError
from creature_sim.files.kinds import is_stream, what_is_there
from creature_sim.replay.schemas import METADATA_NAME, TOPICS
from creature_sim.replay.sizes import (
    LARGEST_ATTACHMENT,
    LARGEST_CHUNK,
    LARGEST_REST,
    MAX_ATTACHMENTS,
    MAX_GROWTH,
)

MAGIC = b"\x89MCAP0\r\n"
KEPT_CHUNKS = 4
_DAMAGE = (
    McapError, struct.error, EOFError, ValueError, KeyError, IndexError, OverflowError,
    RuntimeError, MemoryError, zstandard.ZstdError,
)  # fmt: skip
"""What libraries raise on bytes that are no record."""
_HEADER = struct.Struct("<BQ")
_MESSAGE = struct.Struct("<HIQQ")
_CHUNK_START = re.compile(rb"\x06.{36}(?:\x04\0\0\0zstd|\x03\0\0\0lz4|\0\0\0\0)", re.DOTALL)


class Slot(NamedTuple):
    """Where a message lies: in which chunk, and where in that chunk's data [bytes]."""

    chunk: int
    begin: int
    size: int


class Found(NamedTuple):
    """A message that was read.

    Attributes:
        topic: that it is of.
        times: when it was logged, and published [ns].
        data: as its channel encodes it.
        slot: where it lies.
    """

    topic: str
    times: tuple[int, int]
    data: bytes
    slot: Slot


class Slots:
    """Where many messages lie, in 24 bytes each."""

    def __init__(self) -> None:
        """Start empty."""
        self._numbers = array("q")

    def add(self, slot: Slot) -> None:
        """Take one more."""
        self._numbers.extend(slot)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._numbers) // 3

    def __getitem__(self, index: int) -> Slot:
        """One of them."""
        return Slot(*self._numbers[3 * index : 3 * index + 3])


class Container:
    """An MCAP file, read as far as it is whole.

    Attributes:
        path: of the file.
        attachments: those that a replay may need, by name.
        metadata: of the recording; None where there is none.
        damage: why the file could not be read to its end; empty where it could.
    """

    def __init__(self, path: Path, *, salvage: bool = False) -> None:
        """Find the records; chunks are checked when they are read.

        Args:
            path: of the file.
            salvage: whether to look for chunks behind a damage, too.

        Raises:
            ReplayCorrupt: it is no MCAP file.
            ReplayError: it cannot be opened.
        """
        self.path = path
        self.attachments: dict[str, bytes] = {}
        self.metadata: dict[str, str] | None = None
        self.damage = ""
        self._chunks: list[tuple[int, int]] = []  # place and size of each in the file
        self._topics = dict(enumerate(TOPICS, 1))  # as a recorder numbers them
        self._ignored, self._most_ignored = 0, LARGEST_ATTACHMENT
        self._kept: OrderedDict[int, bytes] = OrderedDict()
        try:
            if is_stream(path):
                raise ReplayError(f"{path}: expected a replay file, found {what_is_there(path)}")
            with path.open("rb") as stream:
                size = path.stat().st_size
                self._most_ignored += MAX_GROWTH * size
                if size == 0:
                    raise ReplayCorrupt(f"{path}: expected a replay, found an empty file")
                if not MAGIC.startswith(stream.read(len(MAGIC))):
                    raise ReplayCorrupt(
                        f"{path}: expected a replay (MCAP), found a file of another kind"
                    )
                try:
                    self._walk(stream, size)
                except _DAMAGE as error:
                    self.damage = str(error) or "end of file"
                if salvage and self.damage:
                    self._search(stream)
        except OSError as error:
            raise ReplayError(
                f"{path}: expected a readable replay file, found none ({error.strerror})"
            ) from None
        except ValueError:  # a null byte
            raise ReplayError(f"expected the path of a replay, found {str(path)!r}") from None

    def __len__(self) -> int:
        """How many chunks there are."""
        return len(self._chunks)

    def message(self, slot: Slot) -> bytes:
        """The data of a message; ReplayCorrupt if the file has changed since it was opened."""
        try:
            data = self._data(slot.chunk)
        except (*_DAMAGE, OSError) as error:
            raise ReplayCorrupt(
                f"{self.path}: expected the file as it was when it was opened, found a change "
                f"({error})"
            ) from None
        return data[slot.begin : slot.begin + slot.size]

    def check(self, chunk: int) -> None:
        """Refuse a chunk whose bytes are damaged with a ValueError that says how."""
        try:
            self._data(chunk)
        except _DAMAGE as error:
            raise ValueError(str(error) or type(error).__name__) from None

    def messages(self, chunk: int) -> Iterator[Found]:
        """The messages of a chunk that a replay may have; ValueError where it is something else."""
        try:
            data = self._data(chunk)
            end = 0
            while end < len(data):
                opcode, size = _HEADER.unpack_from(data, end)
                begin = end + _HEADER.size
                end = begin + size
                if not opcode or end > len(data):
                    raise ValueError(f"a record of {size} bytes in a chunk of {len(data)}")
                if opcode == Opcode.MESSAGE:
                    channel, _, logged, published = _MESSAGE.unpack_from(data, begin)
                    topic, begin = self._topics[channel], begin + _MESSAGE.size
                    if topic in TOPICS:
                        slot = Slot(chunk, begin, end - begin)
                        yield Found(topic, (logged, published), data[begin:end], slot)
                        continue
                elif opcode == Opcode.CHANNEL:
                    self._know(Channel.read(_stream(data[begin:end])))
                self._ignored += _HEADER.size + size
                if self._ignored > self._most_ignored:
                    raise ValueError(f"more than {self._most_ignored} bytes of other things")
        except _DAMAGE as error:
            raise ValueError(str(error) or type(error).__name__) from None

    def _data(self, index: int) -> bytes:
        """The data of a chunk; the last few are kept."""
        if index in self._kept:
            self._kept.move_to_end(index)
            return self._kept[index]
        place, size = self._chunks[index]
        if size > LARGEST_CHUNK:
            raise ValueError(f"a chunk of {size} bytes")
        with self.path.open("rb") as stream:
            stream.seek(place)
            data = _unpacked(stream.read(size))
        self._kept[index] = data
        total = sum(map(len, self._kept.values()))
        while len(self._kept) > 1 and (len(self._kept) > KEPT_CHUNKS or total > LARGEST_CHUNK):
            total -= len(self._kept.popitem(last=False)[1])
        return data

    def _know(self, channel: Channel) -> None:
        """Remember a channel; a file has only a few."""
        if len(self._topics) >= 1000:
            raise ValueError("more than 1000 channels")
        self._topics[channel.id] = channel.topic

    def _walk(self, stream: BinaryIO, file_size: int) -> None:
        """Find all records up to the end of the data, and read the index behind them."""
        checksum = zlib.crc32(MAGIC)
        while True:
            header = stream.read(_HEADER.size)
            if len(header) < _HEADER.size:
                raise EOFError("the file ends without an end mark")
            opcode, size = _HEADER.unpack(header)
            place = stream.tell()
            if size > file_size - place:
                raise EOFError(f"the file ends within a record of {size} bytes")
            if opcode == Opcode.DATA_END:
                end = DataEnd.read(_stream(stream.read(min(size, LARGEST_REST))))
                if end.data_section_crc not in (0, checksum):
                    raise ValueError("the checksum of the whole file is wrong")
                _check_index(stream, file_size)
                return
            checksum = zlib.crc32(header, checksum)
            if opcode in (Opcode.ATTACHMENT, Opcode.METADATA, Opcode.CHANNEL):
                data = stream.read(size) if size <= _LIMITS[opcode] else b""
                if data:
                    self._take(opcode, data)
                checksum = zlib.crc32(data, checksum)
            elif opcode == Opcode.CHUNK:
                self._chunks.append((place, size))
            checksum = _read_on(stream, place + size, checksum)

    def _take(self, opcode: int, data: bytes) -> None:
        """Keep an attachment, the metadata or a channel."""
        if opcode == Opcode.CHANNEL:
            self._know(Channel.read(_stream(data)))
        elif opcode == Opcode.METADATA:
            metadata = Metadata.read(_stream(data))
            if metadata.name == METADATA_NAME:
                self.metadata = metadata.metadata
        else:
            found = Attachment.read(_stream(data))
            (checksum,) = struct.unpack("<I", data[-4:])
            if checksum not in (0, zlib.crc32(data[:-4])):
                raise ValueError(f"the checksum of attachment {found.name!r} is wrong")
            if len(self.attachments) < MAX_ATTACHMENTS:
                self.attachments[found.name] = found.data

    def _search(self, stream: BinaryIO) -> None:
        """Find chunks behind the place where the walk ended, by how they begin."""
        begin = sum(self._chunks[-1]) if self._chunks else 0
        with mmap(stream.fileno(), 0, access=ACCESS_READ) as data:
            while match := _CHUNK_START.search(data, begin):
                begin = match.start() + 1
                _, size = _HEADER.unpack_from(data, match.start())
                place = match.start() + _HEADER.size
                largest = min(LARGEST_CHUNK, len(data) - place)
                if size <= largest and _is_chunk(data[place : place + size]):
                    self._chunks.append((place, size))
                    begin = place + size


def _check_index(stream: BinaryIO, file_size: int) -> None:
    """Read the index behind the data, which no replay needs: the file is to be whole, and end."""
    checksum = 0
    while True:
        header = stream.read(_HEADER.size)
        if len(header) < _HEADER.size:
            raise EOFError("the file ends within its index")
        opcode, size = _HEADER.unpack(header)
        if size > file_size - stream.tell():
            raise EOFError("the file ends within its index")
        checksum = zlib.crc32(header, checksum)
        if opcode == Opcode.FOOTER:
            break
        checksum = _read_on(stream, stream.tell() + size, checksum)
    places, (wanted,) = stream.read(16), struct.unpack("<I", stream.read(4))
    if wanted not in (0, zlib.crc32(places, checksum)):
        raise ValueError("the checksum of its index is wrong")
    if stream.read(len(MAGIC)) != MAGIC:
        raise EOFError("the file ends within its end mark")
    if stream.tell() < file_size:
        raise ValueError(f"{file_size - stream.tell()} bytes follow the end of the recording")


def _read_on(stream: BinaryIO, end: int, checksum: int) -> int:
    """Read up to a place in a file, a piece at a time; the checksum with that."""
    while stream.tell() < end:
        piece = stream.read(min(1 << 20, end - stream.tell()))
        if not piece:
            raise EOFError("end of file")
        checksum = zlib.crc32(piece, checksum)
    return checksum


_LIMITS = {
    Opcode.ATTACHMENT: LARGEST_ATTACHMENT,
    Opcode.METADATA: LARGEST_REST,
    Opcode.CHANNEL: LARGEST_REST,
}


def _stream(data: bytes) -> ReadDataStream:
    return ReadDataStream(BytesIO(data))


def _unpacked(record: bytes) -> bytes:
    """The data of a chunk record; an error of `_DAMAGE` where it is damaged or too large."""
    chunk = Chunk.read(_stream(record))
    size = chunk.uncompressed_size
    if size > LARGEST_CHUNK:
        raise ValueError(f"a chunk of {size} bytes")
    if chunk.compression == "zstd":
        if zstandard.frame_content_size(chunk.data) not in (-1, size):
            raise ValueError("a chunk of another size than it says")
        data = zstandard.ZstdDecompressor().decompress(chunk.data, max_output_size=max(1, size))
    elif chunk.compression == "lz4":
        data = lz4.frame.LZ4FrameDecompressor().decompress(chunk.data, max_length=size + 1)
    elif chunk.compression == "":
        data = chunk.data
    else:
        raise ValueError(f"a chunk compressed by {chunk.compression!r}")
    if len(data) != size:
        raise ValueError("a chunk of another size than it says")
    if chunk.uncompressed_crc not in (0, zlib.crc32(data)):
        raise ValueError("the checksum of a chunk is wrong")
    return data


def _is_chunk(record: bytes) -> bool:
    """Whether a chunk can be read."""
    try:
        _unpacked(record)
    except _DAMAGE:
        return False
    return True
