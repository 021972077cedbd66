"""A world: ground, seed, creatures and who drives them, chains and trees."""

from functools import cached_property
from math import sqrt
from typing import Annotated

from pydantic import Field, field_validator, model_validator

from creature_sim.definitions.chain import ChainDef
from creature_sim.definitions.creature import CreatureDef
from creature_sim.definitions.drive import parse_drive
from creature_sim.definitions.placement import PlacementDef
from creature_sim.definitions.props import MOST_PROPS, PropDef
from creature_sim.definitions.target import (
    BodyTargetDef,
    CommandDef,
    MouseDef,
    TargetDef,
    TipTargetDef,
)
from creature_sim.definitions.tree import TreeDef
from creature_sim.errors import DefinitionError
from creature_sim.files.definition import Definition, Name, Positive
from creature_sim.files.hints import hint
from creature_sim.terrain import FARTHEST, HALF_SIZE, TerrainDef, is_endless
from creature_sim.terrain.traits import planet_in

RigDef = ChainDef | TreeDef

MAX_CREATURES, MAX_RIGS, MAX_SPECIES = 16_384, 1_024, 1_024
"""Far more than any machine simulates; without bounds a file of 8 MB could take gigabytes."""
ON_TOP = 0.99
"""Largest distance of a start from the axis of a planet, as a fraction of its radius: farther out,
rays from above would miss the facets of its rim."""


