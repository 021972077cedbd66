"""Definitions with one key changed: what a user may get wrong, key by key."""

import copy
import datetime
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from creature_sim.definitions import CreatureDef, WorldDef
from creature_sim.files.definition import Definition
from creature_sim.files.fields import Keys
from creature_sim.library.loader import builtin_folder, builtin_names
from creature_sim.terrain.registry import built_in

HOSTILE: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    10**6,
    0.5,
    -2.5,
    1e300,
    float("nan"),
    float("inf"),
    "",
    "x",
    "static",
    "hexapod",
    "a\x1b[2Jb\nc",
    "y" * 200,
    [],
    [0.0],
    [0.1, 0.2, 0.3],
    ["a", {}],
    [[1.0, 2.0, 3.0]],
    {},
    {"kind": "x"},
    {"how": "sum", 'a "b"': 1},
    datetime.date(2020, 1, 1),
    datetime.time(12, 30),
)
"""Values of every type that a file can hold, and some that none can."""


class Mutation(NamedTuple):
    """A definition with one key changed.

    Attributes:
        model: that reads it.
        keys: of the change.
        table: the whole definition.
    """

    model: type[Definition]
    keys: Keys
    table: dict[str, Any]


def definitions() -> dict[str, tuple[type[Definition], dict[str, Any]]]:
    """Every built-in creature and world, and a world of every kind of ground, as tables."""
    found: dict[str, tuple[type[Definition], dict[str, Any]]] = {}
    for name in builtin_names("creature"):
        found[name] = CreatureDef, _toml(builtin_folder("creature") / f"{name}.toml")
    for name in builtin_names("world"):
        found[f"world {name}"] = WorldDef, _toml(builtin_folder("world") / f"{name}.toml")
    creatures = [{"creature": "hexapod"}]
    for name, kind in built_in().items():
        if kind.example:
            terrain = tomllib.loads(kind.example.replace("terrain.", ""))
            world = {"name": "w", "terrain": terrain, "creatures": creatures}
            found[f"ground {name}"] = WorldDef, world
    return found


def mutations(model: type[Definition], table: dict[str, Any]) -> Iterator[Mutation]:
    """Every key with every hostile value, without it, and under a misspelt name."""
    for keys in _keys(table):
        for value in HOSTILE:
            yield Mutation(model, keys, _changed(table, keys, value))
        holder = _held(mutated := copy.deepcopy(table), keys[:-1])
        value = holder.pop(keys[-1])
        yield Mutation(model, keys, mutated)
        if isinstance(keys[-1], str):
            name = keys[-1] + "s"
            holder = _held(mutated := copy.deepcopy(mutated), keys[:-1])
            holder[name] = value
            yield Mutation(model, (*keys[:-1], name), mutated)


def _toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text())


def _keys(value: Any, keys: Keys = ()) -> Iterator[Keys]:
    """All keys of a table; of long lists the first and the last place."""
    if isinstance(value, dict):
        parts = list(value.items())
    elif isinstance(value, list) and value:
        parts = [(index, value[index]) for index in sorted({0, len(value) - 1})]
    else:
        return
    for key, part in parts:
        yield (*keys, key)
        yield from _keys(part, (*keys, key))


def _changed(table: dict[str, Any], keys: Keys, value: Any) -> dict[str, Any]:
    mutated = copy.deepcopy(table)
    _held(mutated, keys[:-1])[keys[-1]] = copy.deepcopy(value)
    return mutated


def _held(table: Any, keys: Keys) -> Any:
    for key in keys:
        table = table[key]
    return table
