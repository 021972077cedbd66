"""Definitions whose files are read with other values at some keys."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from creature_sim.errors import DefinitionError
from creature_sim.files.problems import Problem, shown

Path = tuple[str, ...]
"""Keys of a file from its top down; positions in lists are written as digits."""
Change = tuple[Path, object]


def path_in(keys: str) -> Path:
    """The path that "gait.stride_length" or "leg_pairs.0.home" means."""
    return tuple(keys.split("."))


def changed(table: Mapping[str, Any], changes: Iterable[Change]) -> dict[str, Any]:
    """A copy of a file's table with other values; tables that are missing are made.

    Raises:
        DefinitionError: there is no such position in a list, or no table or list at all.
    """
    copy = deepcopy(dict(table))
    for path, value in changes:
        holder: Any = copy
        for depth, key in enumerate(path):
            place = _place(holder, key, path[: depth + 1])
            if depth + 1 == len(path):
                holder[place] = deepcopy(value)
            elif isinstance(holder, list):
                holder = holder[place]
            else:
                holder = holder.setdefault(place, {})
    return copy


def _place(holder: object, key: str, path: Path) -> Any:  # noqa: ANN401 - of a list, or a table
    """What a key means in a table or a list."""
    if isinstance(holder, dict):
        return key
    if isinstance(holder, list):
        if key.isdecimal() and key.isascii() and len(key) <= 6 and int(key) < len(holder):
            return int(key)
        text = f"expected a position from 0 to {len(holder) - 1} in a list, found {key!r}"
    else:
        text = f"expected a table or a list above it, found {shown(holder)}"
    raise DefinitionError(str(Problem(path, text)))
