"""Hashes of the parts of many states at once: what replays record of every tick.

A part's hash is 64 bits of its bytes as they lie in memory. Words of 8 bytes go in turn into four
lanes, each of which multiplies and folds (as xxHash and MurmurHash do): a bijection in each word,
so a state that differs in one word never has the same hash.
"""

from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths.jit import kernel
from creature_sim.snapshots.parts import Form
from creature_sim.snapshots.snapshot import Snapshot

PRIME = np.uint64(0x9E3779B185EBCA87)
"""The first prime of xxHash (Collet 2012)."""
_FOLD, _HALF = np.uint64(32), np.uint64(0xFFFFFFFF)
_LANE = np.uint64(0xC2B2AE3D27D4EB4F)

Words = NDArray[np.uint64]
Lanes = tuple[np.uint64, np.uint64, np.uint64, np.uint64]


@kernel
def _mixed(lane: np.uint64, word: np.uint64) -> np.uint64:
    """A lane after one more word."""
    lane = (lane ^ word) * PRIME
    return lane ^ (lane >> _FOLD)


@kernel
def _lanes_of(seed: np.uint64) -> Lanes:
    """Four lanes that begin with a hash of what came before."""
    return seed, seed + _LANE, seed ^ PRIME, seed ^ _LANE


@kernel
def _with_four(lanes: Lanes, row: Words, i: int) -> Lanes:
    """The lanes after four more words of a row, from one on: one word each."""
    a, b, c, d = lanes
    return _mixed(a, row[i]), _mixed(b, row[i + 1]), _mixed(c, row[i + 2]), _mixed(d, row[i + 3])


