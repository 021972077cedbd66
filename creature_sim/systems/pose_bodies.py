"""Height and tilt of bodies, from their feet and the ground below."""

import esper

from creature_sim.components import Body, Feet, Plan, Record, Records, Sensed
from creature_sim.jit import kernel
from creature_sim.maths import (
    Vec,
    along,
    approach,
    dot,
    mix,
    nlerp,
    put,
    put_quat,
    quat,
    quat_between,
    quat_multiply,
    quat_unit,
    rotate,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.systems.reach_guard import allowed_share
from creature_sim.systems.schedule_steps import STEEPEST

Z = (0.0, 0.0, 1.0)
IDENTITY = (0.0, 0.0, 0.0, 1.0)

HEIGHT_TIME = 0.15
"""Time constant of the body's height [s]."""
TILT_TIME = 0.16
"""Time constant of the body's tilt [s]."""
RAY_WEIGHT = 0.1
"""Weight of the ground below the body against the feet, in the plane that the body follows."""


class PoseBodies(esper.Processor):
    """Raise, lower and tilt bodies."""

    def process(self, dt: float) -> None:
        """Move every body towards its place above the plane of its feet."""
        for _, (plan, body, feet, sensed) in esper.get_components(Plan, Body, Feet, Sensed):
            pose(
                plan.body,
                plan.legs,
                body.records,
                feet.records,
                sensed.records,
                dt,
            )


@kernel
def support_plane(body: Record, feet: Records, ground_normal: Vec) -> tuple[Vec, float]:
    """Least-squares plane z = a x + b y + c of the footholds, in the body frame.

    The slopes lean a little towards those of the ground below the body, which also decides them
    where all feet stand in one line.

    Returns:
        The plane's normal [body] and its height c below or above the body's centre [m].
    """
    count = feet.shape[0]
    position, orientation = vec(body.position), quat(body.orientation)
    mx = my = mz = 0.0
    xx = xy = yy = xz = yz = 0.0
    for i in range(count):
        stand = vec(feet[i].goal)
        x, y, z = unrotate(orientation, sub(stand, position))
        mx += x / count
        my += y / count
        mz += z / count
        xx += x * x
        xy += x * y
        yy += y * y
        xz += x * z
        yz += y * z
    xx -= count * mx * mx
    xy -= count * mx * my
    yy -= count * my * my
    xz -= count * mx * mz
    yz -= count * my * mz
    weight = RAY_WEIGHT * (xx + yy) + 1e-9
    nx, ny, nz = unrotate(orientation, ground_normal)
    xx += weight
    yy += weight
    xz -= weight * nx / nz
    yz -= weight * ny / nz
    whole = xx * yy - xy * xy
    a = (xz * yy - yz * xy) / whole
    b = (yz * xx - xz * xy) / whole
    return unit((-a, -b, 1.0), Z), mz - a * mx - b * my


@kernel
def pose(
    plan: Records,
    legs: Records,
    bodies: Records,
    feet: Records,
    ground: Records,
    dt: float,
) -> None:
    """Smooth height and tilt towards ride height above, and the normal of, the support plane.

    The ground below the body keeps its clearance, and planted legs their reach.
    """
    limits = plan[0]
    for n in range(bodies.shape[0]):
        body = bodies[n]
        position, orientation = vec(body.position), quat(body.orientation)
        up = rotate(orientation, Z)
        ground_normal = up
        below = ground[n, 0]
        if below.is_hit and dot(vec(below.normal), up) >= STEEPEST:
            ground_normal = vec(below.normal)
        plane_normal, plane = support_plane(body, feet[n], ground_normal)
        rise = plane + limits.ride_height
        if below.is_hit:
            depth = dot(sub(vec(below.point), position), up)
            rise = max(rise, depth + limits.clearance)
        new_position = along(position, up, rise * approach(dt, HEIGHT_TIME))
        tilt = nlerp(IDENTITY, quat_between(Z, plane_normal), approach(dt, TILT_TIME))
        new_orientation = quat_unit(quat_multiply(orientation, tilt))
        share = allowed_share(legs, feet[n], position, orientation, new_position, new_orientation)
        put(body.position, mix(position, new_position, share))
        put_quat(body.orientation, nlerp(orientation, new_orientation, share))
