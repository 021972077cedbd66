"""The components of rigs: chains and trees, beside or instead of creatures.

A rig is an entity of its own, so that the leading axis (N,) of its parts is 1. Its frame is the
world's, or that of the body that carries it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.components.records import Part, Record, Records, RecordTable, Vector
from creature_sim.definitions import RigDef
from creature_sim.ik.angles import Model
from creature_sim.ik.tree import Tree
from creature_sim.maths import Floats, Vec

PLACED, SPLINE = 0, 1  # track.kind: set from outside, or run along a spline
EASE_EACH, EASE_WHOLE, EASE_NONE = 0, 1, 2  # track.ease


class TrackRecord(Record):
    """What a target runs along."""

    kind: int  # PLACED or SPLINE
    key_count: int
    is_closed: int
    ease: int  # EASE_EACH, EASE_WHOLE or EASE_NONE
    period: float  # until the spline repeats [s]
    shift: float  # fraction of the period that is over at the start


class TargetRecord(Record):
    """A target of a chain or tree."""

    point: Vector  # where the joint shall be [m, world]
    ticks: int  # that the spline has run


@dataclass
class Carrier:
    """A creature's body, and a point on it.

    Attributes:
        entity: the herd.
        row: the creature's, in the herd.
        offset: of the point, (3,) [m, body].
    """

    entity: int
    row: int
    offset: Vec = (0.0, 0.0, 0.0)


@dataclass
class Rig:
    """Which chain or tree this entity is, and what else it hangs on.

    Attributes:
        definition: as written.
        index: its index among the world's rigs.
        carrier: the body that its root is on; None: it is fixed in the world.
        followed: number of a target, and the body whose point, or the entity of the chain whose
            tip, that target is.
    """

    definition: RigDef
    index: int
    carrier: Carrier | None
    followed: tuple[tuple[int, Carrier | int], ...] = ()

    def carriers(self) -> list[Carrier]:
        """The bodies that it hangs on and follows."""
        found = [source for _, source in self.followed if isinstance(source, Carrier)]
        return [*([self.carrier] if self.carrier else []), *found]


@dataclass
class Tracks:
    """What the E targets of a rig run along: (E,), and keyframes (E, K, 3) [m, frame]."""

    records: Records[TrackRecord]
    keys: Floats


@dataclass
class ChainPlan:
    """A chain of B bones as numbers.

    Attributes:
        start: (B + 1, 3) start pose, root to tip [m, frame].
        model: lengths and limits.
        pole: direction that inner joints bend to; the zero vector: none [frame].
        has_limits: whether there are any.
        is_flat: whether it stays in the XY plane through its root.
    """

    start: Floats
    model: Model
    pole: Vec
    has_limits: bool
    is_flat: bool


@dataclass
class TreePlan:
    """A tree of K joints, of which the last stand for its braces, as numbers.

    Attributes:
        start: (K, 3) start pose, the root first [m, frame].
        tree: its bones, the ends that targets pull at, then the loops that its braces close.
        reaches: (E,) largest distance of each target's joint from the root [m].
        knees: (P, 3) joints with a pole: parent, joint, child.
        poles: (P, 3) directions that they bend to [frame].
    """

    start: Floats
    tree: Tree
    reaches: Floats
    knees: NDArray[np.int64]
    poles: Floats


@dataclass
class Targets(Part):
    """Where the E pulled joints of a rig shall be: (1, E)."""

    name = "targets"
    records: RecordTable[TargetRecord]


@dataclass
class Bones(Part):
    """The solved pose of a rig; the next tick starts from it.

    Attributes:
        local: (1, J, 3) [m, frame].
        angles: (1, B, 3) of a chain with limits, against its start pose [rad]; see `ik.angles`.
        joints: (1, J, 3) the same pose as `local` [m, world].
        rotations: (1, B, 4) of the bones against the start pose, xyzw [world]; of a tree (1, J, 4),
            of the bone that ends at each joint.
    """

    name = "bones"
    local: Floats
    angles: Floats
    joints: Floats
    rotations: Floats
