"""Creature files with other values, whose comments stay."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from creature_sim.figures.labels import printable
from creature_sim.lab.tuning.packages import needed
from creature_sim.library.changes import Change
from creature_sim.library.loader import files_of, written_creature

_COLUMNS = 100


def text_with(reference: str, changes: Sequence[Change], notes: Sequence[str], to: Path) -> str:
    """The text of a creature's file with other values and a comment above it.

    Args:
        reference: name or file of the creature.
        changes: values by key.
        notes: lines of the comment.
        to: where it is written: a model of the creature is found from there, too.

    Raises:
        DefinitionError: the package tomlkit is not installed.
    """
    tomlkit = needed("tomlkit")
    path = written_creature(reference).path
    text = path.read_text(encoding="utf-8")
    is_builtin = not files_of("creature", reference)
    lines = text.splitlines(keepends=True)
    head = lines.pop(0) if lines and lines[0].startswith("#:schema") else ""
    document: Any = tomlkit.parse("".join(lines))
    for keys, value in changes:
        holder: Any = document
        for key in keys[:-1]:
            holder = _below(holder, key)
        last = keys[-1]
        holder[int(last) if isinstance(holder, list) else last] = value
    if "model" in document and path.parent.resolve() != to.parent.resolve():
        file = path.parent / str(document["model"]["file"])
        document["model"]["file"] = os.path.relpath(file, to.parent)
    comment = "".join(f"# {line}\n" for note in notes for line in _folded(printable(note)))
    return ("" if is_builtin else head) + comment + str(document.as_string())


def _below(holder: Any, key: str) -> Any:  # noqa: ANN401 - tables and lists of tomlkit
    """The table or list at a key; a table that is missing is made."""
    if isinstance(holder, list):
        return holder[int(key)]
    if key not in holder:
        holder[key] = needed("tomlkit").table()
    return holder[key]


def _folded(note: str) -> list[str]:
    """A line as several ones that are short enough, the later ones indented."""
    lines, line = [], ""
    for word in note.split(" "):
        if line and len(line) + len(word) + 3 > _COLUMNS:
            lines.append(line)
            line = f"  {word}"
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]
