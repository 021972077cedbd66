"""`creature-sim sweep`."""

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from creature_sim.cli.app import MISMATCH, Force, Json, app
from creature_sim.cli.progress import progress
from creature_sim.cli.references import kind_among
from creature_sim.cli.signals import Stopped, held
from creature_sim.cli.workers import Cluster, Jobs, process_count
from creature_sim.errors import ClusterError, DefinitionError, OutputError

if TYPE_CHECKING:
    from creature_sim.lab.sweeps import Results

TOLD = 5
"""So many runs that failed are told of."""


@app.command()
def sweep(
    source: Annotated[
        Path, typer.Argument(metavar="SWEEP", help="What to run (.toml); see `schema sweep`.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for rows and replays.")
    ],
    jobs: Jobs = None,
    cluster: Cluster = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep the rows that are there, and run the others.")
    ] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Run every combination of creatures, worlds, seeds, drives and keys: a row for each run.

    Ctrl-C keeps what is done, and so does whatever else ends it; --resume goes on.

    Exit code 0: done; 1: there are runs without a result; 2: bad input.
    """
    from creature_sim.lab.sweeps import open_results, read_plan, run_sweep
    from creature_sim.workers import open_workers

    if resume and force:
        raise DefinitionError("--resume: expected only one of --resume and --force, found both")
    kind_among(str(source), "sweep")
    workers = process_count(jobs, cluster)
    plan = read_plan(source)
    total = len(plan.points)
    begin = time.perf_counter()
    with open_results(output, plan, source, resume=resume, force=force) as kept:
        old = kept.count
        task = f"sweeping {source.name}"
        try:
            with progress(task, total, unit="runs", quiet=as_json) as show:
                show(old)
                if kept.missing:
                    with open_workers(min(workers, len(kept.missing)), cluster) as found:
                        for _ in run_sweep(plan, kept, found):
                            show(kept.count)
        except Stopped as stop:
            with held():
                kept.write_tables()
                stop.done += f"; they are in {output}, --resume goes on"
            raise
        except (ClusterError, OutputError):
            _rescue(kept)
            raise
        document = _document(kept, total - old, time.perf_counter() - begin)
    if as_json:
        print(json.dumps(document))
    else:
        _print(document)
    if document["errors"]:
        raise typer.Exit(MISMATCH)


def _rescue(kept: "Results") -> None:
    """Write the tables of what is done, if there is space for them."""
    try:
        kept.write_tables()
    except OutputError:
        return
    print(f"notice: {kept.count:,} rows are kept in {kept.folder}", file=sys.stderr)


def _document(kept: "Results", ran: int, seconds: float) -> dict[str, Any]:
    """What `--json` prints."""
    tables = kept.write_tables()
    statuses: Counter[str] = Counter()
    errors = []
    for row in kept.rows():
        statuses[row["status"]] += 1
        if row["status"] != "ok":
            errors.append({"run": row["run"], "status": row["status"], "error": row["error"]})
    return {
        "results": str(kept.folder),
        "runs": kept.count,
        "ran": ran,
        "seconds": round(seconds, 3),
        "statuses": dict(statuses),
        "errors": errors,
        "tables": [str(path) for path in tables],
    }


def _print(document: dict[str, Any]) -> None:
    """A few lines for people."""
    kept = document["runs"] - document["ran"]
    before = f"; {kept:,} were there before" if kept else ""
    runs = "run" if document["ran"] == 1 else "runs"
    print(f"{document['ran']:,} {runs} in {document['seconds']:.1f} s{before}")
    for one in document["errors"][:TOLD]:
        print(f"run {one['run']}: {one['error']}")
    more = len(document["errors"]) - TOLD
    if more > 0:
        print(f"and {more:,} other {'run' if more == 1 else 'runs'} without a result")
    print(f"rows are in {' and '.join(document['tables'])}")
    print(f"creature-sim results {document['results']} shows them")
