"""Calls for workers of tests: some are the death of whoever makes them."""

import os
import signal
import tempfile
from pathlib import Path
from typing import NamedTuple


class Job(NamedTuple):
    """A number, and a folder whose file of that name counts the deaths that are still to come."""

    number: int
    folder: str


def deaths(folder: Path, number: int, count: int) -> None:
    """Let a job kill so many workers."""
    (folder / str(number)).write_text("x" * count)


def square(job: Job) -> tuple[int, int, str]:
    """The square, the process, and its folder for temporary files; or death."""
    left = Path(job.folder) / str(job.number)
    if left.exists() and left.stat().st_size:
        left.write_text("x" * (left.stat().st_size - 1))
        os.kill(os.getpid(), signal.SIGKILL)
    return job.number**2, os.getpid(), tempfile.gettempdir()


def refuse(job: Job) -> None:
    """Raise an error."""
    raise ValueError(f"no {job.number}")
