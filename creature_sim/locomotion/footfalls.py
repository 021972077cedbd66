"""Feet leave the ground and come down one after another, the foremost first.

The hind feet of a body that leaps push last; its fore feet reach for the ground before its flight
ends, and carry it from then on. Both are known before it takes off.
"""

from math import sqrt

from creature_sim.components import (
    LOST,
    STANDING,
    FlightFootRecord,
    FlightRecord,
    GravityRecord,
    Records,
)
from creature_sim.locomotion.ballistics import flown
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.reach import reaches
from creature_sim.locomotion.touchdown import SHARES, is_enough, segment_at, up_of
from creature_sim.maths import (
    Quat,
    Vec,
    add,
    clamp,
    dot,
    put,
    quat_multiply,
    quat_turned,
    quat_unit,
    reject,
    scale,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

TUCKED = 0.62
"""In the middle of a flight a foot is at this fraction of the way from its hip to its home..."""
RAISED = 0.45
"""...and of the way down."""
LEADS = 0.4
"""The foremost foot leaves the ground this fraction of the extension before the hind ones do."""
EARLY = 0.4
"""It comes down before them by at most this multiple of the root of the ride height over g."""
ABREAST = 0.3
"""Feet that are no farther ahead of others than this fraction of the reach go with them."""


@kernel
def turned_in(flight: FlightRecord, ticks: int, dt: float) -> Quat:
    """Rotation of a body so many ticks after take-off from how it was at first [world]."""
    angle = flight.spin * dt * (flight.extend_ticks / 3.0 + ticks)
    turn = quat_turned(scale(vec(flight.axis), angle))
    return quat_unit(quat_multiply(turn, quat_turned(vec(flight.lean))))


@kernel
def rank(ahead: float, hindmost: float, foremost: float, reach: float) -> float:
    """Where a foot is from the hindmost (0) to the foremost (1); 0 where they are abreast."""
    if foremost - hindmost < ABREAST * reach:
        return 0.0
    return (ahead - hindmost) / (foremost - hindmost)


@kernel
def lift_in_turn(
    creature: Creature, flight: FlightRecord, ahead: Vec, feet: Records[FlightFootRecord]
) -> None:
    """Write when feet leave the ground; half of them push until the end.

    Args:
        creature: that leaps.
        flight: how.
        ahead: direction in which it takes off [world].
        feet: (L,) written.
    """
    hindmost, foremost = 1e9, -1e9
    level = reject(ahead, up_of(creature))
    for i in range(creature.legs.shape[0]):
        if creature.feet[i].phase == STANDING:
            here = dot(vec(creature.feet[i].position), level)
            hindmost, foremost = min(hindmost, here), max(foremost, here)
    for i in range(creature.legs.shape[0]):
        here = dot(vec(creature.feet[i].position), level)
        fore = 2.0 * rank(here, hindmost, foremost, creature.plan.reach) - 1.0
        feet[i].leads = int(LEADS * flight.extend_ticks * clamp(fore, 0.0, 1.0))


@kernel
def reach_down(
    creature: Creature,
    gravity: GravityRecord,
    flight: FlightRecord,
    feet: Records[FlightFootRecord],
    dt: float,
) -> bool:
    """Write how feet are tucked and put down; whether enough of them reach their footholds.

    Args:
        creature: that leaps, or falls.
        gravity: the field.
        flight: how.
        feet: (L,) written.
        dt: length of a tick [s].
    """
    found = 0
    turn = turned_in(flight, flight.flight_ticks, dt)
    for i in range(creature.legs.shape[0]):
        leg, foot = creature.legs[i], feet[i]
        mount, home = vec(leg.mount), vec(leg.home)
        x, y, z = sub(home, mount)
        tuck = add(mount, (TUCKED * x, TUCKED * y, RAISED * z))
        put(foot.tuck, tuck)
        put(foot.end, add(mount, (0.85 * x, 0.85 * y, 0.85 * z)))
        foot.early = 0
        if not foot.is_found:
            continue
        position, orientation = segment_at(creature, leg.segment, vec(flight.arrival), turn)
        if not reaches(position, orientation, leg, vec(foot.goal)):
            foot.is_found = 0
            continue
        put(foot.end, unrotate(orientation, sub(vec(foot.goal), position)))
        found += 1
    land_in_turn(creature, gravity, flight, feet, dt)
    return is_enough(creature, found, SHARES)


@kernel
def land_in_turn(
    creature: Creature,
    gravity: GravityRecord,
    flight: FlightRecord,
    feet: Records[FlightFootRecord],
    dt: float,
) -> None:
    """Let the foremost feet come down before the flight ends, as long before as they reach."""
    hindmost, foremost = 1e9, -1e9
    begin, velocity = vec(flight.launch), vec(flight.launch_velocity)
    ahead = unit(reject(velocity, up_of(creature)), (0.0, 0.0, 0.0))
    for i in range(feet.shape[0]):
        if feet[i].is_found and creature.feet[i].phase != LOST:
            there = dot(vec(feet[i].goal), ahead)
            hindmost, foremost = min(hindmost, there), max(foremost, there)
    longest = int(EARLY * sqrt(creature.plan.ride_height / gravity.acceleration) / dt)
    longest = min(longest, flight.flight_ticks // 3)
    for early in range(1, longest + 1):
        ticks = flight.flight_ticks - early
        centre, _ = flown(gravity, begin, velocity, ticks, dt)
        turn = turned_in(flight, ticks, dt)
        for i in range(feet.shape[0]):
            foot, leg = feet[i], creature.legs[i]
            there = dot(vec(foot.goal), ahead)
            fore = rank(there, hindmost, foremost, creature.plan.reach)
            if not foot.is_found or foot.early != early - 1 or early > fore * longest:
                continue
            position, orientation = segment_at(creature, leg.segment, centre, turn)
            if reaches(position, orientation, leg, vec(foot.goal)):
                foot.early = early
                put(foot.end, unrotate(orientation, sub(vec(foot.goal), position)))
