"""What goes into a tick: quantised commands and events. Nothing else does."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite

from creature_sim.definitions.drive import AXES
from creature_sim.errors import DefinitionError

FULL = 32_767
"""A fully deflected axis."""


@dataclass(frozen=True)
class Event:
    """Something that happens to one creature before the tick.

    Attributes:
        kind: "reset" puts it back to where and how it started.
        creature: its place in the world's list.
    """

    kind: str
    creature: int


EVENT_KINDS = ("reset",)


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


def check_input(given: Input, creature_count: int) -> None:
    """Refuse an input that does not fit the world, naming what is wrong."""
    if len(given.commands) != creature_count:
        raise DefinitionError(
            f"commands: expected one per creature, {creature_count}, found {len(given.commands)}"
        )
    for index, command in enumerate(given.commands):
        if len(command) != len(AXES) or not all(
            isinstance(axis, int) and -FULL <= axis <= FULL for axis in command
        ):
            raise DefinitionError(
                f"commands[{index}]: expected whole numbers from -{FULL} to {FULL} for "
                f"{' and '.join(AXES)}, found {command!r}"
            )
    for index, event in enumerate(given.events):
        if event.kind not in EVENT_KINDS:
            raise DefinitionError(
                f"events[{index}].kind: expected one of {', '.join(EVENT_KINDS)}, "
                f"found {event.kind!r}"
            )
        if not 0 <= event.creature < creature_count:
            raise DefinitionError(
                f"events[{index}].creature: expected 0 to {creature_count - 1}, "
                f"found {event.creature}"
            )
