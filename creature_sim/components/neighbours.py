"""Who is near to whom in this tick: found anew every time, no state."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.components.herds import BodyRecord, FootRecord, GaitRecord
from creature_sim.components.plan import Plan
from creature_sim.components.records import Record, Records, RecordTable, Vector, zeros
from creature_sim.maths import Floats


class ShapeRecord(Record):
    """What others meet of a segment of a trunk: its box, and the ground that its feet need."""

    position: Vector  # centre [m, world]
    centre: Vector  # of the whole trunk [m, world]
    ahead: Vector  # its X [world]
    aside: Vector  # its Y [world]
    up: Vector  # its Z [world]
    velocity: Vector  # [m/s, world]
    yaw_rate: float  # [rad/s]
    front: float  # half of the box's length [m]
    side: float  # half of its width [m]
    top: float  # half of its height [m]
    first_x: float  # of the ground that its feet need [m, segment]
    last_x: float
    first_y: float
    last_y: float
    radius: float  # of a disc around its centre that it never needs more than [m]
    low: float  # how far its feet are below its centre [m]
    sight: float  # it minds others from this distance between both on, together with theirs [m]
    number: int  # of the creature
    segment: int
    is_leader: int  # whether it is the one that is steered
    first_foot: int  # of its feet among all
    last_foot: int  # one past the last of them
    first_leg: int  # of its legs among all, lost ones too
    last_leg: int


class LimbRecord(Record):
    """A leg as others meet it: two bars, from its hip over its knee to its foot."""

    hip: Vector  # [m, world]
    knee: Vector  # its middle one [m, world]
    far: Vector  # its foot, or above that a knee that is farther out [m, world]
    hip_radius: float  # half of its width at the hip [m]
    knee_radius: float  # at the knee [m]
    far_radius: float  # at the other end [m]
    centre: Vector  # of a ball that holds all of it [m, world]
    radius: float  # of that ball [m]
    is_lost: int


class NeighbourRecord(Record):
    """A segment of another creature, as one segment sees it."""

    normal: Vector  # unit direction to get away from it, along the surface [world]
    gap: float  # between the grounds that the feet of both need [m]; inf: on another level
    edge: float  # along the normal, of the line half-way between those grounds [m]; -inf: none
    away: float  # speed at which it goes away by itself [m/s]
    face: Vector  # unit normal of the plane between the two bodies, towards this one [world]
    offset: float  # of the nearest point that this body may have to that plane's parallel [m]
    is_inside: int  # whether the two bodies overlap already: then no plane is between them
    first_foot: int  # of the other's feet among all
    last_foot: int


class Company(NamedTuple):
    """The creatures of a herd, as others meet them.

    Attributes:
        plan: their body plan.
        bodies: (N, S).
        gaits: (N,).
        feet: (N, L).
        numbers: (N,) of the creatures.
    """

    plan: Plan
    bodies: RecordTable[BodyRecord]
    gaits: Records[GaitRecord]
    feet: RecordTable[FootRecord]
    numbers: NDArray[np.int64]


class Near(NamedTuple):
    """Segments of other creatures near to K segments: of a herd, or of a creature.

    Attributes:
        first: (K + 1,) where those of each begin in `records`.
        records: (E,) of the whole world; those of a segment by their creatures' numbers.
        feet: (F, 3) where feet of the whole world stand, or will land [m, world].
        first_side: (L + 1,) where those of each leg begin in `sides`.
        sides: (B, 4) planes between the legs of the whole world that are near to one another: the
            unit normal of each, towards the leg, and how far it is at least along that [m, world].
    """

    first: NDArray[np.int64]
    records: Records[NeighbourRecord]
    feet: Floats
    first_side: NDArray[np.int64]
    sides: Floats


class Others(NamedTuple):
    """Of `Near`, what all creatures share."""

    records: Records[NeighbourRecord]
    feet: Floats
    sides: Floats


@dataclass
class Crowd:
    """Who is near to anybody in this tick; a component of the world."""

    others: Others


@dataclass
class Neighbours:
    """Where those near to a herd begin in the `Crowd` of this tick.

    Attributes:
        first: (N S + 1,) of each segment's, see `Near`.
        first_side: (N L + 1,) of each leg's.
    """

    first: NDArray[np.int64]
    first_side: NDArray[np.int64]


def nobody_near(segment_count: int, leg_count: int) -> Neighbours:
    """Nobody near to so many segments, and legs."""
    return Neighbours(np.zeros(segment_count + 1, np.int64), np.zeros(leg_count + 1, np.int64))


def no_others() -> Others:
    """Nobody near to anybody."""
    return Others(zeros(NeighbourRecord, 0), np.zeros((0, 3)), np.zeros((0, 4)))


def nobody(segment_count: int, leg_count: int) -> Near:
    """Nobody near to so many segments, and legs."""
    own, others = nobody_near(segment_count, leg_count), no_others()
    return Near(own.first, others.records, others.feet, own.first_side, others.sides)
