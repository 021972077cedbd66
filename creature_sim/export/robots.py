"""Creatures as robots in files, `.xml` (MJCF) and `.urdf`."""

from collections.abc import Collection
from pathlib import Path

from creature_sim.definitions import WorldDef
from creature_sim.errors import DefinitionError
from creature_sim.files.output import check_output, write_output
from creature_sim.robots.building import robot_of
from creature_sim.robots.mjcf import mjcf_of
from creature_sim.robots.urdf import urdf_of


def write_robot(world: WorldDef, path: Path, creature: int | None, force: bool) -> None:
    """Write a creature of a world in the format of a file's name.

    Args:
        world: with the creature; nothing else of it is written.
        path: of the file.
        creature: its number; None: the only one.
        force: whether another file may be replaced.

    Raises:
        DefinitionError: it is not clear which creature.
        OutputError: the file exists or cannot be written.
    """
    check_output(path, force)
    number = the_only(range(len(world.creatures)), creature, path)
    plan = world.species_of(world.creatures[number])
    comment = f"{plan.name}, made by creature-sim: metres, kilograms, radians; X ahead, Z up"
    made = (urdf_of if path.suffix.lower() == ".urdf" else mjcf_of)(robot_of(plan), comment)
    write_output(path, made, force)


def the_only(there: Collection[int], chosen: int | None, path: Path) -> int:
    """The number of the creature that was chosen, or of the only one that is there.

    Raises:
        DefinitionError: it is not there, or there are none or several to choose from.
    """
    if not there:
        raise DefinitionError(f"-o: expected a creature to write to {path.name}, found none")
    known = f"0 to {max(there)}" if len(there) == max(there) + 1 else ", ".join(map(str, there))
    if chosen is None and len(there) > 1:
        raise DefinitionError(
            f"--creature: expected the number of one creature, {known}, for {path.name} holds "
            "one, found none"
        )
    if chosen is not None and chosen not in there:
        raise DefinitionError(
            f"--creature: expected the number of a creature, {known}, found {chosen}"
        )
    return next(iter(there)) if chosen is None else chosen
