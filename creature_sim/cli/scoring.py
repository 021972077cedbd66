"""`creature-sim score`."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from creature_sim.cli.app import MISMATCH, Force, Json, app
from creature_sim.cli.progress import progress
from creature_sim.cli.replaying import opened
from creature_sim.cli.signals import Stopped
from creature_sim.cli.terminal import console, one_line
from creature_sim.errors import DefinitionError

if TYPE_CHECKING:
    from creature_sim.advice import Advice
    from creature_sim.replay import Replay
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
    compare: Annotated[
        bool,
        typer.Option(
            "--compare",
            help="Beside what walks there the same creatures moved by forces, or by none.",
        ),
    ] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Measure how good walks are: metrics M1 to M40 and those of plugins, on re-simulated states.

    A metric that has failed comes with what usually mends it: the cause, and the key.

    Exit code 0: done; 1: below the limits of --fail-under; 2: bad input.
    """
    from creature_sim.advice import mends_of
    from creature_sim.library.variants import has_twins
    from creature_sim.score import Surface, Walk, check_plot, load_limits, score_run, shortfalls
    from creature_sim.score import plot as draw
    from creature_sim.score.registry import load_plugins

    load_plugins()
    limits = load_limits(fail_under) if fail_under else {}
    if plot:
        check_plot(plot, force)
    documents: list[dict[str, object]] = []
    missed = False
    try:
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
                runs = score_run(simulation, found.inputs, show)
                surface, kind = Surface(simulation.physics), found.world.terrain.kind
                others = _scores_of_the_other(found) if compare else [None] * len(runs)
                scores = [
                    _Score(
                        track.definition.name,
                        metrics,
                        mends_of(Walk(track, surface, kind), metrics),
                        shortfalls(metrics, limits),
                        other,
                    )
                    for (track, metrics), other in zip(runs, others, strict=True)
                ]
                if plot:
                    draw(runs[0][0], surface, plot, path.name)
                    plot = None
            missed |= any(score.short for score in scores)
            if not as_json:
                _print(path, scores, is_physical=has_twins(found.world))
            documents.append({"file": str(path), "creatures": [_plain(score) for score in scores]})
    except Stopped:
        if as_json:
            print(json.dumps(documents))
        raise
    if as_json:
        print(json.dumps(documents))
    if missed:
        raise typer.Exit(MISMATCH)


class _Score(NamedTuple):
    """What is said of a creature's walk.

    Attributes:
        name: of the creature.
        metrics: by key.
        mends: what usually mends those that failed, by key.
        short: what is below the limits.
        other: metrics of the same creature, moved by forces if this one is not, or by none.
    """

    name: str
    metrics: "dict[str, Metric]"
    mends: "dict[str, list[Advice]]"
    short: list[str]
    other: "dict[str, Metric] | None"


def _scores_of_the_other(replay: "Replay") -> "Sequence[dict[str, Metric]]":
    """Metrics of a replay's creatures with its inputs, moved by forces if none move them there.

    Where any of them is, none of the others is.

    Raises:
        DefinitionError: no forces can move them in this world.
    """
    from creature_sim.library.variants import has_twins, with_twins, without_twins
    from creature_sim.score import score_run
    from creature_sim.simulation import Simulation

    world = replay.world
    other = without_twins(world) if has_twins(world) else with_twins(world)
    with Simulation(other) as simulation:
        return [metrics for _, metrics in score_run(simulation, replay.inputs)]


def _plain(score: _Score) -> dict[str, object]:
    """A creature's metrics as plain data; those that failed have `advice`."""
    found: dict[str, dict[str, object]] = {
        key: {"value": metric.value, "verdict": metric.verdict, "reason": metric.reason}
        for key, metric in score.metrics.items()
    }
    for key, advice in score.mends.items():
        found[key]["advice"] = [one.document() for one in advice]
    plain: dict[str, object] = {"name": score.name, "metrics": found}
    if score.other is not None:
        plain["other"] = {
            key: {"value": metric.value, "verdict": metric.verdict, "reason": metric.reason}
            for key, metric in score.other.items()
        }
    return plain


def _print(path: Path, scores: list[_Score], *, is_physical: bool) -> None:
    """Print the metrics of a replay's creatures, what mends them, and what is below the limits.

    If forces move any of its creatures, it `is_physical`.
    """
    from creature_sim.advice import mends_text

    if not scores:
        print(f"{path}: no creature, so no walk to score")
    for score in scores:
        _print_table(f"{score.name}, {path}", score.metrics)
        if score.other is not None:
            pair = (score.metrics, score.other)
            _print_both(score.name, *(pair[::-1] if is_physical else pair))
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
    for column, right in (("", False), ("metric", False), ("value", True), ("verdict", False)):
        table.add_column(column, justify="right" if right else "left", no_wrap=True)
    table.add_column("what")
    for key, metric in metrics.items():
        value = "" if metric.value is None else f"{metric.value:.4g}"
        verdict = Text(metric.verdict, style=STYLES[metric.verdict])
        words = (Text(one_line(text)) for text in (key, title_of(key)))
        table.add_row(*words, value, verdict, Text(one_line(metric.reason)))
    console().print(table)


def _print_both(name: str, without: "dict[str, Metric]", moved: "dict[str, Metric]") -> None:
    """Print metrics of a creature that no force moves beside those of one that forces move."""
    from rich.table import Table
    from rich.text import Text

    from creature_sim.score import title_of

    title = Text(one_line(f"{name}, without and with forces"))
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column in ("", "metric", "without", "", "with", ""):
        table.add_column(column, justify="right" if column.startswith("with") else "left")
    for key in without:
        cells = []
        for one in (without[key], moved[key]):
            cells.append(Text("" if one.value is None else f"{one.value:.4g}"))
            cells.append(Text(one.verdict, style=STYLES[one.verdict]))
        table.add_row(*(Text(one_line(text)) for text in (key, title_of(key))), *cells)
    console().print(table)
