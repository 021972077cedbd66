"""What all definitions share: strict frozen models, number types, readable errors."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from creature_sim.files.problems import NAME_PATTERN, Problem, problems_in


class Definition(BaseModel):
    """A frozen model that refuses unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with other values, which are not validated.

        What the original has cached is left behind: it may depend on what is replaced.
        """
        copied = super().model_copy(update=update, deep=deep)
        fields = type(self).model_fields
        if len(copied.__dict__) > len(fields):
            for name in copied.__dict__.keys() - fields.keys():
                del copied.__dict__[name]
        return copied


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
    return [str(problem) for problem in problems_of(error)]


def problems_of(error: ValidationError) -> list[Problem]:
    """The problems of a definition that is not valid."""
    models = (model for model in _all_below(Definition) if model.__name__ == error.title)
    return problems_in(error, next(models, None))


def _all_below(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for below in model.__subclasses__():
        yield below
        yield from _all_below(below)
