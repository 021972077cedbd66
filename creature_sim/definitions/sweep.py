"""A sweep: many runs, over creatures, worlds, seeds, drives and any key of their files."""

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from creature_sim.definitions.drive import parse_drive
from creature_sim.errors import DefinitionError
from creature_sim.files.definition import Definition
from creature_sim.files.problems import Problem, ProblemsError

MAX_VALUES = 100_000
"""Largest number of values of one axis."""

Text = Annotated[str, Field(strict=True, min_length=1, max_length=4096)]
Texts = Annotated[tuple[Text, ...], Field(min_length=1, max_length=MAX_VALUES)]
Seed = Annotated[int, Field(strict=True, ge=0, lt=2**63)]
Seeds = Annotated[tuple[Seed, ...], Field(min_length=1, max_length=MAX_VALUES)]


class GridDef(Definition):
    """Axes of a grid: every combination of their values is a run."""

    creatures: Texts | None = Field(
        None, description="built-in names or files; if not written, the worlds' own creatures"
    )
    worlds: Texts | None = Field(None, description="built-in names or files")
    seeds: Annotated[int, Field(strict=True, ge=1, le=MAX_VALUES)] | Seeds | None = Field(
        None, description="a list, or N for 0 to N - 1; if not written, the worlds' own"
    )
    drives: Texts | None = Field(
        None, description="as `run --drive` takes them; if not written, the worlds' own"
    )
    creature: dict[str, Any] = Field(
        default_factory=dict, description="keys of the creatures' files, with lists of values"
    )
    world: dict[str, Any] = Field(
        default_factory=dict, description="keys of the worlds' files, with lists of values"
    )

    @field_validator("drives")
    @classmethod
    def _drives_are_valid(cls, value: tuple[str, ...] | None) -> tuple[str, ...] | None:
        problems = []
        for index, drive in enumerate(value or ()):
            try:
                parse_drive(drive)
            except DefinitionError as error:
                problems.append(Problem((index,), str(error)))
        if problems:
            raise ProblemsError(problems)
        return value


class SweepDef(GridDef):
    """A grid, or a list of grids that share what they do not write themselves."""

    seconds: Annotated[float, Field(strict=True, gt=0.0, le=86_400.0)] = Field(
        20.0, description="length of every run"
    )
    replays: Literal["none", "failed", "all"] = Field(
        "none", description="which runs are kept as replays; failed: those with a failed metric"
    )
    runs: Annotated[tuple[GridDef, ...], Field(max_length=MAX_VALUES)] = Field(
        (), description="grids, each with keys that count instead of those above"
    )
