"""What a SWEEP.toml asks for: every run by its number, and the world of each."""

import hashlib
from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from pydantic import ValidationError

from creature_sim.definitions import WorldDef
from creature_sim.definitions.sweep import GridDef, SweepDef
from creature_sim.errors import DefinitionError
from creature_sim.files.definition import problems_of
from creature_sim.files.fields import Keys
from creature_sim.files.lines import located
from creature_sim.files.problems import Problem, problem_in
from creature_sim.files.toml import read_toml
from creature_sim.lab.sweeps.sources import Sources
from creature_sim.library.changes import Change
from creature_sim.library.loader import Kind
from creature_sim.library.variants import with_creature, with_seed
from creature_sim.simulation import MATH_PROFILE

MAX_RUNS = 1_000_000

Axes = Mapping[tuple[str, ...], tuple[Any, ...]]
"""The values of keys of files, by the root, "creature" or "world", and the path."""


class Point(NamedTuple):
    """One run of a sweep.

    Attributes:
        creature: its name or file; None: those of the world.
        world: its name or file.
        seed: None: that of the world.
        drive: None: that of the world.
        changes: values of keys, by "creature" or "world" and the path in the file.
    """

    creature: str | None
    world: str
    seed: int | None
    drive: str | None
    changes: tuple[Change, ...]

    def changes_of(self, root: Kind) -> tuple[Change, ...]:
        """Those of the creature's file, or of the world's."""
        return tuple((path[1:], value) for path, value in self.changes if path[0] == root)


class Grid(NamedTuple):
    """Every combination of some values; the last axis varies first."""

    creatures: tuple[str | None, ...]
    worlds: tuple[str, ...]
    seeds: tuple[int | None, ...]
    drives: tuple[str | None, ...]
    axes: Axes

    @property
    def size(self) -> int:
        """Number of points."""
        return prod(map(len, (*self[:4], *self.axes.values())))

    def points(self) -> Iterator[Point]:
        """All points."""
        for creature, world, seed, drive, *values in product(*self[:4], *self.axes.values()):
            yield Point(creature, world, seed, drive, tuple(zip(self.axes, values, strict=True)))


class Plan:
    """The runs of a sweep.

    Attributes:
        definition: what the file says.
        points: all runs in order; none is there twice.
        keys: a name for each run, equal only where all that it depends on is.
    """

    def __init__(self, path: Path, definition: SweepDef) -> None:
        """Work out the runs.

        Raises:
            DefinitionError: a key or a value does not fit, and where in the file it stands.
        """
        self.definition = definition
        self._sources = Sources(path)
        grids = _grids(path, definition)
        count = sum(grid.size for _, grid in grids)
        if count > MAX_RUNS:
            raise DefinitionError(f"{path}: expected at most {MAX_RUNS:,} runs, found {count:,}")
        for above, grid in grids:
            _check(path, above, grid, self._sources)
        found: dict[str, Point] = {}
        for _, grid in grids:
            for point in grid.points():
                found.setdefault(self._key(point), point)
        self.keys, self.points = tuple(found), tuple(found.values())

    def world(self, point: Point) -> WorldDef:
        """The world of a run; DefinitionError if the values of its keys do not go together."""
        world = self._sources.world(point.world, point.changes_of("world"))
        if point.creature is not None:
            changes = point.changes_of("creature")
            world = with_creature(world, self._sources.creature(point.creature, changes))
        if point.seed is not None:
            world = with_seed(world, point.seed)
        if point.drive is not None:
            world = world.model_copy(update={"driver": point.drive})
        return world

    def _key(self, point: Point) -> str:
        creature = point.creature and self._sources.digest("creature", point.creature)
        world = self._sources.digest("world", point.world)
        what = (creature, world, *point[2:], self.definition.seconds)
        return hashlib.blake2b(orjson.dumps((what, MATH_PROFILE)), digest_size=10).hexdigest()


