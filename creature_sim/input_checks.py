"""Refuses inputs that do not fit the world, and says what is wrong."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from creature_sim.definitions import CreatureDef, PlacementDef
from creature_sim.definitions.drive import AXES
from creature_sim.definitions.motions import FIELDS, FORMS
from creature_sim.definitions.target import FARTHEST
from creature_sim.errors import DefinitionError
from creature_sim.inputs import FULL, Event, Input

CARRIERS = ("body", "world", "prop")
"""What may carry the target of a pole."""
FASTEST_PUSH = 100.0
"""No push adds more than this along an axis [m/s]."""
LARGEST_ANGLE = 10.0
"""No hinge is asked for a larger angle [rad]."""

_TUPLES = ("point", "velocity", "rotation", "shift", "turn", "angles", "offsets")


@dataclass(frozen=True)
class Roster:
    """What an input may refer to.

    Attributes:
        leg_counts: number of legs of each creature, by its number.
        gone: numbers of creatures that have been removed.
        settable: of each target of each chain, whether an event may set it.
        prop_count: number of props.
        hinge_counts: number of hinges of each creature that forces move, by its number; None: not
            known.
    """

    leg_counts: Sequence[int]
    gone: Set[int] = frozenset()
    settable: Sequence[Sequence[bool]] = ()
    prop_count: int = 0
    hinge_counts: Mapping[int, int] | None = None


def check_input(given: Input, roster: Roster) -> None:
    """Refuse an input that does not fit the world, naming what is wrong.

    Args:
        given: what is to drive a tick.
        roster: of the tick, after creatures have been spawned and removed in it.
    """
    if not isinstance(given, Input):
        raise DefinitionError(f"inputs: expected an Input, found {type(given).__name__}")
    count = len(roster.leg_counts)
    if len(given.commands) != count:
        raise DefinitionError(
            f"commands: expected one per creature, {count}, found {len(given.commands)}"
        )
    if not isinstance(given.commands, tuple):  # a list may change
        raise DefinitionError(f"commands: expected a tuple, found {given.commands!r}")
    for index, command in enumerate(given.commands if given.numbers is None else ()):
        if Input((command,)).numbers is None:
            raise DefinitionError(
                f"commands[{index}]: expected whole numbers from -{FULL} to {FULL} for "
                f"{', '.join(AXES)}, found {command!r}"
            )
    for index, event in enumerate(given.events):
        check_event(event, f"events[{index}]", roster)


def comers_of(events: object) -> list[tuple[CreatureDef, PlacementDef]]:
    """Body plans and places of all who come with events; DefinitionError where one is no event."""
    if not isinstance(events, tuple):  # a list may change
        raise DefinitionError(f"events: expected a tuple, found {events!r}")
    found = []
    for index, event in enumerate(events):
        if not isinstance(event, Event):
            raise DefinitionError(f"events[{index}]: expected an Event, found {event!r}")
        if event.kind != "spawn":
            continue
        definition, placement = event.definition, event.placement
        if not isinstance(definition, CreatureDef) or not isinstance(placement, PlacementDef):
            kinds = " and ".join(type(value).__name__ for value in (definition, placement))
            raise DefinitionError(
                f"events[{index}]: expected a definition and a placement, found {kinds}"
            )
        found.append((definition, placement))
    return found


def check_event(event: Event, key: str, roster: Roster) -> None:
    """Refuse an event that does not fit the world, naming what is wrong, as a part of `key`."""
    check = _check_motion if event.kind in FORMS else _CHECKS.get(event.kind)
    if check is None:
        kinds = ", ".join([*_CHECKS, *FORMS])
        raise DefinitionError(f"{key}.kind: expected one of {kinds}, found {event.kind!r}")
    for field in _TUPLES:
        value = getattr(event, field)
        if not isinstance(value, tuple | None):  # an array would not be recorded, a list may change
            raise DefinitionError(f"{key}.{field}: expected a tuple of numbers, found {value!r}")
    check(event, key, roster)


def _check_index(value: object, key: str, count: int) -> int:
    """The index; refuse what is no index of a list of `count` items."""
    if not count:
        raise DefinitionError(f"{key}: expected none, for the world has none; found {value!r}")
    if not isinstance(value, int) or isinstance(value, bool):  # numpy's numbers are none
        raise DefinitionError(f"{key}: expected an int from 0 to {count - 1}, found {value!r}")
    if not 0 <= value < count:
        raise DefinitionError(f"{key}: expected 0 to {count - 1}, found {value!r}")
    return value


def _check_creature(event: Event, key: str, roster: Roster) -> int:
    """The number of the creature; refuse one that never existed or was removed."""
    return _check_number(event.creature, f"{key}.creature", roster)


def _check_number(value: object, key: str, roster: Roster) -> int:
    """The number of a creature; refuse one that never existed or was removed."""
    number = _check_index(value, key, len(roster.leg_counts))
    if number in roster.gone:
        raise DefinitionError(
            f"{key}: expected a creature of the world, found {number}, which was removed"
        )
    return number


def _check_reset(event: Event, key: str, roster: Roster) -> None:
    if event.chain is None:
        _check_creature(event, key, roster)
        return
    if event.creature is not None:
        raise DefinitionError(f"{key}: expected a creature or a chain to reset, found both")
    _check_index(event.chain, f"{key}.chain", len(roster.settable))


def _check_target(event: Event, key: str, roster: Roster) -> None:
    """Refuse an event for a target that cannot be set."""
    chain = _check_index(event.chain, f"{key}.chain", len(roster.settable))
    targets = roster.settable[chain]
    target = _check_index(event.target, f"{key}.target", len(targets))
    if not targets[target]:
        raise DefinitionError(
            f"{key}.target: expected a target of kind 'mouse' or 'command', found that chain "
            f"{chain} has another"
        )
    _check_triple(event.point, f"{key}.point", FARTHEST)


def _check_leg(event: Event, key: str, roster: Roster) -> None:
    number = _check_creature(event, key, roster)
    _check_index(event.leg, f"{key}.leg", roster.leg_counts[number])


def _check_foot(event: Event, key: str, roster: Roster) -> None:
    _check_leg(event, key, roster)
    if event.point is not None:
        _check_triple(event.point, f"{key}.point", FARTHEST)
    value = event.rotation
    if value is not None and not (
        _are_numbers(value, 4, 1.0) and max(map(abs, value)) > 1e-3  # none has a direction then
    ):
        raise DefinitionError(
            f"{key}.rotation: expected a quaternion, four numbers from -1 to 1, found {value!r}"
        )


def _check_pole(event: Event, key: str, roster: Roster) -> None:
    _check_leg(event, key, roster)
    if event.point is not None:
        _check_triple(event.point, f"{key}.point", FARTHEST)
    if event.on not in CARRIERS:
        raise DefinitionError(
            f"{key}.on: expected one of {', '.join(CARRIERS)}, found {event.on!r}"
        )
    if event.on == "prop":
        _check_index(event.prop, f"{key}.prop", roster.prop_count)
    elif event.prop is not None:
        raise DefinitionError(
            f"{key}.prop: expected none, for the pole is on the {event.on}, found {event.prop!r}"
        )


def _check_joints(event: Event, key: str, roster: Roster) -> None:
    number = _check_creature(event, key, roster)
    counts = roster.hinge_counts
    if counts is not None and number not in counts:
        raise DefinitionError(
            f"{key}.creature: expected one that is physical, found {number}, which no force moves"
        )
    count, value = None if counts is None else counts[number], event.angles
    if value is not None and not _are_numbers(value, count, LARGEST_ANGLE):
        said = "" if count is None else f"{count} "
        raise DefinitionError(
            f"{key}.angles: expected {said}numbers from -{LARGEST_ANGLE:g} to "
            f"{LARGEST_ANGLE:g}, found {value!r}"
        )


def _check_footholds(event: Event, key: str, roster: Roster) -> None:
    number = _check_creature(event, key, roster)
    count, value = 2 * roster.leg_counts[number], event.offsets
    if value is not None and not _are_numbers(value, count, FARTHEST):
        raise DefinitionError(
            f"{key}.offsets: expected {count} numbers from -{FARTHEST:g} to {FARTHEST:g}, forward "
            f"and left for each leg, found {value!r}"
        )


def _check_push(event: Event, key: str, roster: Roster) -> None:
    _check_creature(event, key, roster)
    _check_triple(event.velocity, f"{key}.velocity", FASTEST_PUSH)


def _check_leap(event: Event, key: str, roster: Roster) -> None:
    _check_creature(event, key, roster)
    _check_triple(event.point, f"{key}.point", FARTHEST)


def _check_motion(event: Event, key: str, roster: Roster) -> None:
    """Refuse a motion that is told what it does not take, or too little."""
    number = _check_creature(event, key, roster)
    given = [field for field in FIELDS if getattr(event, field) is not None]
    forms = FORMS[event.kind]
    if given and not any(set(given) == set(form) for form in forms):
        ways = " or ".join(" and ".join(form) or "nothing" for form in forms)
        raise DefinitionError(f"{key}: expected {ways}, found {' and '.join(given)}")
    for field in given:
        value = getattr(event, field)
        if field == "leg":
            _check_index(value, f"{key}.leg", roster.leg_counts[number])
        elif field == "other":
            _check_number(value, f"{key}.other", roster)
        else:
            _check_triple(value, f"{key}.{field}", FIELDS[field].largest)


def _check_reset_props(event: Event, key: str, roster: Roster) -> None:
    del roster
    if (event.creature, event.chain) != (None, None):
        raise DefinitionError(f"{key}: expected neither creature nor chain, found one")


def _check_spawn(event: Event, key: str, roster: Roster) -> None:
    _check_index(event.creature, f"{key}.creature", len(roster.leg_counts))
    if event.definition is None or event.placement is None:
        raise DefinitionError(f"{key}: expected a definition and a placement, found none")


def _check_remove(event: Event, key: str, roster: Roster) -> None:
    _check_index(event.creature, f"{key}.creature", len(roster.leg_counts))


_CHECKS: Mapping[str, Callable[[Event, str, Roster], None]] = {
    "reset": _check_reset,
    "set_target": _check_target,
    "disable_leg": _check_leg,
    "push": _check_push,
    "set_joints": _check_joints,
    "shift_joints": _check_joints,
    "shift_footholds": _check_footholds,
    "leap": _check_leap,
    "set_foot": _check_foot,
    "set_pole": _check_pole,
    "reset_props": _check_reset_props,
    "spawn": _check_spawn,
    "remove": _check_remove,
}


def _check_triple(value: object, key: str, most: float) -> None:
    """Refuse what is not three numbers whose absolute values are at most `most`."""
    if not _are_numbers(value, 3, most):
        raise DefinitionError(
            f"{key}: expected three numbers from -{most:g} to {most:g}, found {value!r}"
        )


def _are_numbers(value: object, count: int | None, most: float) -> bool:
    """Whether a value is so many numbers whose absolute values are at most `most`."""
    return (
        isinstance(value, tuple)
        and count in (None, len(value))
        and all(isinstance(x, int | float) and abs(x) <= most for x in value)
    )
