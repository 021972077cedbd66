"""MCAP files that no recorder would write."""

import struct
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import lz4.frame
import zstandard
from mcap.opcode import Opcode

MAGIC = b"\x89MCAP0\r\n"


class Chunk(NamedTuple):
    """A chunk, and what its record says of it.

    Attributes:
        data: as compressed.
        compression: name of the method.
        size: that the record claims [bytes].
        checksum: of the data; 0: none.
    """

    data: bytes
    compression: str = "zstd"
    size: int = 100
    checksum: int = 0

    def record(self) -> bytes:
        """The record of the container."""
        name = self.compression.encode()
        fields = struct.pack("<QQQI", 0, 0, self.size, self.checksum)
        fields += struct.pack("<I", len(name)) + name
        return record(Opcode.CHUNK, fields + struct.pack("<Q", len(self.data)) + self.data)


def record(opcode: int, data: bytes) -> bytes:
    """A record of the container."""
    return struct.pack("<BQ", opcode, len(data)) + data


def message(channel: int, data: bytes) -> bytes:
    """A message record."""
    return record(Opcode.MESSAGE, struct.pack("<HIQQ", channel, 0, 0, 0) + data)


def zstd_of(pieces: Iterable[bytes], *, size: int = -1) -> bytes:
    """Pieces as one zstd frame, whose header states a size unless that is -1."""
    stream = zstandard.ZstdCompressor(level=1).compressobj(size=size)
    return b"".join((*(stream.compress(piece) for piece in pieces), stream.flush()))


def lz4_of(pieces: Iterable[bytes]) -> bytes:
    """Pieces as one lz4 frame."""
    stream = lz4.frame.LZ4FrameCompressor()
    return b"".join((stream.begin(), *(stream.compress(piece) for piece in pieces), stream.flush()))


def whole_chunk(data: bytes) -> Chunk:
    """A chunk that is what it says."""
    return Chunk(zstd_of([data], size=len(data)), size=len(data), checksum=zlib.crc32(data))


def with_records(path: Path, target: Path, insert: bytes, *, instead: bool = False) -> Path:
    """A copy of a file with records behind its metadata.

    Args:
        path: of a recording.
        target: of the copy.
        insert: the records.
        instead: whether all that follows is left out.
    """
    whole = path.read_bytes()
    at = _end_of_metadata(whole)
    target.write_bytes(whole[:at] + insert + (b"" if instead else whole[at:]))
    return target


def with_attachment(path: Path, target: Path, change: Callable[[str, bytes], bytes]) -> Path:
    """A copy of a file whose attachments are changed, and nothing behind the metadata is kept."""
    whole = path.read_bytes()
    copy, at = whole[: len(MAGIC)], len(MAGIC)
    while at < _end_of_metadata(whole):
        opcode, size = struct.unpack_from("<BQ", whole, at)
        data = whole[at + 9 : at + 9 + size]
        if opcode == Opcode.ATTACHMENT:
            data = _attachment(data, change)
        copy += record(opcode, data)
        at += 9 + size
    target.write_bytes(copy + whole[at:])
    return target


def _attachment(data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """An attachment with other data, and the right checksum."""
    (length,) = struct.unpack_from("<I", data, 16)
    name = data[20 : 20 + length].decode()
    (kind,) = struct.unpack_from("<I", data, 20 + length)
    begin = 24 + length + kind
    (size,) = struct.unpack_from("<Q", data, begin)
    new = change(name, data[begin + 8 : begin + 8 + size])
    found = data[:begin] + struct.pack("<Q", len(new)) + new
    return found + struct.pack("<I", zlib.crc32(found))


def _end_of_metadata(whole: bytes) -> int:
    """Where the records behind the metadata begin."""
    at = len(MAGIC)
    while True:
        opcode, size = struct.unpack_from("<BQ", whole, at)
        at += 9 + int(size)
        if opcode == Opcode.METADATA:
            return at
