"""Leaps are planned as a whole before they begin: crouch, extension, flight and landing.

The body goes as one. It bends its legs, stretches them along the direction in which it takes off,
flies the arc of least speed to where it lands, and is taken up by its legs.
"""

from math import sqrt

from creature_sim.components import (
    ACCEPTED,
    LOST,
    NO_FOOTHOLDS,
    NO_ROOM,
    NOT_STANDING,
    STANDING,
    TOO_FAR,
    TOO_HIGH,
    UNSTEADY,
    WALKING,
    FlightFootRecord,
    FlightRecord,
    GravityRecord,
    Records,
)
from creature_sim.locomotion.balance import is_upright
from creature_sim.locomotion.ballistics import flown, least_time, throw
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.footfalls import lift_in_turn, reach_down
from creature_sim.locomotion.gravity import up_at
from creature_sim.locomotion.reach import reaches
from creature_sim.locomotion.touchdown import Landing, segment_at, up_of
from creature_sim.locomotion.trunk import centre_of
from creature_sim.maths import (
    Quat,
    Vec,
    add,
    along,
    atan2,
    clamp,
    cross,
    dot,
    mix,
    norm,
    put,
    quat,
    quat_multiply,
    quat_turned,
    reject,
    rotate,
    scale,
    sub,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel

LEANS_BACK = 0.15
"""Going down it leans back by this fraction of its reach."""
LOOKS_UP = 0.2
"""Its nose goes up by this angle [rad]; in the flight it comes down."""
HOLDS = 0.5
"""Until take-off this fraction of the feet that stood stays down; others let go before."""
CROUCHES = 2.2
"""A crouch takes this many times the root of ride height over g."""
SOFTEST, HARDEST = 3.2, 1.0
"""Legs take a landing up in this many times that, as their room needs, and no less than that."""
DIP = 0.19
"""A body that is stopped smoothly goes on by this fraction of its speed times the time."""
COASTS = 0.35
"""It comes to rest so far ahead of where it touches down, as a fraction of the same."""
FARTHEST_COAST = 0.22
"""No farther than this fraction of the reach."""
LEAST_HOP = 0.25
"""A flight is at least as long as that of a hop of this fraction of the ride height."""
LEAST_STROKE = 0.08
"""Legs stretch by this fraction of their reach at least."""
STEEPEST_STROKE = 0.4
"""They stretch as far as the tallest stance is over the crouch, over this part of a level leap."""
FITTINGS = 6
"""Take-off and landing depend on the throw between them: so often they are found anew."""


@kernel
def may_leap(creature: Creature, flight: FlightRecord) -> int:
    """Whether a creature may begin to leap at all, ACCEPTED, or why not."""
    standing = left = 0
    if flight.stage != WALKING:
        return NOT_STANDING
    for i in range(creature.legs.shape[0]):
        foot = creature.feet[i]
        left += foot.phase != LOST
        standing += foot.phase == STANDING
        if foot.phase == STANDING and norm(vec(foot.drift)) > 1e-6:
            return UNSTEADY
    if standing == 0 or 2 * standing < left:
        return NOT_STANDING
    return ACCEPTED


@kernel
def stands(creature: Creature, centre: Vec, turn: Quat, share: float) -> bool:
    """Whether this share of the standing feet stays in reach where a trunk is moved as a whole."""
    standing = reached = 0
    for i in range(creature.legs.shape[0]):
        leg, foot = creature.legs[i], creature.feet[i]
        if foot.phase == STANDING:
            standing += 1
            position, orientation = segment_at(creature, leg.segment, centre, turn)
            reached += reaches(position, orientation, leg, vec(foot.position))
    return bool(reached >= share * standing)


@kernel
def low_of(
    creature: Creature, velocity: Vec, seconds: float, up: Vec, ahead: Vec
) -> tuple[Vec, Vec]:
    """Where the centre is at the end of a crouch [m, world]: as low and far back as legs allow.

    And the rotation vector by which it leans back then [rad, world].

    Args:
        creature: that leaps.
        velocity: of its centre now [m/s, world].
        seconds: that the crouch takes.
        up: of the trunk.
        ahead: level direction of the leap, no longer than 1.
    """
    centre, still = centre_of(creature.trunk), (0.0, 0.0, 0.0)
    is_stiff = creature.trunk.shape[0] > 1 or is_upright(creature.legs, creature.gait)
    depth = max(0.0, creature.gait.ride_height - creature.plan.min_ride_height)
    coast = along(centre, velocity, COASTS * seconds)
    for k in range(5):
        part = 1.0 - 0.25 * k
        for j in range(4):
            less = 1.0 - j / 3.0
            back = LEANS_BACK * creature.plan.reach * less
            low = along(along(mix(centre, coast, part), up, -depth * part), ahead, -back)
            lean = still if is_stiff else scale(cross(ahead, up), LOOKS_UP * less)
            if stands(creature, low, quat_turned(lean), 1.0):
                return low, lean
    return centre, still


@kernel
def axis_of(turn: Quat) -> tuple[Vec, float]:
    """Unit axis and angle [rad] of a rotation."""
    x, y, z, w = turn
    sign = 1.0 if w >= 0.0 else -1.0
    long = norm((x, y, z))
    return unit((x, y, z), (0.0, 0.0, 1.0)), 2.0 * sign * atan2(long, abs(w))


@kernel
def absorbing(creature: Creature, gravity: GravityRecord, landed: Vec, up: Vec) -> float:
    """Time in which legs take up a landing at a velocity [s]."""
    plan = creature.plan
    natural = sqrt(plan.ride_height / gravity.acceleration)
    room = max(0.15 * plan.ride_height, plan.ride_height - plan.min_ride_height)
    sinks = max(-dot(landed, up), 1e-3)
    return float(clamp(room / (DIP * sinks), HARDEST * natural, SOFTEST * natural))


@kernel
def coasting(creature: Creature, absorb: float, level: Vec) -> float:
    """For how long a body goes on at its level velocity [m/s] while its legs take it up [s].

    As if, that is: in all the time `absorb` [s] it goes so far.
    """
    farthest = FARTHEST_COAST * creature.plan.reach / max(norm(level), 1e-9)
    return float(min(COASTS * absorb, farthest))


@kernel
def plan_leap(
    creature: Creature,
    gravity: GravityRecord,
    landing: Landing,
    higher: float,
    flight: FlightRecord,
    feet: Records[FlightFootRecord],
    dt: float,
) -> int:
    """Write the whole of a leap, and return ACCEPTED, or why there is none.

    Args:
        creature: that leaps.
        gravity: the field.
        landing: where it comes to rest.
        higher: 1 is the flight of least speed; so many times as long.
        flight: written.
        feet: (L,) their footholds are known; written.
        dt: length of a tick [s].
    """
    plan = creature.plan
    g, centre = gravity.acceleration, centre_of(creature.trunk)
    natural = sqrt(plan.ride_height / g)
    body = creature.trunk[0]
    moving = rotate(quat(body.orientation), vec(body.velocity))
    up = up_of(creature)
    crouch_ticks = max(3, round(CROUCHES * natural / dt))
    level = reject(sub(landing.centre, centre), up)
    ahead = scale(level, 1.0 / max(norm(level), plan.reach))
    low, lean = low_of(creature, moving, crouch_ticks * dt, up, ahead)
    leant = quat_turned(lean)
    axis, angle = axis_of(quat_multiply(landing.turn, quat_turned(scale(lean, -1.0))))
    tallest = plan.max_ride_height - creature.gait.ride_height + dot(sub(centre, low), up)
    least = 2.0 * sqrt(2.0 * LEAST_HOP * plan.ride_height / g)
    velocity = landed = add(unit(sub(landing.centre, low), up), up_at(gravity, low))
    absorb = extend = SOFTEST * natural
    launch, arrival, ticks, spin = low, landing.centre, 1, 0.0
    for k in range(FITTINGS):
        ahead = unit(velocity, up)
        stroke = tallest / max(STEEPEST_STROKE, dot(ahead, up))
        if k > 0:  # slow ones are short
            slow = norm(velocity) * CROUCHES * natural / 3.0
            stroke = max(min(stroke, slow), 1.01 * LEAST_STROKE * plan.reach)
        while stroke > LEAST_STROKE * plan.reach:
            launch = along(low, ahead, stroke)
            turn = quat_turned(scale(axis, spin * extend / 3.0))
            if stands(creature, launch, quat_multiply(turn, leant), HOLDS):
                break
            stroke *= 0.85
        if stroke <= LEAST_STROKE * plan.reach:
            return NO_ROOM
        level = reject(landed, landing.up)
        arrival = along(landing.centre, level, -coasting(creature, absorb, level))
        seconds = max(least, higher * least_time(g, sub(arrival, launch)))
        ticks = max(2, int(seconds / dt) + 1)
        velocity = throw(gravity, launch, arrival, ticks, dt)
        _, landed = flown(gravity, launch, velocity, ticks, dt)
        extend = 3.0 * stroke / norm(velocity)
        absorb = absorbing(creature, gravity, landed, landing.up)
        spin = angle / (extend / 3.0 + ticks * dt + 0.5 * absorb)
    if norm(velocity) > plan.leap_speed:
        rise = dot(sub(landing.centre, centre), up)
        return TOO_HIGH if 4.0 * g * rise > plan.leap_speed * plan.leap_speed else TOO_FAR
    write_flight(flight, low, launch, velocity, landing.centre)
    flight.crouch_ticks, flight.flight_ticks = crouch_ticks, ticks
    flight.extend_ticks = max(2, int(extend / dt))
    flight.absorb_ticks = max(2, int(absorb / dt) + 1)
    put(flight.start, centre)
    put(flight.start_velocity, moving)
    put(flight.arrival, arrival)
    put(flight.axis, axis)
    put(flight.lean, lean)
    flight.spin = spin
    lift_in_turn(creature, flight, ahead, feet)
    if not reach_down(creature, gravity, flight, feet, dt):
        return NO_FOOTHOLDS
    return ACCEPTED


@kernel
def write_flight(flight: FlightRecord, low: Vec, launch: Vec, velocity: Vec, rest: Vec) -> None:
    """Write where a leap goes."""
    put(flight.low, low)
    put(flight.launch, launch)
    put(flight.launch_velocity, velocity)
    put(flight.rest, rest)
