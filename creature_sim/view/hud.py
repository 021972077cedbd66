"""Text over the picture: status, notice, help, and the bar of a replay."""

from typing import Any

from pyglet import gl, shapes
from pyglet.graphics import Batch, Group
from pyglet.text import Label

from creature_sim.view.controls import Mode, controls_of

MARGIN = 12
BAR_HEIGHT = 10
BAR_REACH = 12
"""The bar is caught this far above and below it [px]."""
_PANEL = (20, 28, 36, 165)
_PAPER = (240, 244, 246, 255)
_DIM = (190, 205, 215, 255)
_AMBER = (255, 205, 110, 255)
_SIZE = 11
_LINE = 22


class Hud:
    """Laid out anew when the window's size changes, redrawn from unchanged parts otherwise."""

    def __init__(self, mode: Mode) -> None:
        """Prepare texts for a mode's help; needs the window's context."""
        self.is_helping = False
        self._size = (0, 0)
        back, front = Group(order=0), Group(order=1)
        self._batch, self._help, self._bar = Batch(), Batch(), Batch()
        self._panel = _panel(self._batch, back)
        self._status = _label(self._batch, front, _PAPER)
        self._hint = _label(self._batch, front, _DIM, text="F1 keys", anchor="right")
        self._notice = _label(self._batch, front, _AMBER)
        self._help_panel = _panel(self._help, back)
        self._rows = [
            (
                _label(self._help, front, _AMBER, text=control.label),
                _label(self._help, front, _PAPER, text=control.meaning),
            )
            for control in controls_of(mode)
        ]
        self._rail = _panel(self._bar, back)
        self._played = shapes.Rectangle(
            0, 0, 1, BAR_HEIGHT, color=_AMBER, batch=self._bar, group=front
        )

    def draw(self, size: tuple[int, int], status: str, notice: str, timeline: float | None) -> None:
        """Draw over the picture; `size` is that of the window in its own units."""
        if size != self._size:
            self._lay_out(size)
        for label, text in ((self._status, status), (self._notice, notice)):
            if label.text != text:
                label.text = text
        gl.glDisable(gl.GL_DEPTH_TEST)
        gl.glDisable(gl.GL_CULL_FACE)
        self._batch.draw()
        if timeline is not None:
            self._played.width = max(1.0, timeline * self._rail.width)
            self._bar.draw()
        if self.is_helping:
            self._help.draw()

    def _lay_out(self, size: tuple[int, int]) -> None:
        self._size = size
        width, height = size
        top = height - MARGIN
        self._panel.position = (0, height - 2 * MARGIN - _SIZE)
        self._panel.width, self._panel.height = width, 2 * MARGIN + _SIZE
        self._status.position = (MARGIN, top, 0)
        self._hint.position = (width - MARGIN, top, 0)
        self._notice.position = (MARGIN, top - 2 * MARGIN - _SIZE, 0)
        keys_width = max(key.content_width for key, _ in self._rows)
        text_width = max(meaning.content_width for _, meaning in self._rows)
        left, below = MARGIN, height - 5 * MARGIN - 2 * _SIZE
        self._help_panel.width = keys_width + text_width + 4 * MARGIN
        self._help_panel.height = len(self._rows) * _LINE + MARGIN
        self._help_panel.position = (left, below - self._help_panel.height)
        for row, (key, meaning) in enumerate(self._rows):
            y = below - MARGIN - row * _LINE
            key.position = (left + MARGIN, y, 0)
            meaning.position = (left + 2 * MARGIN + keys_width, y, 0)
        self._rail.position = self._played.position = (MARGIN, MARGIN)
        self._rail.width, self._rail.height = max(1, width - 2 * MARGIN), BAR_HEIGHT

    def is_on_bar(self, y: float) -> bool:
        """Whether a height in the window is that of the replay's bar."""
        return MARGIN - BAR_REACH <= y <= MARGIN + BAR_HEIGHT + BAR_REACH

    def share_at(self, x: float) -> float:
        """Share of the whole that a place along the bar stands for, 0 to 1."""
        return min(1.0, max(0.0, (x - MARGIN) / max(1.0, self._size[0] - 2.0 * MARGIN)))


def _panel(batch: Any, group: Any) -> Any:
    return shapes.Rectangle(0, 0, 1, 1, color=_PANEL, batch=batch, group=group)


def _label(
    batch: Any, group: Any, colour: tuple[int, ...], text: str = "", anchor: str = "left"
) -> Any:
    return Label(
        text,
        font_size=_SIZE,
        color=colour,
        anchor_x=anchor,
        anchor_y="top",
        batch=batch,
        group=group,
    )
