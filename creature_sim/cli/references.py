"""Words of a command line that stand for worlds and creatures."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from creature_sim.errors import DefinitionError

if TYPE_CHECKING:
    from creature_sim.definitions import CreatureDef, WorldDef
    from creature_sim.drivers import Driver
    from creature_sim.library.loader import Kind


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

    refuse_foreign(reference)
    if is_the_other("world", reference):
        raise DefinitionError(f"{reference}: that is a creature: run hills --creature {reference}")
    return load_world(reference)


def peopled_world(
    reference: str, creature: str | None, climbs: bool, *, is_physical: bool = False
) -> "WorldDef":
    """The world of a name or a file, in which another creature may walk, or all may climb.

    Forces move all of them if it `is_physical`.
    """
    from creature_sim.library.variants import with_climbers, with_creature, with_twins

    found = world_of(reference)
    option = "--climb" if climbs else "--physical" if is_physical else ""
    if option and creature is None and not found.creatures:
        raise DefinitionError(
            f"{option}: expected a world with creatures, found none in {reference!r}"
        )
    if creature is not None:
        found = with_creature(found, creature_of(creature, climbs))
    elif climbs:
        found = with_climbers(found)
    return with_twins(found) if is_physical else found


def creature_of(reference: str, climbs: bool = False) -> "CreatureDef":
    """The creature of a name or a file, which may be told to climb.

    A world or a replay is refused with the command that takes it.
    """
    from creature_sim.library.loader import load_creature

    refuse_foreign(reference)
    if is_the_other("creature", reference):
        raise DefinitionError(f"{reference}: that is a world: run {reference}")
    found = load_creature(reference)
    return found.climbing if climbs else found


def driver_of(world: "WorldDef", drive: str | None) -> "Driver":
    """What `--drive` asks for; without it the world's own driver."""
    from creature_sim.drivers import make_driver

    return make_driver(world, drive, "driver" if drive is None else "--drive")


def refuse_foreign(reference: str) -> None:
    """Refuse a recording, a model or a robot where a definition was asked for."""
    if reference.endswith(".mcap"):
        raise DefinitionError(f"{reference}: that is a replay: replay {reference}")
    kinds = {".glb": "model", ".gltf": "model", ".urdf": "robot", ".xml": "robot"}
    if kind := kinds.get(Path(reference).suffix.lower()):
        raise DefinitionError(
            f"{reference}: that is a {kind}: new creature NAME --from {reference}"
        )


def is_the_other(kind: "Kind", reference: str) -> bool:
    """Whether a world was asked for and this is a creature, or the reverse."""
    from creature_sim.files.toml import read_toml
    from creature_sim.library.loader import packaged_names

    other: Kind = "creature" if kind == "world" else "world"
    if reference.endswith(".toml") or "/" in reference:
        keys = read_toml(Path(reference)).keys()
        is_world = not keys.isdisjoint(("terrain", "creatures", "chains", "trees"))
        is_creature = not is_world and not keys.isdisjoint(("body", "legs", "leg_pairs"))
        return is_creature if kind == "world" else is_world
    return reference not in packaged_names(kind) and reference in packaged_names(other)
