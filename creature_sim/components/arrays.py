"""What kernels take of a herd, found once."""

import esper

from creature_sim.components import (
    Body,
    BodyPose,
    Command,
    Foothold,
    FootTarget,
    Gait,
    Head,
    LegChain,
    LegTarget,
    Motions,
    Neighbours,
    Plan,
    Probes,
    Sensed,
    Suspension,
)
from creature_sim.components.queries import arrays_of, gravity_here, props_here, solids_here


class Arrays:
    """The arrays of a herd's components, and of the world's, as kernels take them; no state.

    A component of every herd. Were they looked up in each system, a lone creature's tick would take
    a fifth longer.
    """

    __slots__ = (
        "bodies", "bones", "commands", "feet", "gaits", "gravity", "heads", "hits", "hung",
        "is_active", "motions", "neighbours", "plan", "poses", "probes", "props", "room",
        "segments", "solids", "solved", "targets", "walkers",
    )  # fmt: skip

    def __init__(self, entity: int) -> None:
        """Find the arrays of a herd's entity."""
        self.find(entity)

    def find(self, entity: int) -> None:
        """Find them again: fields may hold others."""
        part = esper.component_for_entity
        self.plan = part(entity, Plan)
        self.segments = self.plan.segments
        self.walkers = arrays_of(
            self.plan,
            part(entity, Body),
            part(entity, Gait),
            part(entity, FootTarget),
            part(entity, Foothold),
        )
        _, _, self.bodies, self.gaits, self.feet, _ = self.walkers
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
        self.gravity, self.solids, self.props = gravity_here(), solids_here(), props_here()


def find_arrays() -> None:
    """Find the arrays of all herds again."""
    for entity, arrays in esper.get_component(Arrays):
        arrays.find(entity)
