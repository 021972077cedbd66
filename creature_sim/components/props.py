"""Props as components: solids that rays meet, and where they are.

Rays against them are computed here and not by pybullet: plane by plane, so that a foot stands on a
moving box as exactly as on the ground.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.components.records import Part, Quaternion, Record, Records, Vector
from creature_sim.definitions import PropDef
from creature_sim.maths import Floats

STATIC, KINEMATIC, DYNAMIC = 0, 1, 2  # solid.motion
MOTIONS = ("static", "kinematic", "dynamic")
GROUND = -1
"""Stands for a prop's number where there is ground."""


class SolidRecord(Record):
    """The numbers of a prop that never change."""

    motion: int  # STATIC, KINEMATIC or DYNAMIC
    radius: float  # of a ball, or of a cylinder about its Z [m]; 0: of neither
    bound: float  # of a ball around its middle that holds all of it [m]
    plane_count: int  # of a cylinder its two ends; of a ball none
    key_count: int  # waypoints
    period: float  # [s]
    phase: float  # fraction of the period that is over at tick 0
    rotation: Quaternion  # at tick 0: xyzw, prop to world
    axis: Vector  # about which it turns, a unit vector [world]
    rate: float  # at which it does so [rad/s]


class PropRecord(Record):
    """A prop: where it is, and how it moves."""

    position: Vector  # of its middle [m, world]
    orientation: Quaternion  # xyzw, prop to world
    velocity: Vector  # of its middle [m/s, world]
    spin: Vector  # angular velocity [rad/s, world]
    old_position: Vector  # a tick ago [m, world]
    old_orientation: Quaternion


@dataclass
class Solids:
    """What the props of a world are, never changed during a run.

    Attributes:
        definitions: as written, P of them.
        records: (P,).
        planes: (P, F, 4) outward unit normals and distances from the middle [m, prop].
        keys: (P, K, 3) waypoints [m, world].
    """

    definitions: tuple[PropDef, ...]
    records: Records[SolidRecord]
    planes: Floats
    keys: Floats

    @property
    def is_dynamic(self) -> NDArray[np.bool_]:
        """Which are pushed, (P,)."""
        flags: NDArray[np.bool_] = self.records["motion"] == DYNAMIC
        return flags


@dataclass
class Props(Part):
    """Where the props are: (P,)."""

    name = "props"
    records: Records[PropRecord]


@dataclass
class Roofs:
    """What of the ground may hang over other ground.

    Attributes:
        solids: the roofs, as if they were props; None where there are none.
        is_unknown: whether only rays against the ground can tell.
    """

    solids: tuple[Solids, Props] | None
    is_unknown: bool
