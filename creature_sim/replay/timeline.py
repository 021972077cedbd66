"""Where the messages of each tick lie in a file, checked tick by tick while it is read."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar, overload

import orjson
from pydantic import ValidationError

from creature_sim.definitions import WorldDef, explain
from creature_sim.definitions.motions import FORMS
from creature_sim.errors import DefinitionError, ReplayCorrupt
from creature_sim.input_checks import Roster, check_input
from creature_sim.inputs import CHANGES, Event, Input
from creature_sim.replay.codec import decode_input
from creature_sim.replay.container import Container, Found, Slots
from creature_sim.replay.pose_arrays import pose_size
from creature_sim.replay.schemas import TOPICS, time_of
from creature_sim.replay.sizes import LARGEST_INPUT, LARGEST_KEYFRAME, SMALLEST, check_items

T = TypeVar("T")
WRONG = (KeyError, TypeError, ValueError, IndexError, OverflowError, AttributeError)
"""What decoding a message raises if it is of something else."""
_TICK = re.compile(rb'\{"tick":(\d{1,12})[,}]')


class Change(NamedTuple):
    """A creature that comes or goes, and the tick that it does so in."""

    tick: int
    event: Event


class Messages(Sequence[T], Generic[T]):
    """The messages of a topic, read from the file and decoded one at a time.

    Attributes:
        ticks: of each message, ascending.
    """

    def __init__(
        self,
        container: Container,
        topic: str,
        slots: "Slots | Sequence[Any]",
        ticks: Sequence[int],
        decode: Callable[[bytes], T],
    ) -> None:
        """Know where they are."""
        self.ticks = ticks
        self._container = container
        self._topic = topic
        self._slots = slots
        self._decode = decode

    def __len__(self) -> int:
        """How many there are."""
        return len(self.ticks)

    def raw(self, index: int) -> bytes:
        """A message as the file has it."""
        return self._container.message(self._slots[range(len(self))[index]])

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> "Messages[T]": ...
    def __getitem__(self, index: int | slice) -> "T | Messages[T]":
        """One message, or a part of the sequence; ReplayCorrupt if it is of something else."""
        if isinstance(index, slice):
            numbers = range(len(self))[index]
            slots = [self._slots[number] for number in numbers]
            return Messages(self._container, self._topic, slots, self.ticks[index], self._decode)
        data = self.raw(index)
        try:
            return self._decode(data)
        except (*WRONG, DefinitionError) as error:
            said = f"no {error}" if isinstance(error, KeyError) else error
            raise ReplayCorrupt(
                f"{self._container.path}: {self._topic} of tick {self.ticks[index]}: expected a "
                f"message of a replay, found something else ({said})"
            ) from None


class Track:
    """The messages of one topic while a file is read: where they are, and their ticks."""

    def __init__(self) -> None:
        """Start empty."""
        self.slots = Slots()
        self.ticks: list[int] = []

    def add(self, found: Found, tick: int) -> None:
        """Take one more."""
        self.slots.add(found.slot)
        self.ticks.append(tick)


class Timeline:
    """An unbroken run of ticks in a file.

    Attributes:
        first: tick of the state that it starts from; None before any message.
        tracks: by topic.
        changes: creatures that came and went, those before the first tick too.
        end: the end mark; None where there is none.
    """

    def __init__(self, start: WorldDef, before: Sequence[Change] = ()) -> None:
        """Begin with a world as it was before its first tick, and who came and went since."""
        self.first: int | None = None
        self.tracks = {topic: Track() for topic in TOPICS}
        self.changes = list(before)
        self.end: dict[str, Any] | None = None
        self._world, self._gone = start, frozenset[int]()
        self._bounds = _bounds_of(self._world, self._gone)
        for change in before:
            self._change(change.event)

    @property
    def last(self) -> int:
        """The last tick whose state is there; -1 where none is."""
        ticks = self.tracks["/digest"].ticks
        return ticks[-1] if ticks else -1

    @property
    def world(self) -> WorldDef:
        """The world with all creatures so far, those that went too."""
        return self._world

    def add(self, found: Found) -> None:
        """Take the next message.

        Raises:
            ValueError: it does not follow from those before it; the text says why.
        """
        tick = self._tick_of(found)
        time = time_of(tick, self._world.tick_rate)
        if found.times != (time, time):  # by which other programs play
            logged, published = found.times
            raise ValueError(f"{found.topic} of tick {tick} at {logged} ns, {published} ns")
        if len(found.data) > self._bounds.sizes.get(found.topic, SMALLEST):
            raise ValueError(f"a message of {found.topic} with {len(found.data)} bytes")
        if self.end is not None:
            raise ValueError(f"a message of {found.topic} after the end mark")
        try:
            if found.topic == "/input":
                self._take_input(tick, found)
            elif found.topic == "/digest":
                self._take_digest(tick, found)
            elif found.topic == "/end":
                self.end = orjson.loads(found.data)
                self._check_end(tick)
            else:
                self._take_other(found.topic, tick)
                self.tracks[found.topic].add(found, tick)
        except ValidationError as error:
            raise ValueError("; ".join(explain(error))) from None
        except DefinitionError as error:
            raise ValueError(str(error)) from None
        except WRONG as error:
            raise ValueError(f"{found.topic} of tick {tick}: {error}") from None

    def is_later(self, found: Found, keyframe: Found) -> bool:
        """Whether a message before a keyframe is of a later tick, as inputs of a batch are."""
        return self._tick_of(found) > self._tick_of(keyframe)

    def _tick_of(self, found: Found) -> int:
        """The tick that a message says."""
        match = _TICK.match(found.data)
        if not match:
            raise ValueError(f"a message of {found.topic} without a tick")
        return int(match[1])

    def _take_input(self, tick: int, found: Found) -> None:
        if tick != self.last + 1 or self.tracks["/input"].ticks[-1:] == [tick]:
            raise ValueError(f"expected tick {self.last + 1}")
        self._read_input(tick, found.data)
        self.tracks["/input"].add(found, tick)

    def _read_input(self, tick: int, data: bytes) -> Input:
        """What is given before a tick; whoever comes or goes with it does."""
        check_items("/input", data, len(data))
        given = decode_input(orjson.loads(data))
        for event in given.events:
            if event.kind in CHANGES:
                self._change(event)
                self.changes.append(Change(tick, event))
        check_input(given, self._bounds.roster)
        return given

    def _take_digest(self, tick: int, found: Found) -> None:
        given = self.tracks["/input"].ticks
        if self.first is None:
            self.first = tick
        elif tick != self.last + 1 or given[-1:] != [tick]:
            raise ValueError(f"expected tick {self.last + 1}, after its input")
        message = orjson.loads(found.data)
        if not isinstance(message["chain"], str) or any(
            not _has_hashes(message.get(kind, ()), count) for kind, count in self._counts.items()
        ):
            raise ValueError("it does not fit the world")
        self.tracks["/digest"].add(found, tick)

    @property
    def _counts(self) -> dict[str, int]:
        """How many are there after this tick."""
        return {
            "creatures": len(self._world.creatures) - len(self._gone),
            "chains": len(self._world.rigs),
            "props": len(self._world.props),
        }

    def _take_other(self, topic: str, tick: int) -> None:
        """A pose, a step or a keyframe: of the tick whose state has just been read."""
        if tick != self.last:
            raise ValueError(f"expected tick {self.last}")
        self._check_count(topic, tick)

    def _check_count(self, topic: str, tick: int) -> None:
        """Refuse more messages of a tick than it can have."""
        ticks, most = self.tracks[topic].ticks, self._bounds.events
        if topic != "/event" and ticks[-1:] == [tick]:
            raise ValueError("it is there twice")
        is_full = len(ticks) >= most and (not most or ticks[-most] == tick)  # they ascend
        if topic == "/event" and is_full:
            raise ValueError("expected at most a step of every leg and a fall of each creature")

    def _check_end(self, tick: int) -> None:
        assert self.end is not None
        if tick != self.last or not isinstance(self.end["digest"], str):
            raise ValueError(f"expected the end of tick {self.last}")

    def _change(self, event: Event) -> None:
        """Let a creature come or go."""
        if event.kind == "remove" and event.creature is not None:
            self._gone |= {event.creature}
        elif event.definition is not None and event.placement is not None:
            self._world = self._world.joined_by(event.definition, event.placement)
        self._bounds = _bounds_of(self._world, self._gone)


def _has_hashes(found: Sequence[object], count: int) -> bool:
    """Whether these are the hashes by part of so many creatures, chains or props."""
    return len(found) == count and all(isinstance(parts, dict) for parts in found)


class _Bounds(NamedTuple):
    """What messages may hold while nobody comes or goes.

    Attributes:
        roster: what inputs may speak of.
        events: steps, refusals and falls of a tick, at most.
        sizes: of the messages of a topic, at most [bytes]; others have `SMALLEST`.
    """

    roster: Roster
    events: int
    sizes: dict[str, int]


def _bounds_of(world: WorldDef, gone: frozenset[int]) -> _Bounds:
    """The bounds of a world that so many creatures have left."""
    legs = world.leg_counts
    numbers = {name: pose_size(species) for name, species in world.species.items()}
    rigs, props = len(world.rigs), len(world.props)
    count = sum(numbers[placement.creature] for placement in world.creatures)
    sizes = {
        "/input": LARGEST_INPUT + 64 * len(legs),
        "/digest": SMALLEST + 1024 * (len(legs) + rigs + props),
        "/pose": SMALLEST + 24 * (count + 800 * rigs + 7 * props),
        "/keyframe": LARGEST_KEYFRAME,
    }
    return _Bounds(
        Roster(legs, gone, world.settable_targets, len(world.props)),
        sum(legs) + len(legs) * (2 + len(FORMS)),
        sizes,
    )
