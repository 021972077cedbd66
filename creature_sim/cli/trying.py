"""`creature-sim trial`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from creature_sim.cli.app import MISMATCH, Force, Json, app
from creature_sim.cli.progress import progress
from creature_sim.cli.references import Climb, Walker, creature_of
from creature_sim.cli.signals import Stopped
from creature_sim.cli.terminal import console, one_line
from creature_sim.cli.workers import Cluster, Jobs, checked, process_count
from creature_sim.errors import ClusterError, DefinitionError, OutputError, TrialError

if TYPE_CHECKING:
    from creature_sim.lab import Outcome, Report, Trial
    from creature_sim.score import Metric

MAX_SEEDS, MAX_LEVELS = 1000, 101


@app.command()
def trial(
    creature: Walker,
    climb: Climb = False,
    terrain: Annotated[
        str | None, typer.Option(metavar="KIND,...", help="Kinds of ground. Default: all.")
    ] = None,
    difficulty: Annotated[
        str, typer.Option(metavar="FROM:TO:STEP", help="Difficulties from 0 to 1, or a single one.")
    ] = "0:1:0.25",
    seeds: Annotated[int, typer.Option(metavar="N", help="Runs per kind and difficulty.")] = 3,
    jobs: Jobs = None,
    cluster: Cluster = None,
    failures: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for the replays of failed runs.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw a heat map (.png).")
    ] = None,
    fail_under: Annotated[
        float | None,
        typer.Option(metavar="FRACTION", help="Least fraction of successes up to difficulty 0.5."),
    ] = None,
    rates: Annotated[
        bool, typer.Option("--rates", help="Also compare 30, 60 and 120 ticks a second (M19).")
    ] = False,
    pushes: Annotated[
        bool, typer.Option("--pushes", help="Also push it from four sides (M17).")
    ] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Let a creature cross harder and harder ground: success, fall or stuck (M16).

    Exit code 0: done; 1: a kind of ground is below --fail-under; 2: bad input.
    """
    from creature_sim.lab import Course, Report, plan, push_recovery, sweep, tick_invariance
    from creature_sim.lab import plot as draw
    from creature_sim.score import check_plot

    definition = creature_of(creature, climb)
    course = Course.of(definition)
    trials = plan(_kinds(terrain), _difficulties(difficulty), checked("--seeds", seeds, MAX_SEEDS))
    workers = process_count(jobs, cluster)
    _check_limit(fail_under, trials)
    if plot:
        check_plot(plot, force)
    if failures:
        _open_folder(failures, trials, force)
    seen: list[Outcome] = []
    metrics: dict[str, Metric] = {}
    try:
        task = f"running trials of {definition.name}"
        with progress(task, len(trials), unit="runs", quiet=as_json) as show:
            outcomes = sweep(
                definition,
                trials,
                jobs=workers,
                cluster=cluster,
                failures=failures,
                force=force,
                progress=show,
                seen=seen.append,
            )
        if pushes:
            metrics["M17"] = push_recovery(definition)
        if rates:
            metrics["M19"] = tick_invariance(definition)
    except (Stopped, TrialError, ClusterError, OutputError):
        if not seen:
            raise
        seen.sort(key=lambda outcome: trials.index(outcome.trial))
        _tell(Report(definition.name, course, seen), metrics, failures, as_json)
        raise
    report = Report(definition.name, course, outcomes)
    if plot:
        draw(report, plot)
    _tell(report, metrics, failures, as_json)
    if fail_under is not None:
        short = [
            kind for kind in report.kinds if (report.easy_success_rate(kind) or 0.0) < fail_under
        ]
        if short and not as_json:
            print(f"below {fail_under:g}: {', '.join(short)}")
        if short:
            raise typer.Exit(MISMATCH)


def _kinds(text: str | None) -> list[str]:
    """The kinds of ground that a list names."""
    from creature_sim.lab import KINDS, check_kind

    if text is None:
        return list(KINDS)
    found = list(dict.fromkeys(word.strip() for word in text.split(",")))
    for kind in found:
        try:
            check_kind(kind)
        except DefinitionError as error:
            raise DefinitionError(f"--terrain: {error}") from None
    return found


