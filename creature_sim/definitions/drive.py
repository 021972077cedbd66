"""The small language that says how creatures are driven.

forward 5; forward left 2.5; stop 1     a timeline: directions and seconds, then stands
forward 5; lose 2; push 0,0.5; back 3   between them a leg is lost (counted from 0), or something
                                        pushes the body, in m/s, along the world's X, Y
stop 1; leap 1.2,0,0; stop 2            it leaps to a point of the ground [m, world], if it can
foot 2 0.5,0.4,0.6; stop 2; foot 2      a foot is led to a point [m, world], then let go; its knee
knee 0 -1,0.5,0; stop 2; knee 0         points to one [m, body], as far as a ball at the hip lets it
pose 0.1,0,0; stop 2; pose              a motion begins, and ends; `definitions.motions` names all
run 3; forward 2                        who can run does, for three seconds
wander                                  roams, turns back at the border (seeded)
goto X,Y                                walks to a point [m] and stops there; of the two that a
                                        planet has at X,Y, to the upper one
goto X,Y,Z                              who climbs goes there over walls and ceilings
"""

from dataclasses import dataclass
from math import isfinite, nan

from creature_sim.definitions.motions import FORMS, fields_of, usage
from creature_sim.definitions.target import FARTHEST
from creature_sim.errors import DefinitionError
from creature_sim.files.hints import hint
from creature_sim.files.problems import shown

AXES = ("forward", "turn", "strafe", "height")
"""Axes of a command, each in [-1, 1]: forward, turn to the left, step to the left, rise."""

Axes = tuple[float, ...]
"""Values of the first axes; those left out are 0."""

_WORDS = {
    "forward": ("forward", 1.0),
    "back": ("forward", -1.0),
    "run": ("forward", 2.0),
    "left": ("turn", 1.0),
    "right": ("turn", -1.0),
    "strafe-left": ("strafe", 1.0),
    "strafe-right": ("strafe", -1.0),
    "crouch": ("height", -1.0),
    "rise": ("height", 1.0),
    "stop": ("", 0.0),
}
_ALONE = ("goto", "wander")
_OTHERS = (*_ALONE, "lose", "push", "leap", "foot", "knee")


@dataclass(frozen=True)
class Segment:
    """Constant axes for a while."""

    axes: Axes
    seconds: float


@dataclass(frozen=True)
class Blow:
    """Something that happens to the creature.

    Attributes:
        seconds: from the start.
        leg: that it loses, or that is led; None: it is pushed, or leaps.
        velocity: (2,) that it is pushed by [m/s, world].
        led: "foot" or "knee", which is led; "": the leg is lost.
        point: (3,) that it is led or leaps to [m, world; of a knee m, body]; None: it is let go.
        motion: that begins or ends; "": none.
        numbers: of its word; none: it ends.
    """

    seconds: float
    leg: int | None = None
    velocity: tuple[float, float] = (0.0, 0.0)
    led: str = ""
    point: tuple[float, float, float] | None = None
    motion: str = ""
    numbers: tuple[float, ...] = ()


@dataclass(frozen=True)
class Timeline:
    """Segments one after another, and what happens meanwhile; standing still after the last."""

    segments: tuple[Segment, ...]
    blows: tuple[Blow, ...] = ()


@dataclass(frozen=True)
class Wander:
    """Roam about."""


@dataclass(frozen=True)
class Goto:
    """Walk to a point [m, world]; who climbs at a height z, if one is given."""

    x: float
    y: float
    z: float | None = None


Drive = Timeline | Wander | Goto


def parse_drive(spec: str) -> Drive:
    """Read a drive; DefinitionError names the part that is wrong."""
    text = spec.strip()
    if text == "wander":
        return Wander()
    if text.split(maxsplit=1)[:1] == ["goto"]:
        place = text.removeprefix("goto")
        if place.count(",") == 2:
            return Goto(*_point(place, "'goto X,Y,Z' in metres", text, spec))
        return Goto(*_pair(text, "goto", "in metres", spec))
    parts = [part.strip() for part in text.split(";")]
    if parts and not parts[-1]:
        parts.pop()  # a closing semicolon is fine
    if not parts:
        raise DefinitionError(f"expected a drive like 'forward 5; stop 1', found {shown(spec)}")
    segments: list[Segment] = []
    blows: list[Blow] = []
    seconds = 0.0
    for part in parts:
        word = part.split(maxsplit=1)[:1]
        if word == ["lose"]:
            blows.append(Blow(seconds, leg=_leg(part, spec)))
        elif word == ["push"]:
            blows.append(Blow(seconds, velocity=_pair(part, "push", "in m/s", spec)))
        elif word == ["leap"]:
            form = "'leap X,Y,Z' in metres"
            blows.append(Blow(seconds, point=_point(part.removeprefix("leap"), form, part, spec)))
        elif word in (["foot"], ["knee"]):
            blows.append(_led(part, word[0], seconds, spec))
        elif word and word[0] in FORMS:
            blows.append(_motion(part, word[0], seconds, spec))
        else:
            segments.append(_segment(part, spec))
            seconds += segments[-1].seconds
    return Timeline(tuple(segments), tuple(blows))


