"""Opens a window or a context off screen, or says in one sentence why it cannot."""

import os
import sys
import warnings
from types import ModuleType
from typing import TYPE_CHECKING, Any

from creature_sim.errors import DisplayUnavailable

if TYPE_CHECKING:
    from pyglet.gl import Config
    from pyglet.window import BaseWindow

WINDOW_SIZE = (1280, 720)


def open_window(caption: str, advice: str) -> "BaseWindow":
    """A resizable window with OpenGL 3.3, multisampled unless a CPU draws it.

    Args:
        caption: title of the window.
        advice: what to do where there is no display; the end of a sentence.

    Raises:
        DisplayUnavailable: with one sentence that ends in `advice`.
    """
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        raise DisplayUnavailable(f"no display to open a window on: {advice}")
    try:
        pyglet = _pyglet(is_headless=False)
        if pyglet.options.headless:
            raise DisplayUnavailable("this process already draws without a screen")
        width, height = WINDOW_SIZE
        options = {
            "width": width,
            "height": height,
            "caption": caption,
            "resizable": True,
            "visible": False,
        }
        try:
            native = pyglet.window.Window(config=_config(pyglet, samples=4), **options)
            if is_software():
                native.close()
                native = pyglet.window.Window(config=_config(pyglet), **options)
        except pyglet.window.NoSuchConfigException:
            native = pyglet.window.Window(config=_config(pyglet), **options)
    except Exception as error:  # pyglet's exceptions have no root of their own
        if type(error).__name__ == "NoSuchDisplayException":
            raise DisplayUnavailable(
                f"no display to open a window on ({os.environ.get('DISPLAY')} does not answer): "
                f"{advice}"
            ) from None
        raise DisplayUnavailable(
            f"no window with OpenGL 3.3 can be opened here ({_first_line(error)}): {advice}"
        ) from None
    try:
        pyglet.font.load(None)
    except Exception as error:  # as above; a missing library is an ImportError
        native.close()
        raise DisplayUnavailable(
            f"no font to write with in a window ({_first_line(error)}): install the system's font "
            "libraries and a font (on Debian: libfreetype6 libfontconfig1 fonts-dejavu-core), or "
            "use --headless"
        ) from None
    _watch_display()
    native.set_minimum_size(160, 120)
    native.set_visible(True)
    return native


def open_offscreen() -> "BaseWindow":
    """A context to draw in without a screen; drawing goes to framebuffers, never to it.

    In a process that has a window already, this is a second, hidden one.

    Raises:
        DisplayUnavailable: no EGL, or no OpenGL 3.3 through it.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the error below says what is missing
            pyglet = _pyglet(is_headless=True)
            return pyglet.window.Window(width=16, height=16, config=_config(pyglet), visible=False)
    except Exception as error:  # as above
        raise DisplayUnavailable(
            f"no OpenGL 3.3 to draw with off screen ({_first_line(error)}): install the system's "
            "EGL and OpenGL libraries (on Debian: libegl1 libgl1 libgl1-mesa-dri)"
        ) from None


def _pyglet(is_headless: bool) -> ModuleType:
    """Pyglet with its window module; the first call decides how this process draws."""
    import pyglet

    if "pyglet.window" not in sys.modules:
        pyglet.options.headless = is_headless
        pyglet.options.shadow_window = False
        pyglet.options.debug_gl = False
        pyglet.options.dpi_scaling = "scaled"  # sizes are pixels everywhere; text grows with dpi
    import pyglet.font
    import pyglet.window

    return pyglet


def _config(pyglet: ModuleType, samples: int = 0) -> "Config":
    """OpenGL with explicit sizes: without them, drawing off screen takes the smallest ones."""
    multisampled = {"sample_buffers": 1, "samples": samples} if samples else {}
    return pyglet.gl.Config(
        major_version=3,
        minor_version=3,
        red_size=8,
        green_size=8,
        blue_size=8,
        depth_size=24,
        double_buffer=True,
        **multisampled,
    )


def is_software() -> bool:
    """Whether a CPU draws, where four samples per pixel halve the frame rate; needs a context."""
    from pyglet import gl

    renderer = str(gl.gl_info.get_renderer()).lower()
    return "llvmpipe" in renderer or "softpipe" in renderer or "swrast" in renderer


def _watch_display() -> None:
    """Say in one sentence that the X server went away; Xlib then ends the process."""
    if not sys.platform.startswith("linux"):
        return
    from pyglet.libs.x11 import xlib

    global _on_lost
    _on_lost = xlib.XIOErrorHandler(_end)
    xlib.XSetIOErrorHandler(_on_lost)


_on_lost: Any = None
"""A reference to the handler: Xlib keeps none."""


def _end(_display: object) -> int:
    """End at once: exit handlers would ask the lost display for something."""
    name = os.environ.get("DISPLAY")
    print(
        f"error: the window is lost: the display {name} went away; a recording ends with its "
        "last full second",
        file=sys.stderr,
        flush=True,
    )
    os._exit(2)


def _first_line(error: Exception) -> str:
    text = str(error).strip().splitlines()
    return text[0].rstrip(".") if text else type(error).__name__
