"""The components of a herd: N creatures of one body plan.

The trunk has S segments; L legs have at most J - 1 bones; Q rays are planned for each creature. A
component holds arrays whose leading axes are (N,), (N, S), (N, L) or (N, Q).
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.components.records import (
    Part,
    Quaternion,
    Record,
    Records,
    RecordTable,
    Vector,
)
from creature_sim.definitions import CreatureDef
from creature_sim.maths import Floats

STANDING, LIFTING, SAMPLED, FLYING, LOST = 0, 1, 2, 3, 4  # foot.phase
"""A foot stands, or is in the air: it has just lifted, its arc has been sampled, it flies along
it. A lost leg counts as in the air for ever."""

NOT_FOUND, FOUND, NOT_SOUGHT = 0, 1, 2  # foothold.status
"""Whether a search has found ground to stand on; not sought: no ray was cast."""

HELD_BY_GROUND, HELD_BY_OTHER = 1, 2  # gait.is_held
"""A wall or the border stops the body, or another creature does."""

WALKS, PUSHES, FLIES = 0, 1, 2  # gait.run
"""A body that runs is pushed off by feet that stand, or flies from stance to stance."""

REASONS = ("", "phase", "distance", "settle", "recovery")
"""Why a foot stepped: its turn in the cycle, far from home, at rest, or its leg was strained."""
BY_PHASE, BY_DISTANCE, TO_SETTLE, TO_RECOVER = 1, 2, 3, 4  # foot.reason


LED, RELEASED, SHIFTED = 1, 2, 3  # leg_target.is_led
"""A foot is led by events or motions, or was let go and looks for ground to stand on, or walks with
its footholds shifted."""

REACHES, STRIKES = 1, 2  # leg_target.task
"""The motion that a leg does; 0: it walks, or an event leads it."""

ASKED, BRACES, GOES, ENDS, RETURNS = 0, 1, 2, 3, 4  # leg_target.stage
"""A leg was asked to; the weight goes off it; it is on its way, or there; it is to come back as
soon as it may; it comes back, until it stands."""

ON_BODY, IN_WORLD, ON_PROP = 1, 2, 3  # leg_target.pole_kind
"""What carries the target of a pole; 0: there is none."""


class CommandRecord(Record):
    """What a driver wants, from -32767 to 32767; forward up to twice that."""

    forward: int
    turn: int  # to the left
    strafe: int  # to the left
    height: int  # down to a crouch, up to stretched legs


class BodyRecord(Record):
    """A segment of a trunk: where it is, and how it goes."""

    position: Vector  # centre [m, world]
    orientation: Quaternion  # body to world
    velocity: Vector  # along the surface [m/s, body]
    yaw_rate: float  # about its own Z [rad/s]
    climb: float  # of its height above its feet [m/s]
    tilt_rate: Vector  # towards the plane of its feet [rad/s, body]
    share: float  # of the trunk's weight


class GaitRecord(Record):
    """How a creature walks just now."""

    age: int  # ticks since it came, or was put back to its start
    leader: int  # the segment that is steered: the head, or the tail of a trunk that goes back
    phase: float  # of the cycle [0, 1)
    pace: float  # speed over the ground of the home that moves fastest [m/s]
    commanded_pace: float  # what the pace would be if the command were obeyed at once [m/s]
    commanded_velocity: Vector  # of the segment that is steered [m/s, body]
    tempo: float  # its strokes, as a fraction of its plan's: herds do not march in step
    cycle: int  # which one of the plan's is in use
    duty_factor: float  # fraction of the cycle that a foot stands; phase gaits
    stroke: float  # displacement of the fastest home during one stance [m]
    swing_length: float  # its displacement during one swing [m]; phase gaits
    ride_height: float  # now [m]
    shift: Vector  # how far the body is from where its homes are centred [m, body]
    shift_rate: Vector  # [m/s, body]
    acceleration: Vector  # that was asked for, and of the curve [m/s^2, body]
    poise: float  # how far a body that sets out is ready for it, 0 at rest, 1 once it goes; less
    # than 0: until it notices that it shall [s]
    bend: float  # the same of one that is asked for a turn
    turning: float  # yaw rate that it has still to gain [rad/s]
    thrown: Vector  # how far a push has still to carry it [m, world]
    stumble: float  # how much it stumbles after a push, 0 to 1
    lost_count: int  # legs that are gone
    patience: float  # pace to which it slowed down for feet that step high, or is back at [m/s]
    is_waiting: int  # whether that is less than what the command asks for, after feet stepped high
    is_held: int  # HELD_BY_GROUND or HELD_BY_OTHER, where that keeps the body from going; else 0
    is_static: int  # whether it means to keep its weight over three feet or more at all times
    urge: int  # to leap or fall: one of `wishes`, as ASKED or FALLS; 0: none
    fidget: int  # the foot that it sets anew as it stands, counted from 1; 0: none
    stuck: int  # ticks in which it hung in the air, or could not go on; -: that it still goes back
    run: int  # WALKS, PUSHES or FLIES
    below: float  # how far it is below where it takes off [m]
    rise: float  # speed upward of a body that runs [m/s]; its climb is 0, as it comes down again
    thrust: float  # acceleration upward of a body that is pushed off [m/s^2]
    late: float  # time since the end of a flight was due [s]
    free: Vector  # velocity of one that flies [m/s, world]
    rough: float  # time for which it does not run, after ground that is not for that [s]
    plain: float  # time for which its rays have found plain ground and nothing else [s]
    is_roofed: int  # whether anything hung over the segment that is steered when it last looked up
    rest: int  # SITS, FOLDS or LIES: how it is asked to rest; 0: it is up
    flight: int  # CARRIED or AIRBORNE while it leaps, falls or rests; 0: it walks
    is_braced: int  # whether a motion wants it to stand still, whatever its driver says
    raised_count: int  # legs that motions have taken off the ground


class FootRecord(Record):
    """A foot: where it stands, or how it swings."""

    position: Vector  # where the tip is wanted [m, world]
    track: Vector  # the same without the height of the arc [m, world]
    goal: Vector  # foothold of this swing; where the foot stands in stance [m, world]
    goal_normal: Vector  # of the ground at the goal [world]
    normal: Vector  # the foot's own, on its way to that of the goal [world]
    heading: Vector  # where the toes point: kept while the foot stands [world]
    roll: float  # how far its sole is pitched, toes up [rad]
    phase_offset: float  # in the cycle [0, 1); phase gaits
    urgency: float  # of a step: above 1 the foot should
    elapsed: float  # fraction of the swing's time that has passed, 0 to 1
    rate: float  # at which it passes [1/s]
    rate_change: float  # [1/s^2]
    limit: float  # rate that its speed and acceleration allow [1/s]
    progress: float  # of the swing, 0 to 1: its elapsed time, eased
    track_rate: Vector  # of the track over the elapsed time [m, world]
    track_bend: Vector  # that rate's over the elapsed time [m, world]
    apex: float  # height of this swing's arc [m]; 0 before it is chosen
    apex_goal: float  # height that it rises to, as more is known of the ground [m]
    apex_rate: float  # at which it does [m/s]
    apex_bend: float  # [m/s^2]
    early_hold: float  # fraction of the time in which the foot only rises, at first...
    late_hold: float  # ...and in which it only comes down, at last
    drift: Vector  # how far what it last stood on moved in a tick [m, world]
    phase: int  # STANDING, LIFTING, SAMPLED, FLYING or LOST
    is_raised: int  # whether an event or a motion leads it: lost to walking only
    reason: int  # of this step, or of the next one: an index of REASONS
    has_stepped: int  # whether it has landed in this turn of its own; phase gaits
    is_put_off: int  # whether this step went on where it should have landed: a bone was in the way
    prop: int  # that the goal lies on; -1: the ground
    load: float  # how much it presses: towards 1 while it stands, towards 0 in the air


class FootholdRecord(Record):
    """The search for a leg's next foothold."""

    aim: Vector  # where ground is looked for, before sensing [m, world]
    position: Vector  # where the foot would step now [m, world]
    normal: Vector  # of the ground there [world]
    offset: Vector  # how far the search has moved to better ground [m, body]
    score: float  # 0 to 1: level, clear of edges and feet, in easy reach
    clear: float  # the second of these alone: below 1 a foot in the air surveys the ground
    status: int  # FOUND, NOT_FOUND or NOT_SOUGHT
    fallback: int  # index in FALLBACKS at which the search looks
    prop: int  # that the foothold lies on; -1: the ground
    is_blocked: int  # on which sides the bone above the foot meets the ground, or soon will
    is_over: int  # whether there is ground below the hip, or below a foot that is led...
    under: Vector  # ...and where [m, world]
    under_prop: int  # that is there; -1: the ground


