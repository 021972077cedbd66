"""Whoever stands on a prop moves with it."""

from creature_sim.components import DYNAMIC, GROUND, STATIC, TO_RECOVER, Record, Records
from creature_sim.locomotion.reach import FULL_STRETCH, hip_of
from creature_sim.locomotion.swing import lift
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import (
    Quat,
    Vec,
    Z,
    add,
    distance,
    dot,
    put,
    put_quat,
    quat,
    quat_multiply,
    quat_unit,
    rotate,
    scale,
    sub,
    vec,
)
from creature_sim.maths.jit import kernel
from creature_sim.props.paths import carried, turn_of


@kernel
def carry(
    segments: Records,
    legs: Records,
    bodies: Records,
    feet: Records,
    solids: Records,
    props: Records,
) -> None:
    """Move all that stands on props with them.

    1. A segment goes the mean way, and turns the mean turn, of what the feet near it stand on: on
       one prop it keeps still against that, and half on the ground it goes half as far. It does
       not turn with balls.
    2. Feet that stand go exactly with their prop.
    3. The goal of a foot in the air goes with the prop that it lies on, the foot with its segment.
    4. A foot lets go that would be drawn out of its leg's reach, or off a ball that turns.

    Args:
        segments: (S,) SEGMENT.
        legs: (L,) LEG.
        bodies: (N, S) BODY.
        feet: (N, L) FOOT.
        solids: (P,) SOLID.
        props: (P,) PROP.
    """
    for n in range(bodies.shape[0]):
        goes = False
        for i in range(feet.shape[1]):
            goes = goes or rides(feet[n, i], solids)
        if not goes:
            continue
        for s in range(bodies.shape[1]):
            body = bodies[n, s]
            first, last = segments[s].first_near, segments[s].last_near
            old = vec(body.position)
            way, turn, standing = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0), 0
            moves = False
            for i in range(first, last):
                foot = feet[n, i]
                if foot.is_swinging:
                    continue
                standing += 1
                own = (0.0, 0.0, 0.0, 1.0)
                if rides(foot, solids):
                    moves = True
                    prop = props[foot.prop]
                    if rolls(solids[foot.prop]):
                        way = add(way, sub(vec(prop.position), vec(prop.old_position)))
                    else:
                        way = add(way, sub(carried(prop, old), old))
                        own = turn_of(prop)
                turn = _summed(turn, own)
            if not moves:
                continue
            new = add(old, scale(way, 1.0 / standing))
            put(body.position, new)
            turned = quat_unit(turn)
            if turn[0] != 0.0 or turn[1] != 0.0 or turn[2] != 0.0:
                put_quat(body.orientation, quat_unit(quat_multiply(turned, quat(body.orientation))))
            for i in range(first, last):
                foot = feet[n, i]
                if foot.is_swinging and legs[i].segment == s:
                    put(foot.position, _with_body(old, new, turned, vec(foot.position)))
                    put(foot.track, _with_body(old, new, turned, vec(foot.track)))
                    put(foot.aim, _with_body(old, new, turned, vec(foot.aim)))
                    put(foot.sole, rotate(turned, vec(foot.sole)))
                    put(foot.toe, rotate(turned, vec(foot.toe)))
        for i in range(feet.shape[1]):
            if not feet[n, i].is_lost:
                carry_foot(legs[i], bodies[n, legs[i].segment], feet[n, i], solids, props)


@kernel
def carry_foot(leg: Record, body: Record, foot: Record, solids: Records, props: Records) -> None:
    """Move a foot that stands, or the goal of one in the air, with its prop.

    What would be drawn out of reach, or stand on what has turned too steep, lets go.

    Args:
        leg: LEG.
        body: of its segment, carried already.
        foot: FOOT.
        solids: (P,) SOLID.
        props: (P,) PROP.
    """
    is_carried = rides(foot, solids)
    if foot.is_swinging and not is_carried:
        return
    position, orientation = vec(body.position), quat(body.orientation)
    goal, normal, turned = vec(foot.goal), vec(foot.normal), (0.0, 0.0, 0.0, 1.0)
    if is_carried:
        turned = turn_of(props[foot.prop])
        goal, normal = carried(props[foot.prop], goal), rotate(turned, normal)
    far = distance(hip_of(position, orientation, leg), goal) > FULL_STRETCH * leg.reach
    steep = is_carried and dot(normal, rotate(orientation, Z)) < STEEPEST
    if far or steep:
        foot.prop = foot.foothold_prop = GROUND
        if not foot.is_swinging:
            put(foot.foothold, vec(foot.goal))
            put(foot.foothold_normal, vec(foot.normal))
            lift(foot, TO_RECOVER)
        return
    if not is_carried:
        return
    put(foot.goal, goal)
    put(foot.normal, normal)
    if not foot.is_swinging:
        put(foot.position, goal)
        put(foot.track, goal)
        put(foot.sole, rotate(turned, vec(foot.sole)))
        put(foot.toe, rotate(turned, vec(foot.toe)))


@kernel
def rides(foot: Record, solids: Records) -> bool:
    """Whether what a foot stands on, or will, may move."""
    return bool(foot.prop >= 0 and solids[foot.prop].motion != STATIC)


@kernel
def rolls(solid: Record) -> bool:
    """Whether a prop turns below what stands on it: a ball that is pushed."""
    return bool(solid.motion == DYNAMIC and solid.radius > 0.0)


@kernel
def _summed(a: Quat, b: Quat) -> Quat:
    """Sum of two turns that are small, so that both have a positive real part."""
    sign = 1.0 if b[3] >= 0.0 else -1.0
    return (a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2], a[3] + sign * b[3])


@kernel
def _with_body(old: Vec, new: Vec, turned: Quat, point: Vec) -> Vec:
    """Where a point that is fast on a body goes when that is carried [m, world]."""
    return add(new, rotate(turned, sub(point, old)))
