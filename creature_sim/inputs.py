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
    Event("set_target", chain=0, point=(x, y, z))   where the mouse or a command pulls a chain
    Event("disable_leg", 0, leg=2)                  the creature loses its third leg
    Event("push", 0, velocity=(0.0, 0.5, 0.0))      something knocks it to the side
    Event("reset_props")                            all dynamic props

    Attributes:
        kind: "reset" puts a creature or chain back to its start; "set_target" moves a target of
            kind mouse or command; "disable_leg" takes a leg away until a reset; "push" adds to the
            body's velocity; "reset_props" puts dynamic props back to their start, but not whoever
            stands on them.
        creature: index in the world's list.
        chain: index in the world's list of chains, trees after them.
        target: index among the targets of a tree.
        point: the new position of the target, (3,) [m, world].
        leg: index among the creature's legs.
        velocity: (3,) [m/s, world]; only its part along the surface counts.
    """

    kind: str
    creature: int | None = None
    chain: int | None = None
    target: int = 0
    point: tuple[float, float, float] | None = None
    leg: int | None = None
    velocity: tuple[float, float, float] | None = None


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

        Values beyond that range are clipped; axes left out are 0.
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
        given: what is to drive a tick.
        leg_counts: number of legs of each creature of the world.
        settable: of each target of each chain, whether an event may set it.
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
        if event.kind not in _EVENT_CHECKS:
            raise DefinitionError(
                f"{key}.kind: expected one of {', '.join(EVENT_KINDS)}, found {event.kind!r}"
            )
        _EVENT_CHECKS[event.kind](event, key, leg_counts, settable)


def _is_whole(value: object) -> bool:
    """Whether a value is a whole number; True is none, as JSON writes it in another way."""
    return isinstance(value, int) and not isinstance(value, bool)


def _check_index(value: object, key: str, count: int) -> None:
    """Refuse what is no index of a list of `count` items."""
    if not count:
        raise DefinitionError(f"{key}: expected none, for the world has none; found {value!r}")
    if not _is_whole(value) or not 0 <= value < count:  # type: ignore[operator]
        raise DefinitionError(f"{key}: expected 0 to {count - 1}, found {value!r}")


def _check_triple(value: object, key: str, largest: float) -> None:
    """Refuse what is not three numbers whose absolute values are at most `largest`."""
    if (
        not isinstance(value, tuple)
        or len(value) != 3
        or not all(isinstance(x, int | float) and abs(x) <= largest for x in value)
    ):
        raise DefinitionError(
            f"{key}: expected three numbers from -{largest:g} to {largest:g}, found {value!r}"
        )


LegCounts = Sequence[int]
"""Number of legs of each creature of the world."""
Settable = Sequence[Sequence[bool]]
"""Of each target of each chain, whether an event may set it."""


def _check_reset(event: Event, key: str, leg_counts: LegCounts, settable: Settable) -> None:
    if event.chain is None:
        _check_index(event.creature, f"{key}.creature", len(leg_counts))
    elif event.creature is not None:
        raise DefinitionError(f"{key}: expected a creature or a chain to reset, found both")
    else:
        _check_index(event.chain, f"{key}.chain", len(settable))


def _check_target(event: Event, key: str, leg_counts: LegCounts, settable: Settable) -> None:
    del leg_counts
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


def _check_leg(event: Event, key: str, leg_counts: LegCounts, settable: Settable) -> None:
    del settable
    _check_index(event.creature, f"{key}.creature", len(leg_counts))
    assert event.creature is not None
    _check_index(event.leg, f"{key}.leg", leg_counts[event.creature])


def _check_push(event: Event, key: str, leg_counts: LegCounts, settable: Settable) -> None:
    del settable
    _check_index(event.creature, f"{key}.creature", len(leg_counts))
    _check_triple(event.velocity, f"{key}.velocity", FASTEST_PUSH)


def _check_reset_props(event: Event, key: str, leg_counts: LegCounts, settable: Settable) -> None:
    del leg_counts, settable
    if (event.creature, event.chain) != (None, None):
        raise DefinitionError(f"{key}: expected neither creature nor chain, found one")


_EVENT_CHECKS = {
    "reset": _check_reset,
    "set_target": _check_target,
    "disable_leg": _check_leg,
    "push": _check_push,
    "reset_props": _check_reset_props,
}
"""For each kind of event what refuses one that does not fit the world."""
EVENT_KINDS = tuple(_EVENT_CHECKS)
