"""What goes into a tick: quantised commands and events. Nothing else does."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from math import isfinite

from creature_sim.definitions import CreatureDef, PlacementDef
from creature_sim.definitions.drive import AXES, Axes
from creature_sim.definitions.motions import FIELDS, FORMS
from creature_sim.definitions.target import FARTHEST
from creature_sim.errors import DefinitionError

FULL = 32_767
"""A fully deflected axis."""
RUN = 2.0
"""The axis forward up to here: above 1 those that can run do."""


@dataclass(frozen=True)
class Event:
    """Something that happens before a tick, to one creature or to one chain.

    Event("reset", 0)                               the first creature, and what it carries
    Event("reset", chain=1)                         the second chain
    Event("set_target", chain=0, point=(x, y, z))   where the mouse or a command pulls a chain
    Event("disable_leg", 0, leg=2)                  the creature loses its third leg
    Event("push", 0, velocity=(0.0, 0.5, 0.0))      something knocks it to the side
    Event("leap", 0, point=(x, y, z))               it leaps to that place on the ground, if it can
    Event("set_foot", 0, leg=2, point=(x, y, z))    the third leg takes its foot there, and stays
    Event("set_pole", 0, leg=1, point=(1, 0, 0))    the knee of the second leg points there
    Event("pose", 0, turn=(0.1, 0.0, 0.0))          its body rolls; motions are of `definitions`
    Event("look", 0, other=1)                       it looks at the second creature
    Event("reach", 0, leg=0, point=(x, y, z))       its first leg reaches there, if it can
    Event("strike", 0, point=(x, y, z))             the leg that is nearest strikes there
    Event("sit", 0)                                 its body comes down between its legs
    Event("fold", 0)                                it lies down, and draws its legs in
    Event("stand", 0)                               it stands up again
    Event("set_joints", 0, angles=(...))            a twin's hinges go to these angles
    Event("shift_joints", 0, angles=(...))          or so far beside where its walk wants them
    Event("shift_footholds", 0, offsets=(...))      its feet step so far beside where they would
    Event("reset_props")                            all dynamic props
    Event("spawn", 2, position=(1.0, 0.0), ...)     a creature comes; `Simulation.spawn` makes these
    Event("remove", 2)                              a creature goes

    Attributes:
        kind: "reset" puts a creature or chain back to its start; "set_target" moves a target of
            kind mouse or command; "disable_leg" takes a leg away until a reset; "push" adds to the
            body's velocity; "leap" lets it leap to a place, or be refused: its flight in the
            snapshot says why; "sit" and "fold" let it rest, or be refused likewise, until it
            is told to "stand", or to go; "set_foot" takes a foot to a place of its own, where it
            stays and carries nothing until one without a point lets it walk again; "set_pole" lets
            knees
            point to a place, until one without a point gives them back to their plan: where the
            hip is a hinge, that alone decides; "set_joints" takes the hinges of a creature that
            forces move from its walk, and "shift_joints" asks for something besides what its walk
            does, each until one without angles; "shift_footholds" shifts where each leg looks
            for its footholds, until one without offsets; "reset_props" puts dynamic props back to
            their start, but not whoever stands on them; "spawn" puts a creature into the world,
            "remove" takes one out: both
            happen before all other events of their tick.
        creature: its number.
        chain: index in the world's list of chains, trees after them.
        target: index among the targets of a tree.
        point: the new position of the target, of the foot, or of what knees point to; where a leap
            goes: over it the body comes to rest, (3,)
            [m, world]; of a pole [m, in the frame that `on` names].
        leg: index among the creature's legs.
        velocity: (3,) [m/s, world]; only its part along the surface counts.
        definition: of a creature that is spawned.
        placement: where it starts.
        rotation: of a foot, xyzw, Z its normal and X to its toes [world]; none: as its body.
        on: what carries the target of a pole: "world", "body" (the segment of the leg) or "prop".
        prop: its number, of a pole on a prop.
        shift: of a body that is held otherwise (3,) [m, body].
        turn: likewise: roll, pitch and yaw of a rotation vector (3,) [rad, body].
        other: number of another creature, of a motion that concerns it.
        angles: of the hinges of a twin, in the order of `Robot.joints` [rad].
        offsets: of footholds: forward and left of the first leg, then of the next, (2 L,)
            [m, body]; beyond FARTHEST_SHIFT of the reach of a leg they are clipped.
    """

    kind: str
    creature: int | None = None
    chain: int | None = None
    target: int = 0
    point: tuple[float, float, float] | None = None
    leg: int | None = None
    velocity: tuple[float, float, float] | None = None
    definition: CreatureDef | None = None
    placement: PlacementDef | None = None
    rotation: tuple[float, float, float, float] | None = None
    on: str = "world"
    prop: int | None = None
    shift: tuple[float, float, float] | None = None
    turn: tuple[float, float, float] | None = None
    other: int | None = None
    angles: tuple[float, ...] | None = None
    offsets: tuple[float, ...] | None = None


CHANGES = ("spawn", "remove")
"""Events by which creatures come and go, before all others of their tick."""
CARRIERS = ("body", "world", "prop")
"""What may carry the target of a pole."""
FASTEST_PUSH = 100.0
"""No push adds more than this along an axis [m/s]."""
LARGEST_ANGLE = 10.0
"""No hinge is asked for a larger angle [rad]."""
FARTHEST_SHIFT = 0.2
"""No foothold is shifted farther than this forward or aside, as a fraction of the leg's reach."""


