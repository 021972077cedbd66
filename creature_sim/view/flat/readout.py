"""Metrics of the walk as a table over the picture."""

from collections.abc import Mapping
from typing import Any, Literal

from pyglet import shapes
from pyglet.graphics import Batch, Group
from pyglet.text import Label

from creature_sim.figures.palette import BLUE, DIM, GREEN, PAPER, SHADE, VERMILLION
from creature_sim.figures.solids import rgb
from creature_sim.score import Metric, title_of

WIDTH, LINE, MARGIN, MARK = 284, 19, 12, 9
"""Sizes of the table [px]."""
_SIZE = 9
_COLOURS = {"excellent": GREEN, "pass": BLUE, "fail": VERMILLION}


class Readout:
    """One row per metric: a mark in the colour of its verdict, its title and its value.

    Lengths are pixels at 96 to the inch; they are multiplied by `scale`.
    """

    def __init__(self, scale: float) -> None:
        """Begin empty; needs the window's context."""
        self._scale = scale
        self._batch = Batch()
        self._back, self._front = Group(order=0), Group(order=1)
        self._panel: Any = shapes.Rectangle(
            0, 0, 1, 1, color=SHADE, batch=self._batch, group=self._back
        )
        self._rows: list[tuple[Any, Any, Any]] = []
        self._shown: tuple[tuple[int, int], Mapping[str, Metric]] | None = None

    def draw(self, readings: Mapping[str, Metric], size: tuple[int, int], top: int) -> None:
        """Draw it at the left, with its upper edge `top` pixels below that of the window."""
        if not readings:
            return
        if self._shown != (size, readings):
            self._shown = size, readings
            self._lay_out(readings, size[1] - top)
        self._batch.draw()

    def _lay_out(self, readings: Mapping[str, Metric], top: int) -> None:
        self._rows = self._rows or [self._row() for _ in readings]
        width, line, margin, mark = (
            round(length * self._scale) for length in (WIDTH, LINE, MARGIN, MARK)
        )
        height = line * len(readings) + margin
        self._panel.position = (margin, top - height)
        self._panel.width, self._panel.height = width, height
        rows = zip(readings.items(), self._rows, strict=True)
        for index, ((key, metric), row) in enumerate(rows):
            y = top - margin // 2 - line * index - line // 2
            square, title, value = row
            square.width = square.height = mark
            square.position = (2 * margin, y - mark // 2)
            colour = _COLOURS.get(metric.verdict)
            square.visible = colour is not None
            if colour is not None:
                square.color = tuple(round(255 * part) for part in rgb(colour))
            title.text = f"{key} {title_of(key)}"
            title.position = (3 * margin + mark, y, 0)
            value.text = metric.verdict if metric.value is None else f"{metric.value:.4f}"
            value.position = (width, y, 0)

    def _row(self) -> tuple[Any, Any, Any]:
        return (
            shapes.Rectangle(0, 0, 1, 1, batch=self._batch, group=self._front),
            self._label("left", PAPER),
            self._label("right", DIM),
        )

    def _label(self, anchor: Literal["left", "right"], colour: tuple[int, int, int, int]) -> Label:
        return Label(
            "",
            font_size=_SIZE * self._scale,
            color=colour,
            anchor_x=anchor,
            anchor_y="center",
            batch=self._batch,
            group=self._front,
        )
