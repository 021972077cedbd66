"""What kernels take of a herd, found once."""

from collections.abc import Iterator
from typing import TypeAlias

import esper

from creature_sim.components import (
    Body,
    BodyPose,
    BodyRecord,
    Command,
    Company,
    Foothold,
    FootholdRecord,
    FootRecord,
    FootTarget,
    Gait,
    GaitRecord,
    Head,
    Herd,
    LegChain,
    LegRecord,
    LegTarget,
    Motions,
    Neighbours,
    Plan,
    PlanRecord,
    Probes,
    Records,
    RecordTable,
    Sensed,
    Suspension,
    Twin,
)
from creature_sim.components.queries import gravity_here, props_here, solids_here

HerdArrays: TypeAlias = tuple[
    Records[PlanRecord],
    Records[LegRecord],
    RecordTable[BodyRecord],
    Records[GaitRecord],
    RecordTable[FootRecord],
    RecordTable[FootholdRecord],
]
"""The first arguments of every kernel of walking: what is made of them is a `Creature`."""


class Arrays:
    """The arrays of a herd's components, and of the world's, as kernels take them; no state.

    A component of every herd. Were they looked up in each system, a lone creature's tick would take
    a fifth longer.
    """

    __slots__ = (
        "bodies", "bones", "commands", "company", "feet", "gaits", "gravity", "heads", "hits",
        "hung", "is_active", "motions", "neighbours", "plan", "poses", "probes", "props", "room",
        "segments", "solids", "solved", "targets", "twin", "walkers",
    )  # fmt: skip

    def __init__(self, entity: int) -> None:
        """Find the arrays of a herd's entity."""
        self.find(entity)

    def find(self, entity: int) -> None:
        """Find them again: fields may hold others."""
        part = esper.component_for_entity
        self.plan = part(entity, Plan)
        self.segments = self.plan.segments
        self.bodies, self.gaits = part(entity, Body).records, part(entity, Gait).records
        self.feet, holds = part(entity, FootTarget).records, part(entity, Foothold).records
        self.walkers: HerdArrays = (
            self.plan.body, self.plan.legs, self.bodies, self.gaits, self.feet, holds,
        )  # fmt: skip
        numbers = part(entity, Herd).members
        self.company = Company(self.plan, self.bodies, self.gaits, self.feet, numbers)
        self.commands = part(entity, Command).records
        self.hits = part(entity, Sensed).records
        self.probes = part(entity, Probes)
        self.is_active, self.room = self.probes.is_active, self.probes.room
        self.neighbours = part(entity, Neighbours)
        self.targets = part(entity, LegTarget).records
        self.bones, self.solved = self.plan.bones, part(entity, LegChain).solved
        self.hung = part(entity, Suspension).records
        self.poses = part(entity, BodyPose).records
        self.heads = part(entity, Head).records
        self.motions = part(entity, Motions).records
        self.twin = esper.try_component(entity, Twin)
        self.gravity, self.solids, self.props = gravity_here(), solids_here(), props_here()


def herds() -> Iterator[tuple[int, Plan, HerdArrays]]:
    """Entity, plan, and what kernels of walking take first, of every herd."""
    for entity, arrays in esper.get_component(Arrays):
        yield entity, arrays.plan, arrays.walkers


def find_arrays() -> None:
    """Find the arrays of all herds again."""
    for entity, arrays in esper.get_component(Arrays):
        arrays.find(entity)
