"""What all definitions share: strict frozen models, number types, readable errors."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError


class Definition(BaseModel):
    """A frozen model that refuses unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Positive = Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0.0, le=1e4)]
NotNegative = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0.0, le=1e4)]
Share = Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0.0, lt=1.0)]
Count = Annotated[int, Field(strict=True, ge=1)]
Name = Annotated[str, Field(strict=True, pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$", max_length=64)]
Vector2 = tuple[Number, Number]
Vector3 = tuple[Number, Number, Number]


def explain(error: ValidationError) -> list[str]:
    """One line per problem: key path, what was expected, what was found."""
    return [_line(problem) for problem in error.errors(include_url=False)]


def _line(problem: Any) -> str:
    """One problem as `key.path: expected, found`."""
    path = ""
    for part in problem["loc"]:
        if isinstance(part, int):
            path += f"[{part}]"
        elif part not in ("reactive", "phase", *_TERRAIN_KINDS):  # a union's tag is no key
            path += f".{part}" if path else str(part)
    kind, context = problem["type"], problem.get("ctx", {})
    if kind == "value_error":  # our own validators name their keys themselves
        text = str(context["error"])
        return f"{path}: {text}" if path else text
    if kind == "missing":
        return f"{path}: expected a value, found none"
    if kind == "extra_forbidden":
        return f"{path}: expected no such key, found {_shown(problem['input'])}"
    if kind == "union_tag_not_found":
        return f"{path}.kind: expected one of the known kinds, found none"
    if kind == "union_tag_invalid":
        return f"{path}.kind: expected one of {context['expected_tags']}, found '{context['tag']}'"
    expected = problem["msg"].removeprefix("Input should be ").removeprefix("Value should ")
    return f"{path}: expected {expected}, found {_shown(problem['input'])}"


_TERRAIN_KINDS = ("flat", "hills", "slope", "stairs", "steps")


def _shown(value: object) -> str:
    """A value as one short piece of text."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
