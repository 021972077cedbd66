"""A screen of our own, and processes with windows on it."""

import json
import os
import shutil
import struct
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import byref
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.forks import start_script


@contextmanager
def own_screen(folder: Path, dpi: int = 96) -> Iterator["Screen"]:
    """An X server whose user has a screen of so many dots an inch."""
    for program in ("Xvfb", "xdotool", *(("xprop",) if dpi != 96 else ())):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    read, write = os.pipe()
    server = subprocess.Popen(
        [
            *("Xvfb", "-displayfd", str(write), "-noreset"),
            *("-screen", "0", "640x400x24", "-fbdir", str(folder)),
        ],
        pass_fds=[write],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        if not number:
            pytest.skip("Xvfb does not start here")
        if dpi != 96:
            name = "RESOURCE_MANAGER"
            subprocess.run(
                ["xprop", "-root", "-f", name, "8s", "-set", name, f"Xft.dpi:\t{dpi}\n"],
                env={**os.environ, "DISPLAY": f":{number}"},
                check=True,
            )
        yield Screen(f":{number}", folder / "Xvfb_screen0", server)
    finally:
        server.terminate()
        server.wait(10)


@dataclass
class Screen:
    """A virtual screen.

    `frame` is the server's framebuffer as a file in XWD format.
    """

    display: str
    frame: Path
    server: "subprocess.Popen[bytes]"

    def do(self, *words: object) -> str:
        run = subprocess.run(
            ["xdotool", *map(str, words)],
            env={**os.environ, "DISPLAY": self.display},
            capture_output=True,
            text=True,
            timeout=20,
            check=True,
        )
        return run.stdout.strip()

    def picture(self) -> Any:
        data = self.frame.read_bytes()
        header = struct.unpack(">25I", data[:100])
        size, width, height, line, colours = (header[i] for i in (0, 4, 5, 12, 19))
        pixels = np.frombuffer(data, np.uint8, height * line, size + 12 * colours)
        return pixels.reshape(height, line)[:, : 4 * width].reshape(height, width, 4)[..., :3]

    def colour_count(self) -> int:
        """How many colours are to be seen."""
        blue, green, red = self.picture().T.astype(np.uint32)
        return len(np.unique(blue | green << 8 | red << 16))


class App:
    """A process with a window on the screen."""

    def __init__(self, screen: Screen, script: str, *arguments: object) -> None:
        self.screen = screen
        environment = {**os.environ, "DISPLAY": screen.display}
        self.process = start_script(script, *map(str, arguments), env=environment)
        try:
            wait(lambda: self._search() != "" or self.process.poll() is not None, 60.0)
            assert self.process.poll() is None, self.process.communicate()[1]
            self.window = self._search().splitlines()[-1]
            screen.do("windowfocus", self.window)
            screen.do("mousemove", "--window", self.window, 200, 200)
            wait(lambda: self.screen.colour_count() > 100, 60.0)
        except BaseException:
            self.kill()
            raise

    def kill(self) -> None:
        """End it, if it has not ended by itself."""
        self.process.kill()
        self.process.communicate()

    def _search(self) -> str:
        try:
            return self.screen.do("search", "--onlyvisible", "--name", "creature_sim")
        except subprocess.CalledProcessError:  # none yet
            return ""

    def changes(self, *words: object) -> None:
        """Do something that must be seen where nothing moves."""
        before = self.still()
        self.screen.do(*words)
        wait(lambda: (self.screen.picture() != before).mean() > 1e-4)

    def still(self) -> Any:
        """The picture once it has come to rest."""
        found: list[Any] = [self.screen.picture()]

        def is_still() -> bool:
            time.sleep(0.15)
            found.append(self.screen.picture())
            return bool((found[-1] == found[-2]).all())

        wait(is_still)
        return found[-1]

    def finish(self) -> str:
        """Wait for a clean end; returns what it printed last."""
        output, errors = self.process.communicate(timeout=20)
        assert errors == ""
        assert self.process.returncode == 0
        return output.strip().splitlines()[-1] if output.strip() else ""


def lines_of(log: Path) -> list[Any]:
    if not log.exists():
        return []
    text = log.read_text()
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]


def last_of(log: Path) -> Any:
    return lines_of(log)[-1]


def wait(is_done: Callable[[], bool], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not is_done():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def ask_to_close(display: str, window: int) -> None:
    """What a window manager sends when its close button is pressed."""
    from pyglet.libs.x11 import xlib

    connection = xlib.XOpenDisplay(display.encode())
    event = xlib.XEvent()
    event.xclient.type = xlib.ClientMessage
    event.xclient.window = window
    event.xclient.message_type = xlib.XInternAtom(connection, b"WM_PROTOCOLS", False)
    event.xclient.format = 32
    event.xclient.data.l[0] = xlib.XInternAtom(connection, b"WM_DELETE_WINDOW", False)
    xlib.XSendEvent(connection, window, False, 0, byref(event))
    xlib.XCloseDisplay(connection)
