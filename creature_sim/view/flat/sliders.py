"""The panel of sliders, if it is open; a closed one takes no keys and no mouse."""

from typing import TYPE_CHECKING

from creature_sim.view.shows.show import Show

if TYPE_CHECKING:
    from creature_sim.view.flat.panel import Panel


class Sliders:
    """Takes keys and mouse before the window does, while the panel is open."""

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
        """Open or close the panel, or say what it needs. The window's context must be current."""
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
        """Draw for a screen with another pixel density."""
        self._scale = scale
        if self._panel is not None:
            self._panel.rescale(scale)

    def draw(self, size: tuple[int, int], pixels: tuple[int, int], seconds: float) -> None:
        """Draw it over a window.

        Args:
            size: of the window in its own units.
            pixels: of the framebuffer.
            seconds: since the last frame.
        """
        if self._open is not None:
            self._open.draw(size, pixels, seconds)

    def key(self, symbol: int, is_down: bool) -> bool:
        """Take a key; True: it types into the panel and has no other effect."""
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
