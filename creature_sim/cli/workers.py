"""Options that say who does the work: processes here, or a cluster."""

import os
from typing import Annotated

import typer

from creature_sim.errors import DefinitionError

MOST = 1024
Jobs = Annotated[
    int | None, typer.Option("--jobs", metavar="J", help="Processes. Default: one per CPU.")
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Workers of Dask instead: tcp://HOST:PORT of its scheduler, or local:N for N here.",
    ),
]


def process_count(jobs: int | None, cluster: str | None) -> int:
    """Number of processes: as asked for, or one for each CPU that this process may use."""
    if jobs is not None and cluster is not None:
        raise DefinitionError("--jobs: expected only one of --jobs and --cluster, found both")
    if jobs is not None:
        return checked("--jobs", jobs, MOST)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def checked(option: str, value: int, largest: int) -> int:
    """A number from 1 to `largest`."""
    if not 1 <= value <= largest:
        raise DefinitionError(f"{option}: expected a number from 1 to {largest}, found {value}")
    return value