def _pair(part: str, word: str, unit: str, spec: str) -> tuple[float, float]:
    """Read 'goto X,Y'."""
    form = f"'{word} X,Y' {unit}"
    numbers = _numbers(part.removeprefix(word), form, spec)
    if len(numbers) != 2:
        raise _unread(form, part, spec)
    x, y = numbers
    return x, y


def _leg(part: str, spec: str) -> int:
    """Read 'lose 2'."""
    number = part.removeprefix("lose").strip()
    if not number.isdecimal() or not number.isascii() or len(number) > 4:
        raise _unread("'lose LEG', counted from 0", part, spec)
    return int(number)


def _led(part: str, word: str, seconds: float, spec: str) -> Blow:
    """Read 'foot 2 X,Y,Z' or 'foot 2'."""
    leg, _, place = part.removeprefix(word).strip().partition(" ")
    form = f"'{word} LEG X,Y,Z' in metres, or '{word} LEG' to let it go, counted from 0"
    if not (leg.isdecimal() and leg.isascii() and len(leg) <= 4):
        raise _unread(form, part, spec)
    point = _point(place, form, part, spec) if place.strip() else None
    return Blow(seconds, leg=int(leg), led=word, point=point)


def _point(place: str, form: str, part: str, spec: str) -> tuple[float, float, float]:
    """Read 'X,Y,Z', a place in the world, of a part that is written in a form."""
    numbers = _numbers(place, form, spec)
    if len(numbers) != 3:
        raise _unread(form, part, spec)
    x, y, z = numbers
    if max(abs(x), abs(y), abs(z)) > FARTHEST:
        raise _unread(f"numbers from -{FARTHEST:g} to {FARTHEST:g}", part, spec)
    return x, y, z


def _motion(part: str, word: str, seconds: float, spec: str) -> Blow:
    """Read 'pose 0.1,0,0' or 'pose'."""
    text, form = part.removeprefix(word).strip(), usage(word)
    if text and FORMS[word] == ((),):
        raise _unread(form, part, spec)
    numbers = tuple(_numbers(text, form, spec)) if text else ()
    if fields_of(word, numbers) is None:
        raise _unread(form, part, spec)
    return Blow(seconds, motion=word, numbers=numbers)


def _segment(part: str, spec: str) -> Segment:
    """Read 'forward left 2.5'."""
    words = part.split()
    axes = dict.fromkeys(AXES, 0.0)
    if words and words[0] in _ALONE:
        raise DefinitionError(f"expected {words[0]!r} alone, found {shown(spec)}")
    if len(words) < 2:
        raise DefinitionError(
            f"expected directions and seconds, like 'forward left 2.5', {_found(part, spec)}"
        )
    for word in words[:-1]:
        if word not in _WORDS:
            others = () if word in _OTHERS or word in FORMS else (*_OTHERS, *FORMS)
            raise DefinitionError(
                f"expected directions, {_found(word, spec)}{hint(word, [*_WORDS, *others])}"
            )
        axis, value = _WORDS[word]
        if not axis:
            continue
        if axes[axis]:
            raise DefinitionError(f"expected each axis once, {_found(part, spec)}")
        axes[axis] = value
    (seconds,) = _numbers(words[-1], "directions and seconds, like 'forward left 2.5'", spec)
    if not 0.0 < seconds <= 86_400.0:
        raise DefinitionError(
            f"expected seconds above 0 and at most 86400, {_found(words[-1], spec)}"
        )
    return Segment(tuple(axes.values()), seconds)


def _numbers(text: str, form: str, spec: str) -> list[float]:
    """Finite numbers with commas between them, of a part that is written in a form."""
    found = []
    for number in text.split(","):
        try:
            value = float(number)
        except ValueError:
            value = nan
        if not isfinite(value):
            raise DefinitionError(
                f"expected a number, {_found(number.strip(), spec)}: write {form}"
            )
        found.append(value)
    return found


def _unread(form: str, part: str, spec: str) -> DefinitionError:
    """A part is not in the form of its word."""
    return DefinitionError(f"expected {form}, {_found(part, spec)}")


def _found(part: str, spec: str) -> str:
    """What was found, and in which drive, unless it is all of it."""
    whole = "" if part == spec.strip() else f" in {shown(spec)}"
    return f"found {shown(part)}{whole}"
