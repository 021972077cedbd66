"""Files that grow by whole lines: what a crash or a full disk cut off is removed."""

import sys
from collections.abc import Iterator
from io import FileIO
from pathlib import Path

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
        self._stream = path.open("ab", buffering=0)
        if not _is_free(self._stream):
            self._stream.close()
            raise OutputError(f"{path}: expected no other command that writes it, found one")
        self.end = sum(len(line) for _, line in whole_lines(path))
        self._stream.truncate(self.end)

    def append(self, line: bytes) -> int:
        """Add a line, to which a newline is added; returns where it begins [bytes]."""
        begin, rest = self.end, line + b"\n"
        while rest:
            rest = rest[self._stream.write(rest) :]
        self.end = begin + len(line) + 1
        return begin

    def close(self) -> None:
        """Close the file; of a line that was being written nothing is left."""
        if not self._stream.closed:
            self._stream.truncate(self.end)  # while it is locked: others may wait to write
            self._stream.close()


def remove(path: Path) -> None:
    """Remove such a file; OutputError if another command has it open."""
    LineFile(path).close()
    path.unlink()


def _is_free(stream: FileIO) -> bool:
    """Lock a file until it is closed; False if another has. Where there are no locks, all are."""
    if sys.platform != "win32":
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without locks
            return True
    return True
