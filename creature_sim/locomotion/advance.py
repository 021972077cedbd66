"""Bodies move along the surface, no faster than legs and balance allow."""

from math import sqrt

import numpy as np

from creature_sim.components import Record, Records
from creature_sim.locomotion.balance import balance_left
from creature_sim.locomotion.prediction import home_of
from creature_sim.locomotion.reach import FULL_STRETCH, hip_of
from creature_sim.locomotion.slots import ahead_slot
from creature_sim.locomotion.trunk import leader_of, move_trunk
from creature_sim.locomotion.walls import stop_before_walls
from creature_sim.maths import (
    Floats,
    Y,
    Z,
    add,
    along,
    asin,
    clamp,
    distance,
    dot,
    norm,
    put,
    put_quat,
    quat,
    quat_about,
    quat_conjugate,
    quat_multiply,
    quat_unit,
    rotate,
    scale,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

CATCH = 8.0
"""Near the edge of its support a body slows down by this multiple of its usual acceleration."""


@kernel
def advance(
    plan: Records,
    segments: Records,
    legs: Records,
    bodies: Records,
    gaits: Records,
    feet: Records,
    hits: Records,
    solids: Records,
    half_size: float,
    dt: float,
) -> None:
    """Move trunks by their leaders' velocity and turn them about the leaders' own up.

    A step of the circle that velocity and yaw rate describe goes along its chord, half of the turn
    ahead. Planted legs that stretch slow the body, and stop it before they are outrun; walls and
    the border hold it back. Velocities, yaw rates and pace become what was really done.
    """
    border = half_size - plan[0].margin
    count = bodies.shape[1]
    wished_position, wished_orientation = np.empty((count, 3)), np.empty((count, 4))
    old_position, old_orientation = np.empty((count, 3)), np.empty((count, 4))
    for n in range(bodies.shape[0]):
        trunk, gait = bodies[n], gaits[n]
        leader = leader_of(trunk)
        brake(plan[0], legs, trunk, gait, leader, feet[n], dt)
        ahead = hits[n, ahead_slot(count, legs.shape[0], 0) :]
        is_walled = stop_before_walls(plan[0], segments, legs, trunk, gait, leader, ahead, solids)
        body = trunk[leader]
        position, orientation = vec(body.position), quat(body.orientation)
        turn = quat_about(Z, 0.5 * body.yaw_rate * dt)
        half_way = quat_unit(quat_multiply(orientation, turn))
        aside = body.velocity[1] * dt
        for s in range(count):  # what is not pulled is pushed aside with the leader
            side = rotate(quat(trunk[s].orientation), Y)
            put(wished_position[s], along(vec(trunk[s].position), side, aside))
            put_quat(wished_orientation[s], quat(trunk[s].orientation))
        x, y, z = add(position, rotate(half_way, scale(vec(body.velocity), dt)))
        wished = (clamp(x, -border, border), clamp(y, -border, border), z)
        gait.is_held = is_walled or wished != (x, y, z)
        put(wished_position[leader], wished)
        put_quat(wished_orientation[leader], quat_unit(quat_multiply(half_way, turn)))
        for s in range(count):
            put(old_position[s], vec(trunk[s].position))
            put_quat(old_orientation[s], quat(trunk[s].orientation))
        move_trunk(segments, legs, feet[n], trunk, wished_position, wished_orientation)
        measure(legs, trunk, gait, old_position, old_orientation, dt)


@kernel
def measure(
    legs: Records,
    trunk: Records,
    gait: Record,
    old_position: Floats,
    old_orientation: Floats,
    dt: float,
) -> None:
    """Velocity and yaw rate of every segment, and the pace, from where they were and are.

    Args:
        legs: (L,) LEG.
        trunk: (S,) BODY, moved.
        gait: GAIT; gets the pace.
        old_position: (S, 3) of the segments before [m, world].
        old_orientation: (S, 4).
        dt: time between [s].
    """
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
def brake(
    plan: Record, legs: Records, trunk: Records, gait: Record, leader: int, feet: Records, dt: float
) -> None:
    """Slow a body down whose planted legs stretch, or whose weight comes near their edge.

    To the plan's full speed times the comfort left, at once where a leg is outrun, softly where
    only the balance asks for it. Only what the motion makes worse counts. As a cap on the speed,
    not a factor per tick, it does the same at every tick rate.
    """
    left = 1.0
    for i in range(legs.shape[0]):
        if feet[i].is_swinging:
            continue
        leg = legs[i]
        body = trunk[leg.segment]
        position, orientation = vec(body.position), quat(body.orientation)
        out = sub(hip_of(position, orientation, leg), vec(feet[i].position))
        stretch = norm(out)
        x = body.velocity[0] - body.yaw_rate * leg.mount[1]
        y = body.velocity[1] + body.yaw_rate * leg.mount[0]
        if stretch > leg.comfort * leg.reach and dot(out, rotate(orientation, (x, y, 0.0))) > 0.0:
            rest = (FULL_STRETCH - stretch / leg.reach) / (FULL_STRETCH - leg.comfort)
            left = min(left, clamp(rest, 0.0, 1.0))
    body = trunk[leader]
    balanced = balance_left(plan, legs, trunk, gait, feet)
    x, y = body.velocity[0], body.velocity[1]
    speed, top = sqrt(x * x + y * y), max(plan.speed, plan.strafe_speed)
    most = min(left * top, max(balanced * top, speed - CATCH * plan.acceleration * dt))
    if speed > most:
        put(body.velocity, scale(vec(body.velocity), most / speed))
    turn = abs(body.yaw_rate) - CATCH * plan.turn_acceleration * dt
    most = min(left * plan.turn_rate, max(balanced * plan.turn_rate, turn))
    body.yaw_rate = clamp(body.yaw_rate, -most, most)
