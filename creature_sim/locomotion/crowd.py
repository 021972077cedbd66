"""Who is near to whom: the segments of all creatures in a uniform grid."""

from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    LOST,
    BodyRecord,
    Company,
    FootRecord,
    GaitRecord,
    LegRecord,
    PlanRecord,
    Records,
    RecordTable,
    SegmentRecord,
    ShapeRecord,
    zeros,
)
from creature_sim.locomotion.trunk import centre_of
from creature_sim.maths import Floats, X, Y, Z, distance, norm, put, quat, rotate, vec
from creature_sim.maths.jit import kernel, unchecked

STEP_ROOM = 0.15
"""Feet need the ground around their homes by this fraction of the reach, for their strides."""


def spread_of(legs: Records[LegRecord]) -> float:
    """How far the feet of a creature stand from the middle of their segments, at most [m]."""
    return max(norm((leg.home[0], leg.home[1], 0.0)) for leg in legs)


def shapes_of(
    companies: Sequence[Company], seconds: float = 0.0
) -> tuple[Records[ShapeRecord], Floats, list[int]]:
    """What creatures meet of each other.

    Args:
        companies: the H herds of a world.
        seconds: others are minded from so long before both could meet; 0: as long as both brake.

    Returns:
        (M,) all segments, (F, 3) where all feet stand or will land [m, world], and (H + 1,) where
        the segments of each herd begin.
    """
    begins, feet_begin = [0], [0]
    for company in companies:
        begins.append(begins[-1] + company.bodies.size)
        feet_begin.append(feet_begin[-1] + company.feet.size)
    shapes, goals = zeros(ShapeRecord, begins[-1]), np.zeros((feet_begin[-1], 3))
    for h, (plan, bodies, gaits, feet, numbers) in enumerate(companies):
        _write_shapes(
            plan.body, plan.legs, plan.segments, bodies, gaits, feet, numbers, seconds,
            shapes, begins[h], goals, feet_begin[h],
        )  # fmt: skip
    return shapes, goals, begins


