"""Four legs sit with their hind down, as dogs do: the body pitches, its fore legs hold it up."""

from creature_sim.components import FlightFootRecord, Records, SegmentRecord
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.folding import holds
from creature_sim.maths import Vec, Y, along, quat, quat_turned, rotate, scale, sin
from creature_sim.maths.jit import kernel

STEEPEST, STEPS = 0.5, 10
"""Its nose goes up by this angle at most [rad]; less is tried in so many steps."""


@kernel
def pitched(
    creature: Creature,
    segment: SegmentRecord,
    own: Records[FlightFootRecord],
    stand: Vec,
    up: Vec,
    most: float,
) -> tuple[Vec, float]:
    """Rotation vector by which a body sits up [world], and how far its centre goes down [m].

    Its hind comes down as far as that may, its fore end stays as high as it is, or nearly. No
    rotation: it does not sit so.

    Args:
        creature: that sits down.
        segment: its trunk.
        own: (L,) its footholds.
        stand: its centre where it stands [m, world].
        up: its own.
        most: how far its hind may go down [m].
    """
    left = rotate(quat(creature.trunk[0].orientation), Y)
    for k in range(STEPS):
        angle = STEEPEST * (1.0 - k / STEPS)
        down = most - segment.front * sin(angle)
        turn = scale(left, -angle)
        if down >= 0.0 and holds(creature, own, stand, along(stand, up, -down), quat_turned(turn)):
            return turn, down
    return (0.0, 0.0, 0.0), 0.0
