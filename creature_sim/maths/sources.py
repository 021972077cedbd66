"""Which files of the package a kernel depends on: a name for exactly those sources."""

import hashlib
import re
from collections.abc import Collection
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent.parent

IMPORT = re.compile(
    r"\n[ \t]*(?:from (creature_sim[\w.]*) import (\([^)]*\)|[^\n]*)|import (creature_sim[\w.]*))"
)
"""Begins with a character, which takes half as long as the place between two."""


@cache
def source_files() -> dict[str, Path]:
    """Files of the package by the name of their module; that of the package itself is left out.

    It imports lazily, and no kernel.
    """
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = (PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts)
        found[".".join(parts).removesuffix(".__init__")] = path
    del found[PACKAGE.name]
    return found


@cache
def _imports(module: str) -> frozenset[str]:
    """Modules of the package that one of them names in imports, wherever in it they stand."""
    files = source_files()
    found: set[str] = set()
    text = "\n" + files[module].read_text(encoding="utf-8")
    for source, names, plain in IMPORT.findall(text):
        parts = (source or plain).split(".")
        found |= {".".join(parts[:count]) for count in range(2, len(parts) + 1)}
        found |= {f"{source}.{name}" for name in re.findall(r"\w+", names)}
    return frozenset(found & files.keys())


@cache
def _digest(module: str) -> bytes:
    source = source_files()[module].read_bytes()
    return hashlib.blake2b(module.encode() + b"\0" + source, digest_size=16).digest()


def name_of(modules: Collection[str]) -> str:
    """A hash of the sources of modules."""
    digests = b"".join(_digest(module) for module in sorted(modules))
    return hashlib.blake2b(digests, digest_size=8).hexdigest()


@cache
def name_of_sources(module: str) -> str:
    """A hash of the sources of a module and of all that it imports from the package.

    numba's own cache looks at one file at a time, and misses an edit in a kernel that is imported
    from another.
    """
    needed: set[str] = set()
    todo = [module]
    while todo:
        module = todo.pop()
        if module not in needed:
            needed.add(module)
            todo += _imports(module) - needed
    return name_of(needed)
