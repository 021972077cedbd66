"""The panel of sliders where there is one: closed, it lets everything pass."""

from typing import TYPE_CHECKING

from creature_sim.view.shows.show import Show

if TYPE_CHECKING:
    from creature_sim.view.flat.panel import Panel


class Sliders:
    """What the window asks before it acts on keys and the mouse itself."""

    def __init__(self, show: Show, scale: float) -> None:
        """Begin closed."""
        self._show = show
        self._scale = scale
        self._panel: Panel | None = None
        self._is_open = False

    @property
    def _open(self) -> "Panel | None":
        return self._panel if self._is_open else None

    def toggle(self) -> None:
        """Open or close it; say what is missing where it cannot be. Needs the window's context."""
        if self._panel is None:
            try:
                import tomlkit  # noqa: F401  (the files are written with it)

                from creature_sim.view.flat.panel import Panel
            except ImportError:
                self._show.notify("sliders need an extra: pip install 'creature-sim[panel]'")
                return
            self._panel = Panel(self._show, self._scale)
        self._is_open = not self._is_open

    def rescale(self, scale: float) -> None:
        """Draw for a screen with finer pixels, or coarser ones."""
        self._scale = scale
        if self._panel is not None:
            self._panel.rescale(scale)

    def draw(self, size: tuple[int, int], pixels: tuple[int, int], seconds: float) -> None:
        """Draw it over a window of a size and so many pixels, `seconds` after the last time."""
        if self._open is not None:
            self._open.draw(size, pixels, seconds)

    def key(self, symbol: int, is_down: bool) -> bool:
        """Take a key; True: it writes into the panel, and means nothing else."""
        if self._open is None or (is_down and not self._open.wants_text):
            return False
        self._open.key(symbol, is_down)
        return is_down

    def text(self, text: str) -> None:
        """Take what was written."""
        if self._open is not None and self._open.wants_text:
            self._open.text(text)

    def move(self, x: float, y: float) -> None:
        """Take where the mouse is."""
        if self._open is not None:
            self._open.move(x, y)

    def press(self, x: float, y: float, button: int) -> bool:
        """Take a button that went down; True: on the panel."""
        return self._open is not None and self._open.press(x, y, button)

    def drag(self, x: float, y: float) -> bool:
        """Take where the mouse is while a button is down; True: it went down on the panel."""
        return self._open is not None and self._open.drag(x, y)

    def release(self, x: float, y: float, button: int) -> bool:
        """Take a button that came up; True: it went down on the panel."""
        return self._open is not None and self._open.release(x, y, button)

    def wheel(self, x: float, y: float, across: float, up: float) -> bool:
        """Take notches of the wheel; True: over the panel."""
        return self._open is not None and self._open.wheel(x, y, across, up)

    def delete(self) -> None:
        """Free the memory; the window's context must be current."""
        if self._panel is not None:
            self._panel.delete()
