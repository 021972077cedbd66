"""Changes of nested tables: bounds, wrong types, strange numbers, missing and unknown keys."""

import copy
import json
import math
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from creature_sim.errors import CreatureSimError

STRANGE: tuple[Any, ...] = (
    math.nan, math.inf, -math.inf, 0, 0.0, -0.0, 1, -1, 0.5, -0.5, 5e-324, 1e-300, -1e-9, 1e-9,
    1e-3, 100, 1e3, 1e5, 1e9, -1e9, 1e18, 1e300, -1e308, 2**31, -(2**31), 2**53 + 1, 2**63 - 1,
    2**63, -(2**63), 2**64, 10**30, True, False, "", " ", "0", "nan", "a" * 10_000, "%s",
    "\x1b[2Jgone", "é\u202e", "..", "/", "/dev/zero", "/dev/stdin", "~", "a/b.toml", "hexapod",
    [], {}, [[]], [{}], [0.0], [0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 1e9, -1e9], [math.nan, 0.0, 0.0],
)  # fmt: skip
BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems")

Path = tuple[str | int, ...]


def bounds_of(schema: Mapping[str, Any]) -> dict[str, list[Any]]:
    """What each key of a JSON Schema may be at most, at least, or only: by the name of the key."""
    found: dict[str, list[Any]] = {}

    def visit(node: object) -> Iterator[Any]:
        """Bounds and words that a schema of one value names."""
        if isinstance(node, list):
            for item in node:
                yield from visit(item)
        elif isinstance(node, dict):
            yield from (node[bound] for bound in BOUNDS if bound in node)
            yield from node.get("enum", [])
            yield from (node[word] for word in ("const", "default") if word in node)
            for key in ("anyOf", "allOf", "items", "prefixItems"):
                yield from visit(node.get(key, []))

    for model in (schema, *schema.get("$defs", {}).values()):
        for key, value in model.get("properties", {}).items():
            found.setdefault(key, []).extend(visit(value))
    return found


def paths_of(tree: object, path: Path = ()) -> Iterator[Path]:
    """Where every value of a tree is."""
    yield path
    items: Any = ()
    if isinstance(tree, dict):
        items = tree.items()
    elif isinstance(tree, list):
        items = enumerate(tree)
    for key, value in items:
        yield from paths_of(value, (*path, key))


def at(tree: Any, path: Path) -> Any:
    """The value at a path."""
    for key in path:
        tree = tree[key]
    return tree


def near(bound: object, random: Random) -> object:
    """A bound, or what is beside it."""
    if isinstance(bound, bool) or not isinstance(bound, int | float):
        return bound
    if random.random() < 0.3:
        bound = float(bound)
    if isinstance(bound, int):
        return bound + random.choice((-1, 0, 0, 1))
    return random.choice(
        (bound, bound, math.nextafter(bound, math.inf), math.nextafter(bound, -math.inf), -bound)
    )


def mutated(
    tree: dict[str, Any], bounds: Mapping[str, list[Any]], others: list[Any], random: Random
) -> dict[str, Any]:
    """A tree with one to four changes; `others` are trees whose branches it may be given."""
    tree = copy.deepcopy(tree)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        paths = [path for path in paths_of(tree) if path]
        if not paths:
            break
        path = random.choice(paths)
        holder, key = at(tree, path[:-1]), path[-1]
        random.choice(CHANGES)(holder, key, bounds, others, random)
    return tree


def _bound(holder: Any, key: Any, bounds: Any, others: Any, random: Random) -> None:
    known = bounds.get(key) if isinstance(key, str) else None
    holder[key] = near(random.choice(known), random) if known else random.choice(STRANGE)


def _strange(holder: Any, key: Any, bounds: Any, others: Any, random: Random) -> None:
    holder[key] = copy.deepcopy(random.choice(STRANGE))


def _scaled(holder: Any, key: Any, bounds: Any, others: Any, random: Random) -> None:
    value = holder[key]
    if isinstance(value, int | float) and not isinstance(value, bool):
        value *= random.choice((-1, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 1.1, 1.3, 1.6, 2, 3, 10, 100))
        is_whole = isinstance(holder[key], int) and math.isfinite(value)
        holder[key] = int(value) if is_whole else value
    elif isinstance(value, list) and value:
        index = random.randrange(len(value))
        _scaled(value, index, bounds, others, random)
    elif isinstance(value, dict) and value:
        _scaled(value, random.choice(sorted(value)), bounds, others, random)


def _gone(holder: Any, key: Any, bounds: Any, others: Any, random: Random) -> None:
    del holder[key]


def _new(holder: Any, key: Any, bounds: Any, others: Any, random: Random) -> None:
    if isinstance(holder, dict):
        name = random.choice([*sorted(bounds), "unknown", "", "a.b", "\x1b[2J"])
        holder[name] = near(random.choice(bounds.get(name) or STRANGE), random)
    else:
        holder.insert(key, copy.deepcopy(random.choice(STRANGE)))


def _many(holder: Any, key: Any, bounds: Any, others: Any, random: Random) -> None:
    times = random.choice((2, 2, 3, 10, 40, 300, 3000))
    if isinstance(holder, list):
        holder[key:key] = [copy.deepcopy(holder[key]) for _ in range(times)]
    else:
        holder[key] = [copy.deepcopy(holder[key]) for _ in range(times)]


def _nested(holder: Any, key: Any, bounds: Any, others: Any, random: Random) -> None:
    for _ in range(random.choice((1, 2, 10, 100, 150))):
        holder[key] = [holder[key]] if random.random() < 0.5 else {str(key): holder[key]}


def _given(holder: Any, key: Any, bounds: Any, others: Any, random: Random) -> None:
    """Another tree's branch, if possible one of the same name."""
    other = random.choice(others)
    paths = [path for path in paths_of(other) if path]
    fitting = [path for path in paths if path[-1] == key] or paths
    holder[key] = copy.deepcopy(at(other, random.choice(fitting)))


CHANGES = (
    *(_bound,) * 4, *(_scaled,) * 8, _strange, _gone, _new, _many, _nested, _given,
)  # fmt: skip


def toml(tree: Mapping[str, Any]) -> str:
    """A tree as TOML, each of its keys on a line."""
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in tree.items())


def _key(key: object) -> str:
    return json.dumps(str(key))


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=True) if isinstance(value, str) else repr(value)


def check_message(error: CreatureSimError) -> None:
    """Refuse a message that says nothing, or that speaks of our insides."""
    text = str(error)
    assert text.strip(), "a message without words"
    assert "Traceback" not in text
    assert "pydantic" not in text
