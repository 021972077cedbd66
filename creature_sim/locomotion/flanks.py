"""Who climbs keeps off walls beside it where there is no room to turn up them."""

from math import sqrt

from creature_sim.components import HitRecord, LegRecord, Records
from creature_sim.locomotion.bends import OVER
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.reach import hip_of
from creature_sim.locomotion.setting_out import STRAIGHT
from creature_sim.locomotion.slots import ahead_slot, bend_slot
from creature_sim.locomotion.walls import FACES, LEAVES, fastest_towards
from creature_sim.maths import (
    Z,
    along,
    clamp,
    cross,
    dot,
    norm,
    put,
    quat,
    rotate,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

ALONG_AT = 0.8
"""Who is told to go straight at a wall turns along it with this yaw rate [rad/s]..."""
TURNS_UP = 4.0
"""...which grows by so much in a second [rad/s2]."""
APART = 0.85
"""Hips keep so far from walls that feet at home stand before them, as a fraction of that way."""
NO_LEVER = 1e-9
"""A hip whose distance from its body has no greater square turns nothing [m2]."""


@kernel
def keep_off_flanks(creature: Creature, leader: int, hits: Records[HitRecord], dt: float) -> bool:
    """Take from the leader's velocity and turn what would carry a hip too near to a wall.

    A hip approaches a wall only as fast as the body's acceleration can stop. A hip that is too near
    moves away, so that in a corridor the body comes to the middle. It goes aside to make room for a
    turn, and turns along a wall that it goes straight at. Nothing turns it back from the side to
    which it turns, or it would turn to and fro. What is beside a hip is known from the leg's own
    ray, which goes out to where its knees may be.

    Args:
        creature: velocity and yaw rate of its leader change.
        leader: the segment that is steered.
        hits: (Q,) what the creature's rays found.
        dt: length of a tick [s].

    Returns:
        Whether anything was taken.
    """
    segment_count, leg_count = creature.trunk.shape[0], creature.legs.shape[0]
    wall = hits[ahead_slot(segment_count, leg_count, leader)]
    side = side_of_turn(creature, leader, wall)
    turn_along(creature, leader, wall, side, dt)
    is_stopped = False
    for i in range(leg_count):
        if creature.legs[i].segment == leader:
            slot = bend_slot(segment_count, leg_count, i) + OVER
            if hits[slot].is_hit and keep_off_wall(creature, creature.legs[i], hits[slot], side):
                is_stopped = True
    return is_stopped


@kernel
def keep_off_wall(creature: Creature, leg: LegRecord, wall: HitRecord, side: float) -> bool:
    """The same for what the ray of one leg has found; whether anything was taken.

    Args:
        creature: velocity and yaw rate of its leader change.
        leg: whose ray it was.
        wall: what that found.
        side: to which the body turns, see `side_of_turn`.
    """
    body = creature.trunk[leg.segment]
    position, orientation = vec(body.position), quat(body.orientation)
    normal = vec(wall.normal)
    x, y, _ = unrotate(orientation, normal)
    square = x * x + y * y
    if square < FACES * FACES:
        return False
    hip = hip_of(position, orientation, leg)
    hx, hy, _ = sub(vec(leg.home), vec(leg.mount))
    gap = norm(sub(hip, vec(wall.point))) - APART * sqrt(hx * hx + hy * hy)
    leaves = LEAVES * creature.gait.commanded_pace
    fastest = fastest_towards(creature.plan, gap, leaves)
    around = cross(rotate(orientation, Z), sub(hip, position))
    lever = dot(around, normal)
    goes = -(x * body.velocity[0] + y * body.velocity[1])
    turns = -body.yaw_rate * lever
    excess = goes + turns - fastest
    if excess <= 0.0:
        return False
    taken = min(excess, max(0.0, goes))
    put(body.velocity, along(vec(body.velocity), (x, y, 0.0), taken / square))
    excess -= taken
    if excess > 0.0 and turns > 0.0:  # it goes aside for its turn as far as it may
        aside = min(excess, turns, leaves)
        put(body.velocity, along(vec(body.velocity), (x, y, 0.0), aside / square))
        excess -= aside
        turned = min(excess, turns)
        body.yaw_rate *= 1.0 - turned / turns
        excess -= turned
    if excess > 0.0 and side * lever < 0.0:  # it is too near: the body goes away
        put(body.velocity, along(vec(body.velocity), (x, y, 0.0), excess / square))
    elif excess > 0.0:  # the body goes and turns away as little as it takes
        size = max(NO_LEVER, dot(around, around))
        whole = size * square + lever * lever
        put(body.velocity, along(vec(body.velocity), (x, y, 0.0), excess * size / whole))
        body.yaw_rate += excess * lever / whole
    return True


@kernel
def side_of_turn(creature: Creature, s: int, wall: HitRecord) -> float:
    """To which side a segment turns: 1 left, -1 right, 0 to none.

    As it is told to turn; else, told to go at a wall, the nearer way along it.

    Args:
        creature: whose segment it is.
        s: the segment that is steered.
        wall: what the ray straight ahead found.
    """
    told = creature.gait.turning + creature.trunk[s].yaw_rate
    if abs(told) >= STRAIGHT * creature.plan.turn_rate:
        return 1.0 if told > 0.0 else -1.0
    vx, vy, _ = vec(creature.gait.commanded_velocity)
    x, y, _ = unrotate(quat(creature.trunk[s].orientation), vec(wall.normal))
    if not wall.is_hit or x * vx + y * vy >= 0.0:
        return 0.0
    return 1.0 if vx * y - vy * x >= 0.0 else -1.0


@kernel
def turn_along(creature: Creature, s: int, wall: HitRecord, side: float, dt: float) -> None:
    """Turn who is told to go at a wall along it, faster the more it faces it.

    Args:
        creature: the yaw rate of its segment changes.
        s: the segment that is steered.
        wall: what the ray straight ahead found.
        side: to which it turns: where those did not agree it would stay there.
        dt: length of a tick [s].
    """
    body = creature.trunk[s]
    vx, vy, _ = vec(creature.gait.commanded_velocity)
    speed = sqrt(vx * vx + vy * vy)
    if not wall.is_hit or speed == 0.0:
        return
    x, y, _ = unrotate(quat(body.orientation), vec(wall.normal))
    towards = -(x * vx + y * vy) / speed
    if towards <= 0.0:
        return
    lacks = ALONG_AT * towards - side * body.yaw_rate
    body.yaw_rate += side * clamp(lacks, 0.0, TURNS_UP * dt)
