"""Commands become velocity, yaw rate and ride height."""

from math import sqrt

from creature_sim.components import Record, Records
from creature_sim.inputs import FULL
from creature_sim.locomotion.prediction import PRESSING
from creature_sim.locomotion.reach import hip_of
from creature_sim.locomotion.trunk import leader_of
from creature_sim.locomotion.workspace import pace_of, ride_height, wanted_twist
from creature_sim.maths import add, clamp, distance, put, quat, unrotate, vec
from creature_sim.maths.jit import kernel

CROUCH_RATE = 1.5
"""A body rises and crouches by this many ride heights a second."""


@kernel
def push(trunk: Records, x: float, y: float, z: float) -> None:
    """Add to the velocity of every segment what of (x, y, z) [m/s, world] is along its surface."""
    for s in range(trunk.shape[0]):
        dx, dy, _ = unrotate(quat(trunk[s].orientation), (x, y, z))
        put(trunk[s].velocity, add(vec(trunk[s].velocity), (dx, dy, 0.0)))


@kernel
def steer(
    plan: Records,
    cycles: Records,
    legs: Records,
    commands: Records,
    bodies: Records,
    gaits: Records,
    feet: Records,
    dt: float,
) -> None:
    """Move velocity, yaw rate and height towards the command, as fast as the plan allows.

    Of a trunk with several segments the one that leads is steered; what is asked for is remembered
    as the acceleration that the body leans into: its own, and the curve's.
    """
    limits = plan[0]
    for n in range(bodies.shape[0]):
        trunk, leader = bodies[n], leader_of(bodies[n])
        body, command, gait = trunk[leader], commands[n], gaits[n]
        height = command.height / FULL
        x, y, yaw_rate = wanted_twist(
            limits,
            cycles,
            legs,
            command.forward / FULL,
            command.turn / FULL,
            command.strafe / FULL,
            height,
        )
        if gait.lost_count == legs.shape[0]:  # nothing left to walk on
            x, y, yaw_rate = 0.0, 0.0, 0.0
        gait.asked = pace_of(legs, x, y, yaw_rate)
        x -= body.velocity[0]
        y -= body.velocity[1]
        gap, most = sqrt(x * x + y * y), limits.acceleration * dt
        share = most / gap if gap > most else 1.0
        x, y = x * share, y * share
        put(body.velocity, add(vec(body.velocity), (x, y, 0.0)))
        most = limits.turn_acceleration * dt
        body.yaw_rate += clamp(yaw_rate - body.yaw_rate, -most, most)
        if limits.turn_radius > 0.0:
            most = abs(body.velocity[0]) / limits.turn_radius
            body.yaw_rate = clamp(body.yaw_rate, -most, most)
        if (body.velocity[0] < 0.0) != (leader > 0):
            for s in range(trunk.shape[0]):  # the other end leads now, from the same motion
                put(trunk[s].velocity, vec(body.velocity))
                trunk[s].yaw_rate = body.yaw_rate
        put(
            gait.acceleration,
            (
                x / dt - body.yaw_rate * body.velocity[1],
                y / dt + body.yaw_rate * body.velocity[0],
                0.0,
            ),
        )
        most = CROUCH_RATE * limits.ride_height * dt
        wished = height_to_reach(limits, legs, trunk, gait, feet[n], ride_height(limits, height))
        gait.height += clamp(wished - gait.height, -most, most)


@kernel
def height_to_reach(
    plan: Record, legs: Records, trunk: Records, gait: Record, feet: Records, wished: float
) -> float:
    """Ride height to go to [m]: low where a foot that must step finds nothing in reach.

    Nor does the body rise while a leg is stretched beyond its comfort.
    """
    for i in range(legs.shape[0]):
        leg, foot = legs[i], feet[i]
        if foot.is_lost:
            continue
        if not foot.is_swinging and foot.has_foothold == 0 and foot.need > PRESSING:
            return float(min(wished, plan.lowest))
        body = trunk[leg.segment]
        hip = hip_of(vec(body.position), quat(body.orientation), leg)
        if distance(hip, vec(foot.goal)) > leg.comfort * leg.reach:
            wished = min(wished, gait.height)
    return float(wished)
