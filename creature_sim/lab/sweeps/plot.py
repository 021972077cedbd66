"""A picture of a sweep: one number of every run, by one of the keys."""

from collections.abc import Sequence
from pathlib import Path

from creature_sim.lab.sweeps.ranking import grouped, is_number, ranked
from creature_sim.lab.sweeps.row import Row
from creature_sim.score import metric_specs
from creature_sim.score.plot import COLOURS, open_figure, save_figure


def plot_rows(rows: Sequence[Row], number: str, key: str | None, path: Path, title: str) -> None:
    """Draw a point for each run; with a key, their means too, else from the best to the worst.

    Raises:
        OutputError: matplotlib is not installed, or the file cannot be written.
    """
    figure = open_figure(path, (9.0, 5.0))
    axes = figure.subplots()
    specs = metric_specs()
    axes.set_ylabel(f"{number} {specs[number].title}" if number in specs else number)
    axes.set_title(title)
    if key is None:
        found = ranked(rows, number)
        axes.plot([row[number] for row in found], ".-", color=COLOURS[0])
        axes.set_xlabel("runs, the best first")
        save_figure(figure, path)
        return
    groups = [group for group in grouped(rows, key, number) if group.mean is not None]
    is_scale = all(is_number(group.value) for group in groups)
    places = [group.value if is_scale else place for place, group in enumerate(groups)]
    where = {str(group.value): place for group, place in zip(groups, places, strict=True)}
    shown = [row for row in rows if row.get(number) is not None]
    axes.plot(
        [where[str(row.get(key))] for row in shown],
        [row[number] for row in shown],
        ".",
        color=COLOURS[0],
        alpha=0.5,
        label="a run",
    )
    means = [group.mean for group in groups if group.mean is not None]
    axes.plot(places, means, "-o" if is_scale else "_", ms=9.0, color=COLOURS[3], label="mean")
    if not is_scale:
        axes.set_xticks(places, [str(group.value) for group in groups])
    axes.set_xlabel(key)
    axes.legend()
    save_figure(figure, path)