@kernel
def write_shapes(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    segments: Records[SegmentRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    numbers: NDArray[np.int64],
    seconds: float,
    shapes: Records[ShapeRecord],
    first: int,
    goals: Floats,
    first_foot: int,
) -> None:
    """Write what others meet of a herd's creatures.

    Args:
        plan: (1,).
        legs: (L,).
        segments: (S,).
        bodies: (N, S).
        gaits: (N,).
        feet: (N, L).
        numbers: (N,) of the creatures.
        seconds: others are minded from so long before both could meet; 0: as long as both brake.
        shapes: (M,) of the whole world; those of this herd are written.
        first: of this herd.
        goals: (F, 3) of the feet of the whole world; those of this herd are written [m, world].
        first_foot: of this herd.
    """
    count, k, leg = bodies.shape[1], first_foot, first_foot
    sight = plan[0].speed * seconds
    if seconds == 0.0:
        sight = plan[0].speed * plan[0].speed / plan[0].acceleration
    for n in range(bodies.shape[0]):
        centre = centre_of(bodies[n])
        for s in range(count):
            body, shape = bodies[n, s], shapes[first + n * count + s]
            orientation = quat(body.orientation)
            put(shape.position, vec(body.position))
            put(shape.centre, centre)
            put(shape.ahead, rotate(orientation, X))
            put(shape.aside, rotate(orientation, Y))
            put(shape.up, rotate(orientation, Z))
            put(shape.velocity, rotate(orientation, vec(body.velocity)))
            shape.yaw_rate = body.yaw_rate
            outline(plan[0], legs, segments[s], s, shape)
            shape.low = gaits[n].ride_height
            shape.sight = shape.radius + sight
            shape.number, shape.segment = numbers[n], s
            shape.is_leader = gaits[n].leader == s
            shape.first_foot, shape.first_leg = k, leg
            for i in range(legs.shape[0]):
                if legs[i].segment != s:
                    continue
                leg += 1
                if feet[n, i].phase != LOST:
                    put(goals[k], vec(feet[n, i].goal))
                    k += 1
            shape.last_foot = k
            shape.last_leg = leg


@kernel
def outline(
    plan: PlanRecord, legs: Records[LegRecord], segment: SegmentRecord, s: int, shape: ShapeRecord
) -> None:
    """Write the size of a segment, and of the ground around it that its feet need."""
    shape.front, shape.side, shape.top = segment.front, segment.side, segment.top
    shape.first_x, shape.last_x = -segment.front, segment.front
    shape.first_y, shape.last_y = -segment.side, segment.side
    far = segment.front * segment.front + segment.side * segment.side
    for i in range(legs.shape[0]):
        if legs[i].segment == s:
            x, y = legs[i].home[0], legs[i].home[1]
            shape.first_x, shape.last_x = min(shape.first_x, x), max(shape.last_x, x)
            shape.first_y, shape.last_y = min(shape.first_y, y), max(shape.last_y, y)
            far = max(far, x * x + y * y)
    room = STEP_ROOM * plan.reach
    shape.first_x, shape.first_y = shape.first_x - room, shape.first_y - room
    shape.last_x, shape.last_y = shape.last_x + room, shape.last_y + room
    shape.radius = max(shape.last_x, shape.last_y, -shape.first_x, -shape.first_y, sqrt(far))


@kernel
def cell_of(shape: ShapeRecord, size: float) -> tuple[int, int]:
    """Column and row of the cell of a grid that a segment is in; cells have this size [m]."""
    x, y = shape.position[0] / size, shape.position[1] / size
    return int(np.floor(x)), int(np.floor(y))


@kernel
def bucket_of(column: int, row: int, count: int) -> int:
    """Which of `count` (a power of two) lists holds a cell (Teschner et al. 2003, section 4.1)."""
    return ((column * 73856093) ^ (row * 19349663)) & (count - 1)


@kernel
def is_before(a: ShapeRecord, b: ShapeRecord) -> bool:
    """Whether a segment comes before another, by number of its creature, then in the trunk."""
    if a.number != b.number:
        return bool(a.number < b.number)
    return bool(a.segment < b.segment)


@kernel
def find_near(
    shapes: Records[ShapeRecord],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Segments of other creatures in sight of every segment.

    A cell is as large as the widest pair sees: whoever is in sight is in one of nine cells. The
    grid has no edges, and its cells lie in a table of lists. Neighbours are ordered by number:
    the answer depends neither on the grid nor on who else is there.

    Args:
        shapes: (M,) of the whole world.

    Returns:
        (M + 1,) where the neighbours of each segment begin, and (E,) their indices.
    """
    count = shapes.shape[0]
    first, others = np.zeros(count + 1, np.int64), np.empty(8 * count, np.int64)
    size, buckets = 1e-3, 1
    for m in range(count):
        size = max(size, 2.0 * shapes[m].sight)
    while buckets < count:
        buckets *= 2
    head, following = np.full(buckets, -1, np.int64), np.empty(count, np.int64)
    for m in range(count):
        column, row = cell_of(shapes[m], size)
        bucket = bucket_of(column, row, buckets)
        following[m] = head[bucket]
        head[bucket] = m
    found = 0
    for m in range(count):
        first[m] = found
        column, row = cell_of(shapes[m], size)
        for x in range(column - 1, column + 2):
            for y in range(row - 1, row + 2):
                k = head[bucket_of(x, y, buckets)]
                while k >= 0:
                    if sees(shapes[m], shapes[k]) and cell_of(shapes[k], size) == (x, y):
                        if found == others.shape[0]:
                            others = np.concatenate((others, np.empty_like(others)))
                        at = found
                        while at > first[m] and is_before(shapes[k], shapes[others[at - 1]]):
                            others[at] = others[at - 1]
                            at -= 1
                        others[at] = k
                        found += 1
                    k = following[k]
    first[count] = found
    return first, others[:found]


@kernel
def sees(a: ShapeRecord, b: ShapeRecord) -> bool:
    """Whether two segments are of different creatures and in sight of each other."""
    return bool(
        a.number != b.number and distance(vec(a.position), vec(b.position)) < a.sight + b.sight
    )


_write_shapes = unchecked(write_shapes)
