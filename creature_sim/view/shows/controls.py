"""Every key and mouse action in one table, from which both help and key bindings come."""

from dataclasses import dataclass
from typing import Literal

Mode = Literal["live", "replay"]


@dataclass(frozen=True)
class Control:
    """One thing the user can do.

    Attributes:
        label: what to press, for people.
        keys: names of the keys in `pyglet.window.key`; empty for the mouse.
        action: what the code calls it.
        meaning: what it does.
        modes: where it works.
    """

    label: str
    keys: tuple[str, ...]
    action: str
    meaning: str
    modes: tuple[Mode, ...] = ("live", "replay")


CONTROLS = (
    Control("Up, W", ("UP", "W"), "forward", "walk forward", ("live",)),
    Control("Down, S", ("DOWN", "S"), "back", "walk back", ("live",)),
    Control("Left, A", ("LEFT", "A"), "left", "turn left", ("live",)),
    Control("Right, D", ("RIGHT", "D"), "right", "turn right", ("live",)),
    Control("Q", ("Q",), "strafe left", "step to the left", ("live",)),
    Control("E", ("E",), "strafe right", "step to the right", ("live",)),
    Control(
        "Shift", ("LSHIFT", "RSHIFT"), "fast", "full speed, or run; without it 60 %", ("live",)
    ),
    Control("Ctrl", ("LCTRL", "RCTRL"), "crouch", "crouch", ("live",)),
    Control("Page up", ("PAGEUP",), "rise", "stand tall", ("live",)),
    Control("L", ("L",), "lose", "lose the next leg; R gives all legs back", ("live",)),
    Control("V", ("V",), "look", "look where the mouse is, or ahead again", ("live",)),
    Control("T", ("T",), "reach", "reach for where the mouse is with a foot, or walk", ("live",)),
    Control("K", ("K",), "strike", "then click: strike there", ("live",)),
    Control("J", ("J",), "leap", "then click the ground: leap there", ("live",)),
    Control("B", ("B",), "pose", "arrows, Q, E hold the body instead of walking", ("live",)),
    Control("Z", ("Z",), "sit", "sit down, or stand up", ("live",)),
    Control("X", ("X",), "fold", "lie down with folded legs, or stand up", ("live",)),
    Control("Space", ("SPACE",), "stop", "stop, and take over from the script", ("live",)),
    Control("R", ("R",), "reset", "put everything back to its start", ("live",)),
    Control("P", ("P",), "pause", "pause and resume", ("live",)),
    Control("Space, P", ("SPACE", "P"), "pause", "pause and resume", ("replay",)),
    Control(
        "+ / =", ("PLUS", "EQUAL", "NUM_ADD"), "faster", "play faster, up to 8 times", ("replay",)
    ),
    Control("-", ("MINUS", "NUM_SUBTRACT"), "slower", "play slower, down to a tenth", ("replay",)),
    Control("Left", ("LEFT",), "rewind", "1 s back, with Shift 5 s", ("replay",)),
    Control("Right", ("RIGHT",), "skip", "1 s forward, with Shift 5 s", ("replay",)),
    Control("L", ("L",), "loop", "play again and again", ("replay",)),
    Control("G", ("G",), "ghosts", "ghosts of the last two seconds", ("replay",)),
    Control("B", ("B",), "beside", "the other replay beside this one, or over it", ("replay",)),
    Control("Home", ("HOME",), "first", "to the start", ("replay",)),
    Control("End", ("END",), "last", "to the end", ("replay",)),
    Control("Drag the bar", (), "scrub", "to any moment", ("replay",)),
    Control("Click the ground", (), "send", "send the creature there", ("live",)),
    Control("Drag a target", (), "target", "pull a chain with the mouse", ("live",)),
    Control("Drag a foot", (), "lead", "right button: lead a foot; click: let it go", ("live",)),
    Control("Tab", ("TAB",), "next", "next creature or chain, with Shift the one before"),
    Control("Wheel", (), "zoom", "nearer and farther"),
    Control("Drag", (), "orbit", "look from another side"),
    Control("C", ("C",), "camera", "camera: chase, orbit, side, top"),
    Control("O", ("O",), "overlay", "overlay on and off; F2 to F8 choose what is in it"),
    Control("F2", ("F2",), "feet", "targets, footholds by their score, home positions"),
    Control("F3", ("F3",), "support", "polygon of the standing feet, centre of the trunk"),
    Control("F4", ("F4",), "zones", "how far legs reach, and their soft reach limits"),
    Control("F5", ("F5",), "rays", "where rays found ground", ("live",)),
    Control("F6", ("F6",), "reasons", "why feet stepped, scores, FABRIK passes"),
    Control("F7", ("F7",), "gait", "gait diagram: which feet stood in the last 4 s"),
    Control("F8", ("F8",), "metrics", "metrics of the score over the last 5 s", ("live",)),
    Control("F9", ("F9",), "panel", "sliders for every number of the creature's file", ("live",)),
    Control("H", ("H",), "shadows", "shadows on and off"),
    Control("Gamepad sticks", (), "steer", "walk and turn, strafe", ("live",)),
    Control("Gamepad triggers", (), "steer", "crouch, stand tall", ("live",)),
    Control("Gamepad A, Start, Y", (), "steer", "stop, pause, camera", ("live",)),
    Control("F1", ("F1",), "help", "show the keys, page by page, and hide them"),
    Control("Escape", ("ESCAPE",), "close", "close the window"),
)


def controls_of(mode: Mode) -> list[Control]:
    """The controls that work in a mode."""
    return [control for control in CONTROLS if mode in control.modes]


def actions_by_key(mode: Mode) -> dict[str, str]:
    """Action of each key that does something in a mode."""
    return {key: control.action for control in controls_of(mode) for key in control.keys}
