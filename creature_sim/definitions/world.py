"""A world: ground, seed, creatures and who drives them, chains and trees."""

from functools import cached_property
from math import sqrt
from typing import Annotated

from pydantic import Field, field_validator, model_validator

from creature_sim.definitions.base import Angle, Definition, Name, Vector2
from creature_sim.definitions.chain import ChainDef
from creature_sim.definitions.creature import CreatureDef
from creature_sim.definitions.drive import parse_drive
from creature_sim.definitions.ground import GROUND_SIDE, TerrainDef, is_endless
from creature_sim.definitions.overhangs import SphereDef
from creature_sim.definitions.props import MOST_PROPS, PropDef
from creature_sim.definitions.target import (
    BodyTargetDef,
    CommandDef,
    MouseDef,
    TargetDef,
    TipTargetDef,
)
from creature_sim.definitions.terrain import FARTHEST
from creature_sim.definitions.tree import TreeDef
from creature_sim.errors import DefinitionError

RigDef = ChainDef | TreeDef

ON_TOP = 0.99
"""No creature starts farther from the axis of a planet than this share of its radius: what looks
for the ground from above would miss the facets of its rim."""


class PlacementDef(Definition):
    """One creature and where it starts."""

    creature: str = Field(
        min_length=1, description="name of a built-in creature or of a plan, or a path to a file"
    )
    position: Vector2 = Field((0.0, 0.0), description="x, y of the start [m, world]")
    heading: Angle = Field(0.0, description="from X towards Y [rad]")
    alone: bool = Field(
        False, description="whether it is a herd of its own, apart from others of its body plan"
    )


