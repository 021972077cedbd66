"""The state of physical twins: creatures whose bodies obey forces."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.components.records import Part, Quaternion, Record, Records, Vector
from creature_sim.maths import Floats

UPRIGHT, DRAWS_IN, ROLLS_OVER = 0, 1, 2  # twin.stage
"""It does what its walk wants; it has fallen, and draws its legs in, or rolls onto its belly."""

FALLS_OF_TWINS = ("", "it tipped over", "it lay on its body")
"""How a twin fell."""
TIPPED_OVER, LAY_DOWN = 1, 2


BY_WALK, BESIDE_WALK, BY_ANGLES = 0, 1, 2  # twin.led
"""Its hinges go where its walk wants them, or so far beside that, or to angles of their own."""


class TwinRecord(Record):
    """The base of a twin: the first segment of its trunk."""

    position: Vector  # of its centre [m, world]
    orientation: Quaternion  # base to world
    velocity: Vector  # [m/s, world]
    spin: Vector  # [rad/s, world]
    goal_position: Vector  # where its walk would have it [m, world]
    goal_orientation: Quaternion
    goal_velocity: Vector  # how fast that went in the last tick [m/s, world]
    centre: Vector  # of all its mass at the end of the last tick [m, world]
    drift: Vector  # how fast that went [m/s, world]
    heading: Vector  # that it keeps, where it has gone straight on for a while [world]
    blow: Vector  # velocity that a push has still to add [m/s, world]
    work: float  # of its motors in the last tick, where they drive: none is won back [J]
    strain: float  # largest torque that was asked for in it, over what its motor has
    borne: float  # fraction of its weight that its trunk bore at the end of the last tick
    care: float  # time for which it goes with care, after ground that steps [s]
    straight: float  # time for which it has been told to go straight on [s]
    forward: int  # command that it is led with, towards the one that it gets
    turn: int
    strafe: int
    height: int
    stage: int  # UPRIGHT, DRAWS_IN or ROLLS_OVER
    led: int  # BY_WALK, BESIDE_WALK or BY_ANGLES
    ticks: int  # of this stage; while it is upright, for which its trunk has borne its weight
    side: int  # whose legs push while it rolls over: 1 left, -1 right
    fall: int  # how it fell last: an index of FALLS_OF_TWINS
    fall_tick: int  # when
    fall_count: int  # falls so far


@dataclass
class Twin(Part):
    """N twins with A hinges and L legs.

    Attributes:
        records: (N,).
        angles: (N, A) of the hinges, in the order of `Robot.joints` [rad].
        rates: (N, A) [rad/s].
        goals: (N, A) angles that they are drawn to [rad].
        paces: (N, A) how fast those went in the last tick [rad/s].
        asked: (N, A) those that an event asks for, or how far they are beside the walk's [rad].
        corrections: (N, A) of goals, as the body is not where it is planned [rad].
        torques: (N, A) at the end of the last tick [N m].
        forces: (N, L, 3) of the ground on the feet at the end of the last tick [N, world].
        tips: (N, L, 3) where the feet are [m, world].
        contacts: (N, L) whether each foot touches anything.
        joints: (N, L, J, 3) that the walk asks for, see `LegChain` [m, world].
        rotations: (N, L, J - 1, 4) of the bones that it asks for.
    """

    name = "twin"
    records: Records[TwinRecord]
    angles: Floats
    rates: Floats
    goals: Floats
    paces: Floats
    asked: Floats
    corrections: Floats
    torques: Floats
    forces: Floats
    tips: Floats
    contacts: NDArray[np.int64]
    joints: Floats
    rotations: Floats
