"""How states are hashed into the digests of a recording, in each format."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from creature_sim.inputs import Input
from creature_sim.replay.codec import encode_input
from creature_sim.replay.digests import (
    FIFTH,
    OWNERS,
    SIXTH,
    Digests,
    Digits,
    Told,
    encode,
    named,
    short,
)
from creature_sim.replay.hash_chain import Chain
from creature_sim.replay.schemas import FORMAT
from creature_sim.snapshots.hashes import Hashes, hashes_of, link_ticks
from creature_sim.snapshots.snapshot import Snapshot


class Scheme(Protocol):
    """How states are hashed, and the chain of hashes up to some tick."""

    def add(self, given: Input | None, snapshot: Snapshot) -> tuple[Digests, str]:
        """Go on by a tick with its input: its digests, and the chain up to it."""

    def is_state(self, snapshot: Snapshot, recorded: Told) -> bool:
        """Whether a state is the one that was recorded."""


class OldScheme:
    """That of formats 2 to 4: whole digests of 16 digits, a chain of 32."""

    def __init__(self, world: bytes, link: str = "") -> None:
        """Begin with a world, or after a link."""
        self._chain = Chain.after(link) if link else Chain(world)

    def add(self, given: Input | None, snapshot: Snapshot) -> tuple[Digests, str]:
        """Go on by a tick."""
        found = _old(snapshot)
        parts = [parts for owners in found.values() for parts in owners]
        return found, self._chain.add(_encoded(snapshot, given), parts)

    def is_state(self, snapshot: Snapshot, recorded: Told) -> bool:
        """Whether a state is the one that was recorded."""
        return _is_same(_old(snapshot), recorded)


class FifthScheme:
    """That of format 5: links are hashes of what they are after."""

    def __init__(self, world: bytes, link: str = "") -> None:
        """Begin with a world, or after a link."""
        self._link = bytes.fromhex(link) if link else _hash(world, FIFTH)

    def add(self, given: Input | None, snapshot: Snapshot) -> tuple[Digests, str]:
        """Go on by a tick."""
        hashes = hashes_of(snapshot)
        values = hashes.values.astype("<u8").tobytes()
        self._link = _hash(self._link + _encoded(snapshot, given) + values, FIFTH)
        return _new(hashes, FIFTH), self._link.hex()

    def is_state(self, snapshot: Snapshot, recorded: Told) -> bool:
        """Whether a state is the one that was recorded."""
        return _is_same(_new(hashes_of(snapshot), FIFTH), recorded)


class NewScheme:
    """That of format 6: one kernel makes the links of many ticks."""

    def __init__(self, world: bytes, link: str = "") -> None:
        """Begin with a world, or after a link."""
        self._links = _Links(world, link)

    def add(self, given: Input | None, snapshot: Snapshot) -> tuple[Digests, str]:
        """Go on by a tick."""
        hashes = hashes_of(snapshot)
        return _new(hashes, SIXTH), self._links.add([given], hashes.values)

    def is_state(self, snapshot: Snapshot, recorded: Told) -> bool:
        """Whether a state is the one that was recorded."""
        return _is_same(_new(hashes_of(snapshot), SIXTH), recorded)


def scheme_of(version: str) -> type[OldScheme] | type[FifthScheme] | type[NewScheme]:
    """The scheme of a format."""
    if version == FORMAT:
        return NewScheme
    return FifthScheme if version == "5" else OldScheme


def _encoded(snapshot: Snapshot, given: Input | None) -> bytes:
    return encode_input(snapshot.tick, given) if given is not None else b""


def _is_same(found: Digests, recorded: Told) -> bool:
    return all(found[kind] == recorded.get(kind, []) for kind in OWNERS)


def _old(snapshot: Snapshot) -> Digests:
    found = snapshot.digests, snapshot.chain_digests, snapshot.prop_digests
    return dict(zip(OWNERS, map(list, found), strict=True))


def _new(hashes: Hashes, digits: Digits) -> Digests:
    text = short(hashes.values, digits)
    return named((hashes.creatures, hashes.chains, hashes.props), text, digits)


class _Links:
    """A hash of the inputs and states of all ticks so far: equal ends mean equal runs."""

    def __init__(
        self, world: bytes, link: str, encode: Callable[[int, Input], bytes] = encode_input
    ) -> None:
        self._link = bytes.fromhex(link) if link else _hash(world, SIXTH)
        self._encode = encode
        self._given: Input | None = None
        self._hash = 0  # of that input

    def add(self, inputs: Sequence[Input | None], values: NDArray[np.uint64]) -> str:
        """Go on by ticks, of which each has its input and a row of hashes; returns their links."""
        found = np.empty(len(inputs), "<u4")
        before = int.from_bytes(self._link, "little")
        given = np.array(self._hashes(inputs), np.uint64)
        link_ticks(found, before, given, np.ascontiguousarray(values))
        data = found.tobytes()
        self._link = data[-SIXTH.link // 2 :]
        return data.hex()

    def _hashes(self, inputs: Sequence[Input | None]) -> list[int]:
        """The hashes of inputs; most are what the one before was."""
        before, value, found = self._given, self._hash, []
        for given in inputs:
            if given is None:
                found.append(0)
                continue
            if given.events or before is None or given.commands != before.commands:
                digest = hashlib.blake2b(self._encode(0, given), digest_size=8).digest()
                value = int.from_bytes(digest, "little")
            before = None if given.events else given
            found.append(value)
        self._given, self._hash = before, value
        return found


def _hash(data: bytes, digits: Digits) -> bytes:
    return hashlib.blake2b(data, digest_size=digits.link // 2).digest()


class DigestWriter:
    """Makes the messages of a recording, several ticks at a time."""

    def __init__(self, world: bytes, encode: Callable[[int, Input], bytes]) -> None:
        """Begin with a world; inputs are hashed as this encodes them."""
        self._links = _Links(world, "", encode)

    def message(self, inputs: Sequence[Input | None], tick: int, hashes: Hashes) -> bytes:
        """The message of ticks from this one on, with their inputs."""
        links = self._links.add(inputs, hashes.values)
        owners = (hashes.creatures, hashes.chains, hashes.props)
        return encode(tick, links, owners, short(hashes.values, SIXTH))
