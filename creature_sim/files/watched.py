"""Files that somebody else edits: whether one was saved."""

import time
from collections.abc import Sequence
from pathlib import Path

POLL_SECONDS = 0.25
"""Time between two looks at the files [s]."""
GONE = (0, 0)


class Watched:
    """Files, as they were when they were looked at last.

    Attributes:
        paths: of them.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        """Remember the files as they are."""
        self.paths = paths
        self._seen = self._stamps()

    def take(self, paths: Sequence[Path]) -> None:
        """Watch other files; those that were watched before are remembered as they were seen."""
        known = dict(zip(self.paths, self._seen, strict=True))
        self.paths = paths
        self._seen = [known.get(path) or _stamp(path) for path in paths]

    def look(self) -> None:
        """Remember the files as they are now."""
        self._seen = self._stamps()

    def has_changed(self) -> bool:
        """Whether a file was saved since the last look; a missing file may still come back."""
        found = self._stamps()
        if found == self._seen or GONE in found:
            return False
        self._seen = found
        return True

    def wait(self) -> None:
        """Return when a file was saved, and no other was since: some are written bit by bit."""
        while not self.has_changed():
            time.sleep(POLL_SECONDS)
        time.sleep(POLL_SECONDS)
        while self.has_changed():
            time.sleep(POLL_SECONDS)

    def _stamps(self) -> list[tuple[int, int]]:
        return [_stamp(path) for path in self.paths]


def _stamp(path: Path) -> tuple[int, int]:
    """Time of the last change [ns] and size of a file [bytes]; zeros where there is none."""
    try:
        status = path.stat()
    except OSError:
        return GONE
    return (status.st_mtime_ns, status.st_size)