class WorldDef(Definition):
    """Everything that a run depends on, but for the inputs."""

    name: Name
    seed: Annotated[int, Field(strict=True, ge=0, lt=2**63)] = 0
    tick_rate: Annotated[int, Field(strict=True, ge=10, le=1000)] = Field(
        60, description="ticks per second"
    )
    driver: str = Field("wander", description='"forward 5; left 2.5; stop 1", "wander", "goto X,Y"')
    terrain: TerrainDef
    creatures: tuple[PlacementDef, ...] = ()
    chains: tuple[ChainDef, ...] = Field((), description="arms, tentacles, cranes")
    trees: tuple[TreeDef, ...] = Field((), description="chains that share joints: a humanoid")
    props: Annotated[tuple[PropDef, ...], Field(max_length=MOST_PROPS)] = Field(
        (), description="things that creatures stand on, ride and push"
    )
    plans: dict[Name, CreatureDef] = Field(
        default_factory=dict,
        description="creatures written out in place; loading fills in all others by name",
    )

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
        most = self.farthest_start
        where = f"x and y between {-most:g} and {most:g} (the ground ends at {most + 2.0:g} m)"
        if isinstance(self.terrain, SphereDef):
            most = ON_TOP * self.terrain.radius
            where = f"a place on the planet, at most {most:g} m from [0, 0]"
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
        for index, prop in enumerate(self.props):
            if prop.motion == "dynamic" and isinstance(self.terrain, SphereDef):
                raise ValueError(
                    f"props[{index}].motion: expected 'static' or 'kinematic' on a planet, "
                    "found 'dynamic'"
                )
        return self

    @model_validator(mode="after")
    def _rigs_are_whole(self) -> "WorldDef":
        """Refuse an empty world, and chains that speak of what is not there."""
        problems = self.rig_problems()
        if not self.creatures and not self.rigs:
            problems.append("creatures: expected at least one creature, chain or tree, found none")
        if problems:
            raise ValueError("\n".join(problems))
        return self

    @property
    def farthest_start(self) -> float:
        """How far from the origin creatures may start along X and Y [m]."""
        return (FARTHEST if is_endless(self.terrain) else 0.5 * GROUND_SIDE) - 2.0

    def nearest_start(self, x: float, y: float) -> tuple[float, float]:
        """Where creatures may start, nearest to a place [m]; on a planet on its upper half."""
        if isinstance(self.terrain, SphereDef):
            most = ON_TOP * self.terrain.radius
            share = most / max(most, sqrt(x * x + y * y))
            return share * x, share * y
        most = self.farthest_start
        return max(-most, min(most, x)), max(-most, min(most, y))

    @property
    def rigs(self) -> tuple[RigDef, ...]:
        """All chains, then all trees: the order in which events and snapshots count them."""
        return (*self.chains, *self.trees)

    @property
    def exactness(self) -> str:
        """Where replays are exact to the bit: "everywhere", or on one "machine" alone."""
        is_dynamic = any(prop.motion == "dynamic" for prop in self.props)
        return "machine" if is_dynamic else "everywhere"

    @cached_property
    def leg_counts(self) -> tuple[int, ...]:
        """Of every creature of a resolved world, how many legs it has."""
        counts = {name: len(plan.all_legs) for name, plan in self.plans.items()}
        return tuple(counts[placement.creature] for placement in self.creatures)

    @cached_property
    def herds(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Names of creatures in order of first appearance, and the numbers of those that share one.

        Whoever is `alone` is a herd of its own.
        """
        found: dict[tuple[str, int], list[int]] = {}
        for number, placement in enumerate(self.creatures):
            key = placement.creature, number if placement.alone else -1
            found.setdefault(key, []).append(number)
        return tuple((name, tuple(members)) for (name, _), members in found.items())

    def joined_by(self, creature: CreatureDef, placement: PlacementDef) -> "WorldDef":
        """The world with one creature more, whose number comes after all others.

        Args:
            creature: its body plan.
            placement: where it starts; a plan of its name that is another one gets another name.
        """
        key, copy = creature.name, 2
        while self.plans.get(key, creature) != creature:
            key, copy = f"{creature.name}-{copy}", copy + 1
        creatures = (*self.creatures, placement.model_copy(update={"creature": key}))
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self).model_construct(
            **{**fields, "creatures": creatures, "plans": {**self.plans, key: creature}}
        )

    @property
    def settable_targets(self) -> tuple[tuple[bool, ...], ...]:
        """Of every rig's targets, whether an event may set them."""
        return tuple(
            tuple(isinstance(target, MouseDef | CommandDef) for target in targets_of(rig))
            for rig in self.rigs
        )

    def rig_problems(self) -> list[str]:
        """What chains and trees say of each other and of creatures that is not so."""
        found = []
        names: list[str] = []
        tips = [chain.name for chain in self.chains]
        keys = [f"chains[{index}]" for index in range(len(self.chains))]
        keys += [f"trees[{index}]" for index in range(len(self.trees))]
        for key, rig in zip(keys, self.rigs, strict=True):
            if rig.name in names:
                found.append(f"{key}.name: expected a new name, found {rig.name!r} again")
            names.append(rig.name)
            indices = [(f"{key}.creature", rig.creature)]
            for number, target in enumerate(targets_of(rig)):
                place = f"{key}.target" if isinstance(rig, ChainDef) else f"{key}.targets[{number}]"
                if isinstance(target, BodyTargetDef):
                    indices.append((f"{place}.creature", target.creature))
                elif isinstance(target, TipTargetDef) and (
                    target.chain not in tips or target.chain == rig.name
                ):
                    found.append(
                        f"{place}.chain: expected the name of another chain, found {target.chain!r}"
                    )
            found += [
                f"{where}: expected the place of a creature, 0 to {len(self.creatures) - 1}, "
                f"found {index}"
                if self.creatures
                else f"{where}: expected a world with creatures, found none"
                for where, index in indices
                if index is not None and index >= len(self.creatures)
            ]
        return found

    def plan_of(self, placement: PlacementDef) -> CreatureDef:
        """The resolved definition of a placed creature; KeyError before loading resolved it."""
        return self.plans[placement.creature]


def targets_of(rig: RigDef) -> tuple[TargetDef, ...]:
    """What a chain or a tree follows."""
    if isinstance(rig, ChainDef):
        return (rig.target,)
    return tuple(effector.target for effector in rig.targets)
