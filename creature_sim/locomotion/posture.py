"""Height, tilt and shift of bodies, from their feet and the ground below."""

from math import inf, sqrt

import numpy as np

from creature_sim.components import GRAVITY, Record, Records
from creature_sim.locomotion.balance import is_upright, wished_shift
from creature_sim.locomotion.gravity import down_at
from creature_sim.locomotion.prediction import home_of
from creature_sim.locomotion.trunk import move_trunk
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import (
    TAU,
    Vec,
    Z,
    add,
    along,
    cos,
    cross,
    dot,
    norm,
    put,
    put_quat,
    quat,
    quat_multiply,
    quat_turned,
    quat_unit,
    rotate,
    scale,
    spring,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

HEIGHT_STIFFNESS = 12.0
"""Of the spring that holds a body at its height [1/s]; all are critically damped."""


TILT_STIFFNESS = 16.0
"""Of the spring that turns it towards the plane of its feet [1/s]."""


TILT_RATE = 1.5
"""A body tilts no faster than this [rad/s]."""


SHIFT_STIFFNESS = 7.0
"""Of the spring that shifts its weight [1/s]."""


SWING_WEIGHT = 0.2
"""Weight of a foot in the air, at its goal, against one that stands."""


RAY_WEIGHT = 0.02
"""Weight of the ground below the body against the feet, in the plane that the body follows."""


SPARE = 0.97
"""A level body comes down on a slope to keep this share of its legs' comfort."""


@kernel
def support_plane(body: Record, feet: Records, ground_normal: Vec) -> tuple[Vec, float]:
    """Weighted least-squares plane z = a x + b y + c of the footholds, in the body frame.

    The slopes lean a little towards those of the ground below the body, which also decides them
    where all feet stand in one line.

    Returns:
        The plane's normal [body] and its height c below or above the body's centre [m].
    """
    position, orientation = vec(body.position), quat(body.orientation)
    whole = mx = my = mz = 0.0
    xx = xy = yy = xz = yz = 0.0
    for i in range(feet.shape[0]):
        if feet[i].is_lost:
            continue
        w = SWING_WEIGHT if feet[i].is_swinging else 1.0
        x, y, z = unrotate(orientation, sub(vec(feet[i].goal), position))
        whole += w
        mx += w * x
        my += w * y
        mz += w * z
        xx += w * x * x
        xy += w * x * y
        yy += w * y * y
        xz += w * x * z
        yz += w * y * z
    nx, ny, nz = unrotate(orientation, ground_normal)
    if whole == 0.0:
        return unit((nx, ny, nz), Z), 0.0
    mx /= whole
    my /= whole
    mz /= whole
    xx -= whole * mx * mx
    xy -= whole * mx * my
    yy -= whole * my * my
    xz -= whole * mx * mz
    yz -= whole * my * mz
    weight = RAY_WEIGHT * (xx + yy) + 1e-9
    xx += weight
    yy += weight
    xz -= weight * nx / nz
    yz -= weight * ny / nz
    determinant = xx * yy - xy * xy
    a = (xz * yy - yz * xy) / determinant
    b = (yz * xx - xz * xy) / determinant
    return unit((-a, -b, 1.0), Z), mz - a * mx - b * my


@kernel
def pose(
    plan: Records,
    segments: Records,
    legs: Records,
    bodies: Records,
    gaits: Records,
    feet: Records,
    ground: Records,
    dt: float,
) -> None:
    """Bring every segment towards ride height above, and the normal of, its support plane.

    It leans into accelerations and curves, bobs, and shifts its weight over the feet that stand.
    The ground below it keeps its clearance, and planted legs their reach.
    """
    limits = plan[0]
    count = bodies.shape[1]
    position, orientation = np.empty((count, 3)), np.empty((count, 4))
    for n in range(bodies.shape[0]):
        trunk, gait = bodies[n], gaits[n]
        wished = wished_shift(limits, legs, trunk, gait, feet[n])
        shift = vec(gait.shift)
        sx, vx = spring(shift[0] - wished[0], gait.shift_rate[0], dt, SHIFT_STIFFNESS)
        sy, vy = spring(shift[1] - wished[1], gait.shift_rate[1], dt, SHIFT_STIFFNESS)
        moved = sub(add(wished, (sx, sy, 0.0)), shift)
        for s in range(count):
            body, segment = trunk[s], segments[s]
            near = feet[n, segment.first_near : segment.last_near]
            rise, tilt = wanted_change(limits, gait, legs, s, body, near, ground[n, s])
            height, body.climb = spring(-rise, body.climb, dt, HEIGHT_STIFFNESS)
            tx, rx = spring(-tilt[0], body.tilt_rate[0], dt, TILT_STIFFNESS)
            ty, ry = spring(-tilt[1], body.tilt_rate[1], dt, TILT_STIFFNESS)
            put(body.tilt_rate, (rx, ry, 0.0))
            own = quat(body.orientation)
            lifted = along(vec(body.position), rotate(own, Z), rise + height)
            put(position[s], add(lifted, rotate(own, moved)))
            turn = (tilt[0] + tx, tilt[1] + ty, 0.0)
            size = norm(turn)
            if size > TILT_RATE * dt:
                turn = scale(turn, TILT_RATE * dt / size)
                put(body.tilt_rate, scale(turn, 1.0 / dt))
            put_quat(orientation[s], quat_unit(quat_multiply(own, quat_turned(turn))))
        share = move_trunk(segments, legs, feet[n], trunk, position, orientation)
        put(gait.shift, add(shift, scale(moved, share)))
        put(gait.shift_rate, (vx * share, vy * share, 0.0))
        for s in range(count):
            trunk[s].climb *= share
            put(trunk[s].tilt_rate, scale(vec(trunk[s].tilt_rate), share))


@kernel
def wanted_change(
    plan: Record,
    gait: Record,
    legs: Records,
    segment: int,
    body: Record,
    feet: Records,
    below: Record,
) -> tuple[float, Vec]:
    """How far a segment should rise [m], and turn about its X and Y [rad, segment].

    Args:
        plan: PLAN.
        gait: GAIT.
        legs: (L,) LEG.
        segment: which it is.
        body: the segment.
        feet: of it and its neighbours.
        below: the ground under it.
    """
    position, orientation = vec(body.position), quat(body.orientation)
    up = rotate(orientation, Z)
    ground_normal = up
    if below.is_hit and dot(vec(below.normal), up) >= STEEPEST:
        ground_normal = vec(below.normal)
    normal, plane = support_plane(body, feet, ground_normal)
    bob = plan.bob * cos(2.0 * TAU * gait.phase) * min(1.0, gait.pace / (0.3 * plan.speed))
    rise = plane + gait.height + bob
    if is_upright(legs, gait):
        rise = min(rise, room_above(legs, gait, segment, normal, plane))
    if below.is_hit:
        depth = dot(sub(vec(below.point), position), up)
        rise = max(rise, depth + plan.clearance)
    if is_upright(legs, gait):
        normal = scale(unrotate(orientation, down_at(plan, position)), -1.0)
    leaning = add(normal, scale(vec(gait.acceleration), plan.lean / GRAVITY))
    return rise, cross(Z, unit(leaning, Z))


@kernel
def room_above(legs: Records, gait: Record, segment: int, normal: Vec, plane: float) -> float:
    """How far a segment may rise on a slope before steps down it leave a leg's comfort [m].

    Args:
        legs: (L,) LEG.
        gait: GAIT.
        segment: which it is.
        normal: of the plane of its feet [segment].
        plane: how far that lies above the segment's centre [m].
    """
    room = inf
    size = sqrt(normal[0] * normal[0] + normal[1] * normal[1])
    if size < 1e-9:
        return room
    x, y = normal[0] / size, normal[1] / size  # down the slope
    for i in range(legs.shape[0]):
        leg = legs[i]
        if leg.segment == segment:
            longest = SPARE * leg.comfort * leg.reach
            hx, hy, _ = home_of(gait, leg)
            px, py = hx + 0.5 * gait.stance_length * x, hy + 0.5 * gait.stance_length * y
            z = plane - (normal[0] * px + normal[1] * py) / normal[2]
            dx, dy = px - leg.mount[0], py - leg.mount[1]
            drop = longest * longest - dx * dx - dy * dy
            room = min(room, z - leg.mount[2] + sqrt(max(0.0, drop)))
    return room
