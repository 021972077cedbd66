"""`creature-sim results`."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from creature_sim.cli.app import Force, Json, app
from creature_sim.cli.replaying import opened
from creature_sim.cli.terminal import console, one_line
from creature_sim.errors import DefinitionError

if TYPE_CHECKING:
    from creature_sim.lab.sweeps import Row
    from creature_sim.lab.sweeps.ranking import Group


@app.command()
def results(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="What `sweep -o DIR` has written.")],
    metric: Annotated[
        str, typer.Option(metavar="COLUMN", help="A metric such as M5, failed, distance or time.")
    ] = "failed",
    by: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Group by creature, world, seed, drive or a key."),
    ] = None,
    best: Annotated[int, typer.Option(min=0, metavar="N", help="List so many of the best.")] = 5,
    worst: Annotated[int, typer.Option(min=0, metavar="N", help="And of the worst.")] = 5,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the metric of every run (.png).")
    ] = None,
    replay: Annotated[
        int | None, typer.Option(metavar="RUN", help="Play the replay of a run in a window.")
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Show what a sweep has found: the best runs, the worst, and means by a key."""
    from creature_sim.lab.sweeps import read_rows, run_count
    from creature_sim.lab.sweeps.plot import plot_rows
    from creature_sim.lab.sweeps.ranking import check_column, grouped, keys_of, numbers_of, ranked
    from creature_sim.score import check_plot

    rows = read_rows(folder)
    if replay is not None:
        _play(folder, rows, replay)
        return
    if not rows:
        raise DefinitionError(f"{folder}: expected rows of a sweep, found none")
    if missing := run_count(folder) - len(rows):
        print(
            f"notice: {folder}: {missing:,} of {missing + len(rows):,} runs have no row; "
            "`sweep --resume` runs them",
            file=sys.stderr,
        )
    check_column("--metric", metric, numbers_of(rows))
    if by is not None:
        check_column("--by", by, keys_of(rows))
    if plot:
        check_plot(plot, force)
        plot_rows(rows, metric, by, plot, folder.resolve().name)
    order = ranked(rows, metric)
    groups = None if by is None else grouped(rows, by, metric)
    if as_json:
        document: dict[str, Any] = {
            "results": str(folder),
            "runs": len(rows),
            "missing": missing,
            "without_result": sum(row["status"] != "ok" for row in rows),
            "metric": metric,
            "best": order[:best],
            "worst": order[::-1][:worst],
        }
        if groups is not None:
            document |= {"by": by, "groups": [group._asdict() for group in groups]}
        print(json.dumps(document))
    else:
        _print(folder, rows, order, metric, best, worst, by, groups)


def _play(folder: Path, rows: "list[Row]", run: int) -> None:
    """Show the replay of a run in a window."""
    found = next((row for row in rows if row["run"] == run), None)
    if found is None:
        raise DefinitionError(
            f"--replay: expected the number of a run of {folder}, 0 to "
            f"{rows[-1]['run'] if rows else 0}, found {run}"
        )
    if found["replay"] is None:
        raise DefinitionError(
            f"--replay: expected a run that was kept as a replay, found run {run}, which was not; "
            "'replays = \"all\"' in the sweep keeps them"
        )
    from creature_sim.view.open import show_replay

    show_replay(opened(folder / found["replay"]))


def _print(
    folder: Path,
    rows: "list[Row]",
    order: "list[Row]",
    metric: str,
    best: int,
    worst: int,
    by: str | None,
    groups: "list[Group] | None",
) -> None:
    """Tables for people."""
    from creature_sim.score import metric_specs

    lost = sum(row["status"] != "ok" for row in rows)
    without = f", {lost:,} without a result" if lost else ""
    title = metric_specs()[metric].title if metric in metric_specs() else ""
    runs = "run" if len(rows) == 1 else "runs"
    print(f"{folder}: {len(rows):,} {runs}{without}, ranked by {metric} {title}".rstrip())
    if groups is not None:
        assert by is not None
        cells = [
            [
                _text(group.value),
                str(group.runs),
                *map(_text, (group.mean, group.least, group.most)),
                f"{100 * group.sound:.0f} %",
            ]
            for group in groups
        ]
        _table("", [by, "runs", "mean", "least", "most", "nothing failed"], cells)
    _rows("best", order[:best], rows, metric)
    _rows("worst", order[::-1][:worst], rows, metric)


def _rows(title: str, listed: "list[Row]", rows: "list[Row]", metric: str) -> None:
    """Rows with what tells them apart."""
    from creature_sim.lab.sweeps.ranking import varied

    if not listed:
        return
    numbers = list(dict.fromkeys((metric, "failed", "distance")))
    columns = ["run", *varied(rows), *numbers, "replay"]
    cells = [
        [*(_text(row.get(name)) for name in columns[:-1]), "yes" if row["replay"] else "no"]
        for row in listed
    ]
    _table(title, columns, cells)


def _table(title: str, columns: list[str], cells: list[list[str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left", box=None, pad_edge=False)
    for name in columns:
        table.add_column(Text(one_line(name)), overflow="fold")
    for row in cells:
        table.add_row(*(Text(one_line(cell)) for cell in row))
    console().print(table)


def _text(value: object) -> str:
    """A value of a row in a cell."""
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