def _difficulties(text: str) -> list[float]:
    """The numbers that "0:1:0.25" or "0.5" stands for."""
    message = (
        f"--difficulty: expected FROM:TO:STEP with 0 <= FROM <= TO <= 1 and at most "
        f"{MAX_LEVELS} steps, or one number from 0 to 1, found {text!r}"
    )
    try:
        numbers = [float(word) for word in text.split(":")]
    except ValueError:
        raise DefinitionError(message) from None
    if len(numbers) == 1:
        numbers = [numbers[0], numbers[0], 1.0]
    if len(numbers) != 3:
        raise DefinitionError(message)
    first, last, step = numbers
    if not (0.0 <= first <= last <= 1.0 and step > 0.0 and (last - first) / step < MAX_LEVELS):
        raise DefinitionError(message)
    count = int((last - first) / step + 1e-9) + 1
    return [round(first + index * step, 6) for index in range(count)]


def _check_limit(limit: float | None, trials: "list[Trial]") -> None:
    """Refuse a limit that is no fraction, or that no trial counts for."""
    from creature_sim.lab.report import EASY

    if limit is None:
        return
    if not 0.0 < limit <= 1.0:
        raise DefinitionError(
            f"--fail-under: expected a fraction above 0 and at most 1, found {limit}"
        )
    if min(one.difficulty for one in trials) > EASY:
        raise DefinitionError(
            f"--fail-under: expected a --difficulty up to {EASY:g} to be run, found none"
        )


def _open_folder(folder: Path, trials: "list[Trial]", force: bool) -> None:
    """Make a folder for the replays of trials; refuse to replace what is there."""
    from creature_sim.files.output import check_output, open_folder
    from creature_sim.lab import replay_path

    open_folder(folder)
    for one in trials:
        check_output(replay_path(folder, one), force)


def _tell(
    report: "Report", metrics: "dict[str, Metric]", failures: Path | None, as_json: bool
) -> None:
    """Print a report; M16 before the other metrics."""
    metrics = {"M16": report.success(), **metrics}
    if not as_json:
        _print(report, metrics, failures)
        return
    plain = {number: metric.document() for number, metric in metrics.items()}
    print(json.dumps({**report.document(), "metrics": plain}))


def _print(report: "Report", metrics: "dict[str, Metric]", failures: Path | None) -> None:
    """A report for people."""
    from rich.table import Table
    from rich.text import Text

    from creature_sim.cli.scoring import STYLES
    from creature_sim.lab.report import causes

    course = report.course
    print(
        f"{report.creature}: courses of {course.length:.1f} m in {course.seconds:.0f} s, "
        "fraction crossed by difficulty"
    )
    table = Table(box=None, pad_edge=False)
    table.add_column("ground", no_wrap=True)
    for difficulty in report.difficulties:
        table.add_column(f"{difficulty:g}", justify="right", no_wrap=True)
    table.add_column("half at", justify="right", no_wrap=True)
    table.add_column("why runs failed")
    for kind in report.kinds:
        cells = []
        for difficulty in report.difficulties:
            if not report.of(kind, difficulty):
                cells.append("")  # stopped before that
                continue
            rate = report.success_rate(kind, difficulty)
            style = "bold green" if rate >= 0.95 else "yellow" if rate >= 0.5 else "bold red"
            cells.append(f"[{style}]{100 * rate:.0f} %[/]")
        why = "; ".join(f"{count} {cause}" for cause, count in causes(report.of(kind)))
        table.add_row(Text(one_line(kind)), *cells, report.half(kind)[1], Text(one_line(why)))
    out = console()
    out.print(table)
    for number, metric in metrics.items():
        value = "" if metric.value is None else f" {metric.value:.4g}"
        line = Text.assemble(
            f"{number}{value} ",
            (metric.verdict, STYLES[metric.verdict]),
            f": {one_line(metric.reason)}",
        )
        out.print(line, soft_wrap=True)
    left = [outcome.replay for outcome in report.outcomes if outcome.replay]
    if failures and left:
        print(f"{len(left)} replays of failed runs are in {failures}")
