"""Reads a ground with the model of its kind: the types of the fields that hold one.

A field's JSON Schema lists all built-in kinds that it takes.
"""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter, ValidationError
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from creature_sim.errors import DefinitionError
from creature_sim.files.definition import Definition
from creature_sim.files.problems import ProblemsError, problems_in, shown, wrong_kind
from creature_sim.terrain.ground import Boundless, GroundDef
from creature_sim.terrain.kind import TerrainKind
from creature_sim.terrain.plugins import plugin_names
from creature_sim.terrain.registry import built_in, find_kind, is_kind

_is_nested = ContextVar("_is_nested", default=False)


class GroundField:
    """Tells pydantic how to read a field that holds a ground."""

    def __init__(self, why_not: Callable[[TerrainKind[Any]], str], *, is_whole: bool) -> None:
        """Say which kinds the field takes.

        Args:
            why_not: of a kind, "expected, found" if the field does not take it; else empty.
            is_whole: whether it is the whole ground of a world, which may be endless.
        """
        self._why_not, self._is_whole = why_not, is_whole

    def __get_pydantic_core_schema__(
        self, _source: object, _handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """How the field is validated; what it holds writes itself."""
        return core_schema.no_info_plain_validator_function(self._read)

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """A union of all built-in kinds that the field takes, told apart by `kind`."""
        models = {name: kind.model for name, kind in built_in().items() if not self._why_not(kind)}
        references = {name: _reference(model) for name, model in models.items()}
        union: CoreSchema = core_schema.tagged_union_schema(references, "kind")
        if _is_nested.get():  # the outermost ground writes all models out
            return handler(union)
        token = _is_nested.set(True)
        try:
            schemas = [model.__pydantic_core_schema__ for model in models.values()]
            return handler(core_schema.definitions_schema(union, schemas))
        finally:
            _is_nested.reset(token)

    def _read(self, value: object) -> Definition:
        """The ground of a table, or of a model; ValueError says what is wrong with its kind."""
        if not isinstance(value, Mapping | Definition):
            raise ValueError(f"expected a table, found {shown(value)}")
        keys = value if isinstance(value, Mapping) else vars(value)
        name, is_endless = keys.get("kind"), keys.get("endless", False)
        if not isinstance(name, str) or not is_kind(name):
            known = [other for other in built_in() if not self._why_not(built_in()[other])]
            known += plugin_names()
            raise ValueError(f"kind: {wrong_kind(keys, 'kind', known)}")
        try:
            kind = find_kind(name)
        except DefinitionError as error:
            raise ValueError(str(error)) from None
        problem = self._why_not(kind)
        if problem:
            raise ValueError(f"kind: {problem}")
        if is_endless and not issubclass(kind.model, Boundless):
            goes_on = ", ".join(
                name for name, other in built_in().items() if issubclass(other.model, Boundless)
            )
            raise ValueError(
                f"endless: expected a kind that goes on ({goes_on}, or a plugin's SmoothGround), "
                f"found {name!r}, {kind.ends}"
            )
        if is_endless and not self._is_whole:
            raise ValueError("endless: expected on the whole ground, found on a part of it")
        try:
            ground: Definition = kind.model.model_validate(value)
        except ValidationError as error:
            raise ProblemsError(problems_in(error, kind.model)) from None
        return ground


def _reference(model: type[Definition]) -> CoreSchema:
    """A schema that stands for a model's."""
    schema = model.__pydantic_core_schema__
    if schema["type"] == "definitions":
        schema = schema["schema"]
    name = schema["schema_ref"] if schema["type"] == "definition-ref" else schema["ref"]
    return core_schema.definition_reference_schema(name)


def _not_smooth(kind: TerrainKind[Any]) -> str:
    if kind.heights is not None:
        return ""
    smooth = ", ".join(name for name, other in built_in().items() if other.heights is not None)
    return (
        f"expected a ground without edges ({smooth}), found {kind.name!r}, which has edges and "
        "cannot be layered"
    )


def _not_a_patch(kind: TerrainKind[Any]) -> str:
    if kind.in_patches:
        return ""
    return (
        "expected a ground that is neither of patches nor a mesh, nor has undersides, found "
        f"{kind.name!r}"
    )


def _any_kind(_kind: TerrainKind[Any]) -> str:
    return ""


SmoothDef = Annotated[GroundDef, GroundField(_not_smooth, is_whole=False)]
"""Ground without edges: heights at nodes."""

PatchDef = Annotated[GroundDef, GroundField(_not_a_patch, is_whole=False)]
"""Ground of a patch."""

TerrainDef = Annotated[GroundDef, GroundField(_any_kind, is_whole=True)]
"""Ground of a world."""

_READER: TypeAdapter[GroundDef] = TypeAdapter(TerrainDef)


def read_ground(table: Mapping[str, object]) -> GroundDef:
    """The ground of a table `[terrain]`; pydantic's ValidationError says what is wrong with it."""
    return _READER.validate_python(table)
