"""Gamepads, plugged in at any time: sticks and triggers as axes, a few buttons as actions."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from creature_sim.definitions.drive import Axes

if TYPE_CHECKING:
    from pyglet.input import Controller, ControllerManager

DEAD = 0.15
"""Deflection up to which a stick counts as at rest."""
ACTION_OF = {"a": "stop", "y": "camera", "start": "pause"}
NEEDED = ("/dev/input", "/proc/bus/input/devices")
"""Linux lists what is plugged in through these files."""


class Gamepads:
    """All gamepads that are plugged in; whichever is moved steers."""

    def __init__(self, manager: "ControllerManager | None", press: Callable[[str], None]) -> None:
        """Listen to a manager of pyglet's; None: there are no gamepads here.

        Args:
            manager: lists controllers, and announces those that come and go.
            press: takes the action of a button that went down.
        """
        self._pads: list[Controller] = []
        self._press = press
        if manager is not None:
            manager.push_handlers(self)
            for pad in manager.get_controllers():
                self.on_connect(pad)

    def on_connect(self, pad: "Controller") -> None:
        """Take a gamepad that was plugged in; one that cannot be opened is ignored."""
        try:
            pad.open()
        except Exception:  # a driver may raise anything; the keys still work
            return
        pad.push_handlers(self)
        self._pads.append(pad)

    def on_disconnect(self, pad: "Controller") -> None:
        """Forget a gamepad that was pulled out, whatever its sticks said last."""
        self._pads = [other for other in self._pads if other is not pad]

    def on_button_press(self, _pad: "Controller", button: str) -> None:
        """Do what a button stands for."""
        if button in ACTION_OF:
            self._press(ACTION_OF[button])

    @property
    def axes(self) -> Axes:
        """Forward, turn, strafe and height that sticks ask for, each in [-1, 1], all 0 at rest."""
        for pad in self._pads:
            found = (
                _alive(-pad.lefty),
                _alive(-pad.leftx),
                _alive(-pad.rightx),
                _alive(pad.righttrigger - pad.lefttrigger),
            )
            if any(found):
                return found
        return (0.0, 0.0, 0.0, 0.0)


def open_gamepads(press: Callable[[str], None]) -> Gamepads:
    """The gamepads of this machine; none where gamepads do not work."""
    if sys.platform.startswith("linux") and not all(Path(path).exists() for path in NEEDED):
        return Gamepads(None, press)
    try:
        from pyglet.input import ControllerManager

        return Gamepads(ControllerManager(), press)
    except Exception:  # a driver, as above
        return Gamepads(None, press)


def _alive(value: float) -> float:
    """Deflection of an axis beyond its dead zone, [-1, 1]."""
    size = (min(1.0, abs(value)) - DEAD) / (1.0 - DEAD)
    return 0.0 if size <= 0.0 else size if value > 0.0 else -size
