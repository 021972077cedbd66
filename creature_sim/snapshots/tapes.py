"""What recordings need of states.

It is taken of each tick at once, and the state itself is not kept: a state is in the processor's
cache right after its tick. Hashing it then takes two microseconds of a tick; to keep it, and to
read it again a second later, took thirty. A state of many creatures is in no cache. It is kept
until it is written, which is done at once.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths.jit import kernel
from creature_sim.snapshots.hashes import Hasher, Hashes, hash_parts
from creature_sim.snapshots.parts import Field
from creature_sim.snapshots.snapshot import ChainState, HerdState, PropsState, Snapshot
from creature_sim.snapshots.stacks import HerdStack

SHOWN: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "body": {"records": ("position", "orientation")},
    "head": {"records": ("yaw", "pitch")},
    "leg_chain": {"joints": (), "foot_rotation": ()},
    "foot_target": {"records": ("goal", "phase", "reason")},
    "foothold": {"records": ("position", "score")},
    "flight": {"records": ("refusal", "asked_tick", "asked")},
    "motion": {"records": ("is_refused", "refusal")},
    "twin": {"records": ("fall", "fall_tick")},
}
"""What poses and events show of a herd, by part and field: fields of records, or whole arrays."""

TOLD_OF = (("flight", "refusal"), ("motion", "is_refused"), ("twin", "fall"))
"""Fields that are 0 until something is refused, or somebody falls."""

MAX_HASHES = 10_000
"""Of a tape of more than one tick: they are one message, and what is kept stays in caches.

