"""The files that a sweep names, read once for all its runs."""

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import orjson

from creature_sim.definitions import CreatureDef, WorldDef
from creature_sim.library.changes import Change
from creature_sim.library.loader import Kind, load_creature, load_world

KEPT = 256
"""So many definitions are kept: those of neighbouring runs."""


class Sources:
    """Definitions by name, or by file beside that of the sweep, with other values at some keys."""

    def __init__(self, path: Path) -> None:
        """Take the sweep's own file; nothing is read."""
        self._folder = path.parent
        self._creatures = lru_cache(KEPT)(lambda name, text: load_creature(name, _changes(text)))
        self._worlds = lru_cache(KEPT)(lambda name, text: load_world(name, _changes(text)))
        self._digests = lru_cache(KEPT)(self._digest)

    def creature(self, reference: str, changes: Iterable[Change] = ()) -> CreatureDef:
        """A creature; DefinitionError says all that is wrong with it."""
        return self._creatures(self._beside(reference), _text(changes))

    def world(self, reference: str, changes: Iterable[Change] = ()) -> WorldDef:
        """A world; DefinitionError says all that is wrong with it."""
        return self._worlds(self._beside(reference), _text(changes))

    def load(self, kind: Kind, reference: str, changes: Iterable[Change] = ()) -> None:
        """Read one of either kind."""
        if kind == "creature":
            self.creature(reference, changes)
        else:
            self.world(reference, changes)

    def digest(self, kind: Kind, reference: str) -> str:
        """A hash of a definition as its files are; their comments do not count."""
        return self._digests(kind, reference)

    def _digest(self, kind: Kind, reference: str) -> str:
        found = self.creature(reference) if kind == "creature" else self.world(reference)
        return hashlib.blake2b(found.model_dump_json().encode(), digest_size=16).hexdigest()

    def _beside(self, reference: str) -> str:
        """A reference to a file beside the sweep's, as seen from here; names stay."""
        is_file = reference.endswith(".toml") or "/" in reference
        return str(self._folder / reference) if is_file else reference


def _text(changes: Iterable[Change]) -> bytes:
    """Changes as text, which can be the key of a cache whatever their values are."""
    return orjson.dumps(tuple(changes))


def _changes(text: bytes) -> list[Change]:
    return [(tuple(path), value) for path, value in orjson.loads(text)]
