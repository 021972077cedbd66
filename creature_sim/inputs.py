"""What goes into a tick: quantised commands and events. Nothing else does."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite

from creature_sim.definitions.drive import AXES, Axes
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
    Event("disable_leg", 0, leg=2)                  the creature loses its third leg
    Event("push", 0, velocity=(0.0, 0.5, 0.0))      something knocks it to the side
    Event("reset_props")                            dynamic props, all of them

    Attributes:
        kind: "reset" puts it back to where and how it started; "set_target" gives a chain whose
            target is the mouse's or a command's another place to go to; "disable_leg" takes a leg
            away until a reset; "push" adds to the body's velocity; "reset_props" puts what is
            pushed back to where it was, but not who stands on it.
        creature: its place in the world's list.
        chain: its place in the world's list of chains, the trees after them.
        target: of several targets of a tree, its place.
        point: the place to go to (3,) [m, world].
        leg: its place among the creature's legs.
        velocity: (3,) [m/s, world]; what of it points along the surface counts.
    """

    kind: str
    creature: int | None = None
    chain: int | None = None
    target: int = 0
    point: tuple[float, float, float] | None = None
    leg: int | None = None
    velocity: tuple[float, float, float] | None = None


EVENT_KINDS = ("reset", "set_target", "disable_leg", "push", "reset_props")
FASTEST_PUSH = 100.0
"""No push adds more than this along an axis [m/s]."""


@dataclass(frozen=True)
class Input:
    """All that drives one tick.

    Attributes:
        commands: forward, turn, strafe and height of each creature, whole numbers from -32767 to
            32767.
        events: in the order in which they happen.
    """

    commands: tuple[tuple[int, ...], ...]
    events: tuple[Event, ...] = ()

    @staticmethod
    def of(axes: Iterable[Axes], events: Iterable[Event] = ()) -> "Input":
        """Quantise axes in [-1, 1], per creature (forward, turn, strafe, height) or fewer.

        Values beyond count as the ends, axes left out as 0.
        """
        return Input(tuple(quantised(*values) for values in axes), tuple(events))


def quantised(*values: float) -> tuple[int, ...]:
    """Axes in [-1, 1] as whole numbers from -32767 to 32767; those left out are 0."""
    if len(values) > len(AXES):
        raise DefinitionError(f"axes: expected at most {len(AXES)}, found {len(values)}")
    found = [_quantised(value, axis) for value, axis in zip(values, AXES, strict=False)]
    return (*found, *[0] * (len(AXES) - len(found)))


def _quantised(value: float, axis: str) -> int:
    if not isfinite(value):
        raise DefinitionError(f"{axis}: expected a number from -1 to 1, found {value}")
    return round(max(-1.0, min(1.0, value)) * FULL)


def check_input(
    given: Input, leg_counts: Sequence[int], settable: Sequence[Sequence[bool]] = ()
) -> None:
    """Refuse an input that does not fit the world, naming what is wrong.

    Args:
        given: what shall drive a tick.
        leg_counts: of every creature of the world.
        settable: of every target of every chain, whether an event may set it.
    """
    if not isinstance(given, Input):
        raise DefinitionError(f"inputs: expected an Input, found {type(given).__name__}")
    creature_count = len(leg_counts)
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
                f"{', '.join(AXES)}, found {command!r}"
            )
    for index, event in enumerate(given.events):
        key = f"events[{index}]"
        if event.kind not in EVENT_KINDS:
            raise DefinitionError(
                f"{key}.kind: expected one of {', '.join(EVENT_KINDS)}, found {event.kind!r}"
            )
        if event.kind == "set_target":
            _check_target(event, key, settable)
        elif event.kind == "disable_leg":
            _check_index(event.creature, f"{key}.creature", creature_count)
            assert event.creature is not None
            _check_index(event.leg, f"{key}.leg", leg_counts[event.creature])
        elif event.kind == "push":
            _check_index(event.creature, f"{key}.creature", creature_count)
            _check_triple(event.velocity, f"{key}.velocity", FASTEST_PUSH)
        elif event.kind == "reset_props":
            if (event.creature, event.chain) != (None, None):
                raise DefinitionError(f"{key}: expected neither creature nor chain, found one")
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
    _check_triple(event.point, f"{key}.point", FARTHEST)


def _check_triple(value: object, key: str, most: float) -> None:
    """Refuse what is not three numbers of at most this size."""
    if (
        not isinstance(value, tuple)
        or len(value) != 3
        or not all(isinstance(x, int | float) and abs(x) <= most for x in value)
    ):
        raise DefinitionError(
            f"{key}: expected three numbers from -{most:g} to {most:g}, found {value!r}"
        )
