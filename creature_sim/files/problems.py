"""What is wrong with a definition, in our words: pydantic finds it, and says none of it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, time
from typing import Any, NamedTuple, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType

from creature_sim.files.fields import (
    Keys,
    fields_of,
    follow,
    kind_of,
    length_of,
    places_of,
    tags_of,
    what_is,
)
from creature_sim.files.hints import hint, near

NAME_PATTERN = r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$"
COLOUR_PATTERN = r"^#[0-9a-fA-F]{6}$"
DIGEST_PATTERN = r"^[0-9a-f]{32}$"


class Problem(NamedTuple):
    """One thing that is wrong.

    Attributes:
        keys: of what is wrong; empty: all of it.
        text: what was expected, and what was found.
    """

    keys: Keys
    text: str

    def __str__(self) -> str:
        """As `table.list[2].key: expected, found`."""
        return self.said()

    def said(self, name: str = "") -> str:
        """The same with a name behind the path."""
        return f"{path_of(self.keys)}{name}: {self.text}" if self.keys else self.text


class ProblemsError(ValueError):
    """What validators raise who know their keys."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        """Keep the problems; their keys begin where the validator does."""
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


def path_of(keys: Keys) -> str:
    """Keys as `table.list[2].key`; a key that is not bare stands in quotes, as in TOML."""
    path = ""
    for key in keys:
        if isinstance(key, int):
            path += f"[{key}]"
        else:
            path += f".{_key(key)}" if path else _key(key)
    return path


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else shown(name)


_PATH = re.compile(r"([a-z_]+(?:\[\d+\])*(?:\.[a-z_]+(?:\[\d+\])*)*): ")


def problem_in(line: str) -> Problem:
    """The problem of a line that may begin with a path."""
    found = _PATH.match(line)
    if not found:
        return Problem((), line)
    keys = [
        int(index) if index else name for name, index in re.findall(r"([a-z_]+)|(\d+)", found[1])
    ]
    return Problem(tuple(keys), line[found.end() :])


def problems_in(error: ValidationError, model: type[BaseModel] | None) -> list[Problem]:
    """What an error of a model holds, in the order of its fields."""
    details = error.errors(include_url=False)
    extra = [detail for detail in details if detail["type"] == "extra_forbidden"]
    meant = {
        (*detail["loc"][:-1], name)
        for detail in extra
        for name in near(detail["loc"][-1], fields_of(follow(model, detail["loc"][:-1]).type))
    }
    spots = {follow(model, detail["loc"]).keys for detail in details}
    choices: dict[Keys, list[str]] = {}
    found: list[Problem] = []
    for detail in details:
        if detail["type"] == "missing" and detail["loc"] in meant:
            continue  # its misspelt key is named
        if detail["type"] == "too_short" and _is_long(detail):
            continue  # pydantic counts only the elements that are right; the others are named
        spot = follow(model, detail["loc"])
        if not spot.is_choice:
            found += _problems(detail, spot.keys, model)
            continue
        if any(keys[: len(spot.keys)] == spot.keys != keys for keys in spots):
            continue  # it is a list as it may be, and what is wrong in it is named
        if spot.keys not in choices:
            choices[spot.keys] = []
            found.append(Problem(spot.keys, shown(detail["input"])))
        choices[spot.keys].append(_expected(detail))
    return [
        Problem(keys, f"expected {' or '.join(choices[keys])}, found {text}")
        if keys in choices
        else Problem(keys, text)
        for keys, text in found
    ]


def _problems(detail: ErrorDetails, keys: Keys, model: type[BaseModel] | None) -> Iterable[Problem]:
    """One error of pydantic's as problems; a validator of ours may have found several."""
    kind, context = detail["type"], detail.get("ctx", {})
    if kind in ("value_error", "assertion_error") or kind not in get_args(ErrorType):
        raised = _raised(context.get("error", detail["msg"]))
        return [Problem((*keys, *below.keys), below.text) for below in raised]
    if kind == "missing":
        return [_missing(detail, keys, model)]
    if kind == "extra_forbidden":
        return [Problem(keys, _extra(detail, model))]
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        tag_key = context["discriminator"].strip("'")
        return [Problem((*keys, tag_key), _untagged(detail, tag_key, model))]
    expected, found = _expected(detail), shown(detail["input"])
    if kind in ("too_short", "too_long") and not isinstance(detail["input"], str):
        count = context.get("actual_length")
        found = "more" if count is None else str(count)
    if kind == "literal_error":
        names = re.findall(r"'([^']*)'", context["expected"])
        if near(detail["input"], names):
            found += hint(detail["input"], names)
    if expected == "a table" and detail["input"] is True and len(keys) == 1:
        found += f"; write a table [{keys[0]}] instead"
    return [Problem(keys, f"expected {expected}, found {found}")]


def _is_long(detail: ErrorDetails) -> bool:
    """Whether a list that is called too short has as many elements as it needs."""
    found = detail["input"]
    return isinstance(found, list | tuple) and len(found) >= detail["ctx"]["min_length"]