def read_plan(path: Path) -> Plan:
    """The runs that a file asks for; DefinitionError says all that is wrong with it."""
    table = read_toml(path)
    try:
        definition = SweepDef.model_validate(table)
    except ValidationError as error:
        raise DefinitionError(located(path, problems_of(error))) from None
    return Plan(path, definition)


def _grids(path: Path, definition: SweepDef) -> list[tuple[Keys, Grid]]:
    """The grids of a file, each with the keys above its own."""
    if not definition.runs:
        return [((), _grid(path, (), definition))]
    found: list[tuple[Keys, Grid]] = []
    for index, own in enumerate(definition.runs):
        merged: dict[str, Any]
        merged = {name: getattr(definition, name) for name in GridDef.model_fields}
        merged |= {name: getattr(own, name) for name in own.model_fields_set}
        for root in ("creature", "world"):
            merged[root] = _merged(getattr(definition, root), getattr(own, root))
        above = ("runs", index)
        found.append((above, _grid(path, above, GridDef.model_construct(**merged))))
    return found


def _merged(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Tables of tables, in which the second one counts."""
    found = dict(base)
    for key, value in own.items():
        below = found.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            value = _merged(below, value)
        found[key] = value
    return found


def _grid(path: Path, above: Keys, of: GridDef) -> Grid:
    problems = []
    if of.worlds is None:
        problems.append(
            Problem((*above, "worlds"), "expected names or files of worlds, found none")
        )
    if of.creatures is None and of.creature:
        text = "expected the names or files of creatures whose keys these are, found none"
        problems.append(Problem((*above, "creatures"), text))
    axes = dict([*_leaves(("creature",), of.creature), *_leaves(("world",), of.world)])
    for keys, values in axes.items():
        if not values:
            text = "expected a list of at least 1, found 0"
            problems.append(Problem((*above, *keys), text))
    if problems:
        raise DefinitionError(located(path, problems))
    seeds = tuple(range(of.seeds)) if isinstance(of.seeds, int) else of.seeds
    return Grid(
        of.creatures or (None,), of.worlds or (), seeds or (None,), of.drives or (None,), axes
    )


def _leaves(
    above: tuple[str, ...], table: Mapping[str, Any]
) -> Iterator[tuple[tuple[str, ...], tuple[Any, ...]]]:
    """The paths of all that is no table, and the values there; what is no list is one value."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _leaves((*above, key), value)
        else:
            yield (*above, key), tuple(value) if isinstance(value, list) else (value,)


def _check(path: Path, above: Keys, grid: Grid, sources: Sources) -> None:
    """Refuse files that cannot be read, and values that do not fit where the others are first."""
    problems: list[Problem] = []
    named: dict[Kind, tuple[str, ...]] = {
        "creature": tuple(filter(None, grid.creatures)),
        "world": grid.worlds,
    }
    for kind, references in named.items():
        for index, reference in enumerate(references):
            try:
                sources.load(kind, reference)
            except DefinitionError as error:
                problems.append(Problem((*above, f"{kind}s", index), str(error)))
    if problems:
        raise DefinitionError(located(path, problems))
    first = {keys: values[0] for keys, values in grid.axes.items()}
    for keys, values in grid.axes.items():
        kind = "creature" if keys[0] == "creature" else "world"
        others = {one: first[one] for one in first if one[0] == kind}
        for index, value in enumerate(values):
            changes = [(one[1:], found) for one, found in (others | {keys: value}).items()]
            for reference in dict.fromkeys(named[kind]):
                try:
                    sources.load(kind, reference, changes)
                except DefinitionError as error:
                    problems += _problems(above, keys, index, str(error))
    if problems:
        raise DefinitionError(located(path, problems))


def _problems(above: Keys, keys: tuple[str, ...], index: int, error: str) -> Iterator[Problem]:
    """What is wrong with a value of a key, where it stands in the sweep's file."""
    for line in error.splitlines():
        problem = problem_in(line)
        if tuple(map(str, problem.keys)) != keys[1:]:
            yield Problem((*above, *keys, index), line)
        elif "no such key" in problem.text:
            yield Problem((*above, *keys), problem.text)
        else:
            yield Problem((*above, *keys, index), problem.text)
