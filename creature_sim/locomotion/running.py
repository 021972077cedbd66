"""Gaits with flights: a body that runs is thrown from stance to stance.

In the flights of its cycle nothing but gravity acts on it. A flight of a time T that ends as high
as it began takes off at g T / 2. Standing feet stop the fall and throw the body up again. From
touchdown to take-off its path against a body in free flight is that of minimum jerk (Flash and
Hogan 1985). So feet push with no force as they touch down and take off, and hardest half-way:
6 t (1 - t) of the mean, within 5 % of the half sine of a mass on a spring (Blickhan 1989).
Position, velocity and acceleration are continuous.
"""

from math import inf, sqrt

from creature_sim.components import (
    FLIES,
    NOT_FOUND,
    PUSHES,
    STANDING,
    WALKS,
    BodyRecord,
    CycleRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    HitRecord,
    LegRecord,
    PlanRecord,
    Records,
    RecordTable,
    SegmentRecord,
    SuspensionRecord,
)
from creature_sim.locomotion.balance import is_upright, stand_count
from creature_sim.locomotion.ballistics import fly_on
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gravity import up_at
from creature_sim.locomotion.posture import TILT_RATE, support_plane, turned
from creature_sim.locomotion.prediction import cycles_in
from creature_sim.locomotion.search import PRESSING
from creature_sim.locomotion.springs import Springs, pushed
from creature_sim.locomotion.timing import along_quintic, replan
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import (
    TAU,
    Z,
    add,
    along,
    approach,
    clamp,
    cos,
    cross,
    dot,
    exp,
    put,
    put_quat,
    quat,
    quat_about,
    quat_multiply,
    quat_turned,
    quat_unit,
    reject,
    rotate,
    scale,
    spring,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

LEAST = 0.05
"""A body is thrown that has so long before it takes off..."""
SHORTEST = 0.03
"""...for a flight that lasts so long [s]."""
LONGEST = 0.9
"""No flight is longer than this times the root of the reach over g..."""
LATEST = 0.06
"""...and one that finds no ground ends so long after it should [s]."""
LEVELS = 0.1
"""Time constant in which a body takes up where its feet stand [s]."""
LEVEL = 0.98
"""It runs on ground no steeper than with this cosine..."""
UNEVEN = 0.6
"""...on which feet are not farther from their plane than this fraction of a step's height..."""
AGAIN = 1.5
"""...and then again so long after it was otherwise [s]."""
MOST = 3.0
"""Feet push a body up with this many times its weight more than that at most, and never pull."""
GATHERS = 8.0
"""It comes back over its feet at this rate [1/s]."""
ROCKS = 0.55
"""A body pitches where fore and hind feet push in turn: by this multiple of their distance from its
middle, over the reach. It pitches more the shorter they stand; if they stand for half of the time,
not at all..."""
ROCKING = 30.0
"""...on a critically damped spring of this stiffness [1/s]."""
DROPS, TWISTS = 0.05, 0.08
"""On two legs its free side drops by so much half-way through a stance, and goes ahead with the
foot that comes down [rad, either way]: as a pelvis does (Novacheck 1998)."""


@kernel
def flight_ahead(creature: Creature) -> tuple[float, float]:
    """How much of the cycle passes before all feet are in the air, and for how much [cycles].

    The first is 0 while they should be; inf: they never are.
    """
    gait, feet = creature.gait, creature.feet
    duty, count = gait.duty_factor, creature.feet.shape[0]
    soonest, lasts = inf, 0.0
    is_up = True
    for i in range(count):
        is_up = is_up and (gait.phase + feet[i].phase_offset) % 1.0 >= duty
    if is_up:
        for i in range(count):
            soonest = min(soonest, 1.0 - (gait.phase + feet[i].phase_offset) % 1.0)
        return 0.0, float(soonest)
    for i in range(count):
        left = (duty - gait.phase - feet[i].phase_offset) % 1.0
        window = 1.0 - duty
        for k in range(count):
            own = (duty - feet[i].phase_offset + feet[k].phase_offset + 1e-9) % 1.0
            window = min(window, 1.0 - own) if own >= duty else -1.0
            if window < 0.0:
                break
        if window > 0.0 and left < soonest:
            soonest, lasts = left, window
    return float(soonest), float(lasts)


@kernel
def look_out(creature: Creature, gravity: GravityRecord, dt: float) -> None:
    """Remember where the ground is not to run on: it is rough for a while."""
    gait = creature.gait
    gait.rough = max(0.0, gait.rough - dt)
    if creature.plan.run_speed > 0.0 and gait.run != FLIES and not is_to_run_on(creature, gravity):
        gait.rough = AGAIN


@kernel
def is_to_run_on(creature: Creature, gravity: GravityRecord) -> bool:
    """Whether feet find level, even ground, and nothing is in the way."""
    gait, feet, count = creature.gait, creature.feet, creature.feet.shape[0]
    up = up_at(gravity, vec(creature.trunk[0].position))
    if gait.lost_count > 0 or gait.is_held:
        return False
    middle, normal = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(count):
        middle = add(middle, scale(vec(feet[i].goal), 1.0 / count))
        normal = add(normal, vec(feet[i].goal_normal))
    normal = unit(normal, up)
    for i in range(count):
        off = dot(sub(vec(feet[i].goal), middle), normal)
        is_level = dot(vec(feet[i].goal_normal), up) >= LEVEL
        needs = feet[i].phase == STANDING and feet[i].urgency > PRESSING
        finds = creature.footholds[i].status != NOT_FOUND or not needs
        if not (is_level and finds and abs(off) < UNEVEN * creature.plan.step_height):
            return False
    return True


@kernel
def run(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    gravity: Records[GravityRecord],
    cycles: Records[CycleRecord],
    segments: Records[SegmentRecord],
    ground: RecordTable[HitRecord],
    dt: float,
) -> None:
    """Push off bodies that run, and let them fly; `pose` leaves them alone.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S); written.
        gaits: (N,); written.
        feet: (N, L).
        footholds: (N, L).
        gravity: (1,).
        cycles: (C,).
        segments: (S,).
        ground: (N, Q) what the rays found.
        dt: length of a tick [s].
    """
    if plan[0].run_speed == 0.0:
        return
    for n in range(bodies.shape[0]):
        gait = gaits[n]
        if gait.flight:
            gait.run = WALKS
            continue
        creature = Creature(plan[0], legs, bodies[n], gait, feet[n], footholds[n])
        was = gait.run
        go_on(creature, gravity[0], cycles[gait.cycle], segments[0], ground[n, 0], dt)
        body = bodies[n, 0]
        if was == WALKS and gait.run:
            gait.rise, body.climb = body.climb, 0.0
        elif was and gait.run == WALKS:
            gait.rise, body.climb = 0.0, gait.rise
        if gait.run:
            put(gait.shift, scale(vec(gait.shift), exp(-GATHERS * dt)))
            put(gait.shift_rate, (0.0, 0.0, 0.0))


@kernel
def go_on(
    creature: Creature,
    gravity: GravityRecord,
    cycle: CycleRecord,
    segment: SegmentRecord,
    below: HitRecord,
    dt: float,
) -> None:
    """Move a body that runs by one tick, and see what it does in the next one.

    Args:
        creature: whose body it is.
        gravity: the field.
        cycle: in use.
        segment: of the plan.
        below: the ground under the body.
        dt: length of a tick [s].
    """
    gait, standing = creature.gait, stand_count(creature)
    left, lasts = flight_ahead(creature)
    per_second = max(cycles_in(gait, 1.0), 1e-9)
    lasts, ticks = lasts / per_second, left / (per_second * dt)
    longest = LONGEST * sqrt(creature.plan.reach / gravity.acceleration)
    is_one = ticks < inf and lasts <= longest and (left == 0.0 or lasts >= SHORTEST)
    may = cycle.flies and is_one and gait.rough == 0.0
    if gait.run == FLIES:
        glide(creature, gravity, dt)
        gait.late += dt
        if standing > 0:
            gait.run, gait.thrust = PUSHES if may else WALKS, -gravity.acceleration
            gait.below = height_to_go(creature, gravity, segment, below)
        elif gait.late > LATEST:
            gait.run = WALKS
    elif gait.run == PUSHES:
        if ticks < inf:  # feet lift in the tick before their turn
            if standing > 0:
                to_go = height_to_go(creature, gravity, segment, below)
                gait.below += approach(dt, LEVELS) * (to_go - gait.below)
            seconds = max(1.0, float(int(ticks + 1.0 - 1e-6))) * dt
            push_off(creature, gravity, seconds, lasts, dt)
        if not may or (standing > 0 and left == 0.0):
            gait.run = WALKS
        elif standing == 0:
            take_off(creature, gravity, lasts)
    elif may and standing > 0 and ticks * dt >= LEAST:
        gait.run, gait.thrust = PUSHES, 0.0
        gait.below = height_to_go(creature, gravity, segment, below)


@kernel
def height_to_go(
    creature: Creature, gravity: GravityRecord, segment: SegmentRecord, below: HitRecord
) -> float:
    """How far a body is below its ride height over its feet [m].

    Args:
        creature: whose body it is.
        gravity: the field.
        segment: of the plan.
        below: the ground under it.
    """
    body = creature.trunk[0]
    up = up_at(gravity, vec(body.position))
    ground = up
    if below.is_hit and dot(vec(below.normal), up) >= STEEPEST:
        ground = vec(below.normal)
    return support_plane(creature, 0, segment, ground)[1] + creature.gait.ride_height


@kernel
def push_off(
    creature: Creature, gravity: GravityRecord, seconds: float, lasts: float, dt: float
) -> None:
    """Move a body that feet push off by one tick.

    Args:
        creature: whose body it is.
        gravity: the field.
        seconds: until it takes off [s].
        lasts: time of the flight then [s].
        dt: length of a tick [s].
    """
    gait, body, g = creature.gait, creature.trunk[0], gravity.acceleration
    position, orientation = vec(body.position), quat(body.orientation)
    up = up_at(gravity, position)
    fast = 0.5 * g * lasts
    # Against a body in free flight that gets there as high and as fast as it shall.
    gap = gait.below - (fast + 0.5 * g * seconds) * seconds
    rate, bend = gait.rise - (fast + g * seconds), gait.thrust + g
    b, c = (rate, 0.0, 0.0), (bend, 0.0, 0.0)
    third, fourth, fifth = replan((gap, 0.0, 0.0), b, c, seconds)
    _, faster, bent = along_quintic(b, c, third, fourth, fifth, dt)
    before, after, gait.thrust = gait.rise, faster[0] + fast + g * (seconds - dt), bent[0] - g
    pushes = clamp(after - before, -g * dt, MOST * g * dt)
    if pushes != after - before:
        after, gait.thrust = before + pushes, pushes / dt
    step = 0.5 * (before + after) * dt
    put(body.position, along(position, up, step))
    gait.below -= step
    gait.rise = after
    lean = scale(vec(gait.acceleration), creature.plan.lean / g)
    leaning = unit(add(unrotate(orientation, up), lean), Z)
    turn = turned(body, cross(Z, leaning), TILT_RATE, dt)
    put_quat(body.orientation, quat_unit(quat_multiply(orientation, quat_turned(turn))))


@kernel
def take_off(creature: Creature, gravity: GravityRecord, lasts: float) -> None:
    """No foot stands: the body flies from now on as fast as it goes, for a time [s]."""
    gait, body = creature.gait, creature.trunk[0]
    up = up_at(gravity, vec(body.position))
    level = reject(rotate(quat(body.orientation), vec(body.velocity)), up)
    put(gait.free, along(level, up, gait.rise))
    gait.run, gait.late = FLIES, -lasts


@kernel
def glide(creature: Creature, gravity: GravityRecord, dt: float) -> None:
    """Let a body fly freely for one tick; it goes on turning as it did."""
    gait, body = creature.gait, creature.trunk[0]
    there, velocity = fly_on(gravity, vec(body.position), vec(gait.free), dt)
    put(body.position, there)
    put(gait.free, velocity)
    turn = quat_about(Z, body.yaw_rate * dt)
    put_quat(body.orientation, quat_unit(quat_multiply(quat(body.orientation), turn)))
    gait.rise = dot(velocity, up_at(gravity, there))
    x, y, _ = unrotate(quat(body.orientation), velocity)
    put(body.velocity, (x, y, 0.0))


@kernel
def rock(creature: Creature, hung: SuspensionRecord, springs: Springs, dt: float) -> None:
    """Pitch a body that runs as fore and hind feet push it in turn; on two legs roll and twist it.

    Args:
        creature: whose body it is.
        hung: how it hangs on its legs; written.
        springs: of the plan.
        dt: length of a tick [s].
    """
    gait, offset, rate = creature.gait, hung.offset, hung.rate
    swings = (springs.slides, springs.slides, springs.rises)
    for k in range(3):
        if gait.run == FLIES:
            offset[k] += rate[k] * dt
        else:
            offset[k], rate[k] = pushed(swings[k], offset[k], rate[k], 0.0)
    roll = yaw = pitch = 0.0
    rocks = ROCKS * max(0.0, 1.0 - 2.0 * gait.duty_factor)
    half = 0.5 * creature.plan.weight if is_upright(creature.legs, gait) else 0.0
    late = cycles_in(gait, 2.0 / ROCKING)  # the spring follows by so much later
    for i in range(creature.legs.shape[0]):
        leg = creature.legs[i]
        middle = gait.phase + late + creature.feet[i].phase_offset - 0.5 * gait.duty_factor
        share = leg.home[0] / (leg.reach * creature.legs.shape[0])
        pitch += rocks * share * cos(TAU * middle)
        roll += half * DROPS * leg.side * cos(TAU * middle)
        yaw -= half * TWISTS * leg.side * cos(TAU * (middle + 0.5 * gait.duty_factor))
    turns = (roll, pitch, yaw)
    for k in range(3):
        off, hung.spin[k] = spring(hung.turn[k] - turns[k], hung.spin[k], dt, ROCKING)
        hung.turn[k] = turns[k] + off
    put(hung.force, (0.0, 0.0, 0.0))  # what carried it before is forgotten