class WorldDef(Definition):
    """Everything that a run depends on, but for the inputs."""

    name: Name
    seed: Annotated[int, Field(strict=True, ge=0, lt=2**63)] = 0
    tick_rate: Annotated[int, Field(strict=True, ge=10, le=1000)] = Field(
        60, description="ticks per second"
    )
    driver: str = Field("wander", description='"forward 5; left 2.5; stop 1", "wander", "goto X,Y"')
    terrain: TerrainDef
    friction: Positive | None = Field(
        None,
        ge=0.01,
        le=10.0,
        description="coefficient of friction of feet on the ground; if not written, they hold "
        "wherever legs can stand",
    )
    creatures: Annotated[tuple[PlacementDef, ...], Field(max_length=MAX_CREATURES)] = ()
    chains: Annotated[tuple[ChainDef, ...], Field(max_length=MAX_RIGS)] = Field(
        (), description="arms, tentacles, cranes"
    )
    trees: Annotated[tuple[TreeDef, ...], Field(max_length=MAX_RIGS)] = Field(
        (), description="chains that share joints: a humanoid"
    )
    props: Annotated[tuple[PropDef, ...], Field(max_length=MOST_PROPS)] = Field(
        (), description="objects that creatures stand on, ride and push"
    )
    species: dict[Name, CreatureDef] = Field(
        default_factory=dict,
        max_length=MAX_SPECIES,
        description="creatures written out in place; loading fills in all others by name",
    )

    @model_validator(mode="before")
    @classmethod
    def _reads_old_replays(cls, value: object) -> object:
        """Take `plans`, the former name of `species`; files of users may not use it any more."""
        if isinstance(value, dict) and "plans" in value and "species" not in value:
            return {"species" if key == "plans" else key: value[key] for key in value}
        return value

    @field_validator("driver")
    @classmethod
    def _driver_is_valid(cls, value: str) -> str:
        try:
            parse_drive(value)
        except DefinitionError as error:
            raise ValueError(str(error)) from None
        return value

    @model_validator(mode="after")
    def _starts_inside(self) -> "WorldDef":
        """Refuse a start beyond the border, or beside a planet."""
        limit = self.farthest_start
        where = f"x and y from {-limit:g} to {limit:g} (terrain ends at {limit + 2.0:g} m)"
        planet = planet_in(self.terrain)
        if planet is not None:
            limit = ON_TOP * planet.radius
            where = f"a position on the planet of terrain, at most {limit:g} m from [0, 0]"
        for index, placement in enumerate(self.creatures):
            if placement.position != self.nearest_start(*placement.position):
                raise ValueError(
                    f"creatures[{index}].position: expected {where}, "
                    f"found {list(placement.position)}"
                )
        return self

    @model_validator(mode="after")
    def _pushed_props_fall_down(self) -> "WorldDef":
        """Refuse dynamic props on a planet: they fall along the world's Z."""
        is_planet = planet_in(self.terrain) is not None
        for index, prop in enumerate(self.props):
            if prop.motion == "dynamic" and is_planet:
                raise ValueError(
                    f"props[{index}].motion: expected 'static' or 'kinematic' where terrain is a "
                    "planet, found 'dynamic'"
                )
        return self

    @model_validator(mode="after")
    def _rigs_are_whole(self) -> "WorldDef":
        """Refuse an empty world, and chains that refer to what is not there."""
        problems = self.rig_problems()
        if not self.creatures and not self.rigs:
            problems.append(
                "creatures: expected creatures, chains or trees, at least one, found none"
            )
        if problems:
            raise ValueError("\n".join(problems))
        return self

    @property
    def farthest_start(self) -> float:
        """How far from the origin creatures may start along X and Y [m]."""
        return (FARTHEST if is_endless(self.terrain) else HALF_SIZE) - 2.0

    def nearest_start(self, x: float, y: float) -> tuple[float, float]:
        """The allowed start nearest to a position [m]; on a planet on its upper half."""
        planet = planet_in(self.terrain)
        if planet is not None:
            limit = ON_TOP * planet.radius
            ratio = limit / max(limit, sqrt(x * x + y * y))
            return ratio * x, ratio * y
        limit = self.farthest_start
        return max(-limit, min(limit, x)), max(-limit, min(limit, y))

    @property
    def rigs(self) -> tuple[RigDef, ...]:
        """All chains, then all trees: the order in which events and snapshots count them."""
        return (*self.chains, *self.trees)

    @property
    def exactness(self) -> str:
        """Where replays are exact to the bit: "everywhere", or on one "machine" only."""
        is_dynamic = any(prop.motion == "dynamic" for prop in self.props)
        is_physical = any(placement.physical for placement in self.creatures)
        return "machine" if is_dynamic or is_physical else "everywhere"

    @cached_property
    def leg_counts(self) -> tuple[int, ...]:
        """Number of legs of every creature of a resolved world."""
        counts = {name: len(species.all_legs) for name, species in self.species.items()}
        return tuple(counts[placement.creature] for placement in self.creatures)

    @cached_property
    def herds(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Names of creatures in order of first appearance, and the numbers of those that share one.

        Whoever is `alone` is a herd of its own, and so are those that are `physical`.
        """
        found: dict[tuple[str, int, bool], list[int]] = {}
        for number, placement in enumerate(self.creatures):
            key = placement.creature, number if placement.alone else -1, placement.physical
            found.setdefault(key, []).append(number)
        return tuple((name, tuple(members)) for (name, *_), members in found.items())

    def joined_by(self, creature: CreatureDef, placement: PlacementDef) -> "WorldDef":
        """The world with one creature more, whose number comes after all others.

        Args:
            creature: its body plan.
            placement: where it starts; a species of its name that is another one gets another name.
        """
        key, copy = creature.name, 2
        while self.species.get(key, creature) != creature:
            key, copy = f"{creature.name}-{copy}", copy + 1
        creature = self.species.get(key, creature)  # with the data of its files
        creatures = (*self.creatures, placement.model_copy(update={"creature": key}))
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self).model_construct(
            **{**fields, "creatures": creatures, "species": {**self.species, key: creature}}
        )

    @property
    def settable_targets(self) -> tuple[tuple[bool, ...], ...]:
        """Whether an event may set each target of each rig."""
        return tuple(
            tuple(isinstance(target, MouseDef | CommandDef) for target in targets_of(rig))
            for rig in self.rigs
        )

    def rig_problems(self) -> list[str]:
        """What is wrong with the names and indices in chains and trees."""
        found = []
        names: dict[str, str] = {}
        tips = [chain.name for chain in self.chains]
        keys = [f"chains[{index}]" for index in range(len(self.chains))]
        keys += [f"trees[{index}]" for index in range(len(self.trees))]
        for key, rig in zip(keys, self.rigs, strict=True):
            if rig.name in names:
                found.append(
                    f"{key}.name: expected a new name, found {rig.name!r}, which "
                    f"{names[rig.name]} has"
                )
            names.setdefault(rig.name, key)
            indices = [(f"{key}.creature", rig.creature)]
            for number, target in enumerate(targets_of(rig)):
                path = f"{key}.target" if isinstance(rig, ChainDef) else f"{key}.targets[{number}]"
                if isinstance(target, BodyTargetDef):
                    indices.append((f"{path}.creature", target.creature))
                elif isinstance(target, TipTargetDef):
                    others = [tip for tip in tips if tip != rig.name]
                    if target.chain not in others:
                        found.append(
                            f"{path}.chain: expected the name of another one of chains, found "
                            f"{target.chain!r}{hint(target.chain, others)}"
                        )
            found += [
                f"{where}: expected the index of one of creatures, 0 to "
                f"{len(self.creatures) - 1}, found {index}"
                if self.creatures
                else f"{where}: expected creatures to refer to, found none"
                for where, index in indices
                if index is not None and index >= len(self.creatures)
            ]
        return found

    def species_of(self, placement: PlacementDef) -> CreatureDef:
        """The resolved definition of a placed creature.

        Raises:
            DefinitionError: the world lacks it: it was not loaded.
        """
        if placement.creature not in self.species:
            raise DefinitionError(
                f"species: expected a creature {placement.creature!r}, "
                f"found {sorted(self.species)}; a world gets its creatures from load_world"
            )
        return self.species[placement.creature]


def targets_of(rig: RigDef) -> tuple[TargetDef, ...]:
    """What a chain or a tree follows."""
    if isinstance(rig, ChainDef):
        return (rig.target,)
    return tuple(effector.target for effector in rig.targets)