def _raised(error: object) -> Sequence[Problem]:
    """What a validator says."""
    if isinstance(error, ProblemsError):
        return error.problems
    return [problem_in(line) for line in str(error).splitlines()] or [
        Problem((), "expected a valid value, found another")
    ]


def _missing(detail: ErrorDetails, keys: Keys, model: type[BaseModel] | None) -> Problem:
    count = length_of(follow(model, detail["loc"][:-1]).type)
    if count is None:
        return Problem(keys, f"expected {what_is(follow(model, detail['loc']).type)}, found none")
    return Problem(keys[:-1], f"expected {count} values, found {shown(detail['input'])}")


def _extra(detail: ErrorDetails, model: type[BaseModel] | None) -> str:
    """What a key may stand for that is not one of its table's."""
    table = follow(model, detail["loc"][:-1]).type
    key, known = detail["loc"][-1], fields_of(table)
    text = f"expected no such key{kind_of(table)}, found {shown(detail['input'])}"
    if not near(key, known) and model is not None:
        places = list(places_of(str(key), model))
        if places:
            return f"{text}; did you mean {' or '.join(places)}?"
    return text + hint(key, known)


def _untagged(detail: ErrorDetails, tag_key: str, model: type[BaseModel] | None) -> str:
    """What is wrong with a `kind`, whether it is unknown, of another type or not there."""
    table, context = detail["input"], detail.get("ctx", {})
    names = re.findall(r"'([^']*)'", context.get("expected_tags", ""))
    names = names or tags_of(follow(model, detail["loc"]).type, tag_key)
    return wrong_kind(table if isinstance(table, Mapping) else {}, tag_key, names)


def wrong_kind(table: Mapping[Any, object], key: str, known: Iterable[str]) -> str:
    """What is wrong with the `kind` of a table, as "expected, found"."""
    if table.get(key) is not None:
        return f"expected a known one, found {shown(table[key])}{hint(table[key], known)}"
    meant = near(key, [name for name in table if isinstance(name, str)])
    text = "expected a known one, found none"
    return f"{text}; did you mean it by {meant[0]}?" if meant else text + hint(None, known)


def _expected(detail: ErrorDetails) -> str:
    """What was expected instead of a value."""
    words = EXPECTED.get(detail["type"], "a valid value")
    return words if isinstance(words, str) else words(detail.get("ctx", {}))


def _pattern(context: Mapping[str, Any]) -> str:
    known = {
        NAME_PATTERN: "a name of letters, digits, '_', '.' and '-'",
        COLOUR_PATTERN: "a colour like '#c8673c'",
        DIGEST_PATTERN: "32 hexadecimal digits",
    }
    pattern = context["pattern"]
    return known.get(pattern, f"text of the form {pattern}")


def _limit(words: str, key: str) -> Callable[[Mapping[str, Any]], str]:
    def expected(context: Mapping[str, Any]) -> str:
        limit = context[key]
        return f"{words} {limit:g}" if isinstance(limit, float) else f"{words} {limit}"

    return expected


EXPECTED: dict[str, str | Callable[[Mapping[str, Any]], str]] = {
    **dict.fromkeys(("bool_type", "bool_parsing"), "true or false"),
    **dict.fromkeys(
        ("int_type", "int_parsing", "int_parsing_size", "int_from_float"), "a whole number"
    ),
    **dict.fromkeys(("float_type", "float_parsing"), "a number"),
    "finite_number": "a finite number",
    **dict.fromkeys(("string_type", "string_sub_type", "string_unicode"), "text"),
    **dict.fromkeys(("tuple_type", "list_type", "iterable_type"), "a list"),
    **dict.fromkeys(
        ("dict_type", "mapping_type", "model_type", "model_attributes_type"), "a table"
    ),
    "recursion_loop": "a table that does not hold itself",
    "invalid_key": "a name as key",
    "none_required": "none",
    "literal_error": lambda context: str(context["expected"]),
    "greater_than": _limit("more than", "gt"),
    "greater_than_equal": _limit("at least", "ge"),
    "less_than": _limit("less than", "lt"),
    "less_than_equal": _limit("at most", "le"),
    "too_short": _limit("a list of at least", "min_length"),
    "too_long": _limit("a list of at most", "max_length"),
    "string_too_short": _limit("text of a length of at least", "min_length"),
    "string_too_long": _limit("text of a length of at most", "max_length"),
    "string_pattern_mismatch": _pattern,
}
"""What was expected, by pydantic's type of error; a function makes it from the error's context."""


def shown(value: object) -> str:
    """A value as one short piece of text, as TOML writes it."""
    try:
        text = _toml(value)
    except RecursionError:
        return "something too deep to show"
    except ValueError:
        return "a number too long to show"
    return text if len(text) <= 60 else text[:57] + "..."


def _toml(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(part) for part in value[:60])}]"
    if isinstance(value, Mapping):
        parts = [f"{_key(str(key))} = {_toml(part)}" for key, part in [*value.items()][:20]]
        return f"{{{', '.join(parts)}}}"
    return repr(value)