class LegTargetRecord(Record):
    """Where events want a foot, and what they want its knees to point to."""

    point: Vector  # where the foot shall be [m, world]; how far footholds are shifted [m, body]
    rotation: Quaternion  # that it shall have, Z its normal, X to its toes; zeros: as the body
    here: Vector  # where it is on its way there [m, world]
    velocity: Vector  # [m/s, world]
    turn: Quaternion  # that it has on its way
    pole_point: Vector  # target of its pole [m, segment, world or prop]
    pole: Vector  # unit direction that its knees point to now; zeros: as planned [segment]
    is_led: int  # LED, RELEASED or SHIFTED; 0: it walks
    pole_kind: int  # ON_BODY, IN_WORLD or ON_PROP; 0: as planned
    pole_prop: int  # that carries the target of its pole
    task: int  # REACHES or STRIKES, where a motion leads it; else 0
    stage: int  # of that: ASKED, BRACES, GOES, ENDS or RETURNS
    ticks: int  # of that stage that have passed
    other: int  # creature that the task is about; -1: none
    aim: Vector  # what the tip shall touch [m, world]
    old_aim: Vector  # the same a tick ago; of a blow, as it began
    start: Vector  # where the foot was as it lifted [m, world]
    drawn: Vector  # where it is drawn back to for a blow [m, world]
    end: Vector  # where that comes to rest [m, world]
    way: Vector  # unit direction of that [world]


