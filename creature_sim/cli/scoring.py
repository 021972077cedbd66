"""`creature-sim score`."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from creature_sim.cli.app import MISMATCH, Force, Json, app
from creature_sim.cli.progress import progress
from creature_sim.cli.replaying import opened
from creature_sim.cli.signals import Stopped
from creature_sim.cli.terminal import console, one_line
from creature_sim.cli.workers import MOST_JOBS, Cluster, by_workers, process_count
from creature_sim.errors import DefinitionError, ReplayError

if TYPE_CHECKING:
    from rich.table import Table

    from creature_sim.lab.files import Score
    from creature_sim.score import Metric
    from creature_sim.score.limits import Limits

WIDE = 80
"""In a narrower terminal the names of metrics are broken, too..."""
NARROW = 64
"""...and lines are as long as this, whatever a terminal makes of them: no key, value or verdict is
left out."""
WORD, NUMBER = 12, 10
"""Widths of columns of text, at least, and of numbers: "-1.234e-05"."""
STYLES = {"excellent": "bold green", "pass": "green", "fail": "bold red", "n/a": "dim"}


@app.command()
def score(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Replay files.")],
    fail_under: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help='Limits (.toml), such as M1 = "pass" or M7 = 0.04.'),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Plot the first creature's walk (.png).")
    ] = None,
    compare: Annotated[
        bool,
        typer.Option(
            "--compare",
            help="Beside what walks there the same creatures moved by forces, or by none.",
        ),
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_JOBS,
            metavar="N",
            help="Processes: each takes a file. Default: 1.",
        ),
    ] = None,
    cluster: Cluster = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Measure how good walks are: metrics M1 to M44 and those of plugins, on re-simulated states.

    A metric that has failed comes with what usually mends it: the cause, and the key.

    Exit code 0: done; 1: below the limits of --fail-under; 2: bad input.
    """
    from creature_sim.score import check_plot, load_limits
    from creature_sim.score.registry import load_plugins

    count = process_count(jobs, cluster, default=1)
    load_plugins()
    limits = load_limits(fail_under) if fail_under else {}
    if plot:
        check_plot(plot, force)
    if cluster is None and (count == 1 or len(files) == 1):
        found = _one_by_one(files, limits, plot, compare, as_json)
    else:
        if plot:
            raise DefinitionError("--plot: expected neither --jobs nor --cluster, found one")
        found = _at_once(files, limits, count, cluster, compare, as_json)
    documents: list[dict[str, object]] = []
    missed = False
    try:
        for path, scores in zip(files, found, strict=True):
            missed |= any(score.short for score in scores)
            if not as_json:
                _print(path, scores)
            documents.append({"file": str(path), "creatures": [_plain(score) for score in scores]})
    except Stopped:
        if as_json:
            print(json.dumps(documents))
        raise
    if as_json:
        print(json.dumps(documents))
    if missed:
        raise typer.Exit(MISMATCH)


def _one_by_one(
    files: list[Path], limits: "Limits", plot: Path | None, compare: bool, as_json: bool
) -> "Iterator[list[Score]]":
    """The scores of each file, which this process simulates again."""
    from creature_sim.lab.files import score_replay

    for path in files:
        found = opened(path)
        if plot and not found.world.creatures:
            raise DefinitionError(
                f"{path}: expected a creature whose walk can be drawn, found none"
            )
        with progress(f"scoring {path.name}", found.ticks, quiet=as_json) as show:
            scores = score_replay(found, limits, show, plot, compare=compare)
        plot = None
        yield scores


def _at_once(
    files: list[Path],
    limits: "Limits",
    jobs: int,
    cluster: str | None,
    compare: bool,
    as_json: bool,
) -> "Iterator[list[Score]]":
    """The scores of each file, in their order, by workers that take a file each."""
    from creature_sim.cli.references import refuse_definition
    from creature_sim.lab.files import score_file, tasks_of

    for path in files:
        refuse_definition(path)
    tasks = tasks_of(files, limits, compare=compare)
    for one in by_workers("scoring", score_file, tasks, len(files), jobs, cluster, quiet=as_json):
        if isinstance(one, str):
            raise ReplayError(one)
        if one.notice:
            print(f"notice: {one.notice}", file=sys.stderr)
        yield one.scores


def _plain(score: "Score") -> dict[str, object]:
    """A creature's metrics as plain data; those that failed have `advice`."""
    found = {key: metric.document() for key, metric in score.metrics.items()}
    for key, advice in score.mends.items():
        found[key]["advice"] = [one.document() for one in advice]
    plain: dict[str, object] = {"name": score.name, "metrics": found}
    if score.other is not None:
        plain["other"] = {key: metric.document() for key, metric in score.other.items()}
    return plain


def _print(path: Path, scores: "list[Score]") -> None:
    """Print the metrics of a replay's creatures, what mends them, and what is below the limits."""
    from creature_sim.advice import mends_text

    if not scores:
        print(f"{path}: no creature, so no walk to score")
    for score in scores:
        _print_table(f"{score.name}, {path}", score.metrics)
        if score.other is not None:
            pair = (score.metrics, score.other)
            _print_both(score.name, *(pair[::-1] if score.is_physical else pair))
        for line in mends_text(score.mends):
            print(line)
        for line in score.short:
            print(f"below the limit: {line}")


def _print_table(title: str, metrics: "dict[str, Metric]") -> None:
    """Print metrics as a table."""
    from rich.table import Table
    from rich.text import Text

    from creature_sim.score import title_of

    table = Table(title=Text(one_line(title)), title_justify="left", box=None, pad_edge=False)
    is_narrow = console().width < WIDE
    keys, verdicts = max(map(len, metrics), default=0), max(map(len, STYLES))
    table.add_column("", no_wrap=True, min_width=keys)
    table.add_column("metric", no_wrap=not is_narrow, overflow="fold", min_width=WORD)
    table.add_column("value", no_wrap=True, justify="right", min_width=NUMBER)
    table.add_column("verdict", no_wrap=True, min_width=verdicts)
    table.add_column("what", overflow="fold", min_width=WORD)
    for key, metric in metrics.items():
        value = "" if metric.value is None else f"{metric.value:.4g}"
        verdict = Text(metric.verdict, style=STYLES[metric.verdict])
        words = (Text(one_line(text)) for text in (key, title_of(key)))
        table.add_row(*words, value, verdict, Text(one_line(metric.reason)))
    _print_whole(table)


def _print_both(name: str, without: "dict[str, Metric]", moved: "dict[str, Metric]") -> None:
    """Print metrics of a creature that no force moves beside those of one that forces move."""
    from rich.table import Table
    from rich.text import Text

    from creature_sim.score import title_of

    title = Text(one_line(f"{name}, without and with forces"))
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("", no_wrap=True, min_width=max(map(len, without), default=0))
    table.add_column("metric", overflow="fold", min_width=WORD)
    for column in ("without", "", "with", ""):
        is_number = bool(column)
        table.add_column(
            column,
            justify="right" if is_number else "left",
            no_wrap=True,
            min_width=NUMBER if is_number else max(map(len, STYLES)),
        )
    for key in without:
        cells = []
        for one in (without[key], moved[key]):
            cells.append(Text("" if one.value is None else f"{one.value:.4g}"))
            cells.append(Text(one.verdict, style=STYLES[one.verdict]))
        table.add_row(*(Text(one_line(text)) for text in (key, title_of(key))), *cells)
    _print_whole(table)


def _print_whole(table: "Table") -> None:
    """Print a table so wide that nothing of it is left out."""
    out = console()
    out.width = max(out.width, NARROW)
    out.print(table)
