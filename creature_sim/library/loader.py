"""TOML files to definitions; built-in ones are found by name, all others by path."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from pydantic import ValidationError

from creature_sim.definitions import CreatureDef, PlacementDef, WorldDef
from creature_sim.definitions.objective import ObjectiveDef
from creature_sim.definitions.sweep import SweepDef
from creature_sim.errors import DefinitionError, TerrainError
from creature_sim.files.definition import Definition, problems_of
from creature_sim.files.hints import hint
from creature_sim.files.lines import is_in, located
from creature_sim.files.problems import Problem, problem_in, shown
from creature_sim.files.toml import read_toml
from creature_sim.library.changes import Change, changed
from creature_sim.library.skins import Shown, with_model
from creature_sim.maths import Floats
from creature_sim.terrain import DataDef, TerrainDef
from creature_sim.terrain.files.imports import imports_of, with_data, with_imports

Kind = Literal["world", "creature"]
FileKind = Literal["world", "creature", "sweep", "objective"]
"""Files that have a schema."""
Model = TypeVar("Model", bound=Definition)

_LIBRARY = Path(__file__).parent
_MODELS: dict[FileKind, type[Definition]] = {
    "world": WorldDef,
    "creature": CreatureDef,
    "sweep": SweepDef,
    "objective": ObjectiveDef,
}


def builtin_folder(kind: Kind) -> Path:
    """Folder of the built-in definitions."""
    if kind == "creature":
        return _LIBRARY / "creatures"
    packaged = _LIBRARY / "worlds"  # in a wheel; in a checkout they stand at the top
    return packaged if packaged.is_dir() else _LIBRARY.parent.parent / "worlds"


def builtin_names(kind: Kind) -> list[str]:
    """Names of the built-in worlds or creatures, sorted."""
    return sorted(path.stem for path in builtin_folder(kind).glob("*.toml"))


def builtin_models() -> dict[str, Path]:
    """Files of the built-in rigged models by name, sorted."""
    return {path.stem: path for path in sorted((_LIBRARY / "models").glob("*.glb"))}


def evolved_folder() -> Path:
    """Folder of the creatures that `creature-sim evolve` has found, which have names, too."""
    return _LIBRARY / "evolved"


def evolved_names() -> list[str]:
    """Names of those creatures, sorted."""
    return sorted(path.stem for path in evolved_folder().glob("*.toml"))


def packaged_names(kind: Kind) -> list[str]:
    """Names of all definitions that come with the package."""
    return builtin_names(kind) + (evolved_names() if kind == "creature" else [])


def objective_folder() -> Path:
    """Folder of the built-in objectives."""
    return _LIBRARY / "objectives"


def objective_names() -> list[str]:
    """Names of the built-in objectives, sorted."""
    return sorted(path.stem for path in objective_folder().glob("*.toml"))


def schema_path(kind: FileKind) -> Path:
    """File of the JSON Schema that editors complete files with."""
    return _LIBRARY / "schemas" / f"{kind}.json"


def schema_text(kind: FileKind) -> str:
    """JSON Schema of a file, made from its model."""
    return json.dumps(_MODELS[kind].model_json_schema(), indent=2) + "\n"


def summary_of(kind: Kind, name: str) -> str:
    """The first comment of a definition that comes with the package."""
    for line in _find(kind, name, Path()).read_text().splitlines():
        if line.startswith("# "):
            return line[2:]
    return ""


def load_creature(reference: str | Path, changes: Sequence[Change] = ()) -> CreatureDef:
    """Read a creature by built-in name or path; DefinitionError says all that is wrong.

    Args:
        reference: a name or a path.
        changes: values at keys of the file instead of its own.
    """
    path = _find("creature", reference, Path())
    return _with_model(_read(CreatureDef, path, changes), path)


def load_world(reference: str | Path, changes: Sequence[Change] = ()) -> WorldDef:
    """Read a world by built-in name or path, with the creatures it names.

    Creatures are looked up in the world's own `species`, then among the built-in ones, then as
    paths beside the world's file. The result holds every species it needs, and what the terrain
    needs of other files.

    Args:
        reference: a name or a path.
        changes: values at keys of the file instead of its own.
    """
    path = _find("world", reference, Path())
    world = _read(WorldDef, path, changes)
    species, keys, _ = _resolved(world, path)
    placed = tuple(
        placement.model_copy(update={"creature": keys[_asked(placement)], "climb": False})
        for placement in world.creatures
    )
    return world.model_copy(
        update={
            "species": species,
            "creatures": placed,
            "terrain": _with_data(world, path),
            "chains": _with_models(world.chains, path, "chains"),
            "trees": _with_models(world.trees, path, "trees"),
        }
    )


@contextmanager
def located_in(reference: str | Path, kind: Kind = "world") -> Iterator[None]:
    """A block whose errors about keys of a file, if it is the user's own, say its lines."""
    try:
        yield
    except (DefinitionError, TerrainError) as error:
        problems = [problem_in(line) for line in str(error).splitlines()]
        for path in files_of(kind, reference)[:1]:
            if all(is_in(path, problem) for problem in problems):
                raise type(error)(located(path, problems)) from None
        raise