@kernel
def _joined(lanes: Lanes, row: Words) -> np.uint64:
    """The hash of a row with whose fours the lanes are mixed."""
    a, b, c, d = lanes
    for i in range(len(row) // 4 * 4, len(row)):
        a = _mixed(a, row[i])
    return _mixed(_mixed(_mixed(a, b), c), d)


@kernel
def _hash_row(seed: np.uint64, row: Words) -> np.uint64:
    """The hash of (W,) words, after a hash of what came before."""
    lanes = _lanes_of(seed)
    for quarter in range(len(row) // 4):
        lanes = _with_four(lanes, row, 4 * quarter)
    return _joined(lanes, row)


@kernel
def _hash_two(
    seed: np.uint64, row: Words, other_seed: np.uint64, other: Words
) -> tuple[np.uint64, np.uint64]:
    """The hashes of two rows of one size."""
    lanes, other_lanes = _lanes_of(seed), _lanes_of(other_seed)
    for quarter in range(len(row) // 4):
        lanes = _with_four(lanes, row, 4 * quarter)
        other_lanes = _with_four(other_lanes, other, 4 * quarter)
    return _joined(lanes, row), _joined(other_lanes, other)


@kernel
def hash_parts(found: Words, index: int, words: Words, table: NDArray[np.int64]) -> None:
    """Hash all parts of the creatures of a herd.

    Two creatures at a time, as a multiplication waits for the one before it: a third less time.
    They are half a herd apart: rows side by side were read from memory as slowly as one alone.

    Args:
        found: (T, K) of several ticks.
        index: of the tick.
        words: all state of the herd, array after array.
        table: (F, 6) of each array where the hash of its part stands among those of the first
            creature, where those of the last one end, how many each has, whether the part begins
            with it, where it begins and the size of a row [words].
    """
    hashes = found[index]
    for field in range(len(table)):
        first, end, parts = table[field, 0], table[field, 1], table[field, 2]
        begin, size = table[field, 4], table[field, 5]
        if table[field, 3]:
            for column in range(first, end, parts):
                hashes[column] = 0
        count = (end - first + parts - 1) // parts
        half = count // 2
        for n in range(half):
            mine, other = first + n * parts, first + (half + n) * parts
            at, also = begin + n * size, begin + (half + n) * size
            hashes[mine], hashes[other] = _hash_two(
                hashes[mine], words[at : at + size], hashes[other], words[also : also + size]
            )
        for n in range(2 * half, count):
            mine, at = first + n * parts, begin + n * size
            hashes[mine] = _hash_row(hashes[mine], words[at : at + size])


@kernel
def link_ticks(found: NDArray[np.uint32], before: int, inputs: Words, values: Words) -> None:
    """Hash ticks into a chain: the end of each is a hash of all that came before it.

    Args:
        found: (T,) a link after each tick.
        before: the link before the first one.
        inputs: (T,) hashes of what was given.
        values: (T, K) hashes of all parts.
    """
    link = np.uint64(before)
    for tick in range(len(found)):
        link = _mixed(link, inputs[tick])
        for i in range(values.shape[1]):
            link = _mixed(link, values[tick, i])
        found[tick] = link & _HALF
        link &= _HALF


Owner = tuple[str, ...]
"""Names of the parts of a creature, chain or prop, in their order."""


@dataclass(frozen=True)
class Hashes:
    """Hashes of all parts after several ticks, after which the same creatures are there.

    Attributes:
        creatures: the parts of each creature that is there, by number.
        chains: of each chain and tree.
        props: of each prop.
        values: (T, K) hashes of all parts of creatures, then of chains, then of props.
    """

    creatures: list[Owner]
    chains: list[Owner]
    props: list[Owner]
    values: Words


class Hasher:
    """Hashes states after which the same creatures are there.

    Attributes:
        size: how many hashes a state has.
        tables: for `hash_parts`, of all owners in the order of a snapshot.
    """

    def __init__(self, like: Snapshot) -> None:
        """Hash states like this one."""
        self._herds = [(herd.members.tolist(), tuple(herd.parts)) for herd in like.herds]
        self._chains = [tuple(chain.parts) for chain in like.chains]
        rows = len(like.props.definitions) if like.props else 0
        self._props = [tuple(like.props.parts)] * rows if like.props else []
        self.size = 0
        counts = [len(members) for members, _ in self._herds] + [1] * len(self._chains) + [rows]
        self.tables = [
            self._table(rows, parts.form)
            for rows, parts in zip(counts, like.owners.values(), strict=False)
        ]

    def _table(self, rows: int, form: Form) -> NDArray[np.int64]:
        """The table of the next owner, of so many creatures or props."""
        first, count = self.size, len(form.parts)
        self.size += rows * count
        return np.array(
            [
                (
                    *(first + number, self.size, count, index == 0),
                    *(field.begin // 8, (field.end - field.begin) // (8 * max(1, rows))),
                )
                for number, fields in enumerate(form.parts.values())
                for index, field in enumerate(fields.values())
            ],
            np.int64,
        ).reshape(-1, 6)

    def hashes(self, found: Words) -> Hashes:
        """What was found of several ticks, (T, K), with creatures by their numbers."""
        owners, order = self._order
        values = found[:, : self.size] if order is None else found[:, order]
        return Hashes(owners, self._chains, self._props, values)

    @cached_property
    def _order(self) -> tuple[list[Owner], NDArray[np.int64] | None]:
        """The parts of all creatures by their numbers, and in which order hashes stand so.

        None: they do already.
        """
        creatures: list[tuple[int, Owner, int]] = []
        end = 0
        for members, names in self._herds:
            for member in members:
                creatures.append((member, names, end))
                end += len(names)
        if creatures == sorted(creatures):
            return [names for _, names, _ in creatures], None
        creatures.sort(key=itemgetter(0))
        runs = [np.arange(first, first + len(names)) for _, names, first in creatures]
        owners = [names for _, names, _ in creatures]
        return owners, np.concatenate([*runs, np.arange(end, self.size)])

    def hash(self, snapshot: Snapshot) -> Hashes:
        """The hashes of one state."""
        found = np.empty((1, self.size), np.uint64)
        for parts, table in zip(snapshot.owners.values(), self.tables, strict=True):
            hash_parts(found, 0, parts.words, table)
        return self.hashes(found)


def hashes_of(snapshot: Snapshot) -> Hashes:
    """The hashes of one state."""
    return Hasher(snapshot).hash(snapshot)
