"""Every component of the world, with the unit and frame of every field.

An entity is a herd: N creatures of one body plan with L legs of at most J - 1 bones. A component
holds arrays whose leading axes are (N,) or (N, L). Its fields are numpy records, so that a kernel
reads `foot.progress` as C would, and so that a snapshot is a copy and a digest a hash of bytes.

Chains and trees have components of their own, in `rigs.py`.

One more entity carries what the whole world shares: `Clock`, `Inbox`, `Ground`.
"""

from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef
from creature_sim.inputs import Input
from creature_sim.maths import Floats
from creature_sim.physics import Physics

Records: TypeAlias = NDArray[Any]
"""Array of numpy records; the comment beside it names their dtype."""

Record: TypeAlias = Any
"""One record of such an array, inside a kernel."""

REACTIVE, PHASE = 0, 1  # plan.gait
SIDE, OPPOSITE = 0, 1  # plan.alternation


def record_type(*names: tuple[str, str] | tuple[str, str, tuple[int, ...]]) -> np.dtype[Any]:
    """Record type of 8-byte fields: no padding, and readable as attributes without a compiler.

    For the latter no field may be named like an attribute of numpy's own scalars (`base`, `data`).
    """
    return np.dtype((np.record, list(names)))


PLAN = record_type(
    ("ride_height", "f8"),  # [m] body centre above the ground
    ("clearance", "f8"),  # [m] smallest height of the body centre above the ground below it
    ("speed", "f8"),  # [m/s] at full deflection
    ("turn_rate", "f8"),  # [rad/s]
    ("acceleration", "f8"),  # [m/s^2]
    ("turn_acceleration", "f8"),  # [rad/s^2]
    ("foot_speed", "f8"),  # [m/s] fastest foot against the body that the gait can follow
    ("margin", "f8"),  # [m] the body centre keeps this far from the border
    ("stance_length", "f8"),  # [m] way of the body during one stance
    ("swing_length", "f8"),  # [m] way of the body during one swing; 0: a swing takes its time
    ("stride_length", "f8"),  # [m] way of the body in one cycle; phase gaits
    ("duty_factor", "f8"),  # share of the cycle; phase gaits
    ("swing_time", "f8"),  # [s] longest swing
    ("step_height", "f8"),  # [m]
    ("gait", "i8"),  # REACTIVE or PHASE
    ("alternation", "i8"),  # SIDE or OPPOSITE
)

LEG = record_type(
    ("mount", "f8", (3,)),  # hip [m, body]
    ("home", "f8", (3,)),  # foot at rest on level ground [m, body]
    ("pole", "f8", (3,)),  # unit direction that knees point to [body]
    ("reach", "f8"),  # sum of the bone lengths [m]
    ("inner", "f8"),  # closest a foot may come to the hip [m]
    ("offset", "f8"),  # place in the cycle [0, 1)
    ("bone_count", "i8"),
    ("pair", "i8"),  # counts from front to back
    ("side", "i8"),  # 1 left, -1 right
)

COMMAND = record_type(
    ("forward", "i8"),  # -32767 to 32767
    ("turn", "i8"),  # -32767 to 32767, positive to the left
)

BODY = record_type(
    ("position", "f8", (3,)),  # centre [m, world]
    ("orientation", "f8", (4,)),  # xyzw, body to world
    ("speed", "f8"),  # along its own X [m/s]
    ("yaw_rate", "f8"),  # about its own Z [rad/s]
    ("phase", "f8"),  # of the gait cycle [0, 1)
    ("pace", "f8"),  # speed over the ground of the home that moves fastest [m/s]
)

