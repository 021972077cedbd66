"""The keys and what they do, in as many columns as fit, on as many pages as are needed."""

from pyglet import shapes
from pyglet.graphics import Batch, Group
from pyglet.text import Label

from creature_sim.figures.palette import AMBER, COVER, DIM, PAPER
from creature_sim.view.shows.controls import Mode, controls_of

MARGIN, LINE, SIZE = 12, 22, 11


class Help:
    """A table of the controls of a mode.

    Lengths in this file are pixels at 96 to the inch; they are multiplied by `scale`.

    Attributes:
        page: that is shown, from 1 on; 0: it is closed.
        page_count: how many pages it takes in the window as it is.
    """

    def __init__(self, mode: Mode, scale: float) -> None:
        """Begin closed; needs the window's context."""
        self.page = 0
        self.page_count = 1
        self._scale = scale
        self._shown: tuple[tuple[int, int], int] | None = None
        self._batch = Batch()
        back, front = Group(order=0), Group(order=1)
        self._panel = shapes.Rectangle(0, 0, 1, 1, color=COVER, batch=self._batch, group=back)
        self._rows = [
            (self._label(front, AMBER, control.label), self._label(front, PAPER, control.meaning))
            for control in controls_of(mode)
        ]
        self._footer = self._label(front, DIM, "")

    def turn(self) -> None:
        """Open it, show the next page, and close it after the last one."""
        self.page = (self.page + 1) % (self.page_count + 1)

    def wheel(self, up: float) -> bool:
        """Turn pages as far as there are any; False: it is closed, or has one page."""
        if not self.page or self.page_count == 1:
            return False
        self.page = max(1, min(self.page_count, self.page + (1 if up < 0.0 else -1)))
        return True

    def draw(self, size: tuple[int, int], strip: int) -> None:
        """Draw the page, if it is open.

        Args:
            size: of the window.
            strip: height of what is kept free above it.
        """
        if not self.page:
            return
        if self._shown != (size, self.page):
            self._lay_out(size, strip)
            self._shown = (size, self.page)
        self._batch.draw()

    def _lay_out(self, size: tuple[int, int], strip: int) -> None:
        margin, line = (round(length * self._scale) for length in (MARGIN, LINE))
        keys_width = max(key.content_width for key, _ in self._rows)
        text_width = max(meaning.content_width for _, meaning in self._rows)
        column = keys_width + text_width + 3 * margin
        top = size[1] - strip - margin
        lines = max(1, (top - 4 * margin) // line)
        columns = max(1, (size[0] - 3 * margin) // column)
        if len(self._rows) > lines * columns:
            lines = max(1, lines - 1)  # for the line that says how to turn pages
        else:
            columns = -(-len(self._rows) // lines)
            lines = -(-len(self._rows) // columns)
        self.page_count = -(-len(self._rows) // (lines * columns))
        self.page = min(self.page, self.page_count)
        first = (self.page - 1) * lines * columns
        shown = max(0, min(len(self._rows) - first, lines * columns))
        used = -(-shown // lines)
        is_paged = self.page_count > 1
        height = (min(lines, shown) + is_paged) * line + 2 * margin
        self._panel.width, self._panel.height = used * column + margin, height
        self._panel.position = (margin, top - height)
        for index, (key, meaning) in enumerate(self._rows):
            place = index - first
            key.visible = meaning.visible = 0 <= place < shown
            x = 2 * margin + place // lines * column
            y = top - margin - place % lines * line
            key.position, meaning.position = (x, y, 0), (x + margin + keys_width, y, 0)
        self._footer.visible = is_paged
        self._footer.text = f"{self.page} of {self.page_count}: F1 or the wheel turns the page"
        self._footer.position = (2 * margin, top - height + line, 0)

    def _label(self, group: Group, colour: tuple[int, ...], text: str) -> Label:
        return Label(
            text,
            font_size=SIZE * self._scale,
            color=colour,
            anchor_y="top",
            batch=self._batch,
            group=group,
        )
