"""Files that grow by whole lines: what a crash or a full disk cut off is removed."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def whole_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Where each whole line of a file begins [bytes], and the line."""
    offset = 0
    with path.open("rb") as stream:
        for line in stream:
            if line.endswith(b"\n"):
                yield offset, line
                offset += len(line)


class LineFile:
    """Lines that are added to a file, each kept before the next one.

    Attributes:
        end: size of all whole lines [bytes].
    """

    def __init__(self, path: Path) -> None:
        """Open a file, or make one, and remove the beginning of a line from its end."""
        self._path = path
        self._stream = path.open("ab")
        self.end = sum(len(line) for _, line in whole_lines(path))
        self._stream.truncate(self.end)

    def append(self, line: bytes) -> int:
        """Add a line, to which a newline is added; returns where it begins [bytes]."""
        begin = self.end
        self._stream.write(line + b"\n")
        self._stream.flush()
        self.end = self._stream.tell()
        return begin

    def close(self) -> None:
        """Close the file; of a line that was being written nothing is left."""
        with suppress(OSError):  # the disk is full, as was said
            self._stream.close()
        os.truncate(self._path, self.end)
