"""A plot of a walk: which feet stand when, their heights, and how the body lives on them."""

import importlib.util
import warnings
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from creature_sim.errors import OutputError
from creature_sim.files.output import check_name, check_output, write_output
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.score.reading import spans
from creature_sim.score.rhythm import SETTLED, steady, stride_ticks
from creature_sim.score.surface import Surface
from creature_sim.score.track import Track
from creature_sim.score.walk import Walk

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# The colours of Okabe and Ito, distinct to colour-blind eyes.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#000000")


def plot(track: Track, surface: Surface, path: Path, title: str) -> None:
    """Write what a walk looks like over time as a picture: all of it, and two strides beside it.

    That is the gait diagram, the heights of the feet and of the body, its roll and pitch, its speed
    and its support margin.

    Raises:
        OutputError: matplotlib is not installed, or the file cannot be written.
    """
    figure = open_figure(path, (16.0, 12.0))
    columns = figure.subplots(6, 2, sharex="col", width_ratios=(3, 2)).T
    first, last = two_strides(track)
    shown = (slice(0, len(track.position)), slice(max(first - 1, 0), last + 1))
    walk = Walk(track, surface)
    for axes, ticks in zip(columns, shown, strict=True):
        _draw(axes, walk, ticks)
        axes[-1].set_xlabel("time [s]")
    columns[0][0].set_title(f"{title}: stance of each leg")
    is_all = (first, last) == (0, len(track.position))
    columns[1][0].set_title("all of it: it makes no two strides" if is_all else "two strides")
    columns[1][0].set_xlim(first / track.tick_rate, last / track.tick_rate)
    labels = ("leg", "feet over\nground [m]", "body over\nground [m]", "turn\n[degrees]")
    margin = "support\nmargin [m]"
    if track.definition.is_dynamic:
        margin = "margin of the\nextrapolated centre\nof mass [m]"
    for panel, label in zip(columns[0], (*labels, "speed [m/s]", margin), strict=True):
        panel.set_ylabel(label)
    save_figure(figure, path)


def two_strides(track: Track) -> tuple[int, int]:
    """First tick, and the tick after the last, of two strides while a command has held for long.

    Where none has held for as long as that takes they are the last two before a command ends; all
    ticks where there are no two strides at all.
    """
    for settled in (SETTLED, 1.0 / track.tick_rate):
        goes = steady(track, settled) > 0.0
        spans_of = [(last - first, first, last) for _, first, last in spans(goes[:, None])]
        if not spans_of:
            continue
        _, first, last = max(spans_of)
        length = 2.0 * stride_ticks(track, first, last)
        if length <= last - first:
            spare = last - first - round(length)
            begin = first + (spare // 2 if settled == SETTLED else spare)
            return begin, begin + round(length)
    return 0, len(track.position)


def _draw(axes: Sequence["Axes"], walk: Walk, ticks: slice) -> None:
    """Draw some ticks of a walk, a line for each quantity."""
    gait, feet, body, turn, pace, margin = axes
    track = walk.track
    seconds = (np.arange(len(track.position)) / track.tick_rate)[ticks]
    names = [f"{leg.side[0].upper()}{leg.pair + 1}" for leg in track.definition.all_legs]
    for leg, first, last in track.stances():
        span = (first / track.tick_rate, (last - first) / track.tick_rate)
        gait.broken_barh([span], (leg - 0.4, 0.8), color=COLOURS[leg % len(COLOURS)])
    gait.set_yticks(range(len(names)), names)
    gait.set_ylim(len(names) - 0.5, -0.5)
    heights = walk.heights[ticks]
    for leg in range(len(names)):
        feet.plot(seconds, heights[:, leg], color=COLOURS[leg % len(COLOURS)], lw=0.8)
    places, ups = track.position[ticks], track.level_ups(track.position[ticks])
    body.plot(seconds, walk.body_heights[ticks], color=COLOURS[0])
    frames = rotation_matrices(track.orientation[ticks])
    for axis, name, colour in ((1, "roll", COLOURS[3]), (0, "pitch", COLOURS[2])):
        rises = (frames[..., axis] * ups).sum(axis=1)
        turn.plot(
            seconds, np.degrees(np.arcsin(np.clip(rises, -1.0, 1.0))), color=colour, label=name
        )
    turn.legend(loc="upper right", fontsize="small")
    speed = np.linalg.norm(np.diff(places, axis=0), axis=1) * track.tick_rate
    pace.plot(seconds[1:], speed, color=COLOURS[1])
    margin.plot(seconds, walk.margins[ticks], color=COLOURS[2])
    margin.axhline(0.0, color="black", lw=0.5)


def check_plot(path: Path, force: bool) -> None:
    """Refuse a picture that could not be written: OutputError."""
    check_output(path, force)
    check_name("--plot", path, [".png", ".svg", ".pdf"])
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
    """Write a figure as a picture, whole or not at all; OutputError if it cannot be written.

    Its texts may hold names of files: no `$` in them is a formula, and bytes that are no text are
    shown as question marks. What the font lacks is a box.
    """
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        text.set_parse_math(False)
        text.set_text(text.get_text().encode(errors="replace").decode())
    picture = BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")
        figure.savefig(picture, dpi=100, format=path.suffix[1:].lower())
    write_output(path, picture.getvalue(), force=True)
