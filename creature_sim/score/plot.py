"""A plot of a walk: which feet stand when, their heights, and what the body does."""

import importlib.util
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from creature_sim.errors import OutputError
from creature_sim.files.output import check_output, write_output
from creature_sim.score.support import support_margin
from creature_sim.score.surface import Surface
from creature_sim.score.track import Track

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The colours of Okabe and Ito, distinct to colour-blind eyes.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#000000")


def plot(track: Track, surface: Surface, path: Path, title: str) -> None:
    """Write the gait diagram, foot heights, body height and tilt, and support margin as a picture.

    Raises:
        OutputError: matplotlib is not installed, or the file cannot be written.
    """
    seconds = np.arange(len(track.position)) / track.tick_rate
    figure = open_figure(path, (11.0, 9.0))
    gait, feet, body, margin = figure.subplots(4, 1, sharex=True)
    names = [f"{leg.side[0].upper()}{leg.pair + 1}" for leg in track.definition.all_legs]
    for leg, first, last in track.stances():
        span = (seconds[first], (last - first) / track.tick_rate)
        gait.broken_barh([span], (leg - 0.4, 0.8), color=COLOURS[leg % len(COLOURS)])
    gait.set_yticks(range(len(names)), names)
    gait.invert_yaxis()
    gait.set_title(f"{title}: stance of each leg")
    surface = surface.among(track.props)
    heights = surface.heights(track.tips, track.ups_at(track.tips))
    for leg, name in enumerate(names):
        feet.plot(seconds, heights[:, leg], color=COLOURS[leg % len(COLOURS)], lw=0.8, label=name)
    feet.set_ylabel("feet over\nground [m]")
    up = track.ups_at(track.position)
    body.plot(seconds, surface.heights(track.position, up), color=COLOURS[0], label="height [m]")
    tilt = np.degrees(np.arccos(np.clip((track.up * up).sum(axis=-1), -1.0, 1.0)))
    body.set_ylabel("body over\nground [m]")
    beside = body.twinx()
    beside.plot(seconds, tilt, color=COLOURS[3], lw=0.8)
    beside.set_ylabel("tilt [degrees]")
    margin.plot(seconds, support_margin(track), color=COLOURS[2])
    margin.axhline(0.0, color="black", lw=0.5)
    margin.set_ylabel("support\nmargin [m]")
    if track.definition.is_dynamic:
        margin.set_title("of the extrapolated centre of mass", fontsize="small")
    margin.set_xlabel("time [s]")
    save_figure(figure, path)


def check_plot(path: Path, force: bool) -> None:
    """Refuse a picture that could not be written: OutputError."""
    check_output(path, force)
    if importlib.util.find_spec("matplotlib") is None:
        raise OutputError(
            f"{path}: expected matplotlib to draw with, found none; "
            "pip install 'creature-sim[plot]'"
        )


def open_figure(path: Path, size: tuple[float, float]) -> "Figure":
    """An empty figure of a size in inches; OutputError where matplotlib is not installed."""
    check_plot(path, force=True)
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def save_figure(figure: "Figure", path: Path) -> None:
    """Write a figure as a picture, whole or not at all; OutputError if it cannot be written."""
    picture = BytesIO()
    try:
        figure.savefig(picture, dpi=100, format=path.suffix[1:] or "png")
    except ValueError as error:
        raise OutputError(f"{path}: expected a picture to write, found: {error}") from None
    write_output(path, picture.getvalue(), force=True)