class Written(NamedTuple):
    """Where a definition of a creature is written: a file, and the keys of its table in it."""

    path: Path
    keys: tuple[str, ...] = ()


def written_species(reference: str | Path) -> dict[str, Written]:
    """Where every species of a world is written, by its key in the resolved world."""
    path = _find("world", reference, Path())
    return _resolved(_read(WorldDef, path), path)[2]


def written_creature(reference: str | Path) -> Written:
    """Where a creature is written."""
    return Written(_find("creature", reference, Path()))


Asked = tuple[str, bool]
"""What a placement names, and whether it shall climb."""


def _asked(placement: PlacementDef) -> Asked:
    """Which creature a placement of a world's file asks for."""
    return placement.creature, placement.climb


def _resolved(
    world: WorldDef, path: Path
) -> tuple[dict[str, CreatureDef], dict[Asked, str], dict[str, Written]]:
    """The species of a world's file by key; the key of all that is asked for; where it is written.

    Who is told to climb, and cannot by its own file, is a species of its own.
    """
    species = {
        name: _with_model(species, path, ("species", name))
        for name, species in world.species.items()
    }
    keys = {(name, False): name for name in world.species}
    written = {name: Written(path, ("species", name)) for name in world.species}
    for index, placement in enumerate(world.creatures):
        name = placement.creature
        if (name, False) not in keys:
            try:
                file = _find("creature", name, path.parent, world.species)
                if not file.is_file():
                    raise DefinitionError(
                        "expected a built-in creature or the path of a .toml file, "
                        f"found no file {file}"
                    )
                table = read_toml(file)
                if (kind := kind_of(table, "creature")) != "creature":
                    raise DefinitionError(
                        f"expected the file of a creature, found {shown(name)}, which is a {kind}"
                    )
            except DefinitionError as error:
                problem = Problem(("creatures", index, "creature"), str(error))
                raise DefinitionError(located(path, [problem])) from None
            creature = _with_model(_valid(CreatureDef, table, file), file)
            key = keys[name, False] = _free_key(creature.name, species)
            species[key] = creature
            written[key] = Written(file)
        if _asked(placement) not in keys:
            own = keys[name, False]
            key = own
            if not species[own].climb:
                climber = species[own].climbing
                key = _free_key(climber.name, species)
                species[key], written[key] = climber, written[own]
            keys[name, True] = key
    asked = {keys[_asked(placement)] for placement in world.creatures}
    for key in species.keys() - asked - world.species.keys():
        del species[key], written[key]  # it was read for those that climb
    return species, keys, written


def _with_model(shown: Shown, path: Path, keys: tuple[str | int, ...] = ()) -> Shown:
    """A creature, a chain or a tree, at some keys of a file, with its model."""
    if shown.model is None:
        return shown
    try:
        return with_model(shown, path.parent)
    except DefinitionError as error:
        at = [_below(keys, problem_in(line)) for line in str(error).splitlines()]
        raise DefinitionError(located(path, at)) from None


def _with_models(rigs: tuple[Shown, ...], path: Path, key: str) -> tuple[Shown, ...]:
    """Chains or trees of a world's file, with their models."""
    return tuple(_with_model(rig, path, (key, index)) for index, rig in enumerate(rigs))


def _below(keys: tuple[str | int, ...], problem: Problem) -> Problem:
    """A problem of what stands at some keys of a file."""
    return Problem((*keys, *problem.keys), problem.text)


