"""A first table `[terrain]` for kinds of ground that bring no example, made from their keys."""

import json
import tomllib
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from creature_sim.terrain import TerrainKind, read_ground


def example_of(kind: TerrainKind[Any]) -> str:
    """Lines of TOML with comments; empty if some key has no value that could be guessed."""
    if kind.example:
        return kind.example.strip()
    lines = [f"kind = {json.dumps(kind.name)}"]
    for key, schema in kind.model.model_json_schema()["properties"].items():
        value = schema["default"] if "default" in schema else _guess(schema)
        if key == "kind" or value is None or isinstance(value, dict):
            continue
        text = f"{key} = {json.dumps(value)}"
        comment = schema.get("description", "")
        lines.append(f"{text:29} # {comment}" if comment else text)
    example = "\n".join(lines)
    try:
        read_ground(tomllib.loads(example))
    except ValidationError:
        return ""
    return example


def _guess(schema: Mapping[str, Any]) -> object:
    """A value that the JSON Schema of a required key allows, near 1; None: no idea."""
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    kind = schema.get("type")
    if kind == "boolean":
        return False
    if kind == "array":
        items = schema.get("prefixItems", [schema.get("items", {})] * schema.get("minItems", 1))
        values = [_guess(item) for item in items]
        return None if None in values else values
    if kind not in ("number", "integer"):
        return None
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    value = 1.0
    if low is not None and low >= value:
        value = 0.5 * (low + high) if high is not None else 2.0 * low
    elif high is not None and high <= value:
        value = 0.5 * (high + (low if low is not None else 0.0))
    return round(value) if kind == "integer" else value
