"""Bodies move along the surface, no faster than legs, balance, walls and others allow."""

import numpy as np

from creature_sim.components import (
    FLIES,
    HELD_BY_GROUND,
    HELD_BY_OTHER,
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
    SolidRecord,
)
from creature_sim.locomotion.braking import brake
from creature_sim.locomotion.climbing import slow_for_turns
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.flanks import keep_off_flanks
from creature_sim.locomotion.footing import come_over_feet, leave_edge
from creature_sim.locomotion.hulls import keep_out, leave_rock
from creature_sim.locomotion.others import near_to, stop_before_others
from creature_sim.locomotion.prediction import home_of
from creature_sim.locomotion.slots import ahead_slot
from creature_sim.locomotion.trunk import move_trunk
from creature_sim.locomotion.walls import AHEAD_RAYS, stop_before_walls
from creature_sim.maths import (
    Floats,
    Y,
    Z,
    add,
    asin,
    clamp,
    distance,
    put,
    put_quat,
    quat,
    quat_about,
    quat_conjugate,
    quat_multiply,
    quat_unit,
    reject,
    rotate,
    scale,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel


@kernel
def advance_bodies(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    gravity: Records[GravityRecord],
    segments: Records[SegmentRecord],
    hits: RecordTable[HitRecord],
    solids: Records[SolidRecord],
    near: Near,
    half_size: float,
    dt: float,
) -> None:
    """Move trunks by their leaders' velocity and turn them about the leaders' own up.

    Planted legs that stretch slow the body, and stop it before they are outrun; walls, other
    creatures and the border hold it back. Velocities, yaw rates and pace become what was really
    done.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S); written.
        gaits: (N,); written.
        feet: (N, L).
        footholds: (N, L).
        gravity: (1,).
        segments: (S,).
        hits: (N, Q) what the last ray of every slot found.
        solids: (P,) props.
        near: other creatures near to each of the N S segments.
        half_size: of the square that has ground [m].
        dt: length of a tick [s].
    """
    border = half_size - plan[0].border_margin
    count = bodies.shape[1]
    wished_position, wished_orientation = np.empty((count, 3)), np.empty((count, 4))
    old_position, old_orientation = np.empty((count, 3)), np.empty((count, 4))
    for n in range(bodies.shape[0]):
        if gaits[n].flight or gaits[n].run == FLIES:
            continue
        creature = Creature(plan[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
        leader = gaits[n].leader
        if plan[0].climbs:
            leave_rock(creature, segments, leader, hits[n])
        brake(creature, gravity[0], leader, dt)
        ahead = hits[n, ahead_slot(count, legs.shape[0], 0) :]
        if plan[0].climbs:
            own = ahead[AHEAD_RAYS * leader :]
            is_walled = slow_for_turns(creature, gravity[0], segments, leader, own)
            if gaits[n].is_roofed:
                is_walled = keep_off_flanks(creature, leader, hits[n], dt) or is_walled
            else:
                leave_edge(creature, leader)
            come_over_feet(creature, gravity[0], leader)
            keep_out(creature, segments, leader, hits[n])
        else:
            is_walled = stop_before_walls(creature, segments, leader, ahead, solids)
        others = near_to(near, n, count, legs.shape[0])
        is_met = stop_before_others(creature, leader, others, dt)
        wish(creature, leader, wished_position, wished_orientation, dt)
        x, y, z = vec(wished_position[leader])
        allowed = (clamp(x, -border, border), clamp(y, -border, border), z)
        put(wished_position[leader], allowed)
        gaits[n].is_held = HELD_BY_OTHER if is_met else 0
        if is_walled or allowed != (x, y, z):
            gaits[n].is_held = HELD_BY_GROUND
        for s in range(count):
            put(old_position[s], vec(bodies[n, s].position))
            put_quat(old_orientation[s], quat(bodies[n, s].orientation))
        move_trunk(creature, segments, others, wished_position, wished_orientation, dt)
        measure(creature, old_position, old_orientation, dt)


@kernel
def wish(creature: Creature, leader: int, position: Floats, orientation: Floats, dt: float) -> None:
    """Write where a trunk would go in a tick if nothing held it.

    A step of the circle that velocity and yaw rate describe goes along its chord, half of the turn
    ahead. All segments go aside as the leader does: a trunk that is bent keeps its shape. If each
    went to its own side, the ends of a bent one would approach, and fold it up.

    Args:
        creature: whose trunk it is.
        leader: the segment that is steered.
        position: (S, 3); written [m, world].
        orientation: (S, 4); written.
        dt: length of a tick [s].
    """
    trunk = creature.trunk
    body = trunk[leader]
    turn = quat_about(Z, 0.5 * body.yaw_rate * dt)
    half_way = quat_unit(quat_multiply(quat(body.orientation), turn))
    aside = scale(rotate(quat(body.orientation), Y), body.velocity[1] * dt)
    for s in range(trunk.shape[0]):
        up = rotate(quat(trunk[s].orientation), Z)
        put(position[s], add(vec(trunk[s].position), reject(aside, up)))
        put_quat(orientation[s], quat(trunk[s].orientation))
    step = rotate(half_way, scale(vec(body.velocity), dt))
    put(position[leader], add(vec(body.position), step))
    put_quat(orientation[leader], quat_unit(quat_multiply(half_way, turn)))


@kernel
def measure(creature: Creature, old_position: Floats, old_orientation: Floats, dt: float) -> None:
    """Velocity and yaw rate of every segment, and the pace, from where they were and are.

    Args:
        creature: its trunk has moved; gets its velocities and pace.
        old_position: (S, 3) of the segments before [m, world].
        old_orientation: (S, 4).
        dt: time between [s].
    """
    legs, trunk, gait = creature.legs, creature.trunk, creature.gait
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
