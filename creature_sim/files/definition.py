"""What all definitions share: strict frozen models, number types, readable errors."""

import re
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails


class Definition(BaseModel):
    """A frozen model that refuses unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


NAME_PATTERN = r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$"
Angle = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-1000.0, le=1000.0)]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
# lt, not le: of two constraints of the same name pydantic applies this one, not a field's own le.
Positive = Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0.0, lt=1e4)]
NotNegative = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0.0, lt=1e4)]
Fraction = Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0.0, lt=1.0)]
Count = Annotated[int, Field(strict=True, ge=1)]
Name = Annotated[str, Field(strict=True, pattern=NAME_PATTERN, max_length=64)]
Vector2 = tuple[Number, Number]
Vector3 = tuple[Number, Number, Number]


def explain(error: ValidationError) -> list[str]:
    """One line per problem: key path, what was expected, what was found."""
    return [_line(problem) for problem in error.errors(include_url=False)]


def _line(problem: ErrorDetails) -> str:
    """One problem as `key.path: expected, found`."""
    path = ""
    for part in problem["loc"]:
        if isinstance(part, int):
            path += f"[{part}]"
        elif part not in _TAGS or (part == "phase" and not path.endswith("gait")):
            # A union's tag is no key.
            path += f".{part}" if path else str(part)
    kind, context = problem["type"], problem.get("ctx", {})
    if kind == "value_error":  # our own validators name their keys themselves
        lines = str(context["error"]).splitlines()
        return "\n".join(_joined(path, line) for line in lines)
    if kind == "missing":
        return f"{path}: expected a value, found none"
    if kind == "extra_forbidden":
        return f"{path}: expected no such key, found {shown(problem['input'])}"
    if kind == "union_tag_not_found":
        key = context["discriminator"].strip("'")
        return f"{path}.{key}: expected one of the known kinds, found none"
    if kind == "union_tag_invalid":
        key = context["discriminator"].strip("'")
        return f"{path}.{key}: expected one of {context['expected_tags']}, found '{context['tag']}'"
    if kind == "string_pattern_mismatch" and context.get("pattern") == NAME_PATTERN:
        expected = "a name of letters, digits, '_', '.' and '-'"
        return (
            f"{path.removesuffix('.[key]')}: expected {expected}, found {shown(problem['input'])}"
        )
    expected = problem["msg"].removeprefix("Input should be ").removeprefix("Value should ")
    return f"{path}: expected {expected}, found {shown(problem['input'])}"


_TAGS = (
    *("reactive", "phase"),
    *("add", "multiply", "mask", "blend"),
    *("free", "ball", "hinge", "shoulder", "elbow", "wrist"),
    *("spline", "mouse", "command", "creature-body", "chain-tip"),
)
"""Kinds of gaits, layers, limits and targets; no key has such a name, but for a prop's phase."""

_KEYED = re.compile(r"[a-z_]+(\[\d+\])?(\.[a-z_]+(\[\d+\])?)*: ")


def _joined(path: str, text: str) -> str:
    """A problem below a path, whether or not its text begins with a key."""
    if not path:
        return text
    return f"{path}.{text}" if _KEYED.match(text) else f"{path}: {text}"


def shown(value: object) -> str:
    """A value as one short piece of text."""
    try:
        text = repr(value)
    except RecursionError:
        return "something too deep to show"
    return text if len(text) <= 60 else text[:57] + "..."
