"""A creature in a leap or a fall, tick by tick: its body goes as planned, its legs follow."""

from creature_sim.components import (
    ABSORBING,
    AIRBORNE,
    CARRIED,
    CROUCHING,
    EXTENDING,
    FLYING,
    FLYING_FREE,
    FOUND,
    LOST,
    LOWERING,
    NOT_FOUND,
    RISING,
    SITTING,
    STANDING,
    WALKING,
    BodyRecord,
    FlightFootRecord,
    FlightRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    LegRecord,
    PlanRecord,
    Records,
    RecordTable,
    SuspensionRecord,
)
from creature_sim.locomotion.ballistics import fly_on
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.flight import curl_up
from creature_sim.locomotion.landing import is_held
from creature_sim.locomotion.reach import bring_in_reach, reaches
from creature_sim.locomotion.swing import begin_swing
from creature_sim.locomotion.trunk import centre_of
from creature_sim.maths import (
    Vec,
    X,
    Z,
    add,
    mix,
    put,
    put_quat,
    quat,
    quat_multiply,
    quat_turned,
    quat_unit,
    rotate,
    scale,
    slerp,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

TOUCHES = 0.5
"""A foot comes down at this fraction of the speed of its body."""
MIDDLE = 0.5
"""In the middle of a flight a foot goes on from take-off to touchdown at this part of its mean."""


@kernel
def fly(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    gravity: Records[GravityRecord],
    flights: Records[FlightRecord],
    flying_feet: RecordTable[FlightFootRecord],
    suspensions: RecordTable[SuspensionRecord],
    dt: float,
) -> None:
    """Move all creatures of a herd that leap or fall.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S); written.
        gaits: (N,); written.
        feet: (N, L); written.
        footholds: (N, L); written.
        gravity: (1,).
        flights: (N,); written. Rests go on elsewhere.
        flying_feet: (N, L); written.
        suspensions: (N, S); springs are eased out before take-off, and begin anew at touchdown.
        dt: length of a tick [s].
    """
    for n in range(bodies.shape[0]):
        if not gaits[n].flight or flights[n].stage >= LOWERING:
            continue
        creature = Creature(plan[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
        flight, own = flights[n], flying_feet[n]
        flight.ticks += 1
        if flight.stage == CROUCHING:
            crouch(creature, flight, own, dt)
        elif flight.stage == EXTENDING:
            extend(creature, flight, own, suspensions[n], dt)
        elif flight.stage == FLYING_FREE:
            glide(creature, gravity[0], flight, own, suspensions[n], dt)
        elif flight.stage == ABSORBING:
            absorb(creature, flight, dt)


@kernel
def begin(creature: Creature, flight: FlightRecord, stage: int) -> None:
    """Begin a stage; the first one is given where the centre is now."""
    if flight.stage == WALKING:
        put(flight.here, centre_of(creature.trunk))
    flight.stage, flight.ticks = stage, 0
    creature.gait.flight = CARRIED if is_on_feet(stage) else AIRBORNE


@kernel
def is_on_feet(stage: int) -> bool:
    """Whether feet carry the body in a stage."""
    return stage in (CROUCHING, ABSORBING, LOWERING, SITTING, RISING)


@kernel
def move(creature: Creature, flight: FlightRecord, there: Vec, turned: Vec, dt: float) -> None:
    """Move a trunk as a whole: its centre by as much as the flight's goes, turned by a vector."""
    trunk = creature.trunk
    step = sub(there, vec(flight.here))
    centre = centre_of(trunk)
    moved = add(centre, step)
    turn = quat_turned(turned)
    for s in range(trunk.shape[0]):
        body = trunk[s]
        arm = sub(vec(body.position), centre)
        if turned != (0.0, 0.0, 0.0):
            arm = rotate(turn, arm)
            put_quat(body.orientation, quat_unit(quat_multiply(turn, quat(body.orientation))))
        put(body.position, add(moved, arm))
        x, y, _ = unrotate(quat(body.orientation), scale(step, 1.0 / dt))
        put(body.velocity, (x, y, 0.0))
        put(body.tilt_rate, (0.0, 0.0, 0.0))
        body.yaw_rate = body.climb = 0.0
    put(flight.here, there)
    put(flight.velocity, scale(step, 1.0 / dt))


@kernel
def eased(begin: Vec, rate: Vec, end: Vec, u: float) -> Vec:
    """Between two points at a fraction u of the time, from a rate to rest: minimum jerk.

    Args:
        begin: at first [m].
        rate: there, times the time [m].
        end: at last [m].
        u: 0 to 1.
    """
    v = u * u * u
    w = v * (10.0 - u * (15.0 - 6.0 * u))
    coming = u - v * (6.0 - u * (8.0 - 3.0 * u))
    return add(mix(begin, end, w), scale(rate, coming))


@kernel
def crouch(
    creature: Creature, flight: FlightRecord, own: Records[FlightFootRecord], dt: float
) -> None:
    """Go down on bent legs."""
    count = flight.crouch_ticks
    rate = scale(vec(flight.start_velocity), count * dt)
    u = flight.ticks / count
    there = eased(vec(flight.start), rate, vec(flight.low), u)
    lean, still = vec(flight.lean), (0.0, 0.0, 0.0)
    leant = sub(eased(still, still, lean, u), eased(still, still, lean, u - 1.0 / count))
    move(creature, flight, there, leant, dt)
    if flight.ticks >= count:
        for i in range(creature.legs.shape[0]):
            if creature.feet[i].phase != STANDING:
                let_go(creature, own, i, flight.extend_ticks)
        begin(creature, flight, EXTENDING)


@kernel
def extend(
    creature: Creature,
    flight: FlightRecord,
    own: Records[FlightFootRecord],
    hung: Records[SuspensionRecord],
    dt: float,
) -> None:
    """Stretch the legs that stand, ever harder; what swung goes along, and the foremost let go."""
    count = flight.extend_ticks
    left = count - flight.ticks
    u = flight.ticks / count
    was = u - 1.0 / count
    low, launch = vec(flight.low), vec(flight.launch)
    rate = scale(vec(flight.launch_velocity), count * dt)
    square = sub(scale(sub(launch, low), 3.0), rate)  # a cubic from rest
    cube = sub(rate, scale(sub(launch, low), 2.0))
    there = add(low, scale(add(square, scale(cube, u)), u * u))
    angle = flight.spin * count * dt * (u * u * u - was * was * was) / 3.0
    move(creature, flight, there, scale(vec(flight.axis), angle), dt)
    for s in range(hung.shape[0]):
        hung[s].given = min(hung[s].given, 1.0 - u)
    for i in range(creature.legs.shape[0]):
        if creature.feet[i].phase == LOST:
            curl_up(creature, i, dt)
            continue
        is_to_go = left <= own[i].leads or not is_held(creature, i)
        if creature.feet[i].phase != STANDING:
            draw(creature, flight, own[i], i, own[i].leads - left, dt)
        elif is_to_go:
            let_go(creature, own, i, left)
    if left <= 0:
        take_off(creature, flight)


@kernel
def take_off(creature: Creature, flight: FlightRecord) -> None:
    """All feet have left the ground."""
    begin(creature, flight, FLYING_FREE)
    put(flight.velocity, vec(flight.launch_velocity))
    flight.leap_count += 1


@kernel
def let_go(creature: Creature, own: Records[FlightFootRecord], i: int, leads: int) -> None:
    """A foot goes with its body from now on, so many ticks before that takes off."""
    foot, body = creature.feet[i], creature.trunk[creature.legs[i].segment]
    if foot.phase == LOST:
        return
    foot.phase = FLYING
    foot.elapsed = foot.progress = 0.5
    foot.is_put_off, foot.urgency = 0, 0.0
    put(foot.drift, (0.0, 0.0, 0.0))
    own[i].leads = leads
    arm = sub(vec(foot.position), vec(body.position))
    put(own[i].start, unrotate(quat(body.orientation), arm))


@kernel
def glide(
    creature: Creature,
    gravity: GravityRecord,
    flight: FlightRecord,
    own: Records[FlightFootRecord],
    hung: Records[SuspensionRecord],
    dt: float,
) -> None:
    """Fly freely; at the end feet stand, some before."""
    there, velocity = fly_on(gravity, vec(flight.here), vec(flight.velocity), dt)
    move(creature, flight, there, scale(vec(flight.axis), flight.spin * dt), dt)
    put(flight.velocity, velocity)
    left = flight.flight_ticks - flight.ticks
    for s in range(hung.shape[0]):
        hung[s].given = 0.0
    for i in range(creature.legs.shape[0]):
        foot = creature.feet[i]
        if foot.phase == LOST:
            curl_up(creature, i, dt)
        elif foot.phase != STANDING:
            draw(creature, flight, own[i], i, flight.ticks + own[i].leads, dt)
            if own[i].is_found and left <= own[i].early:
                plant(creature, own, i)
    if flight.ticks >= flight.flight_ticks:
        touch_down(creature, flight, own, hung)


@kernel
def draw(
    creature: Creature,
    flight: FlightRecord,
    own: FlightFootRecord,
    i: int,
    ticks: int,
    dt: float,
) -> None:
    """Draw a foot up to its body, then reach for its foothold; so many ticks after it let go."""
    body, foot = creature.trunk[creature.legs[i].segment], creature.feet[i]
    start, tuck, end = vec(own.start), vec(own.tuck), vec(own.end)
    count = own.leads + flight.flight_ticks - own.early
    u, half = min(1.0, ticks / count), 0.5 * count * dt
    through = scale(sub(end, start), MIDDLE)
    down = unrotate(quat(body.orientation), vec(flight.velocity))
    if u < 0.5:
        there = hermite(start, (0.0, 0.0, 0.0), tuck, through, 2.0 * u)
    else:
        there = hermite(tuck, through, end, scale(down, -TOUCHES * half), 2.0 * u - 1.0)
    hold(creature, i, there)
    turned = max(0.0, 2.0 * u - 1.0)
    normal = vec(own.normal) if own.is_found else rotate(quat(body.orientation), Z)
    put(foot.normal, slerp(vec(foot.normal), normal, turned))
    foot.elapsed = foot.progress = u


@kernel
def hermite(begin: Vec, rate: Vec, end: Vec, last: Vec, u: float) -> Vec:
    """The cubic between two points with these rates there, at a fraction u."""
    v = u * u * (3.0 - 2.0 * u)
    first, second = u * (1.0 - u) * (1.0 - u), u * u * (u - 1.0)
    return add(mix(begin, end, v), add(scale(rate, first), scale(last, second)))


@kernel
def hold(creature: Creature, i: int, there: Vec) -> None:
    """Put a foot to a point of its segment [m, segment], or as near as its leg lets it."""
    leg, foot = creature.legs[i], creature.feet[i]
    body = creature.trunk[leg.segment]
    position, orientation = vec(body.position), quat(body.orientation)
    point = add(position, rotate(orientation, there))
    if not reaches(position, orientation, leg, point):
        point = bring_in_reach(position, orientation, leg, point)
    put(foot.position, point)
    put(foot.track, point)
    put(foot.goal, point)
    put(foot.heading, rotate(orientation, X))


@kernel
def touch_down(
    creature: Creature,
    flight: FlightRecord,
    own: Records[FlightFootRecord],
    hung: Records[SuspensionRecord],
) -> None:
    """Feet stand on their footholds; those without one look for ground."""
    for i in range(creature.legs.shape[0]):
        if creature.feet[i].phase not in (LOST, STANDING):
            plant(creature, own, i)
    velocity = vec(flight.velocity)
    begin(creature, flight, ABSORBING)
    put(flight.arrival, vec(flight.here))
    put(flight.launch_velocity, velocity)
    spring_anew(creature, hung)
    gait = creature.gait
    put(gait.shift, (0.0, 0.0, 0.0))
    put(gait.shift_rate, (0.0, 0.0, 0.0))
    gait.pace = 0.0


@kernel
def plant(creature: Creature, own: Records[FlightFootRecord], i: int) -> None:
    """Let a foot stand on its foothold; without one it looks for ground."""
    foot, foothold = creature.feet[i], creature.footholds[i]
    begin_swing(foot)
    foothold.fallback = foothold.is_blocked = 0
    foothold.clear = 0.0
    foothold.status = NOT_FOUND
    put(foothold.offset, (0.0, 0.0, 0.0))
    put(foothold.aim, vec(foot.position))
    if not own[i].is_found:
        return
    foot.phase, foot.has_stepped, foot.urgency = STANDING, 1, 0.0
    foothold.status = FOUND
    foot.prop = foothold.prop = own[i].prop
    for point in (foot.position, foot.track, foot.goal, foothold.position, foothold.aim):
        put(point, vec(own[i].goal))
    for normal in (foot.normal, foot.goal_normal, foothold.normal):
        put(normal, vec(own[i].normal))


@kernel
def spring_anew(creature: Creature, hung: Records[SuspensionRecord]) -> None:
    """Springs begin again, at rest."""
    still = (0.0, 0.0, 0.0)
    for s in range(hung.shape[0]):
        for field in (hung[s].offset, hung[s].rate, hung[s].turn, hung[s].spin):
            put(field, still)
        put(hung[s].velocity, vec(creature.trunk[s].velocity))
        hung[s].given = 1.0


@kernel
def absorb(creature: Creature, flight: FlightRecord, dt: float) -> None:
    """Be taken up by the legs, then walk again."""
    count = flight.absorb_ticks
    u = flight.ticks / count
    was = u - 1.0 / count
    rate = scale(vec(flight.launch_velocity), count * dt)
    there = eased(vec(flight.arrival), rate, vec(flight.rest), u)
    angle = flight.spin * count * dt * (turned_by(u) - turned_by(was))
    move(creature, flight, there, scale(vec(flight.axis), angle), dt)
    creature.gait.ride_height = creature.plan.ride_height
    if flight.ticks >= count:
        walk_on(creature, flight)


@kernel
def walk_on(creature: Creature, flight: FlightRecord) -> None:
    """Let a creature walk again, from where it stands still."""
    flight.stage, flight.ticks = WALKING, 0
    creature.gait.flight = 0
    for s in range(creature.trunk.shape[0]):
        put(creature.trunk[s].velocity, (0.0, 0.0, 0.0))


@kernel
def turned_by(u: float) -> float:
    """How far a turn goes on while it is stopped, in the turns of its time: half a one at last."""
    x, _, _ = eased((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.5, 0.0, 0.0), u)
    return x