def _with_data(world: WorldDef, path: Path) -> TerrainDef:
    """The terrain of a world's file, with the data that come from other files."""
    if not any(imports_of(world.terrain)):
        return world.terrain

    def read(definition: DataDef, nodes: Floats) -> DataDef:
        return with_data(definition, nodes, path.parent)

    try:
        return with_imports(world.terrain, read)
    except DefinitionError as error:
        raise DefinitionError(located(path, [problem_in(str(error))])) from None


def files_of(kind: Kind, reference: str | Path) -> list[Path]:
    """The user's own files that a definition is read from; a built-in one has none."""
    if str(reference) in packaged_names(kind) and not isinstance(reference, Path):
        return []
    path = _find(kind, reference, Path())
    found = [path]
    if kind == "world":
        world = _read(WorldDef, path)
        names = {placement.creature for placement in world.creatures} - world.species.keys()
        outside = sorted(names.difference(packaged_names("creature")))
        found += [_find("creature", name, path.parent) for name in outside]
        data = {ground.file for _, ground in imports_of(world.terrain)}
        found += [path.parent / file for file in sorted(data)]
    return [*found, *_models_of(found)]


def _models_of(paths: Iterable[Path]) -> Iterator[Path]:
    """The files of the models that files of worlds and creatures name."""
    for path in paths:
        if path.suffix != ".toml":
            continue
        table = read_toml(path)
        hung = *table.get("chains", ()), *table.get("trees", ())
        for one in (table, *table.get("species", {}).values(), *hung):
            model = one.get("model")
            if isinstance(model, dict) and "file" in model:
                yield path.parent / str(model["file"])


def _free_key(name: str, species: Mapping[str, CreatureDef]) -> str:
    """A name for a species that no other has."""
    key, number = name, 2
    while key in species:
        key, number = f"{name}-{number}", number + 1
    return key


def check(path: str | Path) -> WorldDef | CreatureDef:
    """Read and validate a file of either kind, which its keys tell."""
    file = Path(path)
    is_world = kind_of(read_toml(file), "creature") == "world"
    return load_world(file) if is_world else load_creature(file)


def kind_of(table: Mapping[str, Any], asked: FileKind) -> FileKind:
    """Of which kind a file is: that has most of its keys; of several what was asked for."""
    return max(
        _MODELS, key=lambda kind: (len(table.keys() & _MODELS[kind].model_fields), kind == asked)
    )


def file_of(kind: Kind, reference: str | Path) -> Path:
    """The file of a definition: one that comes with the package by its name, any other by path."""
    return _find(kind, reference, Path())


def _find(kind: Kind, reference: str | Path, folder: Path, others: Iterable[str] = ()) -> Path:
    """File of a definition: anything with a suffix or a slash is a path, anything else a name.

    Args:
        kind: of the definition.
        reference: a name or a path.
        folder: that a path begins in.
        others: names that may have been meant besides the built-in ones.
    """
    text = str(reference)
    if text.endswith(".toml") or "/" in text or isinstance(reference, Path):
        return folder / text
    if text in builtin_names(kind):
        return builtin_folder(kind) / f"{text}.toml"
    names = packaged_names(kind)
    if text in names:
        return evolved_folder() / f"{text}.toml"
    raise DefinitionError(
        f"expected a built-in {kind} or the path of a .toml file, "
        f"found {shown(text)}{hint(text, [*others, *names])}"
    )


def _read(model: type[Model], path: Path, changes: Sequence[Change] = ()) -> Model:
    """Parse and validate a file; what is wrong with a changed one has no line in it."""
    if changes:
        try:
            return model.model_validate(changed(_table(path, path.stat().st_mtime_ns), changes))
        except ValidationError as error:
            raise DefinitionError("\n".join(map(str, problems_of(error)))) from None
    return _valid(model, read_toml(path), path)


def _valid(model: type[Model], table: Mapping[str, Any], path: Path) -> Model:
    """Validate the table of a file."""
    if model is WorldDef and "plans" in table:
        problem = Problem(("plans",), "expected its new name, species, found plans")
        raise DefinitionError(located(path, [problem]))
    try:
        return model.model_validate(table)
    except ValidationError as error:
        raise DefinitionError(located(path, problems_of(error))) from None


@lru_cache(maxsize=16)
def _table(path: Path, stamp: int) -> Mapping[str, Any]:
    """The table of a file that is read with thousands of changes, as long as it stays as it is."""
    del stamp
    return read_toml(path)
