"""Every component of the world, with the unit and frame of every field.

An entity is a herd: N creatures of one body plan, whose trunk has S segments, with L legs of at
most J - 1 bones. A component holds arrays whose leading axes are (N,), (N, S) or (N, L). Its fields
are numpy records, so that a kernel reads `foot.progress` as C would, and so that a snapshot is a
copy and a digest a hash of bytes.

Chains and trees have components of their own, in `rigs.py`.

One more entity carries what the whole world shares: `Clock`, `Inbox`, `Ground`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.components.records import Part, Records, record_type
from creature_sim.definitions import CreatureDef
from creature_sim.maths import Floats

REACTIVE, PHASE = 0, 1  # plan.gait
SIDE, OPPOSITE = 0, 1  # plan.alternation


PLAN = record_type(
    ("ride_height", "f8"),  # [m] body centre above the ground, at rest
    ("lowest", "f8"),  # [m] ride height of a full crouch
    ("highest", "f8"),  # [m] ride height of a body that rises as far as its legs allow
    ("clearance", "f8"),  # [m] smallest height of the body centre above the ground below it
    ("speed", "f8"),  # [m/s] at full deflection
    ("strafe_speed", "f8"),  # [m/s]
    ("turn_rate", "f8"),  # [rad/s]
    (
        "turn_radius",
        "f8",
    ),  # [m] of the tightest circle that the trunk bends into; 0 for one segment
    ("acceleration", "f8"),  # [m/s^2]
    ("turn_acceleration", "f8"),  # [rad/s^2]
    ("ahead", "f8", (3,)),  # unit direction that "forward" means [body]
    ("lean", "f8"),  # share of the angle that would balance an acceleration
    ("bob", "f8"),  # [m] rise and fall of the body, twice in a cycle
    ("sway", "f8"),  # [m] of the body towards the feet that stand, once in a cycle
    ("margin", "f8"),  # [m] the body centre keeps this far from the border
    ("reach", "f8"),  # [m] mean of the legs'
    ("swing_time", "f8"),  # [s] longest swing
    ("step_height", "f8"),  # [m]
    ("waits", "f8"),  # swings that others wait for while a foot stands; reactive gaits
    ("gait", "i8"),  # REACTIVE or PHASE
    ("alternation", "i8"),  # SIDE or OPPOSITE
    ("is_static", "i8"),  # whether the gait keeps the body over its feet at all times
    ("is_on_planet", "i8"),  # whether weight points to one place, and not down the world's Z
    ("planet", "f8", (3,)),  # that place [m, world]
)

SEGMENT = record_type(
    ("front", "f8"),  # x of the joint with the segment before it [m, segment]
    ("rear", "f8"),  # x of the joint with the one behind it [m, segment]
    ("side", "f8"),  # half of its width [m]
    ("bend", "f8"),  # cosine of the largest angle against the one before it
    ("first_near", "i8"),  # legs of this segment and its neighbours
    ("last_near", "i8"),  # one past the last of them
)

CYCLE = record_type(
    ("froude", "f8"),  # speed squared over g and reach, from which on this one is used
    ("duty_factor", "f8"),  # share of the cycle that a foot stands
    ("stride_length", "f8"),  # [m] way of the body in one cycle
)

LEG = record_type(
    ("mount", "f8", (3,)),  # hip [m, segment]
    ("home", "f8", (3,)),  # foot at rest on level ground [m, segment]
    ("pole", "f8", (3,)),  # unit direction that knees point to [segment]
    ("shin", "f8", (3,)),  # from the foot at home to the joint above it [m, segment]
    ("reach", "f8"),  # sum of the bone lengths [m]
    ("comfort", "f8"),  # stretched beyond this share of its reach, it slows the body down
    ("inner", "f8"),  # closest a foot may come to the hip [m]
    ("bone_count", "i8"),
    ("pair", "i8"),  # counts from front to back
    ("side", "i8"),  # 1 left, -1 right
    ("segment", "i8"),
    ("rank", "i8"),  # place in a wave: the left side from behind, then the right
)

COMMAND = record_type(  # all from -32767 to 32767
    ("forward", "i8"),
    ("turn", "i8"),  # to the left
    ("strafe", "i8"),  # to the left
    ("height", "i8"),  # down to a crouch, up to stretched legs
)

BODY = record_type(
    ("position", "f8", (3,)),  # centre [m, world]
    ("orientation", "f8", (4,)),  # xyzw, body to world
    ("velocity", "f8", (3,)),  # along the surface [m/s, body]
    ("yaw_rate", "f8"),  # about its own Z [rad/s]
    ("climb", "f8"),  # of its height above its feet [m/s]
    ("tilt_rate", "f8", (3,)),  # towards the plane of its feet [rad/s, body]
)

GAIT = record_type(
    ("phase", "f8"),  # of the cycle [0, 1)
    ("pace", "f8"),  # speed over the ground of the home that moves fastest [m/s]
    ("asked", "f8"),  # what the pace would be if the command were obeyed at once [m/s]
    ("cycle", "i8"),  # which one of the plan's is in use
    ("duty_factor", "f8"),  # share of the cycle that a foot stands; phase gaits
    ("stance_length", "f8"),  # way of the fastest home during one stance [m]
    ("swing_length", "f8"),  # its way during one swing [m]; phase gaits
    ("height", "f8"),  # ride height now [m]
    ("shift", "f8", (3,)),  # how far the body is from where its homes are centred [m, body]
    ("shift_rate", "f8", (3,)),  # [m/s, body]
    ("acceleration", "f8", (3,)),  # that was asked for, and of the curve [m/s^2, body]
    ("lost_count", "i8"),  # legs that are gone
    ("is_held", "i8"),  # whether a wall or the border keeps the body from going as asked
)

FOOT = record_type(
    ("position", "f8", (3,)),  # where the tip is wanted [m, world]
    ("track", "f8", (3,)),  # the same without the lift of the arc [m, world]
    ("aim", "f8", (3,)),  # where the next foothold is looked for, before sensing [m, world]
    ("goal", "f8", (3,)),  # foothold of this swing; where the foot stands in stance [m, world]
    ("normal", "f8", (3,)),  # of the ground at the goal [world]
    ("sole", "f8", (3,)),  # the foot's own normal, on its way to that of the goal [world]
    ("toe", "f8", (3,)),  # where it points: it keeps that while it stands [world]
    ("foothold", "f8", (3,)),  # where the foot would step now [m, world]
    ("foothold_normal", "f8", (3,)),  # [world]
    ("nudge", "f8", (3,)),  # how far the search has moved to better ground [m, body]
    ("offset", "f8"),  # place in the cycle [0, 1); phase gaits
    ("need", "f8"),  # to step: above 1 the foot should
    ("progress", "f8"),  # of the swing, 0 to 1
    ("lift", "f8"),  # height of this swing's arc [m]; 0 or less before it is chosen
    ("score", "f8"),  # of `foothold`, 0 to 1: level, clear of edges and feet, in easy reach
    ("is_swinging", "i8"),  # a lost leg counts as in the air
    ("is_lost", "i8"),
    ("has_foothold", "i8"),  # 1: `foothold` is ground to stand on; 0: none found; -1: not looked
    ("retreat", "i8"),  # place in RETREATS at which the search looks
    ("reason", "i8"),  # of this step, or of the next one: a place in REASONS
    ("prop", "i8"),  # that the goal lies on; -1: the ground
    ("foothold_prop", "i8"),  # that the foothold lies on; -1: the ground
)

REASONS = ("", "phase", "distance", "settle", "recovery")
"""Why a foot stepped: its turn in the cycle, far from home, at rest, or its leg was strained."""
BY_PHASE, BY_DISTANCE, TO_SETTLE, TO_RECOVER = 1, 2, 3, 4  # foot.reason


HIT = record_type(
    ("point", "f8", (3,)),  # of the ground [m, world]
    ("normal", "f8", (3,)),  # [world]
    ("is_hit", "i8"),  # whether there is ground at all
    ("prop", "i8"),  # that was hit; -1: the ground
)


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
        segments: (S,) SEGMENT, from the head on.
        legs: (L,) LEG, segment by segment.
        lengths: (L, J - 1) bones, hip to tip; 0 beyond a leg's own count [m].
        cycles: (C,) CYCLE of a phase gait, from slow to fast.
        offsets: (C, L) place in the cycle of each leg [0, 1).
    """

    body: Records
    segments: Records
    legs: Records
    lengths: Floats
    cycles: Records
    offsets: Floats


@dataclass
class Command(Part):
    """What the drivers want, quantised: (N,) COMMAND."""

    name = "command"
    records: Records


@dataclass
class Body(Part):
    """Where the trunks are, and how they go.

    Attributes:
        records: (N, S) BODY, the head first.
        gaits: (N,) GAIT.
    """

    name = "body"
    records: Records
    gaits: Records


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
