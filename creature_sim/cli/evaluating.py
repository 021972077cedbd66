"""What the commands that try creature after creature have in common."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from creature_sim.cli.progress import progress
from creature_sim.cli.signals import Stopped

if TYPE_CHECKING:
    from creature_sim.lab.tuning import Evaluator


class Work(NamedTuple):
    """Options of such a command.

    Attributes:
        output: file or folder that it writes.
        jobs: number of processes.
        cluster: instead of them.
        resume: whether evaluations that are kept count.
        force: whether older files are replaced.
        as_json: whether it prints a document.
    """

    output: Path
    jobs: int
    cluster: str | None
    resume: bool
    force: bool
    as_json: bool


@contextmanager
def evaluator(title: str, total: int, path: Path, work: Work) -> Iterator["Evaluator"]:
    """A block with workers, a journal and a bar; who stops it is told where evaluations are."""
    from creature_sim.lab.tuning import Evaluator, Journal
    from creature_sim.workers import open_workers

    with Journal(path, resume=work.resume, force=work.force) as journal:
        try:
            with (
                progress(title, total, unit="evaluations", quiet=work.as_json) as show,
                open_workers(work.jobs, work.cluster) as workers,
            ):
                yield Evaluator(workers, journal, show)
        except Stopped as stop:
            stop.done += f"; {journal.count:,} are in {path}, --resume goes on"
            raise
