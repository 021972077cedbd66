"""Digests of ticks: how a recording says what state each tick ended in.

In files of format 5 a message tells of several ticks, after which the same creatures are there:

    {"tick": 61, "ticks": 60, "chain": 60 times 16 digits, "parts": [[names of parts], ...],
     "creatures": [which of these lists each creature has], "chains": [...], "props": [...],
     "hashes": 4 digits of each part of each creature, chain and prop, tick by tick}

The four digits say which part differs; the chain, of the whole hashes, that none does. In older
files each tick has a message, with the digests of `Snapshot` as they are.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, overload

import numpy as np
import orjson
from numpy.typing import NDArray

from creature_sim.replay.hash_chain import Chain
from creature_sim.replay.schemas import is_batched
from creature_sim.snapshots.hashes import Hashes, Owner, hashes_of
from creature_sim.snapshots.snapshot import Snapshot

OWNERS = ("creatures", "chains", "props")
MAX_TICKS = 100_000
"""Of a message."""
_LINK, _SHORT = 16, 4
"""Digits of a link of the chain, and of a part's hash."""
OLD_LINK = 32
"""Digits of a link in files before format 5."""

Digests = dict[str, list[dict[str, str]]]
"""Hashes by part of every creature, chain and prop, as a recording has them."""


class Scheme(Protocol):
    """How states are hashed, and the chain of hashes up to some tick."""

    def add(self, given: bytes, snapshot: Snapshot) -> tuple[Digests, str]:
        """Go on by a tick with its input: its digests, and the chain up to it."""

    def is_state(self, snapshot: Snapshot, recorded: "Told") -> bool:
        """Whether a state is the one that was recorded."""


class OldScheme:
    """That of formats 2 to 4: whole digests of 16 digits, a chain of 32."""

    def __init__(self, world: bytes, link: str = "") -> None:
        """Begin with a world, or after a link."""
        self._chain = Chain.after(link) if link else Chain(world)

    def add(self, given: bytes, snapshot: Snapshot) -> tuple[Digests, str]:
        """Go on by a tick."""
        found = _old(snapshot)
        link = self._chain.add(given, [parts for owners in found.values() for parts in owners])
        return found, link

    def is_state(self, snapshot: Snapshot, recorded: "Told") -> bool:
        """Whether a state is the one that was recorded."""
        return _is_same(_old(snapshot), recorded)


class NewScheme:
    """That of format 5."""

    def __init__(self, world: bytes, link: str = "") -> None:
        """Begin with a world, or after a link."""
        self._links = _Links(world, link)

    def add(self, given: bytes, snapshot: Snapshot) -> tuple[Digests, str]:
        """Go on by a tick."""
        hashes = hashes_of(snapshot)
        return _new(hashes), self._links.add([given], hashes.values).hex()

    def is_state(self, snapshot: Snapshot, recorded: "Told") -> bool:
        """Whether a state is the one that was recorded."""
        return _is_same(_new(hashes_of(snapshot)), recorded)


def scheme_of(version: str) -> type[OldScheme] | type[NewScheme]:
    """The scheme of a format."""
    return NewScheme if is_batched(version) else OldScheme


def _is_same(found: Digests, recorded: "Told") -> bool:
    return all(found[kind] == recorded.get(kind, []) for kind in OWNERS)


def _old(snapshot: Snapshot) -> Digests:
    found = snapshot.digests, snapshot.chain_digests, snapshot.prop_digests
    return dict(zip(OWNERS, map(list, found), strict=True))


def _new(hashes: Hashes) -> Digests:
    text = _short(hashes.values)
    return _named((hashes.creatures, hashes.chains, hashes.props), text)


def _short(values: NDArray[np.uint64]) -> str:
    """Four digits of each."""
    return values.astype("<u2").tobytes().hex()


def _named(owners: Iterable[Sequence[Owner]], text: str) -> Digests:
    """Hashes that stand in a row, by owner and part."""
    begin, found = 0, []
    for kind in owners:
        rows = []
        for names in kind:
            end = begin + _SHORT * len(names)
            values = [text[at : at + _SHORT] for at in range(begin, end, _SHORT)]
            rows.append(dict(zip(names, values, strict=True)))
            begin = end
        found.append(rows)
    return dict(zip(OWNERS, found, strict=True))


class _Links:
    """A hash of the inputs and states of all ticks so far: equal ends mean equal runs."""

    def __init__(self, world: bytes, link: str) -> None:
        self.value = bytes.fromhex(link) if link else _hash(world)

    def add(self, inputs: Sequence[bytes], values: NDArray[np.uint64]) -> bytes:
        """Go on by ticks, of which each has its input and a row of hashes; returns their links."""
        found = []
        for given, row in zip(inputs, values.astype("<u8"), strict=True):
            self.value = _hash(self.value + given + row.tobytes())
            found.append(self.value)
        return b"".join(found)


