"""Commands become velocity, yaw rate and ride height."""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    FLIES,
    LIES,
    LOST,
    NOT_FOUND,
    STANDING,
    BodyRecord,
    CommandRecord,
    CycleRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    LegRecord,
    PlanRecord,
    Records,
    RecordTable,
    SolidRecord,
)
from creature_sim.inputs import FULL
from creature_sim.locomotion.astride import way_off
from creature_sim.locomotion.balance import is_upright
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gravity import is_on_floor, levelness
from creature_sim.locomotion.prediction import FEW
from creature_sim.locomotion.reach import reach_in_world
from creature_sim.locomotion.search import PRESSING, gropes
from creature_sim.locomotion.setting_out import gets_nowhere, prepare, reacts
from creature_sim.locomotion.shoves import stumble
from creature_sim.locomotion.swing import runs
from creature_sim.locomotion.wishes import wish
from creature_sim.locomotion.workspace import pace_of, ride_height, wanted_twist
from creature_sim.maths import add, clamp, norm, put, quat, vec
from creature_sim.maths.jit import kernel

RETREAT = 0.5
"""Who finds no step goes back at this fraction of the speed that it is told to go at."""
CROUCH_RATE = 1.5
"""A body rises and crouches by this many ride heights a second."""
NEARER = 0.15
"""On walls and ceilings it rides lower by this fraction."""
STRETCHED = 0.75
"""Who climbs goes down for a foot that finds nothing where its leg is stretched more than this."""
FOLDED = 1.05
"""A leg that stands is folded where it has less than so many times its smallest reach."""
CATCH_UP = 1.5
"""Who waited for feet that step high comes back to its speed with so much more acceleration,
on more than a few legs: on those it would tip."""
TURNS_BACK = 1e-3
"""The other end of a trunk leads once the leader goes faster than this towards it [m/s]."""


@kernel
def hand_out(
    numbers: NDArray[np.int64], members: NDArray[np.int64], commands: Records[CommandRecord]
) -> None:
    """Write what the drivers want of a herd.

    Args:
        numbers: (C, 4) of all creatures: forward, turn, strafe, height.
        members: (N,) numbers of the herd's.
        commands: (N,); written.
    """
    for n in range(len(members)):
        command, number = commands[n], members[n]
        command.forward, command.turn = numbers[number, 0], numbers[number, 1]
        command.strafe, command.height = numbers[number, 2], numbers[number, 3]


