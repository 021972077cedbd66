"""Options that say who does the work: processes here, or a cluster; and files that they take."""

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from creature_sim.cli.progress import progress
from creature_sim.errors import DefinitionError

if TYPE_CHECKING:
    from creature_sim.lab.files import Task

Result = TypeVar("Result")

MOST_JOBS = 1024
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", min=1, max=MOST_JOBS, metavar="J", help="Processes. Default: one per CPU."
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Workers of Dask instead: tcp://HOST:PORT of its scheduler, or local:N for N here.",
    ),
]


def process_count(jobs: int | None, cluster: str | None, default: int | None = None) -> int:
    """Number of processes: as asked for, by default one for each CPU that this process may use."""
    if jobs is not None and cluster is not None:
        raise DefinitionError("--jobs: expected only one of --jobs and --cluster, found both")
    if cluster is not None:
        from creature_sim.workers.cluster import check_address

        check_address(cluster)
    count = default if jobs is None else jobs
    if count is not None:
        return count
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def checked(option: str, value: int, largest: int) -> int:
    """A number from 1 to `largest`."""
    if not 1 <= value <= largest:
        raise DefinitionError(f"{option}: expected a number from 1 to {largest}, found {value}")
    return value


def by_workers(
    title: str,
    call: "Callable[[Task], Result | str]",
    tasks: "Iterator[Task]",
    count: int,
    jobs: int,
    cluster: str | None,
    *,
    quiet: bool,
) -> "Iterator[Result | str]":
    """What a call returns for each of so many files, in their order; a worker takes a file."""
    from creature_sim.lab.files import in_order
    from creature_sim.workers import open_workers

    with (
        progress(title, count, unit="files", quiet=quiet) as show,
        open_workers(min(jobs, count), cluster) as workers,
    ):
        for done, found in enumerate(in_order(workers, call, tasks), 1):
            show(done)
            yield found
