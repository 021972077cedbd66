"""The small language that says how creatures are driven.

forward 5; forward left 2.5; stop 1     a timeline: directions and seconds, then stands
wander                                  roams, turns back at the border (seeded)
goto X,Y                                walks to a point [m] and stops there
"""

from dataclasses import dataclass
from math import isfinite

from creature_sim.errors import DefinitionError

AXES = ("forward", "turn")
"""What a command sets, each in [-1, 1]: forward speed, and turn to the left."""

_WORDS = {
    "forward": ("forward", 1.0),
    "back": ("forward", -1.0),
    "left": ("turn", 1.0),
    "right": ("turn", -1.0),
    "stop": ("", 0.0),
}


@dataclass(frozen=True)
class Segment:
    """Constant axes for a while."""

    forward: float
    turn: float
    seconds: float


@dataclass(frozen=True)
class Timeline:
    """Segments one after another; standing still after the last."""

    segments: tuple[Segment, ...]


@dataclass(frozen=True)
class Wander:
    """Roam about."""


@dataclass(frozen=True)
class Goto:
    """Walk to a point [m, world]."""

    x: float
    y: float


Drive = Timeline | Wander | Goto


def parse_drive(spec: str) -> Drive:
    """Read a drive; DefinitionError names the part that is wrong."""
    text = spec.strip()
    if text == "wander":
        return Wander()
    if text.split(maxsplit=1)[:1] == ["goto"]:
        numbers = text.removeprefix("goto").split(",")
        if len(numbers) != 2:
            raise DefinitionError(f"expected 'goto X,Y' in metres, found {spec!r}")
        x, y = (_number(part, spec) for part in numbers)
        return Goto(x, y)
    parts = [part.strip() for part in text.split(";")]
    if parts and not parts[-1]:
        parts.pop()  # a closing semicolon is fine
    if not parts:
        raise DefinitionError(f"expected a drive like 'forward 5; stop 1', found {spec!r}")
    return Timeline(tuple(_segment(part, spec) for part in parts))


def _segment(part: str, spec: str) -> Segment:
    """Read 'forward left 2.5'."""
    words = part.split()
    axes = {"forward": 0.0, "turn": 0.0}
    if len(words) < 2:
        raise DefinitionError(
            f"expected directions and seconds, like 'forward left 2.5', found {part!r} in {spec!r}"
        )
    for word in words[:-1]:
        if word not in _WORDS:
            known = ", ".join(_WORDS)
            raise DefinitionError(f"expected one of {known}, found {word!r} in {spec!r}")
        axis, value = _WORDS[word]
        if not axis:
            continue
        if axes[axis]:
            raise DefinitionError(f"expected each axis once, found {part!r} in {spec!r}")
        axes[axis] = value
    seconds = _number(words[-1], spec)
    if not 0.0 < seconds <= 86_400.0:
        raise DefinitionError(
            f"expected seconds above 0 and at most 86400, found {words[-1]!r} in {spec!r}"
        )
    return Segment(axes["forward"], axes["turn"], seconds)


def _number(text: str, spec: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise DefinitionError(f"expected a number, found {text.strip()!r} in {spec!r}")
    return value
