"""Follows the location of an error through a model: which of its parts are keys of the file."""

from collections.abc import Iterator, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

Keys = tuple[str | int, ...]
"""Where something stands in a file: names in tables, positions in lists."""


class Spot(NamedTuple):
    """Where a location leads to.

    Attributes:
        keys: without the tags that pydantic puts between them.
        type: what is read there; None: unknown.
        is_choice: whether a value of several types is read there, and this is one of them.
    """

    keys: Keys
    type: Any
    is_choice: bool


def follow(model: type[BaseModel] | None, location: Sequence[str | int]) -> Spot:
    """Where a location of pydantic's leads to in a model."""
    found: Any = model
    keys: list[str | int] = []
    is_choice = False
    for part in location:
        bare, tag_key = _bare(found)
        if part == "[key]":  # the name itself is wrong, not what it stands for
            found = None
        elif tag_key:
            found = _tagged(bare, tag_key, str(part))
        elif _is_union(bare):
            found, is_choice = None, True
        elif isinstance(bare, type) and issubclass(bare, BaseModel):
            keys.append(part)
            found = bare.model_fields.get(str(part))
        elif get_origin(bare) is dict:
            keys.append(part)
            found = get_args(bare)[1]
        else:
            keys.append(part)
            found = _item(bare, part)
    return Spot(tuple(keys), _bare(found)[0], is_choice)


def fields_of(found: Any) -> list[str]:  # noqa: ANN401 - an annotation is of any type
    """Keys of the table that is read as a type; none if it is no table."""
    is_table = isinstance(found, type) and issubclass(found, BaseModel)
    return list(found.model_fields) if is_table else []


def kind_of(found: Any) -> str:  # noqa: ANN401 - an annotation is of any type
    """What tells a table from others that may stand in its place, as " of kind 'ball'"; or ""."""
    for name in fields_of(found):
        kinds = get_args(found.model_fields[name].annotation)
        if get_origin(found.model_fields[name].annotation) is Literal and len(kinds) == 1:
            return f" of {name} {kinds[0]!r}"
    return ""


def length_of(found: Any) -> int | None:  # noqa: ANN401 - an annotation is of any type
    """How many values a list of fixed length has; None for all else."""
    parts = get_args(found) if get_origin(found) is tuple else ()
    return len(parts) if parts and parts[-1] is not ... else None


def what_is(found: Any) -> str:  # noqa: ANN401 - an annotation is of any type
    """What a file has to have where a value of a type is read."""
    bare, tag_key = _bare(found)
    origin, parts = get_origin(bare) or bare, get_args(bare)
    if origin is Literal:
        *others, last = map(repr, parts)
        return f"{', '.join(others)} or {last}" if others else last
    if tag_key:
        return "a table"
    if _is_union(bare):
        return " or ".join(dict.fromkeys(map(what_is, parts)))
    if not isinstance(origin, type):
        return "a value"
    if count := length_of(bare):
        return f"a list of {count} values"
    if issubclass(origin, BaseModel):
        return "a table"
    return _WORDS.get(origin, "a value")


_WORDS: dict[type, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    tuple: "a list",
    list: "a list",
    dict: "a table",
}


def places_of(key: str, model: type[BaseModel]) -> Iterator[str]:
    """Where a file has a key: at its top, and in its tables."""
    if key in model.model_fields:
        is_table = fields_of(_bare(model.model_fields[key])[0])
        yield f"[{key}]" if is_table else f"{key} at the top of the file, above all tables"
    for name, field in model.model_fields.items():
        if key in fields_of(_bare(field)[0]):
            yield f"{name}.{key}"


def _bare(found: Any) -> tuple[Any, str]:  # noqa: ANN401 - an annotation is of any type
    """An annotation without what stands around its type, and the key that tells its kinds apart."""
    tag_key = ""
    while True:
        if isinstance(found, FieldInfo):
            tag_key = _tag_key(found) or tag_key
            found = found.annotation
        elif get_origin(found) is Annotated:
            found, *others = get_args(found)
            for other in others:
                if isinstance(other, FieldInfo):
                    tag_key = _tag_key(other) or tag_key
        elif _is_union(found) and NoneType in get_args(found):
            rest = tuple(part for part in get_args(found) if part is not NoneType)
            found = Union[rest]  # noqa: UP007 - of a list of types
        else:
            return found, tag_key


def _tag_key(field: FieldInfo) -> str:
    return field.discriminator if isinstance(field.discriminator, str) else ""


def _is_union(found: object) -> bool:
    return get_origin(found) in (Union, UnionType)


def tags_of(union: object, tag_key: str) -> list[str]:
    """What tells the members of a union apart, in order."""
    fields = (getattr(member, "model_fields", {}).get(tag_key) for member in get_args(union))
    return [name for field in fields if field for name in get_args(field.annotation)]


def _tagged(union: object, tag_key: str, tag: str) -> object:
    """The member of a union that a tag stands for."""
    for member in get_args(union):
        field = getattr(member, "model_fields", {}).get(tag_key)
        if field is not None and tag in get_args(field.annotation):
            return member
    return None


def _item(found: object, part: str | int) -> object:
    """What a list holds at a position."""
    parts = get_args(found) if get_origin(found) is tuple else ()
    if not parts or not isinstance(part, int):
        return None
    if parts[-1] is ...:
        return parts[0]
    return parts[part] if part < len(parts) else None
