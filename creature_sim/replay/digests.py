"""Digests of ticks: how a recording says what state each tick ended in.

Since format 5 a message tells of several ticks, after which the same creatures are there:

    {"tick": 61, "ticks": 60, "chain": 60 times 8 digits, "parts": [[names of parts], ...],
     "creatures": [which of these lists each creature has], "chains": [...], "props": [...],
     "hashes": 2 digits of each part of each creature, chain and prop, tick by tick}

The two digits say which part differs; the chain, of the whole hashes, that none does: where one
part differs, its digits are equal by chance once in 256 times, and the chain tells. Files of
format 5 have twice as many digits. In older files each tick has a message, with the digests of
`Snapshot` as they are.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

import numpy as np
import orjson
from numpy.typing import NDArray

from creature_sim.snapshots.hashes import Owner

OWNERS = ("creatures", "chains", "props")
MAX_TICKS = 100_000
"""Of a message."""
OLD_LINK = 32
"""Digits of a link in files before format 5."""


class Digits(NamedTuple):
    """How many digits a message has.

    Attributes:
        link: of a link of the chain.
        part: of a part's hash.
    """

    link: int
    part: int


FIFTH, SIXTH = Digits(16, 4), Digits(8, 2)
"""Of formats 5 and 6."""

Digests = dict[str, list[dict[str, str]]]
"""Hashes by part of every creature, chain and prop, as a recording has them."""
Told = Mapping[str, Any]
"""What a file says of a tick: its number, the chain, and digests."""


def short(values: NDArray[np.uint64], digits: Digits) -> str:
    """A few digits of each."""
    return values.astype(f"<u{digits.part // 2}").tobytes().hex()


def named(owners: Iterable[Sequence[Owner]], text: str, digits: Digits) -> Digests:
    """Hashes that stand in a row, by owner and part."""
    begin, found, size = 0, [], digits.part
    for kind in owners:
        rows = []
        for names in kind:
            end = begin + size * len(names)
            values = [text[at : at + size] for at in range(begin, end, size)]
            rows.append(dict(zip(names, values, strict=True)))
            begin = end
        found.append(rows)
    return dict(zip(OWNERS, found, strict=True))


def encode(
    tick: int,
    links: str,
    owners: Sequence[Sequence[Owner]],
    hashes: str,
    digits: Digits = SIXTH,
) -> bytes:
    """A message of the ticks from this one on; the digits of each stand in a row."""
    lists: dict[Owner, int] = {}
    numbered = [list(_numbered(kind, lists)) for kind in owners]
    message: dict[str, Any] = {"tick": tick, "ticks": len(links) // digits.link, "chain": links}
    message["parts"] = list(lists)
    message |= dict(zip(OWNERS, numbered, strict=True))
    return orjson.dumps({**message, "hashes": hashes})


def _numbered(owners: Iterable[Owner], lists: dict[Owner, int]) -> Iterator[int]:
    """Which of the lists of names each has; those that are new are added."""
    before, number = None, 0
    for names in owners:
        if names is not before:  # a list is looked up slowly, and a herd shares one
            before, number = names, lists.setdefault(tuple(names), len(lists))
        yield number


@dataclass(frozen=True)
class Batch:
    """A message that was read.

    Attributes:
        tick: the first of its ticks.
        count: of ticks.
        links: of the chain, tick by tick.
        owners: the parts of each creature, chain and prop.
        hashes: of each part, tick by tick.
        digits: of each of them.
        size: how many digits of hashes a tick has.
    """

    tick: int
    count: int
    links: str
    owners: tuple[list[Owner], ...]
    hashes: str
    digits: Digits
    size: int

    def at(self, index: int) -> dict[str, Any]:
        """What it says of one of its ticks."""
        text = self.hashes[index * self.size : (index + 1) * self.size]
        link = self.links[index * self.digits.link : (index + 1) * self.digits.link]
        return {"tick": self.tick + index, "chain": link, **named(self.owners, text, self.digits)}

    def part(self, first: int, last: int) -> bytes:
        """A message of some of its ticks."""
        begin, end = first - self.tick, last + 1 - self.tick
        links = self.links[begin * self.digits.link : end * self.digits.link]
        hashes = self.hashes[begin * self.size : end * self.size]
        return encode(first, links, self.owners, hashes, self.digits)


def decode(data: bytes) -> Batch:
    """What a message says; an error of `timeline.WRONG` if it is something else."""
    message = orjson.loads(data)
    tick, count, links, hashes = (message[key] for key in ("tick", "ticks", "chain", "hashes"))
    lists = [tuple(str(name) for name in names) for names in message["parts"]]
    owners = tuple([lists[_index(number)] for number in message[kind]] for kind in OWNERS)
    if not (isinstance(count, int) and 1 <= count <= MAX_TICKS):
        raise ValueError(f"{count} ticks")
    digits = FIFTH if len(links) == FIFTH.link * count else SIXTH
    size = digits.part * sum(len(names) for kind in owners for names in kind)
    for text, length in ((links, digits.link * count), (hashes, size * count)):
        if not isinstance(text, str) or len(text) != length:
            raise ValueError("it does not fit the world")
        bytes.fromhex(text)
    return Batch(int(tick), count, links, owners, hashes, digits, size)


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