class SuspensionRecord(Record):
    """How a segment hangs on its legs as a mass on springs: its pose against the planned one."""

    position: Vector  # planned: where the legs would hold it without its weight [m, world]
    orientation: Quaternion  # planned
    offset: Vector  # of its centre from there [m, segment]
    rate: Vector  # [m/s, segment]
    turn: Vector  # rotation vector against the planned orientation [rad, segment]
    spin: Vector  # [rad/s, segment]
    velocity: Vector  # planned, in the last tick [m/s, segment]
    force: Vector  # of its feet, on the mean of late; see `pressing`
    torque: Vector  # [m]
    given: float  # how much of that its legs let it have, 0 to 1


@dataclass
class Herd:
    """Who the creatures of this entity are.

    Attributes:
        definition: their body plan as written.
        members: (N,) number of each creature.
        is_closed: whether no other creature ever joins.
    """

    definition: CreatureDef
    members: NDArray[np.int64]
    is_closed: bool = False


@dataclass
class Command(Part):
    """What the drivers want, quantised: (N,)."""

    name = "command"
    records: Records[CommandRecord]


@dataclass
class Body(Part):
    """Where the trunks are, and how they go: (N, S), the head first."""

    name = "body"
    records: RecordTable[BodyRecord]


@dataclass
class Gait(Part):
    """How each creature walks: its cycle, its stride, its height: (N,)."""

    name = "gait"
    records: Records[GaitRecord]


@dataclass
class FootTarget(Part):
    """Where each foot shall be: on its foothold, or on the arc of a swing: (N, L)."""

    name = "foot_target"
    records: RecordTable[FootRecord]


@dataclass
class Foothold(Part):
    """Where each foot would step next: (N, L)."""

    name = "foothold"
    records: RecordTable[FootholdRecord]


@dataclass
class LegTarget(Part):
    """Where events want feet and knees: (N, L)."""

    name = "leg_target"
    records: RecordTable[LegTargetRecord]


@dataclass
class Suspension(Part):
    """How the trunks hang on their legs: (N, S)."""

    name = "suspension"
    records: RecordTable[SuspensionRecord]


class SolvedLegs(NamedTuple):
    """The solved legs of a herd, every array of `LegChain`; or of one creature, its row of each."""

    joints: Floats
    rotations: Floats
    foot_rotation: Floats
    angles: Floats
    rates: Floats
    passes: NDArray[np.int64]
    is_laid: NDArray[np.int64]


@dataclass
class LegChain(Part):
    """The solved legs.

    Attributes:
        joints: (N, L, J, 3) hip to tip; joints beyond a leg's own count repeat its tip [m, world].
        rotations: (N, L, J - 1, 4) of the bones, xyzw: X along the bone, Z on the pole's side.
        foot_rotation: (N, L, 4) xyzw: Z along the ground's normal, X forward.
        angles: (N, L, J - 1, 3) of the joints [rad]. A hinge: its angle, which is 0 straight on
            from the bone before, and 0, 0. A ball: its swing about Y and Z of the bone at rest,
            and its twist about it.
        rates: (N, L, J - 1) of the angles in the leg's plane in the last tick [rad/s].
        passes: (N, L) of FABRIK in the last tick.
        is_laid: (N, L) whether the bones were laid instead, because passes did not arrive.
    """

    name = "leg_chain"
    joints: Floats
    rotations: Floats
    foot_rotation: Floats
    angles: Floats
    rates: Floats
    passes: NDArray[np.int64]
    is_laid: NDArray[np.int64]

    @property
    def solved(self) -> SolvedLegs:
        """The same as kernels take it."""
        return SolvedLegs(**self.arrays())
