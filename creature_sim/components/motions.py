"""What a creature does besides walking, and what that asks of its body."""

from dataclasses import dataclass

from creature_sim.components.records import Part, Record, Records, RecordTable, Vector


class MotionRecord(Record):
    """One motion of a creature; see `motions/` for what each makes of its fields."""

    is_on: int  # whether it goes on
    seconds: float  # since it began
    point: Vector  # [m, world]
    shift: Vector  # [m, body]
    turn: Vector  # rotation vector [rad, body]
    leg: int
    other: int  # creature; -1: none
    seed: int  # of what the creature does by chance
    is_asked: int  # whether its event has still to be judged
    refusal: int  # of what was asked for last: an index of REFUSALS
    is_refused: int  # whether that was in this tick


class BodyPoseRecord(Record):
    """How a trunk is held against where it is planned: every segment alike."""

    asked_shift: Vector  # by all motions together [m, segment]
    asked_turn: Vector  # rotation vector [rad, segment]
    shift: Vector  # now [m, segment]
    shift_rate: Vector  # [m/s, segment]
    turn: Vector  # rotation vector [rad, segment]
    turn_rate: Vector  # [rad/s, segment]
    allowed: float  # fraction of what is asked that legs and ground allow, 0 to 1


class HeadRecord(Record):
    """How a head is turned on its neck."""

    is_gazing: int  # whether it looks at anything
    gaze: Vector  # what it looks at [m, world]
    yaw: float  # to the left [rad, body]
    pitch: float  # down [rad]
    yaw_rate: float  # [rad/s]
    pitch_rate: float  # [rad/s]


@dataclass
class Motions(Part):
    """What creatures do besides walking: (N, M), a column for each of `motions.MOTIONS`."""

    name = "motion"
    records: RecordTable[MotionRecord]


@dataclass
class BodyPose(Part):
    """How trunks are held against where they are planned: (N,)."""

    name = "body_pose"
    records: Records[BodyPoseRecord]


@dataclass
class Head(Part):
    """Where creatures look: (N,); without a head, where their body would."""

    name = "head"
    records: Records[HeadRecord]
