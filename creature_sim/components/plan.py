"""A body plan as numbers: what kernels need of a creature's definition."""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple, TypeAlias

from creature_sim.components.records import Quaternion, Record, Records, Vector
from creature_sim.maths import Floats

Meets: TypeAlias = Annotated[Floats, 6]
"""A record's field of six numbers of legs."""
Turn: TypeAlias = Annotated[Floats, 2]
"""Sine and cosine of an angle."""

REACTIVE, PHASE = 0, 1  # plan.gait_kind
SIDE, OPPOSITE = 0, 1  # plan.alternation
YAWS, SWINGS = 0, 1  # leg.hip: a hinge about the body's up, or a ball


class PlanRecord(Record):
    """Numbers of the whole body."""

    ride_height: float  # body centre above the ground, at rest [m]
    min_ride_height: float  # of a full crouch [m]
    max_ride_height: float  # of a body that rises as far as its legs allow [m]
    clearance: float  # smallest height of the body centre above the ground below it [m]
    speed: float  # at full deflection [m/s]
    run_speed: float  # of one that runs [m/s]; 0: it cannot
    strafe_speed: float  # [m/s]
    turn_rate: float  # [rad/s]
    turn_radius: float  # of the tightest circle that the trunk bends into; 0: one segment [m]
    acceleration: float  # [m/s^2]
    curve: float  # largest acceleration towards the middle of a curve [m/s^2]
    steepest: float  # cosine of the steepest slope on which feet hold
    turn_acceleration: float  # [rad/s^2]
    ahead: Vector  # unit direction that "forward" means [body]
    lean: float  # fraction of the angle that would balance an acceleration
    bob: float  # rise and fall of the body, twice in a cycle [m]
    sway: float  # of the body towards the feet that stand, once in a cycle [m]
    weight: float  # how much of what its weight does to it is shown; 0: nothing
    frequency: float  # at which the body oscillates on its legs, up and down [1/s]
    load: float  # that it carries, as a fraction of its own mass
    damping: float  # of that, as a fraction of the critical one
    idle: float  # how much it lives while it stands, 1 as a whole
    neck: Vector  # where the head is mounted [m, body]
    neck_yaw: float  # largest to either side [rad]; 0: it has no head
    neck_pitch: float  # largest up and down [rad]
    leap_speed: float  # fastest take-off [m/s]
    leaps: int  # whether it leaps over what it cannot cross on foot
    border_margin: float  # the body centre keeps this far from the border [m]
    reach: float  # mean of the legs' [m]
    swing_time: float  # longest swing [s]; of a reactive gait at full speed
    step_height: float  # [m]
    foot_speed: float  # no foot in the air is meant to go faster [m/s]
    foot_acceleration: float  # nor to speed up or slow down more [m/s^2]
    effort: float  # over a high arc a foot takes less time by this fraction
    waits: float  # swings that others wait for while a foot stands; reactive gaits
    climbs: int  # whether its up is that of the ground, however steep
    grip: float  # pull that a foot of who climbs holds, over the weight
    hold: float  # narrowest ground that such a foot steps onto [m]
    weight_keeps: int  # whether who climbs falls where its feet hold less than its weight
    gait_kind: int  # REACTIVE or PHASE
    alternation: int  # SIDE or OPPOSITE
    pad: float  # smallest radius of a foot's pad [m]


class SegmentRecord(Record):
    """A segment of the trunk."""

    front: float  # x of the joint with the segment before it [m, segment]
    rear: float  # x of the joint with the one behind it [m, segment]
    side: float  # half of its width [m]
    top: float  # half of its height [m]
    bend: float  # cosine of the largest angle against the one before it
    first_near: int  # legs of this segment and its neighbours
    last_near: int  # one past the last of them


class CycleRecord(Record):
    """A cycle of a phase gait."""

    froude: float  # speed squared over g and reach, from which on this one is used
    duty_factor: float  # fraction of the cycle that a foot stands
    stride_length: float  # displacement of the body in one cycle [m]
    is_static: int  # whether it keeps three feet or more on the ground at all times
    flies: int  # whether all feet are off the ground at times