Of a state that has more than half as many nothing is copied."""

Words = NDArray[np.uint64]
Places = tuple[tuple[str, str, str], ...]


@kernel
def pick(found: Words, index: int, words: Words, table: NDArray[np.int64]) -> None:
    """Copy some words of each of many records.

    Args:
        found: (T, C) what is kept of several ticks.
        index: of the tick.
        words: all state of a herd.
        table: (F, 6) of each field how many records have it, where it lies in the first one, the
            size of a record; the same of the copy; and the size of the field [words].
    """
    for field in range(len(table)):
        at, step = table[field, 1], table[field, 2]
        to, stride = table[field, 3], table[field, 4]
        for _ in range(table[field, 0]):
            for i in range(table[field, 5]):
                found[index, to + i] = words[at + i]
            at += step
            to += stride


@kernel
def take(
    found: Words,
    index: int,
    words: Words,
    hashed: NDArray[np.int64],
    shown: NDArray[np.int64],
) -> None:
    """Hash the state of a herd, and copy what is shown of it: see `hash_parts` and `pick`."""
    hash_parts(found, index, words, hashed)
    pick(found, index, words, shown)


def _offset(field: Field, inner: str) -> int:
    """Where a number lies in the records of an array [bytes]."""
    own = field.kind.fields
    return own[inner][1] if own is not None else 0


class Shown:
    """What poses and events show of a herd: some words of each state.

    Attributes:
        like: one of the states.
        is_ordered: whether its creatures are by number.
        table: for `pick`; of whole states nothing is picked.
        end: where what is kept ends [words].
    """

    def __init__(self, like: HerdState, begin: int, *, is_whole: bool) -> None:
        """Keep of states like this one, from a word on; or all of each, as it is."""
        self.like = like
        self.is_ordered = bool((np.diff(like.members) > 0).all())
        self._fields: dict[str, dict[str, Field]] = {}
        self._places: dict[Places, NDArray[np.int64]] = {}
        self._end = 8 * begin  # [bytes]
        rows: list[tuple[int, ...]] = []
        for part, names in SHOWN.items():
            for name, field in like.parts.form.parts.get(part, {}).items():
                if name in names and is_whole:
                    self._fields.setdefault(part, {})[name] = field
                elif name in names:
                    rows += self._keep(part, name, field, names[name])
        self.end = self._end // 8
        self.table = np.array(rows, np.int64).reshape(-1, 6)
        self.table[:, 1:] //= 8

    def _keep(
        self, part: str, name: str, field: Field, chosen: Sequence[str]
    ) -> Iterator[tuple[int, ...]]:
        """Keep an array, or some fields of its records; yields rows for `pick`, in bytes."""
        begin, size, count = self._end, field.end - field.begin, prod(field.shape)
        kind, own = field.kind, field.kind.fields
        if own is None:
            yield 1, field.begin, 0, begin, 0, size
        else:
            kind = np.dtype([(each, own[each][0]) for each in chosen])
            size, to = count * kind.itemsize, begin
            for each in chosen:
                width, source = own[each][0].itemsize, field.begin + own[each][1]
                yield count, source, field.kind.itemsize, to, kind.itemsize, width
                to += width
        self._end += size
        self._fields.setdefault(part, {})[name] = Field(kind, field.shape, begin, self._end)

    def field(self, part: str, name: str) -> Field:
        """Where an array lies in what is kept."""
        return self._fields[part][name]

    def places(self, wanted: Places) -> NDArray[np.int64]:
        """Where numbers begin in what is kept, and the size of a record of them, (P, 2) [words].

        Args:
            wanted: of each its part, its array, and its name in the records of that, if it has any.
        """
        if wanted not in self._places:
            found = []
            for part, name, inner in wanted:
                field = self._fields[part][name]
                found.append((field.begin + _offset(field, inner), field.kind.itemsize))
            self._places[wanted] = np.array(found, np.int64) // 8
        return self._places[wanted]

    def has_told(self, words: Words) -> bool:
        """Whether anybody of several states, (T, C), was refused anything, or fell, at any time."""
        for part, name in TOLD_OF:
            for field in self._fields.get(part, {}).values():
                begin = field.begin + _offset(field, name)
                if words[:, begin // 8 : field.end // 8 : field.kind.itemsize // 8].any():
                    return True
        return False

    def stack(self, words: Words) -> HerdStack:
        """What was copied of several states, (T, C), as arrays."""
        parts = {
            part: {
                name: np.ascontiguousarray(words[:, field.begin // 8 : field.end // 8])
                .view(field.kind)
                .reshape(-1, *field.shape[1:])
                for name, field in fields.items()
            }
            for part, fields in self._fields.items()
        }
        return HerdStack(self.like.definition, self.like.members, parts)


class Reel:
    """How states are taken after which the same creatures are there.

    Attributes:
        like: one of the states.
        hasher: of all their parts.
        is_whole: whether states are kept until they are written.
        shown: of each herd.
        herds: of each its state, and its tables for `take`.
        size: of what is kept of each, if they are not [words].
    """

    def __init__(self, like: Snapshot) -> None:
        """Take states like this one."""
        self.like, self.hasher = like, Hasher(like)
        self.is_whole = self.hasher.size > MAX_HASHES // 2
        self.shown: list[Shown] = []
        self.size = self.hasher.size
        for herd in like.herds:
            self.shown.append(Shown(herd, self.size, is_whole=self.is_whole))
            self.size = self.shown[-1].end
        self.herds = [
            (herd, hashed, shown.table)
            for herd, hashed, shown in zip(like.herds, self.hasher.tables, self.shown, strict=False)
        ]


class Tape:
    """What is kept of some ticks after which the same creatures are there.

    Attributes:
        first: the first tick.
        count: how many there are.
        length: how many there can be.
    """

    def __init__(self, reel: Reel, first: int, longest: int) -> None:
        """Be empty, for so many ticks at most."""
        self.reel, self.first, self.count = reel, first, 0
        self.length = min(longest, max(1, MAX_HASHES // max(1, reel.hasher.size)))
        self._state: Snapshot | None = None  # the one of a tick, if states are kept
        self._found = np.empty((0 if reel.is_whole else self.length, reel.size), np.uint64)
        self._others: list[tuple[tuple[ChainState, ...], PropsState | None]] = []

    def add(self, snapshot: Snapshot) -> bool:
        """Keep what is needed of a state; False if it does not belong here."""
        reel, index, herds = self.reel, self.count, snapshot.herds
        if (
            index == self.length
            or snapshot.creature_count != reel.like.creature_count
            or len(herds) != len(reel.herds)
        ):
            return False
        for herd, (mine, hashed, shown) in zip(herds, reel.herds, strict=True):
            is_same = herd.parts.form is mine.parts.form and herd.members is mine.members
            if not (is_same or _is_alike(mine, herd)):
                return False
            if not reel.is_whole:
                words = np.frombuffer(herd.parts.data, np.uint64)
                take(self._found, index, words, hashed, shown)
        if reel.is_whole:
            self._state = snapshot
        elif snapshot.chains or snapshot.props:
            others = list(snapshot.owners.values())[len(herds) :]
            for parts, table in zip(others, reel.hasher.tables[len(herds) :], strict=True):
                hash_parts(self._found, index, parts.words, table)
        if snapshot.chains or snapshot.props:
            self._others.append((snapshot.chains, snapshot.props))
        self.count += 1
        return True

    @property
    def ticks(self) -> range:
        """Their numbers."""
        return range(self.first, self.first + self.count)

    def hashes(self) -> Hashes:
        """The hashes of all parts after each tick."""
        hasher = self.reel.hasher
        return hasher.hash(self._state) if self._state else hasher.hashes(self._kept)

    def herds(self) -> list[tuple[Shown, Words]]:
        """What is kept of each herd, (T, C), and where it lies in that."""
        if self._state:
            words = [herd.parts.words.reshape(1, -1) for herd in self._state.herds]
        else:
            words = [self._kept] * len(self.reel.shown)
        return list(zip(self.reel.shown, words, strict=True))

    def stacks(self) -> list[HerdStack]:
        """The herds after all of the ticks."""
        return [shown.stack(words) for shown, words in self.herds()]

    @property
    def has_others(self) -> bool:
        """Whether there are chains, trees or props."""
        return bool(self._others)

    @property
    def _kept(self) -> Words:
        """(T, C) what is kept."""
        return self._found[: self.count]

    def has_told(self) -> bool:
        """Whether anybody was refused anything, or fell, in these ticks or before."""
        return any(shown.has_told(words) for shown, words in self.herds())

    def others(self, index: int) -> tuple[tuple[ChainState, ...], PropsState | None]:
        """Chains, trees and props after a tick."""
        return self._others[index] if self._others else ((), None)


def _is_alike(mine: HerdState, other: HerdState) -> bool:
    """Whether two states are of the same creatures, and lie in the same way."""
    return mine.parts.form == other.parts.form and mine.members.tolist() == other.members.tolist()
