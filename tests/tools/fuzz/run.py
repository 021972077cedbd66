"""Cases by their numbers: what became of them, and what was found."""

import signal
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn

from tests.tools.fuzz import definitions, replays

KINDS = {
    "definitions": (definitions.make, definitions.attempt),
    "replays": (replays.make, replays.attempt),
}
LONGEST = 60.0
"""A case that takes more time of a processor hangs [s]: some compile a kernel or two."""


@dataclass(frozen=True)
class Finding:
    """A case that ended as none may."""

    kind: str
    number: int
    text: str

    def __str__(self) -> str:
        """What to type to see it again, and what happened."""
        return f"--only {self.kind} --case {self.number}\n{self.text}"


class Hang(BaseException):
    """A case took too long; no `except Exception` may hide it."""


def run(kind: str, first: int, count: int, folder: Path) -> tuple[list[str], list[Finding]]:
    """Try cases of a kind, from a number on; their files are written into a folder.

    Returns:
        the outcome of each case, and what was found.
    """
    make, attempt = KINDS[kind]
    outcomes, findings = [], []
    for number in range(first, first + count):
        outcome = _outcome(make, attempt, number, folder)
        outcomes.append(outcome if "\n" not in outcome else "found")
        if "\n" in outcome:
            findings.append(Finding(kind, number, outcome))
    return outcomes, findings


def _outcome(
    make: Callable[[int, Path], Path], attempt: Callable[[Path], str], number: int, folder: Path
) -> str:
    path = make(number, folder)
    try:
        with warnings.catch_warnings(), _limited():
            warnings.simplefilter("error", RuntimeWarning)
            return attempt(path)
    except (Exception, Hang):
        return traceback.format_exc()


@contextmanager
def _limited() -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> NoReturn:
        raise Hang(f"more than {LONGEST:.0f} s of a processor")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
