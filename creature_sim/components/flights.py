"""The component of creatures that leap and fall: what carries a body that no feet carry.

N creatures of L legs, as in `herds.py`.
"""

from dataclasses import dataclass

from creature_sim.components.records import Part, Record, Records, RecordTable, Vector

WALKING, CROUCHING, EXTENDING, FLYING_FREE, ABSORBING = 0, 1, 2, 3, 4  # flight.stage
"""It walks; or it bends its legs for a leap, stretches them, flies, or bends them as it lands."""

CARRIED, AIRBORNE = 1, 2  # gait.flight
"""A creature in a flight bends its legs, or its body is thrown: walking does not move it."""

REFUSALS = (
    "",
    "no ground there",
    "too steep there",
    "too few footholds there",
    "too far",
    "too high",
    "low roof",
    "something is in the way",
    "its feet do not stand",
    "no room to crouch and stretch",
    "what it stands on moves",
    "out of reach",
    "it would fall",
    "that leg is gone",
)
"""Why a leap or another motion was refused."""
(
    ACCEPTED, NO_GROUND, TOO_STEEP, NO_FOOTHOLDS, TOO_FAR, TOO_HIGH, LOW_ROOF, IN_THE_WAY,
    NOT_STANDING, NO_ROOM, UNSTEADY, OUT_OF_REACH, WOULD_FALL, LEG_GONE,
) = range(14)  # fmt: skip


class FlightRecord(Record):
    """A leap or fall of a whole creature, from its crouch until its legs have taken it up."""

    stage: int  # WALKING, CROUCHING, EXTENDING, FLYING_FREE or ABSORBING
    ticks: int  # of this stage that have passed
    crouch_ticks: int
    extend_ticks: int
    flight_ticks: int
    absorb_ticks: int
    refusal: int  # of the last leap that was asked for: an index of REFUSALS
    asked_tick: int  # in which that was judged
    leap_count: int  # leaps and falls so far
    point: Vector  # on the ground, where it shall leap to [m, world]
    here: Vector  # its centre, as this has put it [m, world]
    velocity: Vector  # of its centre [m/s, world]
    start: Vector  # its centre where the crouch began [m, world]
    start_velocity: Vector  # [m/s, world]
    low: Vector  # its centre at the end of the crouch [m, world]
    launch: Vector  # its centre at take-off [m, world]
    launch_velocity: Vector  # [m/s, world]
    arrival: Vector  # its centre at touchdown [m, world]
    rest: Vector  # its centre once it is absorbed [m, world]
    lean: Vector  # rotation vector of its body in the crouch [rad, world]
    axis: Vector  # unit axis of the turn of its body [world]
    spin: float  # rate of that in free flight [rad/s]


class FlightFootRecord(Record):
    """A foot in a flight."""

    start: Vector  # where it is against its segment at take-off [m, segment]
    tuck: Vector  # in the middle of the flight [m, segment]
    end: Vector  # at touchdown [m, segment]
    goal: Vector  # its foothold [m, world]
    normal: Vector  # of the ground there [world]
    prop: int  # that it lies on; -1: the ground
    is_found: int  # whether there is one


@dataclass
class Flight(Part):
    """Leaps and falls: (N,), and their feet, (N, L)."""

    name = "flight"
    records: Records[FlightRecord]
    feet: RecordTable[FlightFootRecord]
