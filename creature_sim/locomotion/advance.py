"""Bodies move along the surface, no faster than legs, balance, walls and others allow."""

from math import inf, sqrt

import numpy as np

from creature_sim.components import (
    FLIES,
    FLYING,
    HELD_BY_GROUND,
    HELD_BY_OTHER,
    LOST,
    NOT_FOUND,
    PHASE,
    STANDING,
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    HitRecord,
    LegRecord,
    Near,
    PlanRecord,
    Records,
    RecordTable,
    SegmentRecord,
    SolidRecord,
)
from creature_sim.locomotion.balance import balance_left, is_upright
from creature_sim.locomotion.climbing import slow_for_turns
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.flanks import keep_off_flanks
from creature_sim.locomotion.footing import leave_edge
from creature_sim.locomotion.hips import swings, turned, twists
from creature_sim.locomotion.others import near_to, stop_before_others
from creature_sim.locomotion.prediction import ground_velocity, home_of
from creature_sim.locomotion.reach import FULL_STRETCH, reach_to
from creature_sim.locomotion.slots import SHIN_RAYS, ahead_slot
from creature_sim.locomotion.swing import PATIENT, pace_for_feet, runs
from creature_sim.locomotion.trunk import move_trunk
from creature_sim.locomotion.walls import AHEAD_RAYS, stop_before_walls
from creature_sim.maths import (
    Floats,
    Y,
    Z,
    add,
    asin,
    clamp,
    distance,
    put,
    put_quat,
    quat,
    quat_about,
    quat_conjugate,
    quat_multiply,
    quat_unit,
    reject,
    rotate,
    scale,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

CREEP = 0.1
"""For feet in the air a body slows down to this fraction of its speed at least."""
GENTLY = 0.4
"""A body keeps this fraction of its speed where the bone above a foot soon meets the ground."""
MEETS_SOON = 1 << (SHIN_RAYS - 1)
"""What `is_blocked` is where only the ray that looks ahead met the ground."""
HIGH = 1.1
"""A foot steps high on an arc that rises to more than this many usual steps."""
BACK = 0.8
"""A body comes back to its speed with this fraction of its acceleration..."""
ALMOST = 0.98
"""...and is there again at this fraction of it."""
BEHIND = 0.8
"""A foot that finds no place to step to is left behind by this fraction of its stroke at most."""
SOFT_TWIST = 0.7
"""A body turns the slower the farther a hip twists beyond this fraction of its limit."""
AHEAD = 1e-3
"""Whether a leg stretches farther is looked at so far ahead [s]."""
CATCH = 8.0
"""Near the edge of its support a body slows down by this multiple of its usual acceleration."""


@kernel
def advance_bodies(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    gravity: Records[GravityRecord],
    segments: Records[SegmentRecord],
    hits: RecordTable[HitRecord],
    room: Floats,
    solids: Records[SolidRecord],
    near: Near,
    half_size: float,
    dt: float,
) -> None:
    """Move trunks by their leaders' velocity and turn them about the leaders' own up.

    Planted legs that stretch slow the body, and stop it before they are outrun; walls, other
    creatures and the border hold it back. Velocities, yaw rates and pace become what was really
    done.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S); written.
        gaits: (N,); written.
        feet: (N, L).
        footholds: (N, L).
        gravity: (1,).
        segments: (S,).
        hits: (N, Q) what the last ray of every slot found.
        room: (N, S) between segments and what hangs over them [m].
        solids: (P,) props.
        near: other creatures near to each of the N S segments.
        half_size: of the square that has ground [m].
        dt: length of a tick [s].
    """
    border = half_size - plan[0].border_margin
    count = bodies.shape[1]
    wished_position, wished_orientation = np.empty((count, 3)), np.empty((count, 4))
    old_position, old_orientation = np.empty((count, 3)), np.empty((count, 4))
    for n in range(bodies.shape[0]):
        if gaits[n].flight or gaits[n].run == FLIES:
            continue
        creature = Creature(plan[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
        leader = gaits[n].leader
        brake(creature, gravity[0], leader, dt)
        ahead = hits[n, ahead_slot(count, legs.shape[0], 0) :]
        if plan[0].climbs:
            own = ahead[AHEAD_RAYS * leader :]
            is_walled = slow_for_turns(creature, gravity[0], segments, leader, own)
            if room[n, leader] < inf:
                is_walled = keep_off_flanks(creature, leader, hits[n], dt) or is_walled
            else:
                leave_edge(creature, leader)
        else:
            is_walled = stop_before_walls(creature, segments, leader, ahead, solids)
        others = near_to(near, n, count, legs.shape[0])
        is_met = stop_before_others(creature, leader, others, dt)
        wish(creature, leader, wished_position, wished_orientation, dt)
        x, y, z = vec(wished_position[leader])
        allowed = (clamp(x, -border, border), clamp(y, -border, border), z)
        put(wished_position[leader], allowed)
        gaits[n].is_held = HELD_BY_OTHER if is_met else 0
        if is_walled or allowed != (x, y, z):
            gaits[n].is_held = HELD_BY_GROUND
        for s in range(count):
            put(old_position[s], vec(bodies[n, s].position))
            put_quat(old_orientation[s], quat(bodies[n, s].orientation))
        move_trunk(creature, segments, others, wished_position, wished_orientation, dt)
        measure(creature, old_position, old_orientation, dt)


@kernel
def wish(creature: Creature, leader: int, position: Floats, orientation: Floats, dt: float) -> None:
    """Write where a trunk would go in a tick if nothing held it.

    A step of the circle that velocity and yaw rate describe goes along its chord, half of the turn
    ahead. All segments go aside as the leader does: a trunk that is bent keeps its shape. If each
    went to its own side, the ends of a bent one would approach, and fold it up.

    Args:
        creature: whose trunk it is.
        leader: the segment that is steered.
        position: (S, 3); written [m, world].
        orientation: (S, 4); written.
        dt: length of a tick [s].
    """
    trunk = creature.trunk
    body = trunk[leader]
    turn = quat_about(Z, 0.5 * body.yaw_rate * dt)
    half_way = quat_unit(quat_multiply(quat(body.orientation), turn))
    aside = scale(rotate(quat(body.orientation), Y), body.velocity[1] * dt)
    for s in range(trunk.shape[0]):
        up = rotate(quat(trunk[s].orientation), Z)
        put(position[s], add(vec(trunk[s].position), reject(aside, up)))
        put_quat(orientation[s], quat(trunk[s].orientation))
    step = rotate(half_way, scale(vec(body.velocity), dt))
    put(position[leader], add(vec(body.position), step))
    put_quat(orientation[leader], quat_unit(quat_multiply(half_way, turn)))


@kernel
def measure(creature: Creature, old_position: Floats, old_orientation: Floats, dt: float) -> None:
    """Velocity and yaw rate of every segment, and the pace, from where they were and are.

    Args:
        creature: its trunk has moved; gets its velocities and pace.
        old_position: (S, 3) of the segments before [m, world].
        old_orientation: (S, 4).
        dt: time between [s].
    """
    legs, trunk, gait = creature.legs, creature.trunk, creature.gait
    pace = 0.0
    for i in range(legs.shape[0]):
        body, s, home = trunk[legs[i].segment], legs[i].segment, home_of(gait, legs[i])
        was = add(vec(old_position[s]), rotate(quat(old_orientation[s]), home))
        now = add(vec(body.position), rotate(quat(body.orientation), home))
        pace = max(pace, distance(was, now) / dt)
    gait.pace = pace
    for s in range(trunk.shape[0]):
        body, old = trunk[s], quat(old_orientation[s])
        turned = quat_multiply(quat_conjugate(old), quat(body.orientation))
        sign = 1.0 if turned[3] >= 0.0 else -1.0
        body.yaw_rate = 2.0 * asin(sign * turned[2]) / dt
        half_way = quat_unit(quat_multiply(old, (0.0, 0.0, sign * turned[2], 1.0 + abs(turned[3]))))
        x, y, _ = unrotate(half_way, sub(vec(body.position), vec(old_position[s])))
        put(body.velocity, (x / dt, y / dt, 0.0))


@kernel
def reach_left(creature: Creature) -> float:
    """How much of their soft margin planted legs have left that the motion stretches, 1 to 0."""
    left = 1.0
    for i in range(creature.legs.shape[0]):
        if creature.feet[i].phase != STANDING:
            continue
        leg = creature.legs[i]
        body = creature.trunk[leg.segment]
        orientation = quat(body.orientation)
        foot = unrotate(orientation, sub(vec(creature.feet[i].position), vec(body.position)))
        stretch = reach_to(leg, foot)[1]
        if stretch <= leg.soft_reach:
            continue
        x = body.velocity[0] - body.yaw_rate * foot[1]
        y = body.velocity[1] + body.yaw_rate * foot[0]
        if reach_to(leg, sub(foot, (x * AHEAD, y * AHEAD, 0.0)))[1] > stretch:
            rest = (FULL_STRETCH - stretch) / (FULL_STRETCH - leg.soft_reach)
            left = min(left, clamp(rest, 0.0, 1.0))
    return left


@kernel
def step_left(creature: Creature) -> float:
    """How much a body on two feet has left until it waits for a foot that finds no place, 1 to 0.

    It never goes so far ahead of its feet that it would fall.
    """
    left = 1.0
    for i in range(creature.legs.shape[0]):
        leg, foot = creature.legs[i], creature.feet[i]
        if foot.phase != STANDING or creature.footholds[i].status != NOT_FOUND:
            continue
        body = creature.trunk[leg.segment]
        x, y, speed = ground_velocity(body, leg)
        stand = unrotate(quat(body.orientation), sub(vec(foot.position), vec(body.position)))
        fx, fy, _ = sub(stand, home_of(creature.gait, leg))
        behind = -(fx * x + fy * y) / max(speed, 1e-9) / creature.gait.stroke
        left = min(left, (BEHIND - behind) / (BEHIND - 0.5))
    return max(0.0, left)


@kernel
def pace_for_shins(creature: Creature) -> float:
    """Fastest pace for the bones above feet that stand [m/s]; inf: any.

    It stops where one meets the ground, where the body goes. Of gaits that react, which look ahead
    as far as feet have to wait for others, it only slows down where one soon does.
    """
    soon = 0.0 if creature.plan.gait_kind == PHASE else GENTLY * creature.plan.speed
    slowest = inf
    for i in range(creature.legs.shape[0]):
        sides = creature.footholds[i].is_blocked
        if creature.feet[i].phase == STANDING and sides:
            slowest = min(slowest, soon if sides == MEETS_SOON else 0.0)
    return slowest


@kernel
def is_held_up(creature: Creature) -> bool:
    """Whether a foot that has a bone in the ground above it lifts once others have landed.

    A body that only slowed down for that long would push the bone deeper. Those of gaits that react
    wait longer, and would be late; below balls the body rises instead.
    """
    if creature.plan.gait_kind != PHASE:
        return False
    waits = is_up = False
    for i in range(creature.legs.shape[0]):
        foot, sides = creature.feet[i], creature.footholds[i].is_blocked
        if foot.phase == STANDING:
            is_met = sides & ~MEETS_SOON != 0 and not swings(creature.legs[i])
            waits = waits or (is_met and foot.urgency > 1.0)
        else:
            is_up = is_up or foot.phase != LOST
    return waits and is_up


@kernel
def twist_left(creature: Creature) -> tuple[float, float]:
    """How much hips that are balls have left to twist for a turn right and left, 1 to 0."""
    right = left = 1.0
    for i in range(creature.legs.shape[0]):
        leg = creature.legs[i]
        if creature.feet[i].phase == STANDING and swings(leg):
            turn = turned(leg, quat(creature.trunk[leg.segment].orientation), creature.feet[i])
            farthest = twists(leg)  # the body turns to the other side
            left = min(left, (1.0 + turn / farthest[0]) / (1.0 - SOFT_TWIST))
            right = min(right, (1.0 - turn / farthest[1]) / (1.0 - SOFT_TWIST))
    return max(0.0, right), max(0.0, left)


@kernel
def brake(creature: Creature, gravity: GravityRecord, leader: int, dt: float) -> None:
    """Slow a body down whose planted legs stretch, or whose weight comes near its support's edge.

    To the plan's full speed times what is left, at once where a leg is outrun, softly where only
    the balance asks for it. As a cap on the speed, not a factor per tick, it does the same at
    every tick rate.
    """
    plan, body = creature.plan, creature.trunk[leader]
    left, balanced = reach_left(creature), balance_left(creature, gravity, dt)
    if is_upright(creature.legs, creature.gait):
        balanced = min(balanced, step_left(creature))
    x, y = body.velocity[0], body.velocity[1]
    speed, top = sqrt(x * x + y * y), max(plan.speed, plan.strafe_speed)
    if runs(creature):
        top = plan.run_speed
    fastest = min(left * top, max(balanced * top, speed - CATCH * plan.acceleration * dt))
    if speed > fastest:
        put(body.velocity, scale(vec(body.velocity), fastest / speed))
    turn = abs(body.yaw_rate) - CATCH * plan.turn_acceleration * dt
    fastest = min(left * plan.turn_rate, max(balanced * plan.turn_rate, turn))
    to_right, to_left = twist_left(creature)
    body.yaw_rate = clamp(
        body.yaw_rate,
        -min(fastest, to_right * plan.turn_rate),
        min(fastest, to_left * plan.turn_rate),
    )
    wait(creature, leader, left * top, dt)


@kernel
def wait(creature: Creature, leader: int, reached: float, dt: float) -> None:
    """Slow a body down softly where feet in the air need longer than it leaves them.

    Where they do as the ground makes them step high, or legs that stand stretch meanwhile, that is
    remembered until the body could be back at its speed.

    Args:
        creature: whose body it is.
        leader: the segment that is steered.
        reached: speed that the legs which stand allow [m/s].
        dt: length of a tick [s].
    """
    plan, gait, body = creature.plan, creature.gait, creature.trunk[leader]
    pace, shins = pace_for_feet(creature, dt), pace_for_shins(creature)
    is_high = shins < inf and gait.stuck >= 0  # who goes back leaves what it meets
    if is_high:
        pace = min(pace, shins)
    for i in range(creature.feet.shape[0]):
        foot = creature.feet[i]
        is_high = is_high or (foot.phase == FLYING and foot.apex > HIGH * plan.step_height)
    gait.patience = min(gait.patience + BACK * plan.acceleration * dt, gait.commanded_pace)
    if pace <= gait.pace:
        lowest = 0.0 if is_held_up(creature) else CREEP * plan.speed
        pace = max(pace, gait.pace - PATIENT * plan.acceleration * dt, lowest)
        fraction = min(1.0, pace / max(gait.pace, 1e-9))
        put(body.velocity, scale(vec(body.velocity), fraction))
        body.yaw_rate *= fraction
    if is_high:
        gait.patience = min(gait.patience, pace, reached)
    is_slow = gait.patience < ALMOST * gait.commanded_pace
    gait.is_waiting = is_slow and (is_high or gait.is_waiting)
