"""Bodies move along the surface."""

import esper

from creature_sim.components import Body, Feet, Ground, Plan, Record, Records
from creature_sim.jit import kernel
from creature_sim.maths import (
    add,
    along,
    clamp,
    distance,
    dot,
    mix,
    nlerp,
    norm,
    put,
    put_quat,
    quat,
    quat_about,
    quat_multiply,
    quat_unit,
    rotate,
    sub,
    vec,
)
from creature_sim.systems.reach_guard import COMFORT, FULL_STRETCH, allowed_share, hip_of

X = (1.0, 0.0, 0.0)
Z = (0.0, 0.0, 1.0)


class MoveBodies(esper.Processor):
    """Integrate speed and yaw rate."""

    def process(self, dt: float) -> None:
        """Move every body by one tick."""
        ((_, ground),) = esper.get_component(Ground)
        for _, (plan, body, feet) in esper.get_components(Plan, Body, Feet):
            advance(plan.body, plan.legs, body.records, feet.records, ground.half_size, dt)


@kernel
def advance(
    plan: Records, legs: Records, bodies: Records, feet: Records, half_size: float, dt: float
) -> None:
    """Move bodies along their own forward axis and turn them about their own up.

    A step of the circle that speed and yaw rate describe goes along its chord, half of the turn
    ahead. Planted legs that stretch slow the body, and stop it before they are outrun; the border
    holds it back. Speed, yaw rate and pace become what was really done.
    """
    border = half_size - plan[0].margin
    for n in range(bodies.shape[0]):
        body = bodies[n]
        position, orientation = vec(body.position), quat(body.orientation)
        brake(plan[0], legs, body, feet[n])
        turn = quat_about(Z, 0.5 * body.yaw_rate * dt)
        half_way = quat_unit(quat_multiply(orientation, turn))
        ahead = rotate(half_way, X)
        new_position = along(position, ahead, body.speed * dt)
        new_orientation = quat_unit(quat_multiply(half_way, turn))
        new_position = (
            clamp(new_position[0], -border, border),
            clamp(new_position[1], -border, border),
            new_position[2],
        )
        share = allowed_share(legs, feet[n], position, orientation, new_position, new_orientation)
        new_position = mix(position, new_position, share)
        new_orientation = nlerp(orientation, new_orientation, share)

        pace = 0.0
        for leg in range(legs.shape[0]):
            home = vec(legs[leg].home)
            was = add(position, rotate(orientation, home))
            now = add(new_position, rotate(new_orientation, home))
            pace = max(pace, distance(was, now) / dt)
        body.pace = pace
        body.speed = dot(sub(new_position, position), ahead) / dt
        body.yaw_rate *= share
        put(body.position, new_position)
        put_quat(body.orientation, new_orientation)


@kernel
def brake(plan: Record, legs: Records, body: Record, feet: Records) -> None:
    """Slow a body down whose planted legs stretch: to the plan's full speed times the comfort left.

    Only legs that the motion stretches further count. As a cap on the speed, not a factor per
    tick, it does the same at every tick rate.
    """
    position, orientation = vec(body.position), quat(body.orientation)
    left = 1.0
    for i in range(legs.shape[0]):
        if feet[i].is_swinging:
            continue
        leg = legs[i]
        out = sub(hip_of(position, orientation, leg), vec(feet[i].position))
        stretch = norm(out)
        x, y = body.speed - body.yaw_rate * leg.mount[1], body.yaw_rate * leg.mount[0]
        if stretch > COMFORT * leg.reach and dot(out, rotate(orientation, (x, y, 0.0))) > 0.0:
            rest = (FULL_STRETCH - stretch / leg.reach) / (FULL_STRETCH - COMFORT)
            left = min(left, clamp(rest, 0.0, 1.0))
    body.speed = clamp(body.speed, -left * plan.speed, left * plan.speed)
    body.yaw_rate = clamp(body.yaw_rate, -left * plan.turn_rate, left * plan.turn_rate)
