"""Bodies move along the surface."""

import esper

from creature_sim.components import Body, Feet, Ground, Plan, Records
from creature_sim.jit import kernel
from creature_sim.maths import (
    Quat,
    Vec,
    add,
    along,
    clamp,
    distance,
    dot,
    mix,
    nlerp,
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
    holds it back. Speed, yaw rate and `travel` become what was really done.
    """
    border = half_size - plan[0].margin
    for n in range(bodies.shape[0]):
        body = bodies[n]
        position, orientation = vec(body.position), quat(body.orientation)
        turn = quat_about(Z, 0.5 * body.yaw_rate * dt)
        half_way = quat_unit(quat_multiply(orientation, turn))
        ahead = rotate(half_way, X)
        new_position = along(position, ahead, body.speed * dt)
        new_orientation = quat_unit(quat_multiply(half_way, turn))
        share = brake(legs, feet[n], position, orientation, new_position, new_orientation)
        new_position = mix(position, new_position, share)
        new_orientation = nlerp(orientation, new_orientation, share)
        new_position = (
            clamp(new_position[0], -border, border),
            clamp(new_position[1], -border, border),
            new_position[2],
        )
        share *= allowed_share(legs, feet[n], position, orientation, new_position, new_orientation)
        new_position = mix(position, new_position, share)
        new_orientation = nlerp(orientation, new_orientation, share)

        body.travel = 0.0
        for leg in range(legs.shape[0]):
            home = vec(legs[leg].home)
            was = add(position, rotate(orientation, home))
            now = add(new_position, rotate(new_orientation, home))
            body.travel = max(body.travel, distance(was, now))
        body.speed = dot(sub(new_position, position), ahead) / dt
        body.yaw_rate *= share
        put(body.position, new_position)
        put_quat(body.orientation, new_orientation)


@kernel
def brake(
    legs: Records,
    feet: Records,
    position: Vec,
    orientation: Quat,
    new_position: Vec,
    new_orientation: Quat,
) -> float:
    """Share of a move that planted legs agree to: 1 in comfort, 0 at full stretch."""
    share = 1.0
    for leg in range(legs.shape[0]):
        if feet[leg].is_swinging:
            continue
        foot = vec(feet[leg].position)
        reach = legs[leg].reach
        new = distance(hip_of(new_position, new_orientation, legs[leg]), foot)
        old = distance(hip_of(position, orientation, legs[leg]), foot)
        if new > old and new > COMFORT * reach:
            left = (FULL_STRETCH * reach - new) / ((FULL_STRETCH - COMFORT) * reach)
            share = min(share, clamp(left, 0.0, 1.0))
    return share
