"""Props as components: solids that rays meet, and where they are.

Rays against them are computed here and not by pybullet: plane by plane, so that a foot stands on a
moving box as exactly as on the ground.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.components.records import Part, Records, record_type
from creature_sim.definitions import PropDef
from creature_sim.maths import Floats

STATIC, KINEMATIC, DYNAMIC = 0, 1, 2  # solid.motion
MOTIONS = ("static", "kinematic", "dynamic")
GROUND = -1
"""What stands in the place of a prop's number where there is ground."""

SOLID = record_type(
    ("motion", "i8"),  # STATIC, KINEMATIC or DYNAMIC
    ("radius", "f8"),  # of a ball [m]; 0 for what has planes
    ("bound", "f8"),  # of a ball around its middle that holds all of it [m]
    ("plane_count", "i8"),
    ("key_count", "i8"),  # waypoints
    ("period", "f8"),  # [s]
    ("phase", "f8"),  # share of the period that is over at tick 0
)

PROP = record_type(
    ("position", "f8", (3,)),  # of its middle [m, world]
    ("orientation", "f8", (4,)),  # xyzw, prop to world
    ("velocity", "f8", (3,)),  # of its middle [m/s, world]
    ("spin", "f8", (3,)),  # angular velocity [rad/s, world]
    ("old_position", "f8", (3,)),  # a tick ago [m, world]
    ("old_orientation", "f8", (4,)),
)


@dataclass
class Solids:
    """What the props of a world are, never changed during a run.

    Attributes:
        definitions: as written, P of them.
        records: (P,) SOLID.
        planes: (P, F, 4) outward unit normals and distances from the middle [m, prop].
        keys: (P, K, 3) waypoints [m, world].
    """

    definitions: tuple[PropDef, ...]
    records: Records
    planes: Floats
    keys: Floats

    @property
    def is_dynamic(self) -> NDArray[np.bool_]:
        """Which are pushed, (P,)."""
        flags: NDArray[np.bool_] = self.records["motion"] == DYNAMIC
        return flags


@dataclass
class Props(Part):
    """Where the props are: (P,) PROP."""

    name = "props"
    records: Records


@dataclass
class Roofs:
    """What of the ground may hang over other ground.

    Attributes:
        solids: the roofs, as if they were props; None where there are none.
        is_unknown: whether only rays against the ground can tell.
    """

    solids: tuple[Solids, Props] | None
    is_unknown: bool
