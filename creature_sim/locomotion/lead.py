"""Feet and knees that are led: to where an event wants a foot, and towards the target of a pole."""

from creature_sim.components import (
    DYNAMIC,
    FOUND,
    GROUND,
    LED,
    LOST,
    NOT_FOUND,
    ON_BODY,
    ON_PROP,
    RELEASED,
    TO_RECOVER,
    YAWS,
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    LegRecord,
    LegTargetRecord,
    PlanRecord,
    PropRecord,
    Records,
    RecordTable,
    SolidRecord,
)
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.giving_way import give_way
from creature_sim.locomotion.hips import planned_pole
from creature_sim.locomotion.prediction import home_of
from creature_sim.locomotion.reach import bring_in_reach, hip_of, reaches
from creature_sim.locomotion.search import downhill
from creature_sim.locomotion.swing import lift_off
from creature_sim.maths import (
    Quat,
    Vec,
    X,
    Z,
    add,
    along,
    any_normal,
    approach,
    cross,
    distance,
    dot,
    mix,
    nlerp,
    put,
    put_quat,
    quat,
    quat_from_axes,
    reject,
    rotate,
    spring,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

STIFFNESS = 6.0
"""Of the spring that draws a foot to where it is wanted [1/s]."""
TURN_TIME = 0.15
"""Time constant in which it turns as it is wanted [s]."""
POLE_RATE = 3.0
"""A pole swings round to a new target no faster than this [rad/s]."""
WAITING = 0.2
"""A foot that was let go is no farther in its swing than this until it has found a foothold."""


@kernel
def lead(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    targets: RecordTable[LegTargetRecord],
    props: Records[PropRecord],
    solids: Records[SolidRecord],
    dt: float,
) -> None:
    """Move feet that are led, keep those that were let go up until they know where to stand.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S).
        gaits: (N,); how many feet motions have raised is written.
        feet: (N, L); written.
        footholds: (N, L); of feet that are led, written.
        targets: (N, L); written.
        props: (P,), at least one.
        solids: (P,) what they are.
        dt: length of a tick [s].
    """
    for n in range(bodies.shape[0]):
        creature = Creature(plan[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
        gaits[n].raised_count = 0
        for i in range(legs.shape[0]):
            leg, target, foot = legs[i], targets[n, i], feet[n, i]
            if target.is_led == LED:
                gaits[n].raised_count += target.task != 0
                lead_foot(creature, target, solids, i, dt)
                put(footholds[n, i].position, vec(foot.position))
            elif target.is_led == RELEASED:
                if footholds[n, i].status == FOUND:
                    target.is_led = 0
                else:
                    foot.progress = min(foot.progress, WAITING)
            if leg.hip != YAWS:
                turn_pole(leg, bodies[n], foot, target, props, dt)


@kernel
def take(foot: FootRecord, foothold: FootholdRecord, target: LegTargetRecord) -> None:
    """Begin to lead a foot, from where it is; one whose leg is lost stays so."""
    if target.is_led == LED or foot.phase == LOST:
        return
    target.is_led = LED
    put(target.here, vec(foot.position))
    put(target.velocity, (0.0, 0.0, 0.0))
    normal, heading = vec(foot.normal), vec(foot.heading)
    x = unit(reject(heading, normal), any_normal(normal))
    put_quat(target.turn, quat_from_axes(x, cross(normal, x), normal))
    foot.phase, foot.is_raised = LOST, 1
    foot.prop = foothold.prop = GROUND
    foothold.status = NOT_FOUND


@kernel
def let_walk(creature: Creature, gravity: GravityRecord, target: LegTargetRecord, i: int) -> None:
    """Let a foot that is led swing to its home, or to ground near there as soon as it finds it."""
    if target.is_led != LED:
        return
    target.is_led = RELEASED
    leg, foot, foothold = creature.legs[i], creature.feet[i], creature.footholds[i]
    foot.is_raised = 0
    body = creature.trunk[leg.segment]
    position, orientation = vec(body.position), quat(body.orientation)
    home = add(home_of(creature.gait, leg), downhill(creature.plan, gravity, creature.gait, body))
    home = add(position, rotate(orientation, home))
    put(foothold.aim, home)
    put(foothold.position, home)
    put(foothold.normal, rotate(orientation, Z))
    put(foothold.offset, (0.0, 0.0, 0.0))
    foothold.fallback, foothold.prop = 0, GROUND
    foothold.score = -1.0
    foothold.clear = 0.0
    foothold.status = NOT_FOUND
    lift_off(foot, foothold, TO_RECOVER)


@kernel
def lead_foot(
    creature: Creature, target: LegTargetRecord, solids: Records[SolidRecord], i: int, dt: float
) -> None:
    """Draw a foot to its target, or to the point nearest to it that the leg reaches.

    A motion says itself how it goes there. Feet stay above the ground, but for what they push, and
    legs apart.
    """
    leg, foot, foothold = creature.legs[i], creature.feet[i], creature.footholds[i]
    body = creature.trunk[leg.segment]
    position, orientation = vec(body.position), quat(body.orientation)
    before = vec(target.here)
    here = within_reach(position, orientation, leg, vec(target.point))
    if target.task == 0:
        here = drawn(target, here, dt)
    prop = foothold.under_prop
    is_loose = prop >= 0 and solids[prop].motion == DYNAMIC
    if foothold.is_over and not is_loose:
        up = rotate(orientation, Z)
        here = along(here, up, max(0.0, dot(sub(vec(foothold.under), here), up)))
    put(foot.position, within_reach(position, orientation, leg, here))
    give_way(creature, i, before)
    here = vec(foot.position)
    put(target.here, here)
    wanted = quat(target.rotation)
    if wanted == (0.0, 0.0, 0.0, 0.0):
        wanted = orientation
    turn = nlerp(quat(target.turn), wanted, approach(dt, TURN_TIME))
    put_quat(target.turn, turn)
    for point in (foot.track, foot.goal):
        put(point, here)
    put(foot.normal, rotate(turn, Z))
    put(foot.heading, rotate(turn, X))


@kernel
def drawn(target: LegTargetRecord, goal: Vec, dt: float) -> Vec:
    """Where a spring draws a foot in a tick on its way to a goal [m, world]."""
    here, velocity = vec(target.here), vec(target.velocity)
    x, vx = spring(here[0] - goal[0], velocity[0], dt, STIFFNESS)
    y, vy = spring(here[1] - goal[1], velocity[1], dt, STIFFNESS)
    z, vz = spring(here[2] - goal[2], velocity[2], dt, STIFFNESS)
    put(target.velocity, (vx, vy, vz))
    return add(goal, (x, y, z))


@kernel
def within_reach(position: Vec, orientation: Quat, leg: LegRecord, point: Vec) -> Vec:
    """The point itself, or the nearest one that a leg of a segment in this pose reaches."""
    if reaches(position, orientation, leg, point):
        return point
    return bring_in_reach(position, orientation, leg, point)


@kernel
def pole_point(
    trunk: Records[BodyRecord], leg: LegRecord, target: LegTargetRecord, props: Records[PropRecord]
) -> Vec:
    """Where the target of a pole is now [m, world]."""
    point = vec(target.pole_point)
    if target.pole_kind == ON_BODY:
        body = trunk[leg.segment]
        return add(vec(body.position), rotate(quat(body.orientation), point))
    if target.pole_kind == ON_PROP:
        prop = props[target.pole_prop]
        return add(vec(prop.position), rotate(quat(prop.orientation), point))
    return point


@kernel
def pole_of(leg: LegRecord, orientation: Quat, foot: FootRecord, target: LegTargetRecord) -> Vec:
    """Direction that knees point to where that may be led [world]."""
    pole = vec(target.pole)
    if pole == (0.0, 0.0, 0.0):
        return planned_pole(leg, orientation, foot)
    return rotate(orientation, pole)


@kernel
def turn_pole(
    leg: LegRecord,
    trunk: Records[BodyRecord],
    foot: FootRecord,
    target: LegTargetRecord,
    props: Records[PropRecord],
    dt: float,
) -> None:
    """Swing a leg's pole towards its target, or back to that of its plan."""
    if target.pole_kind == 0 and vec(target.pole) == (0.0, 0.0, 0.0):
        return
    body = trunk[leg.segment]
    position, orientation = vec(body.position), quat(body.orientation)
    own = unit(planned_pole(leg, orientation, foot), X)
    wanted = own
    if target.pole_kind:
        out = sub(pole_point(trunk, leg, target, props), hip_of(position, orientation, leg))
        wanted = unit(out, own)
    pole = turned_to(pole_of(leg, orientation, foot, target), wanted, POLE_RATE * dt)
    if target.pole_kind == 0 and distance(pole, own) == 0.0:
        put(target.pole, (0.0, 0.0, 0.0))
    else:
        put(target.pole, unrotate(orientation, pole))


@kernel
def turned_to(direction: Vec, wanted: Vec, farthest: float) -> Vec:
    """A unit vector turned towards another, by about `farthest` [rad] at most."""
    via = wanted
    if dot(direction, wanted) < 0.0:  # not through the middle
        via = unit(reject(wanted, direction), any_normal(direction))
    apart = distance(direction, via)
    if apart <= farthest:
        return via
    return unit(mix(direction, via, farthest / apart), wanted)