FOOT = record_type(
    ("position", "f8", (3,)),  # where the tip is wanted [m, world]
    ("track", "f8", (3,)),  # the same without the lift of the arc [m, world]
    ("aim", "f8", (3,)),  # where the next foothold is looked for, before sensing [m, world]
    ("goal", "f8", (3,)),  # foothold of this swing; where the foot stands in stance [m, world]
    ("normal", "f8", (3,)),  # of the ground at the goal [world]
    ("sole", "f8", (3,)),  # the foot's own normal, on its way to that of the goal [world]
    ("foothold", "f8", (3,)),  # where the foot would step now [m, world]
    ("foothold_normal", "f8", (3,)),  # [world]
    ("nudge", "f8", (3,)),  # how far the search has moved away from edges [m, body]
    ("need", "f8"),  # to step: above 1 the foot should
    ("progress", "f8"),  # of the swing, 0 to 1
    ("rate", "f8"),  # of progress [1/s]
    ("lift", "f8"),  # height of this swing's arc [m]; 0 or less before it is chosen
    ("is_swinging", "i8"),
    ("has_foothold", "i8"),  # whether `foothold` is ground to stand on
    ("retreat", "i8"),  # how many times in a row the search found none: it looks nearer
)


HIT = record_type(
    ("point", "f8", (3,)),  # of the ground [m, world]
    ("normal", "f8", (3,)),  # [world]
    ("is_hit", "i8"),  # whether there is ground at all
)


@dataclass
class Part:
    """A component that is state: copied into snapshots, digested, restored by a reset.

    Every array in it has the herd's N creatures as its leading axis and 8-byte fields.
    Derive from it to add state of your own to the world; `name` is what digests call it.
    """

    name: ClassVar[str]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by field name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass
class Herd:
    """Who the creatures of this entity are.

    Attributes:
        definition: their body plan as written.
        members: (N,) place of each creature in the world's list.
    """

    definition: CreatureDef
    members: NDArray[np.int64]


@dataclass
class Plan:
    """The body plan as numbers, never changed during a run.

    Attributes:
        body: (1,) PLAN.
        legs: (L,) LEG.
        lengths: (L, J - 1) bones, hip to tip; 0 beyond a leg's own count [m].
    """

    body: Records
    legs: Records
    lengths: Floats


@dataclass
class Command(Part):
    """What the drivers want, quantised: (N,) COMMAND."""

    name = "command"
    records: Records


@dataclass
class Body(Part):
    """Pose and motion of the trunks: (N,) BODY."""

    name = "body"
    records: Records


@dataclass
class Feet(Part):
    """What each foot does: (N, L) FOOT."""

    name = "feet"
    records: Records


@dataclass
class Probes:
    """Rays of this tick; slots are listed in `systems/plan_probes.py`.

    Attributes:
        start: (N, S, 3) [m, world].
        end: (N, S, 3) [m, world].
        is_active: (N, S) whether the ray is cast in this tick.
    """

    start: Floats
    end: Floats
    is_active: NDArray[np.int64]


@dataclass
class Sensed(Part):
    """The ground that the last ray of every slot found: (N, S) HIT."""

    name = "ground"
    records: Records


@dataclass
class LegChain(Part):
    """The solved legs.

    Attributes:
        joints: (N, L, J, 3) hip to tip; joints beyond a leg's own count repeat its tip [m, world].
        rotations: (N, L, J - 1, 4) of the bones, xyzw: X along the bone, Z on the pole's side.
        foot_rotation: (N, L, 4) xyzw: Z along the ground's normal, X forward.
    """

    name = "legs"
    joints: Floats
    rotations: Floats
    foot_rotation: Floats


@dataclass
class Spawned:
    """Copies of an entity's parts as they were before the first tick, for a reset."""

    parts: dict[type[Part], dict[str, NDArray[Any]]]


@dataclass
class Clock:
    """Number of the tick that is being computed (the first is 1)."""

    tick: int


@dataclass
class Inbox:
    """The one way in: what is applied in this tick."""

    input: Input


@dataclass
class Ground:
    """Where rays are cast, and the square |x|, |y| <= half_size [m] that has ground."""

    physics: Physics
    half_size: float
