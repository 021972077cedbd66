"""What the commands that try creature after creature have in common."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from creature_sim.cli.progress import progress
from creature_sim.cli.references import kind_among
from creature_sim.cli.signals import Stopped
from creature_sim.cli.workers import checked
from creature_sim.errors import DefinitionError

if TYPE_CHECKING:
    from creature_sim.lab.tuning import Evaluator

MOST = 100_000
"""Largest number of evaluations."""

Budget = Annotated[int, typer.Option("--budget", metavar="N", help="Number of evaluations.")]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="Of the random numbers.")]
Resume = Annotated[
    bool, typer.Option("--resume", help="Use the evaluations that are kept, and go on.")
]


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


def checked_search(budget: int, seed: int) -> None:
    """Refuse a budget or a seed that is none."""
    checked("--budget", budget, MOST)
    if not 0 <= seed < 2**32:
        raise DefinitionError(f"--seed: expected a number from 0 to {2**32 - 1}, found {seed}")


def journal_of(output: Path) -> Path:
    """The journal beside a file of a creature."""
    if output.suffix != ".toml":
        raise DefinitionError(f"-o: expected a file that ends with .toml, found {output}")
    return output.with_suffix(".jsonl")


def print_cost(document: Mapping[str, Any]) -> None:
    """Print how many evaluations there were, and the time that they took."""
    print(
        f"{document['evaluations']:,} evaluations in {document['seconds']:.1f} s, "
        f"{document['processor_seconds']:.1f} s of processor time"
    )


def world_names(option: str, text: str) -> list[str]:
    """The names or files of a list with commas; what is no world is refused as such."""
    found = [word.strip() for word in text.split(",")]
    if not all(found):
        raise DefinitionError(f"{option}: expected names or files with commas, found {text!r}")
    for name in found:
        try:
            kind_among(name, "world")
        except DefinitionError as error:
            raise DefinitionError(f"{option}: {error}") from None
    return found
