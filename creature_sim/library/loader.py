"""TOML files to definitions; built-in ones are found by name, all others by path."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from pydantic import ValidationError

from creature_sim.definitions import CreatureDef, PlacementDef, WorldDef
from creature_sim.definitions.target import FARTHEST
from creature_sim.errors import DefinitionError, TerrainError
from creature_sim.files.definition import Definition, problems_of
from creature_sim.files.hints import hint
from creature_sim.files.lines import is_in, located
from creature_sim.files.problems import Problem, problem_in, shown
from creature_sim.files.toml import read_toml
from creature_sim.maths import Floats
from creature_sim.terrain import DataDef, TerrainDef
from creature_sim.terrain.files.imports import imports_of, with_data, with_imports

Kind = Literal["world", "creature"]
Model = TypeVar("Model", bound=Definition)

_LIBRARY = Path(__file__).parent


def builtin_folder(kind: Kind) -> Path:
    """Folder of the built-in definitions."""
    if kind == "creature":
        return _LIBRARY / "creatures"
    packaged = _LIBRARY / "worlds"  # in a wheel; in a checkout they stand at the top
    return packaged if packaged.is_dir() else _LIBRARY.parent.parent / "worlds"


def builtin_names(kind: Kind) -> list[str]:
    """Names of the built-in worlds or creatures, sorted."""
    return sorted(path.stem for path in builtin_folder(kind).glob("*.toml"))


def schema_path(kind: Kind) -> Path:
    """File of the JSON Schema that editors complete definitions with."""
    return _LIBRARY / "schemas" / f"{kind}.json"


def schema_text(kind: Kind) -> str:
    """JSON Schema of a definition, made from its model."""
    model = WorldDef if kind == "world" else CreatureDef
    return json.dumps(model.model_json_schema(), indent=2) + "\n"


def summary_of(kind: Kind, name: str) -> str:
    """The first comment of a built-in definition."""
    for line in (builtin_folder(kind) / f"{name}.toml").read_text().splitlines():
        if line.startswith("# "):
            return line[2:]
    return ""


def load_creature(reference: str | Path) -> CreatureDef:
    """Read a creature by built-in name or path; DefinitionError says all that is wrong."""
    return _read(CreatureDef, _find("creature", reference, Path()))


def load_world(reference: str | Path) -> WorldDef:
    """Read a world by built-in name or path, with the creatures it names.

    Creatures are looked up in the world's own `species`, then among the built-in ones, then as
    paths beside the world's file. The result holds every species it needs, and what the terrain
    needs of other files.
    """
    path = _find("world", reference, Path())
    world = _read(WorldDef, path)
    species, keys, _ = _resolved(world, path)
    placed = tuple(
        placement.model_copy(update={"creature": keys[placement.creature]})
        for placement in world.creatures
    )
    return world.model_copy(
        update={"species": species, "creatures": placed, "terrain": _with_data(world, path)}
    )


@contextmanager
def located_in(reference: str | Path) -> Iterator[None]:
    """A block whose errors about keys of a world's file, if it is the user's own, say its lines."""
    try:
        yield
    except (DefinitionError, TerrainError) as error:
        problems = [problem_in(line) for line in str(error).splitlines()]
        for path in files_of("world", reference)[:1]:
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


def _resolved(
    world: WorldDef, path: Path
) -> tuple[dict[str, CreatureDef], dict[str, str], dict[str, Written]]:
    """The species of a world's file by key; the key of every name in it; where each is written."""
    species, keys = dict(world.species), {name: name for name in world.species}
    written = {name: Written(path, ("species", name)) for name in world.species}
    for index, placement in enumerate(world.creatures):
        name = placement.creature
        if name not in keys:
            try:
                file = _find("creature", name, path.parent, world.species)
                if not file.is_file():
                    raise DefinitionError(
                        "expected a built-in creature or the path of a .toml file, "
                        f"found no file {file}"
                    )
            except DefinitionError as error:
                problem = Problem(("creatures", index, "creature"), str(error))
                raise DefinitionError(located(path, [problem])) from None
            creature = _read(CreatureDef, file)
            keys[name] = _free_key(creature.name, species)
            species[keys[name]] = creature
            written[keys[name]] = Written(file)
    return species, keys, written


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
    if str(reference) in builtin_names(kind) and not isinstance(reference, Path):
        return []
    path = _find(kind, reference, Path())
    found = [path]
    if kind == "world":
        world = _read(WorldDef, path)
        names = {placement.creature for placement in world.creatures} - world.species.keys()
        outside = sorted(names.difference(builtin_names("creature")))
        found += [_find("creature", name, path.parent) for name in outside]
        data = {ground.file for _, ground in imports_of(world.terrain)}
        found += [path.parent / file for file in sorted(data)]
    return found


