"""`creature-sim score`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from creature_sim.cli.app import MISMATCH, Force, Json, app
from creature_sim.cli.progress import progress
from creature_sim.cli.replaying import opened
from creature_sim.errors import DefinitionError

if TYPE_CHECKING:
    from creature_sim.score import Metric

STYLES = {"excellent": "bold green", "pass": "green", "fail": "bold red", "n/a": "dim"}


@app.command()
def score(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Replay files.")],
    fail_under: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help='Limits (.toml), such as M1 = "pass" or M7 = 0.04.'),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Plot the first creature's walk (.png).")
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Measure how good walks are: metrics M1 to M21 and those of plugins, on re-simulated states.

    Exit code 0: done; 1: below the limits of --fail-under; 2: bad input.
    """
    from creature_sim.files.output import check_output
    from creature_sim.score import Surface, load_limits, score_run, shortfalls
    from creature_sim.score import plot as draw
    from creature_sim.score.registry import load_plugins

    load_plugins()
    limits = load_limits(fail_under) if fail_under else {}
    if plot:
        check_output(plot, force)
    documents, missed = [], False
    for path in files:
        found = opened(path)
        if plot and not found.world.creatures:
            raise DefinitionError(
                f"{path}: expected a creature whose walk can be drawn, found none"
            )
        with (
            found.simulation() as simulation,
            progress(f"scoring {path.name}", found.ticks, quiet=as_json) as show,
        ):
            scores = score_run(simulation, found.inputs, show)
            if plot:
                draw(scores[0][0], Surface(simulation.physics), plot, path.name)
                plot = None
        creatures = []
        for track, metrics in scores:
            name = track.definition.name
            short = shortfalls(metrics, limits)
            missed |= bool(short)
            creatures.append({"name": name, "metrics": _plain(metrics)})
            if not as_json:
                _print_table(f"{name}, {path}", metrics)
                for line in short:
                    print(f"below the limit: {line}")
        if not scores and not as_json:
            print(f"{path}: no creature, so no walk to score")
        documents.append({"file": str(path), "creatures": creatures})
    if as_json:
        print(json.dumps(documents))
    if missed:
        raise typer.Exit(MISMATCH)


def _plain(metrics: "dict[str, Metric]") -> dict[str, dict[str, object]]:
    """Metrics as plain data."""
    return {
        key: {"value": metric.value, "verdict": metric.verdict, "reason": metric.reason}
        for key, metric in metrics.items()
    }


def _print_table(title: str, metrics: "dict[str, Metric]") -> None:
    """Print metrics as a table."""
    from rich.console import Console
    from rich.table import Table

    from creature_sim.score import title_of

    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column, right in (("", False), ("metric", False), ("value", True), ("verdict", False)):
        table.add_column(column, justify="right" if right else "left", no_wrap=True)
    table.add_column("what")
    for key, metric in metrics.items():
        value = "" if metric.value is None else f"{metric.value:.4g}"
        verdict = f"[{STYLES[metric.verdict]}]{metric.verdict}[/]"
        table.add_row(key, title_of(key), value, verdict, metric.reason)
    Console().print(table)
