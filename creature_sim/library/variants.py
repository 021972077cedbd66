"""Worlds that differ from what their files say: in a creature, the seed, a target."""

from pathlib import Path
from typing import Any, TypeVar

from creature_sim.definitions import ChainDef, CreatureDef, PlacementDef, TreeDef, WorldDef
from creature_sim.definitions.target import FARTHEST
from creature_sim.errors import DefinitionError
from creature_sim.library.loader import load_creature

Rig = TypeVar("Rig", ChainDef, TreeDef)


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
        start |= {"overturned": first.overturned, "up": first.up, "height": first.height}
    placement = PlacementDef(creature=creature.name, **start)
    return world.model_copy(
        update={"creatures": (placement,), "species": {creature.name: creature}}
    )


def with_climbers(world: WorldDef) -> WorldDef:
    """The world with creatures all of which climb; the keys of its species stay."""
    species = {key: creature.climbing for key, creature in world.species.items()}
    return world.model_copy(update={"species": species})


def with_twins(world: WorldDef) -> WorldDef:
    """The world with creatures all of which forces move."""
    return _moved_by_forces(world, True)


def without_twins(world: WorldDef) -> WorldDef:
    """The world with creatures none of which forces move."""
    return _moved_by_forces(world, False)


def has_twins(world: WorldDef) -> bool:
    """Whether forces move any of its creatures."""
    return any(placement.physical for placement in world.creatures)


def _moved_by_forces(world: WorldDef, is_physical: bool) -> WorldDef:
    creatures = tuple(moved_by_forces(placement, is_physical) for placement in world.creatures)
    return world.model_copy(update={"creatures": creatures})


def moved_by_forces(placement: PlacementDef, is_physical: bool) -> PlacementDef:
    """The same placement of a creature that forces move, or of one that they do not."""
    return placement.model_copy(update={"physical": is_physical})


def with_seed(world: WorldDef, seed: int) -> WorldDef:
    """The world with another seed."""
    if not 0 <= seed < 2**63:
        raise DefinitionError(f"--seed: expected a number from 0 to {2**63 - 1}, found {seed}")
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
    kept = {"terrain": world.terrain, "species": world.species}  # with the data of their files
    made = WorldDef.model_validate(table)
    chains = _with_models(made.chains, world.chains)
    trees = _with_models(made.trees, world.trees)
    return made.model_copy(update={**kept, "chains": chains, "trees": trees})


def _with_models(made: tuple[Rig, ...], rigs: tuple[Rig, ...]) -> tuple[Rig, ...]:
    """Chains or trees with the models of others, which have their files."""
    return tuple(
        new.model_copy(update={"model": old.model}) for new, old in zip(made, rigs, strict=True)
    )
