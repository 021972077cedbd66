"""Text over the picture: status, notice, names of halves, and the bar of a replay."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from pyglet import gl, image, shapes
from pyglet.graphics import Batch, Group
from pyglet.sprite import Sprite
from pyglet.text import Label

from creature_sim.figures.labels import printable
from creature_sim.figures.palette import AMBER, COVER, DIM, PAPER, SHADE
from creature_sim.view.flat.help import Help
from creature_sim.view.shows.controls import Mode

MARGIN = 12
BAR_HEIGHT = 10
BAR_REACH = 12
"""The mouse catches the bar up to this far above and below it."""
STRIP = 36
"""Height of a line of text on its panel."""
COLUMNS = 1024
TICK = (16, 22, 28, 255)
_SIZE = 11


class Texts(NamedTuple):
    """What is to be said: lines of plain text, "" for none.

    Attributes:
        status: about the present.
        rate: frames per second.
        notice: what has just happened; it is broken into lines where it is long.
        names: of the left and the right half; None: there is one picture.
    """

    status: str
    rate: str = ""
    notice: str = ""
    names: tuple[str, str] | None = None


class Hud:
    """Laid out anew when the window's size changes, otherwise redrawn from unchanged parts.

    Lengths in this file are pixels at 96 to the inch; they are multiplied by `scale`.
    """

    def __init__(self, mode: Mode, scale: float = 1.0) -> None:
        """Prepare texts for a mode's help; needs the window's context."""
        self._scale = scale
        self._size = (0, 0)
        back, front = Group(order=0), Group(order=1)
        self._batch, self._warning, self._halves, self._bar = Batch(), Batch(), Batch(), Batch()
        self._panel = _panel(self._batch, back)
        self._status = self._label(self._batch, front, PAPER)
        self._hint = self._label(self._batch, front, DIM, "right")
        self._notice_panel = _panel(self._warning, back, COVER)
        self._notice: Any = Label(
            "",
            font_size=_SIZE * scale,
            color=AMBER,
            anchor_y="top",
            multiline=True,
            width=100,
            batch=self._warning,
            group=front,
        )
        self._names = [
            (_panel(self._halves, back), self._label(self._halves, front, PAPER)) for _ in range(2)
        ]
        self._help = Help(mode, scale)
        self._steps: Sequence[float] = ()
        self._ticks = Sprite(
            image.Texture.create(COLUMNS, 1), batch=self._bar, group=Group(order=2)
        )
        self._mark(())
        self._rail = _panel(self._bar, back)
        self._played = shapes.Rectangle(0, 0, 1, 1, color=AMBER, batch=self._bar, group=front)

    @property
    def page(self) -> int:
        """Page of the help that is shown, from 1 on; 0: none."""
        return self._help.page

    @page.setter
    def page(self, page: int) -> None:
        self._help.page = page

    def turn_page(self) -> None:
        """Open the help, show its next page, and close it after the last one."""
        self._help.turn()

    def wheel(self, up: float) -> bool:
        """Turn pages of the help, if it is open and has several; False: it does not."""
        return self._help.wheel(up)

    def draw(
        self,
        size: tuple[int, int],
        texts: Texts,
        timeline: float | None,
        steps: Sequence[float] = (),
    ) -> None:
        """Draw over the picture.

        Args:
            size: of the window in its own units.
            texts: what to say.
            timeline: fraction that has been played; None: there is no bar.
            steps: marks on the bar, as fractions of it; painted anew when it is another object.
        """
        hint = "   ".join(part for part in (texts.rate, "F1 keys") if part)
        said = ((self._status, texts.status), (self._hint, hint), (self._notice, texts.notice))
        for label, text in said:
            _say(label, text)
        if size != self._size:
            self._lay_out(size)
        gl.glDisable(gl.GL_DEPTH_TEST)
        gl.glDisable(gl.GL_CULL_FACE)
        self._hint.visible = (
            self._status.content_width + self._hint.content_width + 4 * self._px(MARGIN) < size[0]
        )
        self._batch.draw()
        if timeline is not None:
            self._played.width = max(1.0, timeline * self._rail.width)
            if steps is not self._steps:
                self._steps = steps
                self._mark(steps)
            self._bar.draw()
        if texts.names is not None:
            self._name(texts.names)
        self._help.draw(size, 2 * self._px(STRIP))
        if texts.notice:
            self._warn(below=1 if texts.names is None else 2)

    def _name(self, names: tuple[str, str]) -> None:
        """Name the halves of the window at their upper left corners."""
        width, height = self._size
        margin, strip = self._px(MARGIN), self._px(STRIP)
        for half, (name, (panel, label)) in enumerate(zip(names, self._names, strict=True)):
            _say(label, name)
            left = half * (width // 2)
            panel.position = (left, height - 2 * strip)
            panel.width = min(width // 2, label.content_width + 2 * margin)
            panel.height = strip
            label.position = (left + margin, height - strip - margin, 0)
        self._halves.draw()

    def _warn(self, below: int) -> None:
        """Draw the notice under so many strips, in as many lines as it needs."""
        margin = self._px(MARGIN)
        top = self._size[1] - below * self._px(STRIP)
        self._notice.position = (margin, top - margin, 0)
        self._notice_panel.width = min(self._size[0], self._notice.content_width + 2 * margin)
        self._notice_panel.height = self._notice.content_height + 2 * margin
        self._notice_panel.position = (0, top - self._notice_panel.height)
        self._warning.draw()

    def _mark(self, steps: Sequence[float]) -> None:
        """Paint marks into the strip that is stretched over the bar: any number costs the same."""
        picture = np.zeros((1, COLUMNS, 4), np.uint8)
        columns = (np.array(steps, dtype=float) * (COLUMNS - 1)).astype(int).clip(0, COLUMNS - 1)
        picture[0, columns] = TICK
        data = image.ImageData(COLUMNS, 1, "RGBA", picture.tobytes())
        self._ticks.image.blit_into(data, 0, 0, 0)

    def _px(self, length: float) -> int:
        return round(length * self._scale)

    def _lay_out(self, size: tuple[int, int]) -> None:
        self._size = size
        width, height = size
        margin, strip = self._px(MARGIN), self._px(STRIP)
        top = height - margin
        self._panel.position = (0, height - strip)
        self._panel.width, self._panel.height = width, strip
        self._status.position = (margin, top, 0)
        self._hint.position = (width - margin, top, 0)
        self._notice.width = max(1, width - 2 * margin)
        self._rail.position = self._played.position = (margin, margin)
        self._rail.width = max(1, width - 2 * margin)
        self._rail.height = self._played.height = self._px(BAR_HEIGHT)
        self._ticks.position = (margin, margin + self._px(BAR_HEIGHT) // 4, 0)
        self._ticks.scale_x = self._rail.width / COLUMNS
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
        anchor: Literal["left", "right"] = "left",
    ) -> Label:
        return Label(
            "",
            font_size=_SIZE * self._scale,
            color=colour,
            anchor_x=anchor,
            anchor_y="top",
            batch=batch,
            group=group,
        )


def _say(label: Label, text: str) -> None:
    """Let a label show a text; its control characters are written as escapes."""
    shown = "\n".join(map(printable, text.splitlines()))
    if label.text != shown:
        label.text = shown


def _panel(
    batch: Batch, group: Group, colour: tuple[int, int, int, int] = SHADE
) -> shapes.Rectangle:
    return shapes.Rectangle(0, 0, 1, 1, color=colour, batch=batch, group=group)
