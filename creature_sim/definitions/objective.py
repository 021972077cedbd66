"""An objective: what a good walk is, as one number, and where it is looked for."""

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from creature_sim.definitions.drive import parse_drive
from creature_sim.definitions.sweep import Seeds, Text, Texts
from creature_sim.errors import DefinitionError
from creature_sim.files.definition import Definition, Number, Positive

MAX_TERMS = 100


class TermDef(Definition):
    """A number of a walk: between its worst and its best value it counts in proportion."""

    weight: Positive = Field(1.0, description="how much it counts beside the others")
    worst: Number = Field(description="value that counts nothing")
    best: Number = Field(description="value that counts all of the weight; what is better, no more")

    @model_validator(mode="after")
    def _has_a_direction(self) -> "TermDef":
        if self.worst == self.best:
            raise ValueError(f"best: expected another value than worst, found {self.best:g}")
        return self


class HeldOutDef(Definition):
    """Ground that is not tuned on: what is better only there where it was tuned, is not better."""

    worlds: Texts = Field(("slope",), description="names or files, run beside those tuned on")
    seeds: Seeds = Field((1001, 1002), description="of all worlds")


class ObjectiveDef(Definition):
    """The score of a creature: the mean of its terms, less 1 for every metric that failed."""

    drive: Text = Field("forward 600", description="as `run --drive` takes it")
    seconds: Annotated[float, Field(strict=True, ge=0.1, le=3600.0)] = Field(
        4.0, description="length of every run"
    )
    seeds: Seeds = Field((0,), description="of the worlds that it is tuned on")
    held_out: HeldOutDef = HeldOutDef()
    walls: Literal["all"] | tuple[Text, ...] = Field(
        "all",
        description="metrics that must not fail: all, or a list of their keys",
    )
    min_progress: Annotated[float, Field(strict=True, ge=0.0, le=1.0)] = Field(
        0.0,
        description="speed over that of the untuned creature's motion.speed; who comes less far "
        "fails all walls, for feet that hardly move have shown nothing",
    )
    terms: Annotated[dict[str, TermDef], Field(max_length=MAX_TERMS)] = Field(
        description="by the key of a metric; or `speed` [m/s], or `progress`: the speed over that "
        "of the untuned creature's motion.speed"
    )

    @field_validator("drive")
    @classmethod
    def _drive_is_valid(cls, value: str) -> str:
        try:
            parse_drive(value)
        except DefinitionError as error:
            raise ValueError(str(error)) from None
        return value

    @field_validator("terms")
    @classmethod
    def _has_terms(cls, value: dict[str, TermDef]) -> dict[str, TermDef]:
        if not value:
            raise ValueError("expected at least one metric, found none")
        return value
