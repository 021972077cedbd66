"""The hash that every tick runs into."""

import hashlib
from collections.abc import Mapping, Sequence


class Chain:
    """A hash that every tick's input and state run into: equal ends mean equal runs."""

    def __init__(self, world: bytes) -> None:
        """Begin with the world."""
        self.value = hashlib.blake2b(world, digest_size=16).hexdigest()

    def add(self, given: bytes, digests: Sequence[Mapping[str, str]]) -> str:
        """Take in a tick: creatures, chains, props; returns what goes into its /digest message."""
        link = hashlib.blake2b(self.value.encode() + given, digest_size=16)
        for parts in digests:
            link.update("".join(parts.values()).encode())
        self.value = link.hexdigest()
        return self.value
