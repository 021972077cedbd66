"""The MCAP container of a replay: its records, without what they mean."""

import struct
from pathlib import Path

import zstandard
from mcap.exceptions import McapError
from mcap.records import Attachment, Channel, Chunk, DataEnd, Message, Metadata
from mcap.stream_reader import StreamReader, breakup_chunk

from creature_sim.errors import ReplayCorrupt, ReplayError, ReplayTruncated
from creature_sim.replay.schemas import METADATA_NAME

LARGEST_CHUNK = 2**30
"""No second of any world is larger [bytes]: a size beyond it is damage."""
MAGIC = b"\x89MCAP0\r\n"
TOPICS = ("/input", "/digest", "/pose", "/end")
"""Those that every replay has."""


class Contents:
    """The records of a replay file, as far as it can be read.

    Attributes:
        attachments: by name.
        metadata: of the recording; None where there is none.
        messages: by topic, in the order of the file.
    """

    def __init__(self) -> None:
        """Start empty."""
        self.attachments: dict[str, bytes] = {}
        self.metadata: dict[str, str] | None = None
        self.messages: dict[str, list[bytes]] = {topic: [] for topic in TOPICS}

    def read(self, path: Path) -> None:
        """Read to the end of the data.

        Raises:
            ReplayTruncated: the file breaks off.
            ReplayCorrupt: its bytes are damaged, or it is no MCAP file.
            ReplayError: it cannot be opened.
        """
        try:
            size = path.stat().st_size
            with path.open("rb") as stream:
                if size == 0:
                    raise ReplayCorrupt(f"{path}: expected a replay, found an empty file")
                if not MAGIC.startswith(stream.read(len(MAGIC))):
                    raise ReplayCorrupt(
                        f"{path}: expected a replay (MCAP), found a file of another kind"
                    )
                stream.seek(0)
                reader = StreamReader(
                    stream, emit_chunks=True, validate_crcs=True, record_size_limit=size
                )
                self._read(reader)
        except OSError as error:
            raise ReplayError(
                f"{path}: expected a readable replay file, found none ({error.strerror})"
            ) from None
        except (McapError, struct.error, EOFError) as error:
            raise self._truncated(path, error) from None
        except (ValueError, zstandard.ZstdError, KeyError, IndexError, MemoryError) as error:
            raise ReplayCorrupt(
                f"{path}: expected whole data, found damage after tick {self.last_tick} ({error})"
            ) from None

    @property
    def last_tick(self) -> int:
        """The last tick that could be read."""
        return max(0, len(self.messages["/digest"]) - 1)

    def _truncated(self, path: Path, error: Exception) -> ReplayError:
        return ReplayTruncated(
            f"{path}: expected a recording with its end, found that it breaks off after tick "
            f"{self.last_tick} ({str(error) or 'end of file'})"
        )

    def _read(self, reader: StreamReader) -> None:
        topics: dict[int, str] = {}
        for record in reader.records:
            found = [record]
            if isinstance(record, Chunk):
                if record.uncompressed_size > LARGEST_CHUNK:
                    raise ValueError(f"a chunk of {record.uncompressed_size} bytes")
                found = breakup_chunk(record, validate_crc=True)
            for item in found:
                if isinstance(item, Channel):
                    topics[item.id] = item.topic
                elif isinstance(item, Message):
                    self.messages.setdefault(topics[item.channel_id], []).append(item.data)
                elif isinstance(item, Attachment):
                    self.attachments[item.name] = item.data
                elif isinstance(item, Metadata) and item.name == METADATA_NAME:
                    self.metadata = item.metadata
                elif isinstance(item, DataEnd):
                    return
