"""What goes into a tick: quantised commands and events. Nothing else does."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef, PlacementDef
from creature_sim.definitions.drive import AXES, Axes
from creature_sim.errors import DefinitionError
from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel, unchecked

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
            "remove" takes one out: both happen before all other events of their tick, and
            "reset_props" next.
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

    @cached_property
    def numbers(self) -> NDArray[np.int64] | None:
        """The commands as an array (C, 4) to read; None where any is not as it should be.

        Looked at together they take a quarter of the time of one after the other.
        """
        commands = self.commands
        kinds = set(map(type, commands))
        if kinds != {tuple} and not all(issubclass(kind, tuple) for kind in kinds):
            return None
        if not set(map(len, commands)) <= {len(AXES)}:
            return None
        values = list(chain.from_iterable(commands))
        kinds = set(map(type, values))  # True is no number, as JSON writes it in another way
        if kinds != {int} and (bool in kinds or not all(issubclass(kind, int) for kind in kinds)):
            return None
        if min(values, default=0) < -FULL:
            return None
        if max(values, default=0) > FULL and any(
            max(values[axis :: len(AXES)]) > most * FULL for axis, most in enumerate(_MOST)
        ):
            return None
        return np.fromiter(values, np.int64, len(values)).reshape(-1, len(AXES))

    @staticmethod
    def of(axes: Iterable[Axes], events: Iterable[Event] = ()) -> "Input":
        """Quantise axes in [-1, 1], per creature (forward, turn, strafe, height) or fewer.

        Forward may be up to RUN. Values beyond are clipped; axes left out are 0.
        """
        try:
            commands = tuple(quantised(*values) for values in axes)
        except TypeError:
            raise DefinitionError(
                f"axes: expected numbers for each creature, like [(1.0, 0.2)], found {axes!r}"
            ) from None
        try:
            return Input(commands, tuple(events))
        except TypeError:
            raise DefinitionError(f"events: expected some Event, or (), found {events!r}") from None

    @staticmethod
    def of_all(axes: Floats) -> "Input":
        """The same of axes (C, 4) of all creatures at once, faster; no events."""
        axes = np.asarray(axes)
        if axes.dtype.kind not in "fiu" or axes.ndim != 2 or axes.shape[1] != len(AXES):
            raise DefinitionError(
                f"axes: expected an array of numbers (C, {len(AXES)}), found {axes.dtype} "
                f"{axes.shape}"
            )
        numbers: NDArray[np.int64] = np.empty(axes.shape, np.int64)
        if not _quantise(np.ascontiguousarray(axes, np.float64), _MOST, numbers):
            row, axis = np.argwhere(~np.isfinite(axes))[0].tolist()
            raise DefinitionError(
                f"axes[{row}]: {AXES[axis]}: expected a finite number, found {axes[row, axis]}"
            )
        found = Input(tuple(map(tuple, numbers.tolist())))
        vars(found)["numbers"] = numbers  # nobody needs to look at them again
        return found


def leavers_of(events: Iterable[Event]) -> set[int]:
    """Numbers of the creatures that go with events."""
    return {
        event.creature
        for event in events
        if event.kind == "remove" and isinstance(event.creature, int)
    }


def quantised(*values: float) -> tuple[int, ...]:
    """Axes as whole numbers, 32767 for 1; those left out are 0.

    They are in [-1, 1], forward is up to RUN.
    """
    if len(values) > len(AXES):
        raise DefinitionError(f"axes: expected at most {len(AXES)}, found {len(values)}")
    found = [_quantised(value, axis) for value, axis in zip(values, AXES, strict=False)]
    return (*found, *[0] * (len(AXES) - len(found)))


def _quantised(value: float, axis: str) -> int:
    try:
        is_finite = isfinite(value)
    except OverflowError:
        raise DefinitionError(f"{axis}: expected a finite number, found a larger one") from None
    if not is_finite:
        raise DefinitionError(f"{axis}: expected a finite number, found {value}")
    return round(max(-1.0, min(largest(axis), value)) * FULL)


def largest(axis: str) -> float:
    """The most that an axis may be deflected."""
    return RUN if axis == "forward" else 1.0


@kernel
def quantise(axes: Floats, most: Floats, numbers: NDArray[np.int64]) -> bool:
    """Write axes (C, 4) as whole numbers, 32767 for 1; False where one is not finite.

    Args:
        axes: of all creatures.
        most: (4,) that each may be deflected.
        numbers: (C, 4) written.
    """
    for row in range(axes.shape[0]):
        for axis in range(axes.shape[1]):
            value = axes[row, axis]
            if not isfinite(value):
                return False
            numbers[row, axis] = round(max(-1.0, min(most[axis], value)) * FULL)
    return True


_quantise = unchecked(quantise)
_MOST = np.array([largest(axis) for axis in AXES])
