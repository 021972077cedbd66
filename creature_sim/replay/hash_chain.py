"""A hash chain over the ticks of a run."""

import hashlib
from collections.abc import Mapping, Sequence


class Chain:
    """A hash of the inputs and states of all ticks so far: equal ends mean equal runs."""

    def __init__(self, world: bytes) -> None:
        """Begin with the world."""
        self.value = hashlib.blake2b(world, digest_size=16).hexdigest()

    @classmethod
    def after(cls, value: str) -> "Chain":
        """Go on after a tick whose chain is known."""
        chain = cls(b"")
        chain.value = value
        return chain

    def add(self, given: bytes, digests: Sequence[Mapping[str, str]]) -> str:
        """Add a tick: its input, and hashes of creatures, chains and props; returns the chain."""
        link = hashlib.blake2b(self.value.encode() + given, digest_size=16)
        for parts in digests:
            link.update("".join(parts.values()).encode())
        self.value = link.hexdigest()
        return self.value