def _free_key(name: str, species: Mapping[str, CreatureDef]) -> str:
    """A name for a species that no other has."""
    key, number = name, 2
    while key in species:
        key, number = f"{name}-{number}", number + 1
    return key


def with_creature(world: WorldDef, creature: CreatureDef | str | Path) -> WorldDef:
    """The world with its creatures replaced by one, as the first one starts, or at the origin.

    Args:
        world: any.
        creature: a definition, or the built-in name or the path of one.
    """
    if not isinstance(creature, CreatureDef):
        creature = load_creature(creature)
    start: dict[str, Any] = {}
    if world.creatures:
        first = world.creatures[0]
        start = {"position": first.position, "heading": first.heading, "folded": first.folded}
        start["overturned"] = first.overturned
    placement = PlacementDef(creature=creature.name, **start)
    return world.model_copy(
        update={"creatures": (placement,), "species": {creature.name: creature}}
    )


def with_seed(world: WorldDef, seed: int) -> WorldDef:
    """The world with another seed."""
    if not 0 <= seed < 2**63:
        raise DefinitionError(f"seed: expected a number from 0 to {2**63 - 1}, found {seed}")
    return world.model_copy(update={"seed": seed})


def with_target(world: WorldDef, text: str) -> WorldDef:
    """The world with its chains sent to a position, "X,Y,Z" [m].

    Targets of the mouse and of commands begin there. In a world that has none, every chain leaves
    what it follows and obeys commands.
    """
    try:
        position = tuple(float(word) for word in text.split(","))
    except ValueError:
        position = ()
    if len(position) != 3 or not all(abs(number) <= FARTHEST for number in position):
        raise DefinitionError(
            f"--target: expected X,Y,Z, three numbers of metres from -{FARTHEST:g} to "
            f"{FARTHEST:g}, found {text!r}"
        )
    table = world.model_dump()
    holders = [*table["chains"], *(pull for tree in table["trees"] for pull in tree["targets"])]
    settable = [holder for holder in holders if holder["target"]["kind"] in ("mouse", "command")]
    for holder in settable or table["chains"]:
        kind = holder["target"]["kind"] if settable else "command"
        holder["target"] = {"kind": kind, "start": position}
    if not settable and not table["chains"]:
        raise DefinitionError(
            f"--target: expected a world with a chain, or with a target of kind 'command' or "
            f"'mouse', found none in {world.name!r}"
        )
    return WorldDef.model_validate(table).model_copy(update={"terrain": world.terrain})


def check(path: str | Path) -> WorldDef | CreatureDef:
    """Read and validate a file of either kind, which its keys tell."""
    file = Path(path)
    keys = read_toml(file).keys()
    of_a_world, of_a_creature = WorldDef.model_fields.keys(), CreatureDef.model_fields.keys()
    if len(keys & of_a_world) > len(keys & of_a_creature):
        return load_world(file)
    return load_creature(file)


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
    names = builtin_names(kind)
    if text in names:
        return builtin_folder(kind) / f"{text}.toml"
    raise DefinitionError(
        f"expected a built-in {kind} or the path of a .toml file, "
        f"found {shown(text)}{hint(text, [*others, *names])}"
    )


def _read(model: type[Model], path: Path) -> Model:
    """Parse and validate a file."""
    table = read_toml(path)
    if model is WorldDef and "plans" in table:
        problem = Problem(("plans",), "expected its new name, species, found plans")
        raise DefinitionError(located(path, [problem]))
    try:
        return model.model_validate(table)
    except ValidationError as error:
        raise DefinitionError(located(path, problems_of(error))) from None
