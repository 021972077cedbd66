"""Files that grow by whole lines: what a crash or a full disk cut off is removed."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from creature_sim.errors import OutputError

if sys.platform != "win32":
    import fcntl


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
        """Open a file, or make one, and remove the beginning of a line from its end.

        Raises:
            OutputError: another command has it open; each would cut off lines of the other.
        """
        self._path = path
        self._stream = path.open("ab")
        if not _is_free(self._stream):
            self._stream.close()
            raise OutputError(f"{path}: expected no other command that writes it, found one")
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


def remove(path: Path) -> None:
    """Remove such a file; OutputError if another command has it open."""
    LineFile(path).close()
    path.unlink()


def _is_free(stream: IO[bytes]) -> bool:
    """Lock a file until it is closed; False if another has. Where there are no locks, all are."""
    if sys.platform != "win32":
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without locks
            return True
    return True
