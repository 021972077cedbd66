"""Text over the picture: status, notice, help, and the bar of a replay."""

from collections.abc import Sequence

import numpy as np
from pyglet import gl, image, shapes
from pyglet.graphics import Batch, Group
from pyglet.sprite import Sprite
from pyglet.text import Label

from creature_sim.figures.palette import ORANGE, PAPER
from creature_sim.figures.solids import rgb
from creature_sim.view.shows.controls import Mode, controls_of

MARGIN = 12
BAR_HEIGHT = 10
BAR_REACH = 12
"""The mouse catches the bar up to this far above and below it."""
_PANEL = (16, 22, 28, 190)
_DIM = (200, 211, 219, 255)
STRIP = 1024
TICK = (16, 22, 28, 255)
_AMBER = (*(int(255 * part) for part in rgb(ORANGE)), 255)
_SIZE = 11
_LINE = 22


class Hud:
    """Laid out anew when the window's size changes, otherwise redrawn from unchanged parts.

    Lengths in this file are pixels at 96 to the inch; they are multiplied by `scale`.
    """

    def __init__(self, mode: Mode, scale: float = 1.0) -> None:
        """Prepare texts for a mode's help; needs the window's context."""
        self.is_helping = False
        self._scale = scale
        self._size = (0, 0)
        back, front = Group(order=0), Group(order=1)
        self._batch, self._warning, self._help, self._bar = Batch(), Batch(), Batch(), Batch()
        self._panel = _panel(self._batch, back)
        self._status = self._label(self._batch, front, PAPER)
        self._hint = self._label(self._batch, front, _DIM, text="F1 keys", anchor="right")
        self._notice_panel = _panel(self._warning, back)
        self._notice = self._label(self._warning, front, _AMBER)
        self._help_panel = _panel(self._help, back)
        self._rows = [
            (
                self._label(self._help, front, _AMBER, text=control.label),
                self._label(self._help, front, PAPER, text=control.meaning),
            )
            for control in controls_of(mode)
        ]
        self._steps: Sequence[float] = ()
        self._ticks = Sprite(image.Texture.create(STRIP, 1), batch=self._bar, group=Group(order=2))
        self._mark(())
        self._rail = _panel(self._bar, back)
        self._played = shapes.Rectangle(0, 0, 1, 1, color=_AMBER, batch=self._bar, group=front)

    def draw(
        self,
        size: tuple[int, int],
        status: str,
        notice: str,
        timeline: float | None,
        steps: Sequence[float] = (),
    ) -> None:
        """Draw over the picture.

        Args:
            size: of the window in its own units.
            status: one line about the present.
            notice: another line; "": none.
            timeline: fraction that has been played; None: there is no bar.
            steps: marks on the bar, as fractions of it; painted anew when it is another object.
        """
        for label, text in ((self._status, status), (self._notice, notice)):
            if label.text != text:
                label.text = text
        if size != self._size:
            self._lay_out(size)
        gl.glDisable(gl.GL_DEPTH_TEST)
        gl.glDisable(gl.GL_CULL_FACE)
        self._hint.visible = (
            self._status.content_width + self._hint.content_width + 4 * self._px(MARGIN) < size[0]
        )
        self._batch.draw()
        if notice:
            self._notice_panel.width = self._notice.content_width + 2 * self._px(MARGIN)
            self._warning.draw()
        if timeline is not None:
            self._played.width = max(1.0, timeline * self._rail.width)
            if steps is not self._steps:
                self._steps = steps
                self._mark(steps)
            self._bar.draw()
        if self.is_helping:
            self._help.draw()

    def _mark(self, steps: Sequence[float]) -> None:
        """Paint marks into the strip that is stretched over the bar: any number costs the same."""
        picture = np.zeros((1, STRIP, 4), np.uint8)
        columns = (np.array(steps, dtype=float) * (STRIP - 1)).astype(int).clip(0, STRIP - 1)
        picture[0, columns] = TICK
        data = image.ImageData(STRIP, 1, "RGBA", picture.tobytes())
        self._ticks.image.blit_into(data, 0, 0, 0)

    def _px(self, length: float) -> int:
        return round(length * self._scale)

    def _lay_out(self, size: tuple[int, int]) -> None:
        self._size = size
        width, height = size
        margin, line = self._px(MARGIN), self._px(_LINE)
        strip = 2 * margin + self._px(_SIZE)
        top = height - margin
        self._panel.position = (0, height - strip)
        self._panel.width, self._panel.height = width, strip
        self._status.position = (margin, top, 0)
        self._hint.position = (width - margin, top, 0)
        self._notice_panel.position = (0, height - 2 * strip)
        self._notice_panel.height = strip
        self._notice.position = (margin, top - strip, 0)
        keys_width = max(key.content_width for key, _ in self._rows)
        text_width = max(meaning.content_width for _, meaning in self._rows)
        left, below = margin, height - 2 * strip - margin
        column = keys_width + text_width + 3 * margin
        per_column = max(1, (below - 2 * margin) // line)
        if 2 * column + 3 * margin > width or per_column >= len(self._rows):
            per_column = len(self._rows)  # one column, where two do not fit or are not needed
        columns = -(-len(self._rows) // per_column)
        per_column = -(-len(self._rows) // columns)
        self._help_panel.width = columns * column + margin
        self._help_panel.height = per_column * line + margin
        self._help_panel.position = (left, below - self._help_panel.height)
        for index, (key, meaning) in enumerate(self._rows):
            x = left + margin + index // per_column * column
            y = below - margin - index % per_column * line
            key.position = (x, y, 0)
            meaning.position = (x + margin + keys_width, y, 0)
        self._rail.position = self._played.position = (margin, margin)
        self._rail.width = max(1, width - 2 * margin)
        self._rail.height = self._played.height = self._px(BAR_HEIGHT)
        self._ticks.position = (margin, margin + self._px(BAR_HEIGHT) // 4, 0)
        self._ticks.scale_x = self._rail.width / STRIP
        self._ticks.scale_y = self._px(BAR_HEIGHT) // 2

    def bottom(self, timeline: float | None) -> int:
        """Upper edge of the bar at the bottom of the window; 0 without a bar."""
        return 0 if timeline is None else self._px(MARGIN + BAR_HEIGHT)

    def is_on_bar(self, y: float) -> bool:
        """Whether a height in the window is that of the replay's bar."""
        y /= self._scale
        return MARGIN - BAR_REACH <= y <= MARGIN + BAR_HEIGHT + BAR_REACH

    def fraction_at(self, x: float) -> float:
        """Fraction of the whole that a position along the bar stands for, [0, 1]."""
        margin = self._px(MARGIN)
        return min(1.0, max(0.0, (x - margin) / max(1.0, self._size[0] - 2.0 * margin)))

    def _label(
        self,
        batch: Batch,
        group: Group,
        colour: tuple[int, ...],
        text: str = "",
        anchor: str = "left",
    ) -> Label:
        return Label(
            text,
            font_size=_SIZE * self._scale,
            color=colour,
            anchor_x=anchor,
            anchor_y="top",
            batch=batch,
            group=group,
        )


def _panel(batch: Batch, group: Group) -> shapes.Rectangle:
    return shapes.Rectangle(0, 0, 1, 1, color=_PANEL, batch=batch, group=group)
