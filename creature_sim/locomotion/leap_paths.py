"""What is in the way of a flight."""

import numpy as np

from creature_sim.components import (
    GROUND,
    KINEMATIC,
    FlightFootRecord,
    FlightRecord,
    GravityRecord,
    Props,
    Records,
    Solids,
)
from creature_sim.locomotion.ballistics import flown
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.footfalls import TUCKED, turned_in
from creature_sim.locomotion.trunk import centre_of
from creature_sim.maths import Floats, Vec, add, norm, put, quat, rotate, sub, vec
from creature_sim.maths.jit import kernel
from creature_sim.props.paths import place_ahead
from creature_sim.props.rays import cast_props, depths_within

CHORDS, OFFSETS = 10, 8
"""A flight is looked along in so many pieces, beside so many points of the body; the last
one is where it feels up from its centre to above it."""
BELOW = 0.4
"""The lowest of these is below the centre by this fraction of the ride height."""
ABOVE = 0.35
"""The highest is above it by this fraction of the reach: knees."""

OVER = 0.02
"""What moves is looked for over footholds by this fraction of the reach."""


@kernel
def probe_path(
    creature: Creature,
    gravity: GravityRecord,
    flight: FlightRecord,
    start: Floats,
    end: Floats,
    dt: float,
) -> None:
    """Write rays along a flight, beside the body: (CHORDS OFFSETS, 3) each [m, world].

    Of each piece of the path: the centre, ahead, behind, both sides, above and below.
    """
    front, wide, high = extents(creature)
    head = creature.trunk[0]
    place, velocity = vec(flight.launch), vec(flight.launch_velocity)
    offsets = np.zeros((OFFSETS, 3))
    offsets[1, 0], offsets[2, 0] = front, -front
    offsets[3, 1], offsets[4, 1] = wide, -wide
    offsets[5, 2], offsets[6, 2], offsets[7, 2] = high, -BELOW * creature.plan.ride_height, high
    done = 0
    for k in range(CHORDS):
        for j in range(OFFSETS - 1):
            put(
                start[OFFSETS * k + j],
                beside(head.orientation, flight, offsets[j], place, done, dt),
            )
        until = (flight.flight_ticks * (k + 1)) // CHORDS
        place, velocity = flown(gravity, place, velocity, until - done, dt)
        done = until
        put(start[OFFSETS * k + OFFSETS - 1], place)
        for j in range(OFFSETS):
            put(end[OFFSETS * k + j], beside(head.orientation, flight, offsets[j], place, done, dt))


@kernel
def beside(
    orientation: Floats, flight: FlightRecord, offset: Floats, place: Vec, ticks: int, dt: float
) -> Vec:
    """A point of the body so many ticks after take-off [m, world]."""
    own = rotate(quat(orientation), vec(offset))
    return add(place, rotate(turned_in(flight, ticks, dt), own))


@kernel
def extents(creature: Creature) -> tuple[float, float, float]:
    """How far a body with tucked legs goes ahead, aside and up from its centre [m]."""
    front = wide = 0.0
    centre = centre_of(creature.trunk)
    for s in range(creature.trunk.shape[0]):
        front = max(front, norm(sub(vec(creature.trunk[s].position), centre)))
    for i in range(creature.legs.shape[0]):
        leg = creature.legs[i]
        wide = max(wide, abs(leg.mount[1]) + TUCKED * abs(leg.home[1] - leg.mount[1]))
        if creature.trunk.shape[0] == 1:
            front = max(front, abs(leg.mount[0]))
    return front, wide, ABOVE * creature.plan.reach


def meets_what_moves(
    creature: Creature,
    gravity: GravityRecord,
    flight: FlightRecord,
    own: Records[FlightFootRecord],
    solids: Solids,
    props: Props,
    tick: int,
    dt: float,
) -> bool:
    """Whether something on a path comes into a flight, or over where its feet land.

    Everything is looked at where it will be then.

    Args:
        creature: that would leap.
        gravity: the field.
        flight: as it is planned.
        own: (L,) its footholds.
        solids: what the props are.
        props: where they are.
        tick: in which the crouch begins.
        dt: length of a tick [s].
    """
    is_moving = solids.records["motion"] == KINEMATIC
    moving, keys = solids.records[is_moving], solids.keys[is_moving]
    planes, there = solids.planes[is_moving], props.records[is_moving]
    starts, ends = np.empty((CHORDS * OFFSETS, 3)), np.empty((CHORDS * OFFSETS, 3))
    probe_path(creature, gravity, flight, starts, ends, dt)
    leaves = tick + int(flight.crouch_ticks + flight.extend_ticks)
    for k in range(CHORDS):
        piece = slice(OFFSETS * k, OFFSETS * (k + 1))
        place_ahead(moving, keys, there, leaves + int(flight.flight_ticks) * (k + 1) // CHORDS, dt)
        fractions, normals = np.ones(OFFSETS), np.zeros((OFFSETS, 3))
        numbers = np.full(OFFSETS, GROUND)
        cast_props(moving, planes, there, starts[piece], ends[piece], fractions, normals, numbers)
        if (fractions < 1.0).any():
            return True
    found = own[own["is_found"] != 0]
    feet = found["goal"] + OVER * creature.plan.reach * found["normal"]
    for after in (0, int(flight.absorb_ticks)):
        place_ahead(moving, keys, there, leaves + int(flight.flight_ticks) + after, dt)
        if depths_within(moving, planes, there, feet).any():
            return True
    return False
