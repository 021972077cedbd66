"""What the whole world shares: one entity carries it."""

from dataclasses import dataclass

from creature_sim.components.records import Record, Records, Vector
from creature_sim.ground.rays import Physics
from creature_sim.inputs import Input


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


GRAVITY = 9.81
"""Of the Earth [m/s^2]."""


class GravityRecord(Record):
    """A field of gravity: along the world's -Z, or towards a centre."""

    acceleration: float  # everywhere [m/s^2]
    is_central: int
    centre: Vector  # [m, world]


@dataclass
class Gravity:
    """The world's one field of gravity: (1,); it never changes."""

    records: Records[GravityRecord]