@dataclass(frozen=True)
class Input:
    """All that drives one tick.

    Attributes:
        commands: forward, turn, strafe and height of each creature, whole numbers from -32767 to
            32767; forward up to 65534, which is a run.
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
    """Axes as whole numbers, 32767 for 1; those left out are 0.

    They are in [-1, 1], forward is up to RUN.
    """
    if len(values) > len(AXES):
        raise DefinitionError(f"axes: expected at most {len(AXES)}, found {len(values)}")
    found = [_quantised(value, axis) for value, axis in zip(values, AXES, strict=False)]
    return (*found, *[0] * (len(AXES) - len(found)))


def _quantised(value: float, axis: str) -> int:
    if not isfinite(value):
        raise DefinitionError(f"{axis}: expected a number from -1 to 1, found {value}")
    return round(max(-1.0, min(largest(axis), value)) * FULL)


def largest(axis: str) -> float:
    """The most that an axis may be deflected."""
    return RUN if axis == "forward" else 1.0


_MOST = tuple(largest(axis) * FULL for axis in AXES)


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
    for index, command in enumerate(() if _are_plain(given.commands) else given.commands):
        if not _are_plain((command,)):
            raise DefinitionError(
                f"commands[{index}]: expected whole numbers from -{FULL} to {FULL} for "
                f"{', '.join(AXES)}, found {command!r}"
            )
    for index, event in enumerate(given.events):
        check_event(event, f"events[{index}]", roster)


def check_event(event: Event, key: str, roster: Roster) -> None:
    """Refuse an event that does not fit the world, naming what is wrong, as a part of `key`."""
    check = _check_motion if event.kind in FORMS else _CHECKS.get(event.kind)
    if check is None:
        kinds = ", ".join([*_CHECKS, *FORMS])
        raise DefinitionError(f"{key}.kind: expected one of {kinds}, found {event.kind!r}")
    check(event, key, roster)


def _are_plain(commands: Sequence[tuple[int, ...]]) -> bool:
    """Whether commands are all as they should be.

    Looked at together it takes a quarter of the time of one after the other.
    """
    kinds = set(map(type, commands))
    if kinds != {tuple} and not all(issubclass(kind, tuple) for kind in kinds):
        return False
    if set(map(len, commands)) != {len(AXES)}:
        return False
    values = list(chain.from_iterable(commands))
    kinds = set(map(type, values))  # True is no number, as JSON writes it in another way
    if kinds != {int} and (bool in kinds or not all(issubclass(kind, int) for kind in kinds)):
        return False
    if min(values) < -FULL:
        return False
    return max(values) <= FULL or all(
        max(values[axis :: len(AXES)]) <= most for axis, most in enumerate(_MOST)
    )


def _check_index(value: object, key: str, count: int) -> int:
    """The index; refuse what is no index of a list of `count` items."""
    if not count:
        raise DefinitionError(f"{key}: expected none, for the world has none; found {value!r}")
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < count:
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
    if value is not None and (
        not isinstance(value, tuple)
        or len(value) != 4
        or not all(isinstance(x, int | float) and abs(x) <= 1.0 for x in value)
        or not max(map(abs, value)) > 1e-3
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
    value = event.angles
    if value is not None and (
        not isinstance(value, tuple)
        or (counts is not None and len(value) != counts[number])
        or not all(isinstance(x, int | float) and abs(x) <= LARGEST_ANGLE for x in value)
    ):
        count = "" if counts is None else f"{counts[number]} "
        raise DefinitionError(
            f"{key}.angles: expected {count}numbers from -{LARGEST_ANGLE:g} to "
            f"{LARGEST_ANGLE:g}, found {value!r}"
        )


def _check_footholds(event: Event, key: str, roster: Roster) -> None:
    number = _check_creature(event, key, roster)
    count, value = 2 * roster.leg_counts[number], event.offsets
    if value is not None and (
        not isinstance(value, tuple)
        or len(value) != count
        or not all(isinstance(x, int | float) and abs(x) <= FARTHEST for x in value)
    ):
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
