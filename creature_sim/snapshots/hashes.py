"""Hashes of the parts of many states at once: what replays record of every tick.

A part's hash is 64 bits of its bytes as they lie in memory. Words of 8 bytes go in turn into four
lanes, each of which multiplies and folds (as xxHash and MurmurHash do): a bijection in each word,
so a state that differs in one word never has the same hash.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths.jit import kernel
from creature_sim.snapshots.snapshot import PartState, Snapshot
from creature_sim.snapshots.stacks import HerdStack, PartStack

PRIME = np.uint64(0x9E3779B185EBCA87)
"""The first prime of xxHash (Collet 2012)."""
_FOLD, _LANE = np.uint64(32), np.uint64(0xC2B2AE3D27D4EB4F)

Words = NDArray[np.uint64]


@kernel
def add_words(hashes: Words, words: Words) -> None:
    """Go on with hashes, (R,), by the words of each row, (R, W)."""
    count = words.shape[1]
    whole = count - count % 4
    for row in range(len(hashes)):
        a = hashes[row]
        b, c, d = a + _LANE, a ^ PRIME, a ^ _LANE
        for i in range(0, whole, 4):
            a = (a ^ words[row, i]) * PRIME
            b = (b ^ words[row, i + 1]) * PRIME
            c = (c ^ words[row, i + 2]) * PRIME
            d = (d ^ words[row, i + 3]) * PRIME
            a ^= a >> _FOLD
            b ^= b >> _FOLD
            c ^= c >> _FOLD
            d ^= d >> _FOLD
        for i in range(whole, count):
            a = (a ^ words[row, i]) * PRIME
            a ^= a >> _FOLD
        a = (a ^ b) * PRIME
        a = (a ^ (a >> _FOLD) ^ c) * PRIME
        a = (a ^ (a >> _FOLD) ^ d) * PRIME
        hashes[row] = a ^ (a >> _FOLD)


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


def hashes_of(snapshots: Sequence[Snapshot], stacks: Sequence[HerdStack]) -> Hashes:
    """The hashes of some ticks, whose herds are stacked."""
    count = len(snapshots)
    columns: list[tuple[int, Owner, Words]] = []  # by creature: (T, P)
    for stack in stacks:
        rows = len(stack.members)
        found = _hashes(list(stack.parts.values()), count, rows)
        names = tuple(stack.parts)
        columns += [
            (member, names, found[:, row]) for row, member in enumerate(stack.members.tolist())
        ]
    columns.sort(key=lambda column: column[0])
    first, values = snapshots[0], [values for _, _, values in columns]
    chains, props = [tuple(chain.parts) for chain in first.chains], list[Owner]()
    for index in range(len(chains)):
        parts = [snapshot.chains[index].parts for snapshot in snapshots]
        values.append(_hashes(_stacked(parts), count, 1)[:, 0])
    if first.props is not None:
        rows = len(first.props.definitions)
        states = [snapshot.props.parts for snapshot in snapshots if snapshot.props is not None]
        props = [tuple(first.props.parts)] * rows
        found = _hashes(_stacked(states), count, rows)
        values += [found[:, row] for row in range(rows)]
    joined = np.concatenate([np.zeros((count, 0), np.uint64), *values], axis=1)
    return Hashes([names for _, names, _ in columns], chains, props, joined)


def _stacked(states: Sequence[Mapping[str, PartState]]) -> list[PartStack]:
    """The parts of one owner after each tick."""
    return [PartStack([state[name] for state in states]) for name in states[0]]


def _hashes(parts: Sequence[PartStack], count: int, rows: int) -> Words:
    """Hashes of the parts of `rows` creatures after `count` ticks, (T, N, P)."""
    found = np.zeros((len(parts), count * rows), np.uint64)
    for index, part in enumerate(parts):
        for field in part:
            add_words(found[index], _words(part.data(field), count * rows))
    return found.reshape(len(parts), count, rows).transpose(1, 2, 0)


def _words(data: bytes, rows: int) -> Words:
    """The bytes of so many rows as words, (R, W); what is no whole word is filled with zeros."""
    size = len(data) // max(1, rows)
    if size % 8:
        whole = np.zeros((rows, -(-size // 8) * 8), np.uint8)
        whole[:, :size] = np.frombuffer(data, np.uint8).reshape(rows, size)
        return np.frombuffer(whole.tobytes(), np.uint64).reshape(rows, -1)
    return np.frombuffer(data, np.uint64).reshape(rows, size // 8)
