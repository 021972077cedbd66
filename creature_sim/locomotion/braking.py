"""Bodies slow down for legs that stretch, for their balance, and for feet that need longer."""

from math import inf, sqrt

from creature_sim.components import FLYING, LOST, NOT_FOUND, PHASE, STANDING, GravityRecord
from creature_sim.locomotion.balance import balance_left, is_upright
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.frames import into_frame
from creature_sim.locomotion.hips import swings, turned, twists, watches_knee
from creature_sim.locomotion.prediction import ground_velocity, home_of
from creature_sim.locomotion.reach import FULL_STRETCH, reach_to
from creature_sim.locomotion.slots import SHIN_RAYS
from creature_sim.locomotion.stopping import stops_softly, walk_left
from creature_sim.locomotion.swing import PATIENT, pace_for_feet, runs
from creature_sim.maths import Vec, clamp, norm, put, quat, scale, sub, unrotate, vec
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
"""Whether a leg stretches farther is looked at so far ahead [s]..."""
NUDGE = 1e-3
"""...and how fast it does, over this way [m]."""
ROUNDS = 4
"""A motion that spares one leg may stretch another one: all are heard so many times."""
ABRUPT = 3.0
"""For legs that it foresees at their limits it slows down by no more than this multiple of it."""
CATCH = 8.0
"""Near the edge of its support a body slows down by this multiple of its usual acceleration."""


@kernel
def reach_left(creature: Creature) -> float:
    """How much of their soft margin planted legs have left that the motion stretches, 1 to 0."""
    left = 1.0
    for i in range(creature.legs.shape[0]):
        foot, stretch, rest = margin_of(creature, i)
        if rest == 1.0:
            continue
        leg = creature.legs[i]
        body = creature.trunk[leg.segment]
        x = body.velocity[0] - body.yaw_rate * foot[1]
        y = body.velocity[1] + body.yaw_rate * foot[0]
        if reach_to(leg, sub(foot, (x * AHEAD, y * AHEAD, 0.0)))[1] > stretch:
            left = min(left, rest)
    return left


@kernel
def margin_of(creature: Creature, i: int) -> tuple[Vec, float, float]:
    """Where a foot that stands is [m, segment], how far its leg stretches for it, and what is left.

    That is of the leg's soft margin, 1 to 0. It is 1 for a foot that does not stand.
    """
    leg = creature.legs[i]
    if creature.feet[i].phase != STANDING:
        return (0.0, 0.0, 0.0), 0.0, 1.0
    body = creature.trunk[leg.segment]
    place = vec(creature.feet[i].position)
    foot = into_frame(vec(body.position), quat(body.orientation), place)
    stretch = reach_to(leg, foot)[1]
    if stretch <= leg.soft_reach:
        return foot, stretch, 1.0
    rest = (FULL_STRETCH - stretch) / (FULL_STRETCH - leg.soft_reach)
    return foot, stretch, clamp(rest, 0.0, 1.0)


@kernel
def slide(creature: Creature, leader: int, top: float) -> float:
    """Take from the motion of who climbs what would stretch its legs too fast, and leave the rest.

    Scaling the motion would leave nothing: a body that hangs on two feet and turns stretches one of
    them, whether it goes on or back. For each leg the motions that it allows are a half-space of
    velocities and yaw rates, where the fastest turn counts as much as `top`. The motion is moved to
    the nearest point of one after the other (Agmon 1954, The relaxation method for linear
    inequalities).

    Args:
        creature: the velocity and the yaw rate of its leader change.
        leader: its only segment.
        top: its full speed [m/s].

    Returns:
        What is left of the motion, 1 to 0.
    """
    body, lever = creature.trunk[leader], top / creature.plan.turn_rate
    x, y, turn = body.velocity[0], body.velocity[1], body.yaw_rate * lever
    before = norm((x, y, turn))
    if before == 0.0:
        return 1.0
    for _ in range(ROUNDS):
        for i in range(creature.legs.shape[0]):
            foot, stretch, rest = margin_of(creature, i)
            if rest == 1.0:
                continue
            leg = creature.legs[i]
            along_x = (reach_to(leg, sub(foot, (NUDGE, 0.0, 0.0)))[1] - stretch) / NUDGE
            along_y = (reach_to(leg, sub(foot, (0.0, NUDGE, 0.0)))[1] - stretch) / NUDGE
            along_turn = (along_y * foot[0] - along_x * foot[1]) / lever
            steep = along_x * along_x + along_y * along_y + along_turn * along_turn
            over = along_x * x + along_y * y + along_turn * turn
            over -= rest * top * sqrt(steep)
            if over > 0.0 and steep > 0.0:
                x -= over * along_x / steep
                y -= over * along_y / steep
                turn -= over * along_turn / steep
    put(body.velocity, (x, y, body.velocity[2]))
    body.yaw_rate = turn / lever
    return min(1.0, norm((x, y, turn)) / before)


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
def steps_high(creature: Creature) -> bool:
    """Whether a foot is in the air on an arc that rises far higher than usual ones."""
    highest = HIGH * creature.plan.step_height
    for i in range(creature.feet.shape[0]):
        if creature.feet[i].phase == FLYING and creature.feet[i].apex > highest:
            return True
    return False


@kernel
def is_held_up(creature: Creature) -> bool:
    """Whether a foot that has a bone in the ground above it lifts once others have landed.

    A body that only slowed down for that long would push the bone deeper. Those of gaits that react
    wait longer, and would be late; for knees that are watched the body rises instead.
    """
    if creature.plan.gait_kind != PHASE:
        return False
    waits = is_up = False
    for i in range(creature.legs.shape[0]):
        foot, sides = creature.feet[i], creature.footholds[i].is_blocked
        if foot.phase == STANDING:
            is_met = sides & ~MEETS_SOON != 0 and not watches_knee(creature.legs[i])
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

    To the plan's full speed times what is left: early and evenly for legs of who walks, at once
    where one is outrun all the same. As a cap on the speed, not a factor per tick, it does the same
    at every tick rate. Who climbs slides instead: see `slide`.
    """
    plan, body = creature.plan, creature.trunk[leader]
    top, left = max(plan.speed, plan.strafe_speed), reach_left(creature)
    if runs(creature):
        top = plan.run_speed
    if left < 1.0 and plan.climbs and creature.trunk.shape[0] == 1:
        left = slide(creature, leader, top)
    balanced = balance_left(creature, gravity, dt)
    if is_upright(creature.legs, creature.gait):
        balanced = min(balanced, step_left(creature))
    x, y = body.velocity[0], body.velocity[1]
    speed = sqrt(x * x + y * y)
    soft = 1.0
    if stops_softly(creature):
        soft = walk_left(creature, gravity, leader, dt)
    balanced_at = max(balanced * top, speed - CATCH * plan.acceleration * dt)
    softly = max(soft * speed, speed - ABRUPT * plan.acceleration * dt)
    fastest = min(left * top, softly, balanced_at)
    if speed > fastest:
        put(body.velocity, scale(vec(body.velocity), fastest / speed))
    turn = abs(body.yaw_rate)
    balanced_at = max(balanced * plan.turn_rate, turn - CATCH * plan.turn_acceleration * dt)
    softly = max(soft * turn, turn - ABRUPT * plan.turn_acceleration * dt)
    fastest = min(left * plan.turn_rate, softly, balanced_at)
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
    is_high = steps_high(creature)
    if shins < inf and gait.stuck >= 0:  # who goes back leaves what it meets
        pace, is_high = min(pace, shins), True
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