@kernel
def steer(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    cycles: Records[CycleRecord],
    commands: Records[CommandRecord],
    gravity: Records[GravityRecord],
    solids: Records[SolidRecord],
    dt: float,
) -> None:
    """Move velocity, yaw rate and height towards the command, as fast as the plan allows.

    Of a trunk with several segments the one that leads is steered. Who is told nothing while it
    stands astride something that may leave goes on until it does not.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S); their velocities are written.
        gaits: (N,); ride height, pace and acceleration that are asked for are written.
        feet: (N, L).
        footholds: (N, L).
        cycles: (C,).
        commands: (N,).
        gravity: (1,).
        solids: (P,) props.
        dt: length of a tick [s].
    """
    for n in range(bodies.shape[0]):
        creature = Creature(plan[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
        gait, command = gaits[n], commands[n]
        is_told = command.forward != 0 or command.turn != 0 or command.strafe != 0
        if is_told and gait.rest != LIES:
            gait.rest = 0
        wish(creature, command, gravity[0], dt)
        height = command.height / FULL
        if gait.run == FLIES:
            continue
        forward = command.forward / FULL
        if gait.rough > 0.0:
            forward = min(1.0, forward)
        x, y, yaw_rate = wanted_twist(
            plan[0], cycles, legs,
            forward, command.turn / FULL, command.strafe / FULL, height,
        )  # fmt: skip
        if gait.rest:
            x, y, yaw_rate = 0.0, 0.0, 0.0
        elif x == 0.0 and y == 0.0 and yaw_rate == 0.0:
            ahead, aside = along_plan(plan[0], way_off(creature, gait.leader, solids))
            if ahead != 0.0 or aside != 0.0:
                x, y, _ = wanted_twist(plan[0], cycles, legs, ahead, 0.0, aside, height)
        if gait.stuck < 0:
            x, y, yaw_rate = -RETREAT * x, -RETREAT * y, -RETREAT * yaw_rate
            y -= side_that_gropes(creature, gravity[0]) * abs(x)
        if gait.is_braced or gait.lost_count == legs.shape[0]:  # nothing to walk on
            x, y, yaw_rate = 0.0, 0.0, 0.0
        if not reacts(creature, pace_of(legs, x, y, yaw_rate), dt):
            x, y, yaw_rate = 0.0, 0.0, 0.0
        x, y, yaw_rate = stumble(creature, gravity[0], x, y, yaw_rate, dt)
        gait.commanded_pace = pace_of(legs, x, y, yaw_rate)
        put(gait.commanded_velocity, (x, y, 0.0))
        poise, bend = prepare(creature, yaw_rate, dt)
        accelerate(creature, x, y, yaw_rate, poise, bend, dt)
        farthest = CROUCH_RATE * plan[0].ride_height * dt
        wished = near_to_steep(creature, gravity[0], ride_height(plan[0], height))
        wished = height_to_reach(creature, wished)
        gait.ride_height += clamp(wished - gait.ride_height, -farthest, farthest)


@kernel
def side_that_gropes(creature: Creature, gravity: GravityRecord) -> float:
    """On which side feet of who climbs find no place: 1 left, -1 right, 0 on none or on both.

    On floors: at edges these hang in the air, and it leaves them so, see `leave_edge`.
    """
    leader, side = creature.gait.leader, 0.0
    if not (creature.plan.climbs and is_on_floor(creature.plan, gravity, creature.trunk[leader])):
        return side
    for i in range(creature.legs.shape[0]):
        leg = creature.legs[i]
        if leg.segment == leader and gropes(creature.plan, creature.footholds[i]):
            side += leg.out[1]
    return clamp(side, -1.0, 1.0)


@kernel
def near_to_steep(creature: Creature, gravity: GravityRecord, wished: float) -> float:
    """Ride height to go to [m]: who climbs keeps nearer to walls and ceilings than to floors."""
    if not creature.plan.climbs:
        return wished
    level = levelness(creature.plan, gravity, creature.trunk[creature.gait.leader])
    lower = wished * (1.0 - NEARER * clamp(1.0 - level, 0.0, 1.0))
    return float(max(min(wished, creature.plan.min_ride_height), lower))


@kernel
def along_plan(plan: PlanRecord, way: tuple[float, float]) -> tuple[float, float]:
    """Axes forward and strafe of a direction [segment], as a plan looks ahead."""
    x, y = way
    return (x * plan.ahead[0] + y * plan.ahead[1], y * plan.ahead[0] - x * plan.ahead[1])


@kernel
def accelerate(
    creature: Creature,
    x: float,
    y: float,
    yaw_rate: float,
    poise: float,
    bend: float,
    dt: float,
) -> None:
    """Bring the leader of a trunk towards a velocity and yaw rate.

    What was asked for is remembered as the acceleration that the body leans into: its own, and the
    curve's. Where the motion turns back, the other end leads from then on.

    Args:
        creature: whose trunk it is.
        x: velocity forward [m/s, segment].
        y: velocity to the left [m/s, segment].
        yaw_rate: [rad/s].
        poise: fraction of its acceleration that it may use, see `prepare`.
        bend: of what turns it.
        dt: length of a tick [s].
    """
    plan, trunk, gait = creature.plan, creature.trunk, creature.gait
    body = trunk[gait.leader]
    x -= body.velocity[0]
    y -= body.velocity[1]
    gap, change = sqrt(x * x + y * y), plan.acceleration * dt
    if runs(creature):  # it is as fast in the same time
        change *= plan.run_speed / plan.speed
    if gait.is_waiting and creature.legs.shape[0] - gait.lost_count > FEW:
        change *= CATCH_UP
    fraction = change / gap if gap > change else 1.0
    x, y = x * fraction, y * fraction
    put(body.velocity, add(vec(body.velocity), (x * poise, y * poise, 0.0)))
    change = plan.turn_acceleration * dt * min(poise, bend)
    holds = plan.curve / max(norm(vec(body.velocity)), 1e-9)
    yaw_rate = clamp(yaw_rate, -holds, holds)
    body.yaw_rate += clamp(yaw_rate - body.yaw_rate, -change, change)
    if plan.turn_radius > 0.0:
        fastest = abs(body.velocity[0]) / plan.turn_radius
        body.yaw_rate = clamp(body.yaw_rate, -fastest, fastest)
    last = trunk.shape[0] - 1
    if (
        last > 0
        and abs(body.velocity[0]) > TURNS_BACK
        and (body.velocity[0] < 0.0) != (gait.leader > 0)
    ):
        gait.leader = last - gait.leader
        for s in range(trunk.shape[0]):
            put(trunk[s].velocity, vec(body.velocity))
            trunk[s].yaw_rate = body.yaw_rate
    along = x / dt - body.yaw_rate * body.velocity[1]
    aside = y / dt + body.yaw_rate * body.velocity[0]
    put(gait.acceleration, (along, aside, 0.0))


@kernel
def height_to_reach(creature: Creature, wished: float) -> float:
    """Ride height to go to [m]: low where a foot that must step finds nothing in reach.

    Who goes back from there gets up again, and so does who is held by a leg that is folded.
    Nor does the body rise while a leg is stretched beyond its soft reach; on two feet it crouches
    where that keeps it from going on.
    """
    low = wished
    for i in range(creature.legs.shape[0]):
        leg, foot = creature.legs[i], creature.feet[i]
        if foot.phase == LOST:
            continue
        finds_nothing = creature.footholds[i].status == NOT_FOUND
        is_pressing = foot.phase == STANDING and finds_nothing and foot.urgency > PRESSING
        if is_pressing and not creature.plan.climbs and creature.gait.stuck >= 0:
            low = min(wished, creature.plan.min_ride_height)
        body = creature.trunk[leg.segment]
        position, orientation = vec(body.position), quat(body.orientation)
        far, stretch = reach_in_world(position, orientation, leg, vec(foot.goal))
        is_folded = foot.phase == STANDING and far < FOLDED * leg.min_reach
        if is_folded and not creature.plan.climbs and gets_nowhere(creature.gait):
            return float(wished)
        if creature.plan.climbs and finds_nothing and far > STRETCHED:  # a corner is deep
            return float(min(wished, creature.plan.min_ride_height))
        if stretch > leg.soft_reach:
            is_held = foot.phase == STANDING and gets_nowhere(creature.gait)
            if is_held and is_upright(creature.legs, creature.gait):
                return float(min(wished, creature.plan.min_ride_height))
            wished = min(wished, creature.gait.ride_height)
    return float(min(low, wished))
