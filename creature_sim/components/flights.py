"""The component of creatures that leap, fall and rest: what moves a body that does not walk.

N creatures of L legs, as in `herds.py`.
"""

from dataclasses import dataclass

from creature_sim.components.records import Part, Record, Records, RecordTable, Vector

WALKING, CROUCHING, EXTENDING, FLYING_FREE, ABSORBING = 0, 1, 2, 3, 4  # flight.stage
"""It walks; or it bends its legs for a leap, stretches them, flies, or bends them as it lands."""
LOWERING, SITTING, FOLDING, FOLDED, UNFOLDING, RISING = 5, 6, 7, 8, 9, 10  # flight.stage
"""It goes down on its legs, and sits; draws them in, and lies; puts them out, and rises."""
OVERTURNED, TURNING = 11, 12  # flight.stage
"""It lies as it came down, on its back or not, and turns over."""

CARRIED, AIRBORNE = 1, 2  # gait.flight
"""A creature in a flight bends its legs, or its body is thrown: walking does not move it."""

SITS, FOLDS, LIES = 1, 2, 4  # gait.rest
"""How a creature is asked to rest: on legs that stand, or with all of them drawn in. Whose body
has fallen lies with them drawn in, whatever it is told, until it has rolled onto its belly."""

TOLD = ("leap", "sit", "fold", "stand")
"""What creatures are told to do as a whole, by `flight.asked`."""
LEAPS, STANDS = 0, 3  # beside SITS and FOLDS
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
    "it leaps or falls",
    "it is told to walk",
    "no ground to lie on",
    "what is there moves",
    "its feet hold it on steep ground",
)
"""Why a leap or another motion was refused."""
(
    ACCEPTED, NO_GROUND, TOO_STEEP, NO_FOOTHOLDS, TOO_FAR, TOO_HIGH, LOW_ROOF, IN_THE_WAY,
    NOT_STANDING, NO_ROOM, UNSTEADY, OUT_OF_REACH, WOULD_FALL, LEG_GONE, IN_THE_AIR, TOLD_TO_WALK,
    NO_BED, MOVES_THERE, CLINGS,
) = range(19)  # fmt: skip


class FlightRecord(Record):
    """A leap, a fall or a rest of a whole creature, from its crouch until its legs carry it."""

    stage: int  # WALKING, CROUCHING ... TURNING
    ticks: int  # of this stage that have passed
    crouch_ticks: int  # also of a stage of a rest
    extend_ticks: int
    flight_ticks: int
    absorb_ticks: int
    refusal: int  # of the last leap or rest that was asked for: an index of REFUSALS
    asked: int  # what it was told last: an index of TOLD
    asked_tick: int  # in which that was judged
    leap_count: int  # leaps and falls so far
    point: Vector  # on the ground, where it shall leap to [m, world]
    here: Vector  # its centre, as this has put it [m, world]
    velocity: Vector  # of its centre [m/s, world]
    start: Vector  # its centre where the crouch, or a stage of a rest, began [m, world]
    start_velocity: Vector  # [m/s, world]
    low: Vector  # its centre at the end of the crouch, or where it sits [m, world]
    launch: Vector  # its centre at take-off [m, world]
    launch_velocity: Vector  # [m/s, world]
    arrival: Vector  # its centre at touchdown, or where it lies [m, world]
    rest: Vector  # its centre once it is absorbed, and where it stands up [m, world]
    lean: Vector  # rotation vector of its body in the crouch, or as it turns over [rad, world]
    axis: Vector  # unit axis of the turn of its body [world]
    spin: float  # rate of that in free flight [rad/s]
    tumbles: int  # whether it turns so until its hull comes down, and does not land on its feet
    is_on_back: int  # whether it lies on its back then
    bed: Vector  # point of the ground on which it lies then [m, world]
    bed_normal: Vector  # of the ground there [world]


class FlightFootRecord(Record):
    """A foot in a flight or a rest."""

    start: Vector  # where it is against its segment at take-off [m, segment]
    tuck: Vector  # in the middle of the flight, or drawn in [m, segment]
    end: Vector  # at touchdown [m, segment]
    goal: Vector  # its foothold [m, world]
    normal: Vector  # of the ground there [world]
    leads: int  # ticks for which it is in the air before the body takes off
    early: int  # ticks for which it stands before the flight of the body ends
    prop: int  # that it lies on; -1: the ground
    is_found: int  # whether there is one


@dataclass
class Flight(Part):
    """Leaps, falls and rests: (N,), and their feet, (N, L)."""

    name = "flight"
    records: Records[FlightRecord]
    feet: RecordTable[FlightFootRecord]
