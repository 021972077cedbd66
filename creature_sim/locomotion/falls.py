"""Bodies whose feet find nothing fall, and land where they come down."""

from creature_sim.components import (
    FLYING_FREE,
    FlightFootRecord,
    FlightRecord,
    GravityRecord,
    Records,
)
from creature_sim.locomotion.ballistics import fly_on
from creature_sim.locomotion.capture import pendulum_rate
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.flying import let_go, take_off
from creature_sim.locomotion.footfalls import reach_down
from creature_sim.locomotion.gravity import up_at
from creature_sim.locomotion.leaps import absorbing, axis_of, coasting
from creature_sim.locomotion.touchdown import Landing
from creature_sim.locomotion.trunk import centre_of
from creature_sim.maths import (
    Floats,
    Vec,
    Z,
    add,
    along,
    dot,
    norm,
    put,
    quat,
    reject,
    rotate,
    scale,
    sub,
    vec,
)
from creature_sim.maths.jit import kernel

CHORDS = 40
"""The path of a fall is looked along in so many pieces..."""
PIECE = 0.06
"""...of this time [s]."""


@kernel
def caught_at(creature: Creature, gravity: GravityRecord) -> Vec:
    """Where a body that is pushed would have to stand to come to rest [m, world, on the ground].

    The capture point of the inverted pendulum (Pratt et al. 2006): ahead by v sqrt(h / g).
    """
    body = creature.trunk[0]
    up = rotate(quat(body.orientation), Z)
    ahead = 1.0 / pendulum_rate(gravity, creature.gait)
    point = along(vec(body.position), thrown_at(creature, gravity), ahead)
    return along(point, up, -creature.gait.ride_height)


@kernel
def thrown_at(creature: Creature, gravity: GravityRecord) -> Vec:
    """Velocity at which a push throws a body whose feet do not catch it [m/s, world]."""
    thrown = scale(vec(creature.gait.thrown), pendulum_rate(gravity, creature.gait))
    velocity = velocity_of(creature)
    return thrown if norm(thrown) > norm(velocity) else velocity


@kernel
def velocity_of(creature: Creature) -> Vec:
    """How the centre goes [m/s, world]."""
    body = creature.trunk[0]
    x, y, _ = vec(body.velocity)
    return rotate(quat(body.orientation), (x, y, body.climb))


@kernel
def probe_fall(
    creature: Creature,
    gravity: GravityRecord,
    velocity: Vec,
    start: Floats,
    end: Floats,
    dt: float,
) -> None:
    """Write rays along the path of the centre: (CHORDS, 3) each [m, world]."""
    place = centre_of(creature.trunk)
    ticks = max(1, round(PIECE / dt))
    for k in range(CHORDS):
        put(start[k], place)
        for _ in range(ticks):
            place, velocity = fly_on(gravity, place, velocity, dt)
        put(end[k], place)


@kernel
def rest_below(
    creature: Creature, gravity: GravityRecord, velocity: Vec, ground: Vec, dt: float
) -> tuple[Vec, int]:
    """Where a fall that meets the ground comes to rest [m, world, on the ground], and its ticks.

    Args:
        creature: that falls.
        gravity: the field.
        velocity: of its centre now [m/s, world].
        ground: that its centre would meet [m, world].
        dt: length of a tick [s].
    """
    place, up = centre_of(creature.trunk), up_at(gravity, ground)
    ticks = 0
    most = CHORDS * max(1, round(PIECE / dt))
    while ticks < most:
        place, velocity = fly_on(gravity, place, velocity, dt)
        ticks += 1
        if dot(sub(place, ground), up) <= creature.plan.ride_height:
            break
    level = reject(velocity, up)
    seconds = coasting(creature, absorbing(creature, gravity, velocity, up), level)
    place = along(place, up, -dot(sub(place, ground), up))
    ahead = sub(vec(creature.trunk[0].position), centre_of(creature.trunk))
    return add(along(place, level, seconds), reject(ahead, up)), ticks


@kernel
def fall(
    creature: Creature,
    gravity: GravityRecord,
    velocity: Vec,
    landing: Landing,
    ticks: int,
    flight: FlightRecord,
    feet: Records[FlightFootRecord],
    dt: float,
) -> None:
    """Begin to fall.

    Args:
        creature: that falls.
        gravity: the field.
        velocity: of its centre now [m/s, world].
        landing: where it comes to rest.
        ticks: until its centre is as high as when it stands there.
        flight: written.
        feet: (L,) their footholds are known; written.
        dt: length of a tick [s].
    """
    place, landed = centre_of(creature.trunk), velocity
    begins = place
    count = 0
    while count < ticks:
        place, landed = fly_on(gravity, place, landed, dt)
        count += 1
        if dot(sub(place, landing.centre), landing.up) <= 0.0:
            break
    axis, angle = axis_of(landing.turn)
    absorb = absorbing(creature, gravity, landed, landing.up)
    flight.crouch_ticks = flight.extend_ticks = flight.tumbles = 0
    flight.flight_ticks = max(1, count)
    flight.absorb_ticks = max(2, int(absorb / dt) + 1)
    put(flight.axis, axis)
    put(flight.lean, (0.0, 0.0, 0.0))
    flight.spin = angle / (flight.flight_ticks * dt + 0.5 * absorb)
    put(flight.launch, begins)
    put(flight.launch_velocity, velocity)
    put(flight.arrival, place)
    put(flight.rest, landing.centre)
    reach_down(creature, gravity, flight, feet, dt)
    if flight.stage != FLYING_FREE:
        put(flight.here, begins)
    for i in range(creature.legs.shape[0]):
        let_go(creature, feet, i, 0)
    take_off(creature, flight)
