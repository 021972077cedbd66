"""What goes into a tick: quantised commands and events. Nothing else does."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite

from creature_sim.definitions.drive import AXES
from creature_sim.definitions.target import FARTHEST
from creature_sim.errors import DefinitionError

FULL = 32_767
"""A fully deflected axis."""


@dataclass(frozen=True)
class Event:
    """Something that happens before the tick, to one creature or to one chain.

    Event("reset", 0)                               the first creature, and what it carries
    Event("reset", chain=1)                         the second chain
    Event("set_target", chain=0, point=(x, y, z))   where a mouse or a command leads a chain

    Attributes:
        kind: "reset" puts it back to where and how it started; "set_target" gives a chain whose
            target is the mouse's or a command's another place to go to.
        creature: its place in the world's list.
        chain: its place in the world's list of chains, the trees after them.
        target: of several targets of a tree, its place.
        point: the place to go to (3,) [m, world].
    """

    kind: str
    creature: int | None = None
    chain: int | None = None
    target: int = 0
    point: tuple[float, float, float] | None = None


EVENT_KINDS = ("reset", "set_target")


@dataclass(frozen=True)
class Input:
    """All that drives one tick.

    Attributes:
        commands: (forward, turn) of each creature, whole numbers from -32767 to 32767.
        events: in the order in which they happen.
    """

    commands: tuple[tuple[int, int], ...]
    events: tuple[Event, ...] = ()

    @staticmethod
    def of(axes: Iterable[tuple[float, float]], events: Iterable[Event] = ()) -> "Input":
        """Quantise (forward, turn) in [-1, 1]; values beyond count as the ends."""
        return Input(tuple(quantised(*pair) for pair in axes), tuple(events))


def quantised(forward: float, turn: float) -> tuple[int, int]:
    """Axes in [-1, 1] as whole numbers from -32767 to 32767."""
    return _quantised(forward, AXES[0]), _quantised(turn, AXES[1])


def _quantised(value: float, axis: str) -> int:
    if not isfinite(value):
        raise DefinitionError(f"{axis}: expected a number from -1 to 1, found {value}")
    return round(max(-1.0, min(1.0, value)) * FULL)


def check_input(given: Input, creature_count: int, settable: Sequence[Sequence[bool]] = ()) -> None:
    """Refuse an input that does not fit the world, naming what is wrong.

    Args:
        given: what shall drive a tick.
        creature_count: of the world.
        settable: of every target of every chain, whether an event may set it.
    """
    if not isinstance(given, Input):
        raise DefinitionError(f"inputs: expected an Input, found {type(given).__name__}")
    if len(given.commands) != creature_count:
        raise DefinitionError(
            f"commands: expected one per creature, {creature_count}, found {len(given.commands)}"
        )
    for index, command in enumerate(given.commands):
        if (
            not isinstance(command, tuple)
            or len(command) != len(AXES)
            or not all(_is_whole(axis) and -FULL <= axis <= FULL for axis in command)
        ):
            raise DefinitionError(
                f"commands[{index}]: expected whole numbers from -{FULL} to {FULL} for "
                f"{' and '.join(AXES)}, found {command!r}"
            )
    for index, event in enumerate(given.events):
        key = f"events[{index}]"
        if event.kind not in EVENT_KINDS:
            raise DefinitionError(
                f"{key}.kind: expected one of {', '.join(EVENT_KINDS)}, found {event.kind!r}"
            )
        if event.kind == "set_target":
            _check_target(event, key, settable)
        elif event.chain is not None:
            if event.creature is not None:
                raise DefinitionError(f"{key}: expected a creature or a chain to reset, found both")
            _check_index(event.chain, f"{key}.chain", len(settable))
        else:
            _check_index(event.creature, f"{key}.creature", creature_count)


def _is_whole(value: object) -> bool:
    """Whether a value is a whole number: True, which JSON writes otherwise, is none."""
    return isinstance(value, int) and not isinstance(value, bool)


def _check_index(value: object, key: str, count: int) -> None:
    """Refuse a place that is not in a list of so many."""
    if not count:
        raise DefinitionError(f"{key}: expected none, the world has none; found {value!r}")
    if not _is_whole(value) or not 0 <= value < count:  # type: ignore[operator]
        raise DefinitionError(f"{key}: expected 0 to {count - 1}, found {value!r}")


def _check_target(event: Event, key: str, settable: Sequence[Sequence[bool]]) -> None:
    """Refuse an event that sets what cannot be set."""
    _check_index(event.chain, f"{key}.chain", len(settable))
    assert event.chain is not None
    targets = settable[event.chain]
    _check_index(event.target, f"{key}.target", len(targets))
    if not targets[event.target]:
        raise DefinitionError(
            f"{key}.target: expected a target of kind 'mouse' or 'command', found that chain "
            f"{event.chain} has another"
        )
    point = event.point
    if (
        not isinstance(point, tuple)
        or len(point) != 3
        or not all(isinstance(x, int | float) and abs(x) <= FARTHEST for x in point)
    ):
        raise DefinitionError(
            f"{key}.point: expected three numbers from -{FARTHEST:g} to {FARTHEST:g}, "
            f"found {point!r}"
        )