class LegRecord(Record):
    """A leg."""

    mount: Vector  # hip [m, segment]
    home: Vector  # foot at rest on level ground [m, segment]
    pole: Vector  # unit direction that knees point to [segment]
    shin: Vector  # from the foot at home to the joint above it [m, segment]
    reach: float  # sum of the bone lengths [m]
    soft_reach: float  # stretched beyond this fraction, it slows the body down
    min_reach: float  # closest that a foot may come, as a fraction of the arm
    out: Vector  # level unit direction from hip to home: a hip's angles begin there [segment]
    over: float  # 1 where knees point up, -1 where they point down; of a hip that yaws
    coxa: float  # length of a first bone that only yaws; 0: none does [m]
    arm: float  # sum of the bones that bend behind it [m]
    under: float  # nearer to below a hip that yaws no foot comes: the hip would spin [m]
    yaw_lo: float  # limits of a hip that yaws [rad]
    yaw_hi: float
    middle: Vector  # level unit direction in which it looks in the middle of those [segment]
    widest: Turn  # from there to the limits
    nearly: Turn  # to FULL_STRETCH of that: as far as it goes to the ground
    soft_lo: Turn  # to the fraction soft_reach of yaw_lo
    soft_hi: Turn  # and of yaw_hi
    ankle: float  # height of the ankle above a foot's sole; 0: it has no foot [m]
    ankle_lo: float  # limits of the ankle in the leg's plane [rad]
    ankle_hi: float
    roll_lo: float  # and out of it [rad]
    roll_hi: float
    heel: float  # ends of its sole behind the ankle and ahead of it, where it rolls; else 0 [m]
    toe: float
    knees: Vector  # direction that its knees point to, X where its toes do; of a foot below a ball
    toes: Vector  # where a sole that turns points at home, X ahead of its heading; else 0
    turns: int  # whether the sole turns about the last bone
    turn_lo: float  # limits of that, from rest [rad]
    turn_hi: float
    turn_rest: float  # angle from where it points in the plane of its leg [rad]
    rest: Quaternion  # of the first bone at rest: a ball's angles begin there [segment]
    cone: Vector  # half-angles of a ball about Y and Z of that, [rad]; and nothing
    twist_lo: float  # limits of a ball's twist [rad]
    twist_hi: float
    hip: int  # YAWS or SWINGS
    first: int  # bone that bends in the leg's plane first
    bend_count: int  # bones that do
    bone_count: int
    pair: int  # counts from front to back
    side: int  # 1 left, -1 right
    segment: int
    hip_radius: float  # of the leg seen from above, at its hip [m]
    foot_radius: float  # at its foot [m]
    knee_radius: float  # at its middle knee [m]
    thigh: float  # of the arm, above its middle knee [m]
    shank: float  # below it [m]; 0: its knees are not looked at
    calf: float  # from that knee to the ankle, where the joints between bend most [m]
    bulge: float  # of those joints then, out from the line of the calf at most [m]
    bulge_at: float  # where on that line, as a fraction of it
    meets: Meets  # legs that it may touch, the nearest first; -1: no more
    rank: int  # position in a wave: the left side from behind, then the right
    pitch_lo: float  # elevation of its thigh: limits of who climbs [rad]; both 0: nobody asks
    pitch_hi: float


class LegBones(NamedTuple):
    """The bones of all legs of a plan, as in `Plan`.

    lengths: (L, J - 1) [m]. limits: (L, J - 1, 2) and arcs: (L, J - 1, 7) of their hinges. rest:
    (L, J - 1) [rad].
    """

    lengths: Floats
    limits: Floats
    arcs: Floats
    rest: Floats


@dataclass
class Plan:
    """The body plan as numbers; it never changes.

    Attributes:
        body: (1,).
        segments: (S,), from the head on.
        legs: (L,), segment by segment.
        lengths: (L, J - 1) bones, hip to tip; 0 beyond a leg's own count [m].
        limits: (L, J - 1, 2) of the hinges in the legs' planes, smallest and largest angle [rad].
        arcs: (L, J - 1, 7) the same as sines and cosines, see `ik.hinges`.
        rest: (L, J - 1) their angles at rest [rad].
        radii: (L, J) of the legs at their joints, hip to tip; the tip's beyond a leg's own [m].
        cycles: (C,) of a phase gait, from slow to fast.
        offsets: (C, L) phase offset of each leg in each cycle [0, 1).
    """

    body: Records[PlanRecord]
    segments: Records[SegmentRecord]
    legs: Records[LegRecord]
    lengths: Floats
    limits: Floats
    arcs: Floats
    rest: Floats
    radii: Floats
    cycles: Records[CycleRecord]
    offsets: Floats

    @cached_property
    def bones(self) -> LegBones:
        """The bones of its legs as kernels take them."""
        return LegBones(self.lengths, self.limits, self.arcs, self.rest)

    @cached_property
    def minds_width(self) -> bool:
        """Whether its feet step onto no ground that is narrower than they hold."""
        return bool(self.body[0].hold > 0.0)
