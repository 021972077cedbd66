"""A heat map of a sweep: how often each kind of ground was crossed at each difficulty."""

from pathlib import Path

from creature_sim.lab.report import Report
from creature_sim.score.plot import open_figure, save_figure


def plot(report: Report, path: Path) -> None:
    """Write the heat map.

    Raises:
        OutputError: matplotlib is not installed, or the file cannot be written.
    """
    kinds, difficulties = report.kinds, report.difficulties
    figure = open_figure(path, (3.0 + 0.9 * len(difficulties), 1.6 + 0.45 * len(kinds)))
    axes = figure.subplots()
    rates = [
        [report.success_rate(kind, difficulty) for difficulty in difficulties] for kind in kinds
    ]
    # Viridis runs evenly from dark to light, also to colour-blind eyes and in grey.
    image = axes.imshow(rates, cmap="viridis", vmin=0.0, vmax=1.0, aspect="auto")
    for row, line in enumerate(rates):
        for column, rate in enumerate(line):
            colour = "black" if rate > 0.5 else "white"
            axes.text(column, row, f"{100 * rate:.0f} %", ha="center", va="center", color=colour)
    axes.set_xticks(range(len(difficulties)), [f"{difficulty:g}" for difficulty in difficulties])
    axes.set_yticks(range(len(kinds)), kinds)
    axes.set_xlabel("difficulty")
    right = axes.secondary_yaxis("right")
    right.set_yticks(range(len(kinds)), [report.half(kind)[1] for kind in kinds])
    right.tick_params(length=0)
    right.set_ylabel("half cross at difficulty")
    axes.set_title(f"{report.creature}: courses crossed")
    figure.colorbar(image, ax=axes, label="fraction of successes", pad=0.02)
    save_figure(figure, path)
