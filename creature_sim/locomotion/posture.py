"""Height, tilt and shift of bodies, from their feet and the ground below."""

from math import inf

import numpy as np

from creature_sim.components import (
    LOST,
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
)
from creature_sim.locomotion.balance import is_upright
from creature_sim.locomotion.climbing import CLIMBS_AT, mean_normal, up_ahead
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.footing import near_feet
from creature_sim.locomotion.gravity import down_at
from creature_sim.locomotion.hulls import kept_out, rise_of_hull
from creature_sim.locomotion.knees import rise_of_knees
from creature_sim.locomotion.landing import finds_no_hold
from creature_sim.locomotion.lookout import is_before_edge
from creature_sim.locomotion.others import near_to
from creature_sim.locomotion.prediction import FEW
from creature_sim.locomotion.slots import ahead_slot
from creature_sim.locomotion.stature import (
    HEIGHT_STIFFNESS,
    rise_of_hips,
    rise_to_stand,
    rise_to_step,
)
from creature_sim.locomotion.stopping import shift_left, stops_softly
from creature_sim.locomotion.sway import fallen, sways
from creature_sim.locomotion.tails import carried_along, is_carried
from creature_sim.locomotion.trunk import join, lift, move_trunk
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.locomotion.weight_shift import wished_shift
from creature_sim.maths import (
    TAU,
    Floats,
    Vec,
    Z,
    add,
    along,
    cos,
    cross,
    dot,
    mix,
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

TILT_STIFFNESS = 16.0
"""Of the spring that turns it towards the plane of its feet [1/s]."""
TILT_RATE = 1.5
"""A body tilts no faster than this [rad/s]."""
SHIFT_STIFFNESS = 7.0
"""Of the spring that shifts its weight [1/s]."""
SHIFT_JOLT = 0.2
"""It gains and loses no more speed as it does so than with so many g."""
FAST = 0.1
"""A body that shifts no faster than this is no sudden stop where a leg holds that back [m/s]."""
SWING_WEIGHT = 0.2
"""Weight of a foot in the air, at its goal, against one that stands."""
RAY_WEIGHT = 0.02
"""Weight of the ground below the body against the feet, in the plane that the body follows."""
OVER_EDGES = 0.8
"""Who climbs keeps this fraction of its ride height above what is below it, where an edge is higher
than the plane of its feet."""
GAP = 0.01
"""A body stays so far below what hangs over it [m]."""


@kernel
def support_plane(
    creature: Creature, s: int, segment: SegmentRecord, ground_normal: Vec
) -> tuple[Vec, float]:
    """Weighted least-squares plane z = a x + b y + c of the footholds near a segment, in its frame.

    The slopes lean a little towards those of the ground below the body, which also decides them
    where all feet stand in one line. Feet that reach nothing do not count, unless there are few:
    what is left of four would not hold a plane.

    Args:
        creature: whose segment it is.
        s: which segment.
        segment: of the plan.
        ground_normal: of the ground below it [world].

    Returns:
        The plane's normal [body] and its height c below or above the body's centre [m].
    """
    body, feet = creature.trunk[s], creature.feet
    position, orientation = vec(body.position), quat(body.orientation)
    are_many = creature.legs.shape[0] > FEW
    whole = mx = my = mz = 0.0
    xx = xy = yy = xz = yz = 0.0
    for i in range(segment.first_near, segment.last_near):
        if feet[i].phase == LOST or (are_many and finds_no_hold(creature, i)):
            continue
        w = 1.0 if feet[i].phase == STANDING else SWING_WEIGHT
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
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    gravity: Records[GravityRecord],
    segments: Records[SegmentRecord],
    ground: RecordTable[HitRecord],
    room: Floats,
    near: Near,
    dt: float,
) -> None:
    """Bring every segment towards ride height above, and the normal of, its support plane.

    It leans into accelerations and curves, bobs, and shifts its weight over the feet that stand.
    The ground below it keeps its clearance, and planted legs their reach. What comes down on it
    presses it down.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S); written.
        gaits: (N,); their shifts are written.
        feet: (N, L).
        footholds: (N, L).
        gravity: (1,).
        segments: (S,).
        ground: (N, Q) what the rays found.
        room: (N, S) between segments and what hangs over them [m].
        near: other creatures near to each of the N S segments.
        dt: length of a tick [s].
    """
    count = bodies.shape[1]
    position, orientation = np.empty((count, 3)), np.empty((count, 4))
    wished = np.empty((count, 3))
    for n in range(bodies.shape[0]):
        if gaits[n].flight or gaits[n].run:
            continue
        creature = Creature(plan[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
        trunk, gait = bodies[n], gaits[n]
        shift = vec(gait.shift)
        moved, rate, aside = shifted(creature, gravity[0], dt)
        if stops_softly(creature) and norm(moved) > FAST * dt:
            soft = shift_left(creature, gravity[0], gait.leader, scale(moved, 1.0 / dt), dt)
            moved, rate = scale(moved, soft), scale(rate, soft)
        push = add(vec(gait.acceleration), (0.0, aside, 0.0))
        for s in range(count):
            rise, turn = pose_segment(
                creature, gravity[0], segments, s, ground[n], room[n, s], push, dt
            )
            rise = pressed(trunk[s], segments[s], ground[n, s], room[n, s], rise, dt)
            own = quat(trunk[s].orientation)
            old = vec(trunk[s].position)
            there = add(along(old, rotate(own, Z), rise), rotate(own, moved))
            if plan[0].climbs:
                there = add(old, kept_out(creature, segments, s, ground[n], sub(there, old)))
            put(position[s], there)
            put_quat(orientation[s], quat_unit(quat_multiply(own, quat_turned(turn))))
        if plan[0].climbs and count > 1:
            wished[:] = position
            join(segments, position, orientation)
            for s in range(count):
                if not is_carried(feet[n, segments[s].first_near : segments[s].last_near]):
                    wished[s] = position[s]  # a tail hangs on its body, and does not lift it
            lift(position, wished, orientation)
        others = near_to(near, n, count, legs.shape[0])
        fraction = move_trunk(creature, segments, others, position, orientation, dt)
        put(gait.shift, add(shift, scale(moved, fraction)))
        put(gait.shift_rate, scale(rate, fraction))
        for s in range(count):
            trunk[s].climb *= fraction
            put(trunk[s].tilt_rate, scale(vec(trunk[s].tilt_rate), fraction))


@kernel
def shifted(creature: Creature, gravity: GravityRecord, dt: float) -> tuple[Vec, Vec, float]:
    """How far the body shifts over its feet in a tick [m, head], and how fast then [m/s].

    Returns:
        Both, and the acceleration to its left at which it falls from foot to foot [m/s^2].
    """
    gait, shift = creature.gait, vec(creature.gait.shift)
    if sways(creature):
        new, rate, aside = fallen(creature, gravity, dt, SHIFT_STIFFNESS)
        return sub(new, shift), rate, aside
    wished, was = wished_shift(creature, gravity, dt), vec(gait.shift_rate)
    x, vx = spring(shift[0] - wished[0], was[0], dt, SHIFT_STIFFNESS)
    y, vy = spring(shift[1] - wished[1], was[1], dt, SHIFT_STIFFNESS)
    moved = sub(add(wished, (x, y, 0.0)), shift)
    if creature.plan.climbs:
        return moved, (vx, vy, 0.0), 0.0
    gained = sub((vx, vy, 0.0), was)
    share = min(1.0, SHIFT_JOLT * gravity.acceleration * dt / max(norm(gained), 1e-9))
    return mix(scale(was, dt), moved, share), add(was, scale(gained, share)), 0.0


@kernel
def pose_segment(
    creature: Creature,
    gravity: GravityRecord,
    segments: Records[SegmentRecord],
    s: int,
    hits: Records[HitRecord],
    room: float,
    push: Vec,
    dt: float,
) -> tuple[float, Vec]:
    """How far a segment rises in a tick [m], and turns about its X and Y [rad, segment].

    Its springs move on: climb and tilt rate are written.

    Args:
        creature: whose segment it is.
        gravity: the field.
        segments: (S,) of the plan.
        s: which segment that is.
        hits: (Q,) what the creature's rays found last.
        room: between its centre and what hangs over it; inf: nothing near [m].
        push: acceleration that it leans into [m/s^2, segment].
        dt: length of a tick [s].
    """
    body = creature.trunk[s]
    rise, tilt = wanted_change(creature, gravity, segments, s, hits, room, push)
    height, body.climb = spring(-rise, body.climb, dt, HEIGHT_STIFFNESS)
    fastest = CLIMBS_AT if creature.plan.climbs else TILT_RATE
    return rise + height, turned(body, tilt, fastest, dt)


@kernel
def turned(body: BodyRecord, tilt: Vec, fastest: float, dt: float) -> Vec:
    """How far a segment turns in a tick that shall turn so far [rad, segment].

    Its springs move on: the tilt rate is written.
    """
    tx, rx = spring(-tilt[0], body.tilt_rate[0], dt, TILT_STIFFNESS)
    ty, ry = spring(-tilt[1], body.tilt_rate[1], dt, TILT_STIFFNESS)
    put(body.tilt_rate, (rx, ry, 0.0))
    turn = (tilt[0] + tx, tilt[1] + ty, 0.0)
    size = norm(turn)
    if size > fastest * dt:
        turn = scale(turn, fastest * dt / size)
        put(body.tilt_rate, scale(turn, 1.0 / dt))
    return turn


@kernel
def pressed(
    body: BodyRecord, segment: SegmentRecord, below: HitRecord, room: float, rise: float, dt: float
) -> float:
    """How far a segment rises in a tick under what hangs over it [m].

    It stays below that by half of its height, or half-way between it and the ground where the two
    leave it less: it never comes out on top.

    Args:
        body: the segment; its climb is written where it is pressed down.
        segment: of the plan.
        below: the ground under it.
        room: between its centre and what hangs over it [m].
        rise: as far as it would.
        dt: length of a tick [s].
    """
    highest = room - segment.top - GAP
    if rise <= highest:
        return rise
    if below.is_hit:
        up = rotate(quat(body.orientation), Z)
        depth = dot(sub(vec(below.point), vec(body.position)), up)
        highest = max(highest, 0.5 * (room + depth))
    highest = min(rise, highest)
    body.climb = min(body.climb, highest / dt)
    return highest


@kernel
def wanted_change(
    creature: Creature,
    gravity: GravityRecord,
    segments: Records[SegmentRecord],
    s: int,
    hits: Records[HitRecord],
    room: float,
    push: Vec,
) -> tuple[float, Vec]:
    """How far a segment should rise [m], and turn about its X and Y [rad, segment].

    Args:
        creature: whose segment it is.
        gravity: the field.
        segments: (S,) of the plan.
        s: which segment that is.
        hits: (Q,) what the creature's rays found last.
        room: between its centre and what hangs over it; inf: nothing near [m].
        push: acceleration that it leans into [m/s^2, segment].
    """
    plan, gait, body, segment = creature.plan, creature.gait, creature.trunk[s], segments[s]
    position, orientation = vec(body.position), quat(body.orientation)
    up, below = rotate(orientation, Z), hits[s]
    ground_normal = up
    if below.is_hit and dot(vec(below.normal), up) >= STEEPEST:
        ground_normal = vec(below.normal)
    near = creature.feet[segment.first_near : segment.last_near]
    if not is_carried(near):
        return carried_along(creature, segments, s, below, unrotate(orientation, ground_normal))
    normal, plane = support_plane(creature, s, segment, ground_normal)
    ahead = hits[ahead_slot(creature.trunk.shape[0], creature.legs.shape[0], s) :]
    is_low = plan.climbs and room < inf and below.is_hit and not is_before_edge(creature, s, ahead)
    if is_low:  # there is no room to turn up a wall
        normal = unrotate(orientation, ground_normal)
        plane = dot(sub(vec(below.point), position), up)
    elif plan.climbs:
        known = mean_normal(creature, segment, s, ahead[0], up)
        known = unit(add(rotate(orientation, normal), known), up)
        wanted = up_ahead(creature, gravity, segments, s, ahead, known)
        normal = unrotate(orientation, near_feet(near, wanted))
    bob = plan.bob * cos(2.0 * TAU * gait.phase) * min(1.0, gait.pace / (0.3 * plan.speed))
    rise = plane + gait.ride_height + bob
    if is_upright(creature.legs, gait):
        rise = max(rise, rise_to_step(creature, s))
        rise = min(rise, rise_to_stand(creature, s, normal, plane))
    if below.is_hit:
        depth = dot(sub(vec(below.point), position), up)
        rise = max(rise, depth + plan.clearance)
        if plan.climbs:
            rise = max(rise, depth + OVER_EDGES * gait.ride_height)
    if plan.climbs:
        rise = max(rise, rise_of_hull(creature, segments, s, hits))
    rise = max(rise, rise_of_hips(creature, s), rise_of_knees(creature, s, hits))
    if is_upright(creature.legs, gait):
        normal = scale(unrotate(orientation, down_at(gravity, position)), -1.0)
    lean = plan.lean / gravity.acceleration
    leaning = add(normal, scale(push, lean))
    return rise, cross(Z, unit(leaning, Z))
