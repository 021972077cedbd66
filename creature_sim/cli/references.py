"""Words of a command line that stand for worlds and creatures."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from creature_sim.errors import DefinitionError

if TYPE_CHECKING:
    from creature_sim.definitions import CreatureDef, WorldDef
    from creature_sim.drivers import Driver
    from creature_sim.lab.tuning.objective import Objective
    from creature_sim.library.loader import FileKind, Kind


def _complete_worlds(incomplete: str) -> Iterator[str]:
    yield from _names("world", incomplete)


def _complete_creatures(incomplete: str) -> Iterator[str]:
    yield from _names("creature", incomplete)


def _names(kind: "Kind", incomplete: str) -> Iterator[str]:
    """Built-in names and definitions here that begin so."""
    from creature_sim.library.loader import packaged_names

    here = (str(path) for path in Path().glob("*.toml"))
    yield from (name for name in (*packaged_names(kind), *here) if name.startswith(incomplete))


World = Annotated[
    str,
    typer.Argument(metavar="WORLD", help="Built-in name or file.", autocompletion=_complete_worlds),
]
Creature = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE",
        help="Instead of the world's creatures.",
        autocompletion=_complete_creatures,
    ),
]
Walker = Annotated[
    str,
    typer.Argument(
        metavar="CREATURE", help="Built-in name or file.", autocompletion=_complete_creatures
    ),
]


Climb = Annotated[
    bool, typer.Option("--climb", help="Let feet hold on walls and ceilings that do not by itself.")
]


Physical = Annotated[
    bool,
    typer.Option("--physical", help="Let forces move creatures: they have motors, and can fall."),
]


def world_of(reference: str) -> "WorldDef":
    """The world of a name or a file; what is none is refused with the command that takes it."""
    from creature_sim.library.loader import load_world

    kind_among(reference, "world")
    return load_world(reference)


def peopled_world(
    reference: str, creature: str | None, climbs: bool, *, physical: str = ""
) -> "WorldDef":
    """The world of a name or a file, in which another creature may walk, or all may climb.

    Forces move all of them if `physical` is the option that asks for it.
    """
    from creature_sim.library.variants import with_climbers, with_creature, with_twins

    found = world_of(reference)
    if climbs and physical:
        raise DefinitionError(
            f"{physical}: expected creatures that hold on to nothing, as their feet only push, "
            "found --climb beside it"
        )
    option = "--climb" if climbs else physical
    if option and creature is None and not found.creatures:
        raise DefinitionError(
            f"{option}: expected a world with creatures, found none in {reference!r}"
        )
    if creature is not None:
        found = with_creature(found, creature_of(creature, climbs))
    elif climbs:
        found = with_climbers(found)
    return with_twins(found) if physical else found


def creature_of(reference: str, climbs: bool = False) -> "CreatureDef":
    """The creature of a name or a file, which may be told to climb.

    A world or a replay is refused with the command that takes it.
    """
    from creature_sim.library.loader import load_creature

    kind_among(reference, "creature")
    found = load_creature(reference)
    return found.climbing if climbs else found


def objective_of(reference: str) -> "Objective":
    """The objective of a name or a file."""
    from creature_sim.lab.tuning import load_objective

    kind_among(reference, "objective")
    return load_objective(reference)


def driver_of(world: "WorldDef", drive: str | None) -> "Driver":
    """What `--drive` asks for; without it the world's own driver."""
    from creature_sim.drivers import make_driver

    return make_driver(world, drive, "driver" if drive is None else "--drive")


def refuse_foreign(reference: str) -> None:
    """Refuse a file that is a recording, a model or a robot where a definition was asked for."""
    if not Path(reference).is_file():
        return
    if reference.endswith(".mcap"):
        raise DefinitionError(f"{reference}: that is a replay: replay {reference}")
    kinds = {".glb": "model", ".gltf": "model", ".urdf": "robot", ".xml": "robot"}
    if kind := kinds.get(Path(reference).suffix.lower()):
        raise DefinitionError(
            f"{reference}: that is a {kind}: new creature NAME --from {reference}"
        )


_USES: dict["FileKind", str] = {
    "world": "a world: run {}",
    "creature": "a creature: run hills --creature {}",
    "sweep": "a sweep: sweep {} -o DIR",
    "objective": "an objective: tune CREATURE --objective {}",
}
"""What a file is, and the command that takes it."""


def no_replay(path: Path) -> str:
    """What is said where a definition was given for a replay; empty if none was."""
    text = str(path)
    if path.suffix.lower() != ".toml" and (path.exists() or not is_packaged(text)):
        return ""
    try:
        kind = kind_among(text, *_USES)
    except DefinitionError:  # it is not there, or is no TOML: whoever opens it says so
        return ""
    record = " --record walk.mcap" if kind in ("world", "creature") else ""
    return f"{text}: that is {_USES[kind].format(text)}{record}"


def refuse_definition(path: Path) -> None:
    """Refuse a definition where a replay was asked for."""
    if why := no_replay(path):
        raise DefinitionError(why)


def definition_file(reference: str) -> Path:
    """The file of a world or a creature, which has a built-in name or is a path.

    Raises:
        DefinitionError: it is a name, and none that is built in.
    """
    from creature_sim.files.hints import hint
    from creature_sim.library.loader import file_of, packaged_names

    kinds: tuple[Kind, ...] = ("world", "creature")
    for kind in kinds:
        if is_packaged(reference, kind):
            return file_of(kind, reference)
    path = Path(reference)
    if not (path.suffix or path.exists() or "/" in reference):
        names = [name for kind in kinds for name in packaged_names(kind)]
        raise DefinitionError(
            "FILE: expected a file, or the name of a built-in world or creature, found "
            f"{reference!r}{hint(reference, names)}"
        )
    return path


def is_packaged(name: str, *kinds: "Kind") -> bool:
    """Whether a definition of a kind, or of any, comes with the package under a name."""
    from creature_sim.library.loader import packaged_names

    return any(name in packaged_names(kind) for kind in kinds or ("world", "creature"))


def kind_among(reference: str, *asked: "FileKind") -> "FileKind":
    """What a name or a file is, of the kinds that were asked for.

    Any other is refused with the command that takes it; what is of no kind is of the first one.
    """
    from creature_sim.files.toml import read_toml
    from creature_sim.library.loader import kind_of, packaged_names

    refuse_foreign(reference)
    if reference.endswith(".toml") or "/" in reference:
        kind = kind_of(read_toml(Path(reference)), asked[0])
    else:
        known: tuple[Kind, ...] = ("world", "creature")
        found = [one for one in known if reference in packaged_names(one)]
        kind = found[0] if found and asked[0] not in found else asked[0]
    if kind not in asked:
        raise DefinitionError(f"{reference}: that is {_USES[kind].format(reference)}")
    return kind
