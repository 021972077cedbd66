"""The keys of a creature's file that are tuned: which, from where, between what."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from creature_sim.components import GRAVITY
from creature_sim.definitions import CreatureDef
from creature_sim.errors import DefinitionError
from creature_sim.files.hints import hint
from creature_sim.files.problems import shown
from creature_sim.library.changes import Change, Path, path_in

Values = tuple[float, ...]
"""Of all knobs, in their order."""
Make = Callable[[Sequence[Change]], CreatureDef]
"""The creature with other values at some keys; DefinitionError where they do not fit."""

DIGITS = 4
"""Values have so many digits: what is written is what was tried."""
SPAN, MIN_SPAN = 0.5, 0.1
"""Range to either side of a position, as a fraction of it, and the least one [m]."""
FACTOR = 2.0
"""Range of what is no position: from the value over this to the value times this."""
HALVINGS = 8
"""Ends of ranges that are not valid are moved in, and found within this many halvings."""
MAX_KNOBS = 100
_POSITIONS = {"mount", "home", "pole"}


class Knob(NamedTuple):
    """One number of a creature's file.

    Attributes:
        path: its keys.
        start: its value in the file, moved between the bounds.
        low: smallest value that is tried.
        high: largest.
    """

    path: Path
    start: float
    low: float
    high: float

    @property
    def name(self) -> str:
        """The path as it is written on a command line."""
        return ".".join(self.path)


def knobs_of(over: str, make: Make, extra: Sequence[str] = ()) -> tuple[Knob, ...]:
    """The knobs that "gait.stride_length,gait.duty_factor=0.5:0.7" or "auto" asks for.

    With "auto" those of `extra` are among them.

    Without bounds a number is tried from half of its value to twice that, and a position half as
    far to either side, as far as the creature is valid with all other numbers as they are.

    Raises:
        DefinitionError: an unknown key, one that is no number, or bounds with nothing between.
    """
    creature = make(())
    words = over.split(",")
    if over == "auto":
        words = [*(".".join(path) for path in _auto(creature)), *extra]
    if not all(word.partition("=")[0].strip() for word in words):
        raise DefinitionError(f"--over: expected keys with commas, found {shown(over)}")
    if len(words) > MAX_KNOBS:
        raise DefinitionError(f"--over: expected at most {MAX_KNOBS} keys, found {len(words)}")
    table = creature.model_dump()
    found: dict[Path, Knob] = {}
    for word in words:
        name, equals, bounds = word.strip().partition("=")
        path = path_in(name)
        if path in found:
            raise DefinitionError(f"--over: expected each key once, found {name} twice")
        value = _number(table, path, name)
        if equals:
            low, high = _bounds(name, bounds)
        else:
            low, high = _range(path, value, make)
        found[path] = Knob(path, min(max(value, low), high), low, high)
    return tuple(found.values())


def offsets_of(creature: CreatureDef) -> list[str]:
    """The offsets of all legs as knobs, where the file has them."""
    offsets = creature.gait.offsets if creature.gait.kind == "phase" else ()
    return [f"gait.offsets.{place}=0:0.99" for place in range(len(offsets))]


def changes_of(knobs: Sequence[Knob], values: Values) -> tuple[Change, ...]:
    """Values at the keys of knobs."""
    return tuple((knob.path, value) for knob, value in zip(knobs, values, strict=True))


def written(value: float) -> float:
    """A value with as many digits as are written."""
    return float(f"{value:.{DIGITS}g}")


def _number(table: Mapping[str, Any], path: Path, name: str) -> float:
    """The number at a key of a creature."""
    found: Any = table
    for depth, key in enumerate(path):
        above = ".".join(path[:depth]) or "the creature"
        if isinstance(found, Mapping):
            if key not in found:
                raise DefinitionError(
                    f"--over: {name}: expected a key of {above}, found {shown(key)}"
                    f"{hint(key, list(found))}"
                )
            found = found[key]
        elif isinstance(found, tuple):
            if not (key.isdecimal() and len(key) <= 6 and int(key) < len(found)):
                raise DefinitionError(
                    f"--over: {name}: expected a position from 0 to {len(found) - 1} in {above}, "
                    f"found {shown(key)}"
                )
            found = found[int(key)]
        else:
            raise DefinitionError(
                f"--over: {name}: expected a table or a list at {above}, found {shown(found)}"
            )
    if not isinstance(found, float):
        kind = "a whole number" if type(found) is int else shown(found)
        raise DefinitionError(f"--over: {name}: expected a number with a fraction, found {kind}")
    return found


def _bounds(name: str, text: str) -> tuple[float, float]:
    """The numbers of LOW:HIGH."""
    low, _, high = text.partition(":")
    try:
        found = float(low), float(high)
    except ValueError:
        found = (0.0, 0.0)
    if not -1e4 < found[0] < found[1] < 1e4:
        raise DefinitionError(
            f"--over: {name}: expected LOW:HIGH, from -10000 to 10000, with LOW below HIGH, found "
            f"{shown(text)}"
        )
    return found


def _range(path: Path, value: float, make: Make) -> tuple[float, float]:
    """Bounds about a value within which it is valid alone."""
    is_position = value < 0.0 or not _POSITIONS.isdisjoint(path)
    if is_position:
        reach = max(SPAN * abs(value), MIN_SPAN)
        ends = value - reach, value + reach
    else:
        ends = value / FACTOR, value * FACTOR
    low, high = (_farthest(path, value, end, make) for end in ends)
    if not low < high:
        raise DefinitionError(
            f"--over: {'.'.join(path)}: expected its bounds, as in {'.'.join(path)}=LOW:HIGH, for "
            f"nothing about {value:g} is valid alone; found none"
        )
    return low, high


def _farthest(path: Path, value: float, end: float, make: Make) -> float:
    """What is valid between a value and an end, as near to the end as may be."""
    inside, outside = value, end
    if _is_valid(make, [(path, end)]):
        return written(end)
    for _ in range(HALVINGS):
        middle = written(0.5 * (inside + outside))
        if _is_valid(make, [(path, middle)]):
            inside = middle
        else:
            outside = middle
    return inside


def _is_valid(make: Make, changes: Sequence[Change]) -> bool:
    try:
        make(changes)
    except DefinitionError:
        return False
    return True


def _auto(creature: CreatureDef) -> Iterator[Path]:
    """The gait at top speed, the ride height, and where feet rest: what a walk depends on most."""
    gait = creature.gait
    if gait.kind == "reactive":
        yield from (("gait", key) for key in ("trigger_distance", "step_duration", "step_height"))
    else:
        legs = creature.all_legs
        reach = sum(leg.reach for leg in legs) / len(legs)
        froude = creature.motion.speed**2 / (GRAVITY * reach)
        place = sum(cycle.froude <= froude for cycle in gait.faster)
        above = ("gait", "faster", str(place - 1)) if place else ("gait",)
        keys = ["stride_length"] + ["duty_factor"] * (gait.cycles[place].duty_factor is not None)
        yield from ((*above, key) for key in keys)
        yield "gait", "step_height"
    yield "body", "ride_height"
    for kind, written_legs in (("leg_pairs", creature.leg_pairs), ("legs", creature.legs)):
        for place in range(len(written_legs)):
            yield from ((kind, str(place), "home", axis) for axis in "01")