def _hash(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_LINK // 2).digest()


class DigestWriter:
    """Makes the messages of a recording, several ticks at a time."""

    def __init__(self, world: bytes) -> None:
        """Begin with a world."""
        self._links = _Links(world, "")

    def message(self, inputs: Sequence[bytes], tick: int, hashes: Hashes) -> bytes:
        """The message of ticks from this one on, with their inputs."""
        links = self._links.add(inputs, hashes.values).hex()
        owners = (hashes.creatures, hashes.chains, hashes.props)
        return encode(tick, links, owners, _short(hashes.values))


def encode(tick: int, links: str, owners: Sequence[Sequence[Owner]], hashes: str) -> bytes:
    """A message of the ticks from this one on; the digits of each stand in a row."""
    lists: dict[Owner, int] = {}
    numbered = [
        [lists.setdefault(tuple(names), len(lists)) for names in kind] for kind in owners
    ]  # fmt: skip
    message: dict[str, Any] = {"tick": tick, "ticks": len(links) // _LINK, "chain": links}
    message["parts"] = list(lists)
    message |= dict(zip(OWNERS, numbered, strict=True))
    return orjson.dumps({**message, "hashes": hashes})


@dataclass(frozen=True)
class Batch:
    """A message that was read.

    Attributes:
        tick: the first of its ticks.
        count: of ticks.
        links: of the chain, 16 digits a tick.
        owners: the parts of each creature, chain and prop.
        hashes: 4 digits of each part, tick by tick.
        size: how many digits of it a tick has.
    """

    tick: int
    count: int
    links: str
    owners: tuple[list[Owner], ...]
    hashes: str
    size: int

    def at(self, index: int) -> dict[str, Any]:
        """What it says of one of its ticks."""
        text = self.hashes[index * self.size : (index + 1) * self.size]
        link = self.links[index * _LINK : (index + 1) * _LINK]
        return {"tick": self.tick + index, "chain": link, **_named(self.owners, text)}

    def part(self, first: int, last: int) -> bytes:
        """A message of some of its ticks."""
        begin, end = first - self.tick, last + 1 - self.tick
        links = self.links[begin * _LINK : end * _LINK]
        return encode(first, links, self.owners, self.hashes[begin * self.size : end * self.size])


def decode(data: bytes) -> Batch:
    """What a message says; an error of `timeline.WRONG` if it is something else."""
    message = orjson.loads(data)
    tick, count, links, hashes = (message[key] for key in ("tick", "ticks", "chain", "hashes"))
    lists = [tuple(str(name) for name in names) for names in message["parts"]]
    owners = tuple([lists[_index(number)] for number in message[kind]] for kind in OWNERS)
    size = _SHORT * sum(len(names) for kind in owners for names in kind)
    if not (isinstance(count, int) and 1 <= count <= MAX_TICKS):
        raise ValueError(f"{count} ticks")
    for text, length in ((links, _LINK * count), (hashes, size * count)):
        if not isinstance(text, str) or len(text) != length:
            raise ValueError("it does not fit the world")
        bytes.fromhex(text)
    return Batch(int(tick), count, links, owners, hashes, size)


def _index(number: object) -> int:
    if not isinstance(number, int) or number < 0:
        raise ValueError(f"list {number} of parts")
    return number


class Rows(Sequence[dict[str, Any]]):
    """What a file says of each tick, from messages of several ticks."""

    def __init__(self, batches: Sequence[Batch], firsts: Sequence[int], count: int) -> None:
        """Know the messages, and the first tick of each, of so many ticks in all."""
        self._batches, self._firsts, self._count = batches, firsts, count
        self._kept: tuple[int, Batch] | None = None

    def __len__(self) -> int:
        """How many ticks there are."""
        return self._count

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        """What it says of a tick, or of some."""
        if isinstance(index, slice):
            return [self[number] for number in range(self._count)[index]]
        tick = range(self._firsts[0], self._firsts[0] + self._count)[index]
        batch = self.batch(tick)
        return batch.at(tick - batch.tick)

    def batch(self, tick: int) -> Batch:
        """The message that tells of a tick."""
        number = bisect_right(self._firsts, tick) - 1
        if self._kept is None or self._kept[0] != number:
            self._kept = number, self._batches[number]
        return self._kept[1]


Told = Mapping[str, Any]
"""What a file says of a tick: its number, the chain, and digests."""
