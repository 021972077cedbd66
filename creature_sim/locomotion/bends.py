"""Rays that bend round edges: how climbers' feet find what is ahead of them.

Along the ground, as an ant would see it, a foot's aim may lie up a wall, or down behind an edge.
From the hip rays go out to above the aim, down past it, then back below it and up again; the first
of them that meets something says where the ground goes on:

    hip --- over ---.          hip --- over ---+ wall
                    |                 '.       |
                  down                 'lean   |
    =========.      |                     '.   |
             |   /                           '.+
             | back
          up |/
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    GaitRecord,
    GravityRecord,
    HitRecord,
    LegRecord,
    Records,
    SegmentRecord,
)
from creature_sim.locomotion.climbing import turned_then
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.outlines import stands_off
from creature_sim.locomotion.prediction import lead_time
from creature_sim.locomotion.rays import Rays, cast_between, cast_none
from creature_sim.locomotion.reach import coxa_end, hip_of
from creature_sim.locomotion.search import gropes, knows_good
from creature_sim.locomotion.slots import (
    BEND_RAYS,
    HULL_RAYS,
    bend_slot,
    foothold_slot,
    hull_slot,
)
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import (
    GOLDEN,
    Vec,
    X,
    Z,
    add,
    along,
    dot,
    mix,
    norm,
    put,
    quat,
    reject,
    rotate,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

OVER, LEAN, BACK, UP, ROOT, INSIDE = 0, 1, 2, 3, 4, 5
"""Slots of a leg's bent rays; the one down is that of its foothold. The last two go from the middle
of its segment past its hip, to the end of its coxa at home, and to where `OVER` begins beside that:
what they meet before is rock in which the others begin. INSIDE is cast where OVER met something in
the tick before: what that meets for the first time counts from the next tick on. It is cast as well
where rock that was met lies before that place, or before the hip, and then goes there."""
NEAREST = 0.45
"""Feet step onto a wall no nearer to their hips than this fraction of what bends of their legs."""
HIGHER = 8
"""They step higher where their knees would be in the wall, by so many parts of an arm in turn."""
BEYOND = 1.1
"""Rays to a wall go on behind where it should be to this multiple of the distance."""
BELOW = 0.02
"""A foot looks back to below it from so far under its aim, as a fraction of the reach..."""
DEEP = 0.7
"""...to so far below and behind it."""
EVERY = 4
"""A leg that feels around, and knows a good place, casts those that lean, go back and up once in so
many ticks: its fan looks as well. As often any leg looks whether its coxa is in rock."""
FROM = 1e-3
"""Rays that go on where another one ends begin this far before that [m]."""


@kernel
def probe_bend(
    creature: Creature,
    gravity: GravityRecord,
    segments: Records[SegmentRecord],
    rays: Rays,
    hits: Records[HitRecord],
    i: int,
) -> None:
    """Look along the ground as far as a leg's aim, where that is looked at in this tick.

    If the last look found plain ground, only the first ray is cast. In front of a wall the one that
    leans to it is cast, too; past an edge, those back and up. The others forget what they found.

    Args:
        creature: whose leg it is.
        gravity: the field.
        segments: (S,) of its plan.
        rays: of the creature; that down to the foothold begins as high as the hip.
        hits: (Q,) what they found last; written.
        i: the leg.
    """
    leg, foot, gait = creature.legs[i], creature.feet[i], creature.gait
    segment_count, leg_count = creature.trunk.shape[0], creature.legs.shape[0]
    slot, own = bend_slot(segment_count, leg_count, i), foothold_slot(segment_count, i)
    cast_none(rays, slot, BEND_RAYS)
    if not rays.is_active[own]:
        return
    body = creature.trunk[leg.segment]
    position, orientation = vec(body.position), quat(body.orientation)
    up = rotate(orientation, Z)
    hip = hip_of(position, orientation, leg)
    x, y, _ = unrotate(orientation, sub(vec(creature.footholds[i].aim), hip))
    out = rotate(orientation, unit((x, y, 0.0), X))
    level = norm((x, y, 0.0))
    above = along(hip, out, level)
    aim = along(above, up, -gait.ride_height)
    put(rays.start[own], above)
    put(rays.end[own], along(aim, up, -leg.reach))
    inside = add(position, rotate(orientation, (leg.mount[0], 0.0, leg.mount[2])))
    further = max(0.0, leg.coxa + leg.thigh + leg.knee_radius - level)
    knees = along(above, unit(sub(above, inside), out), further)
    cast_between(rays, slot + OVER, inside, knees)  # a wall may come between it and the hip
    dips = may_be_in_rock(creature, i, inside, hits)
    sinks = not dips and may_be_in_rock(creature, i, hip, hits)
    if dips or sinks or hits[slot + OVER].is_hit:
        cast_between(rays, slot + INSIDE, position, hip if sinks else inside)
    else:
        hits[slot + INSIDE].is_hit = 0
    if not (dips or sinks) and is_plain(creature, i, hits, up):
        for k in range(LEAN, INSIDE):
            hits[slot + k].is_hit = 0
        return
    foothold, is_turn = creature.footholds[i], (gait.age + i) % EVERY == 0
    if gropes(creature.plan, foothold) and knows_good(foot, foothold) and not is_turn:
        return
    if is_turn:
        end = coxa_end(position, orientation, leg)
        beside = along(end, unit(sub(end, position), out), leg.hip_radius)
        cast_between(rays, slot + ROOT, position, beside)
    there = aim
    wall = hits[slot + OVER]
    has_wall = is_walled(creature, i, wall)
    if has_wall and dot(vec(wall.normal), out) < 0.0:
        seconds = seconds_to_touchdown(creature.plan, gait, foot)
        seconds += lead_time(creature.plan, gait, body, leg)
        then = turned_then(creature, gravity, segments, leg.segment, hits, seconds)
        there = up_wall(leg, gait, wall, hip, out, rotate(then, Z), level)
    far = DEEP * leg.reach
    below = along(aim, up, -BELOW * leg.reach)
    face = hits[slot + BACK]
    deep = far if face.is_hit else far * ((GOLDEN * gait.age) % 1.0)  # of a plate there is little
    behind = along(along(aim, up, -deep), out, -far)
    down = behind
    if face.is_hit and dot(vec(face.normal), out) > 0.0:
        down = mix(below, down_face(face, aim, up), BEYOND)
    if has_wall or is_steep(hits[own], up):
        cast_between(rays, slot + LEAN, hip, mix(hip, there, BEYOND))
    else:
        hits[slot + LEAN].is_hit = 0
    if goes_down(creature, i, hits):
        cast_between(rays, slot + BACK, below, down)
        if face.is_hit:
            hits[slot + UP].is_hit = 0
        else:
            high = along(behind, up, max(0.0, deep - 2.0 * FROM))
            cast_between(rays, slot + UP, behind, high)
    else:
        hits[slot + BACK].is_hit = hits[slot + UP].is_hit = 0


@kernel
def is_plain(creature: Creature, i: int, hits: Records[HitRecord], up: Vec) -> bool:
    """Whether a leg's ground goes on: level below its aim, with nothing before its hip, in reach.

    Args:
        creature: whose leg it is.
        i: the leg.
        hits: (Q,) what the creature's rays found last.
        up: of its segment [world].
    """
    segment_count, leg_count = creature.trunk.shape[0], creature.legs.shape[0]
    own = hits[foothold_slot(segment_count, i)]
    over = hits[bend_slot(segment_count, leg_count, i) + OVER]
    if creature.footholds[i].fallback or own.is_hit != 1 or is_walled(creature, i, over):
        return False
    return bool(dot(vec(own.normal), up) >= STEEPEST and not is_below(creature, i, own))


@kernel
def is_steep(own: HitRecord, up: Vec) -> bool:
    """Whether the ray down past a leg's aim found ground as steep as a wall."""
    return bool(own.is_hit and dot(vec(own.normal), up) < STEEPEST)


@kernel
def is_walled(creature: Creature, i: int, over: HitRecord) -> bool:
    """Whether a wall is between a hip and what is above its aim, and not just before its knees.

    Args:
        creature: whose leg it is.
        i: the leg.
        over: what its ray OVER found.
    """
    if not over.is_hit:
        return False
    leg = creature.legs[i]
    body = creature.trunk[leg.segment]
    orientation = quat(body.orientation)
    hip = hip_of(vec(body.position), orientation, leg)
    x, y, _ = unrotate(orientation, sub(vec(creature.footholds[i].aim), hip))
    u, v, _ = unrotate(orientation, sub(vec(over.point), hip))
    return bool(u * x + v * y < x * x + y * y)


@kernel
def up_wall(
    leg: LegRecord,
    gait: GaitRecord,
    wall: HitRecord,
    hip: Vec,
    out: Vec,
    up: Vec,
    level: float,
) -> Vec:
    """Where a foot steps onto a wall before its hip [m, world].

    The path from below the hip, along the floor and up the wall, is as long as it would be on level
    ground. A hip that has turned up the wall has its foot as far away as on level ground.

    Args:
        leg: the leg.
        gait: of the creature.
        wall: what is before the hip.
        hip: [m, world].
        out: level direction from the hip to its foot [world].
        up: of its segment, once the foot stands there [world].
        level: distance of the foot from the hip along level ground [m].
    """
    normal = vec(wall.normal)
    gap = dot(sub(hip, vec(wall.point)), normal)
    rises = level - (1.0 - dot(up, normal)) * (gap + gait.ride_height)
    nearest = NEAREST * leg.arm
    if rises * rises + gap * gap < nearest * nearest:
        rises = sqrt(nearest * nearest - gap * gap)
    way = unit(reject(add(out, up), normal), up)
    there = along(along(hip, normal, -gap), way, rises)
    for _ in range(HIGHER):
        if stands_off(leg, sub(there, hip), up, normal):
            break
        there = along(there, way, leg.arm / HIGHER)
    return there


@kernel
def down_face(face: HitRecord, aim: Vec, up: Vec) -> Vec:
    """Where a foot steps round an edge: as far down its face as its aim lies beyond it [m, world].

    Args:
        face: what is behind the edge.
        aim: of the foot [m, world].
        up: of its segment [world].
    """
    normal = vec(face.normal)
    beyond = dot(sub(aim, vec(face.point)), normal)
    down = reject(up, normal)
    return along(along(aim, normal, -beyond), unit(down, up), -beyond)


@kernel
def bent_hits(creature: Creature, i: int, hits: Records[HitRecord]) -> tuple[int, int]:
    """Slots of what a leg's bent rays found first, and what they found then; -1: nothing.

    Args:
        creature: whose leg it is.
        i: the leg.
        hits: (Q,) what the creature's rays found.
    """
    segment_count, leg_count = creature.trunk.shape[0], creature.legs.shape[0]
    slot, own = bend_slot(segment_count, leg_count, i), foothold_slot(segment_count, i)
    if is_walled(creature, i, hits[slot + OVER]):
        return (slot + LEAN if hits[slot + LEAN].is_hit else -1), slot + OVER
    leg, aim = creature.legs[i], vec(creature.footholds[i].aim)
    body = creature.trunk[leg.segment]
    position, orientation = vec(body.position), quat(body.orientation)
    up = rotate(orientation, Z)
    out = reject(sub(aim, hip_of(position, orientation, leg)), up)
    if is_steep(hits[own], up) and hits[slot + LEAN].is_hit:
        return slot + LEAN, own
    behind = -1
    if hits[slot + BACK].is_hit:
        if dot(vec(hits[slot + BACK].normal), out) > 0.0:  # the far side of an edge
            behind = slot + BACK
    elif hits[slot + UP].is_hit:
        behind = slot + UP
    if hits[own].is_hit:
        if not is_below(creature, i, hits[own]):
            behind = -1
        return own, behind
    return behind, -1


@kernel
def is_buried(creature: Creature, i: int, hits: Records[HitRecord]) -> bool:
    """Whether a hip, or the place beside it, is in rock: rays from there would find the far side.

    Args:
        creature: whose hip it is.
        i: the leg.
        hits: (Q,) what the creature's rays found.
    """
    slot = bend_slot(creature.trunk.shape[0], creature.legs.shape[0], i)
    if hits[slot + INSIDE].is_hit:
        return True
    leg = creature.legs[i]
    body = creature.trunk[leg.segment]
    hip = hip_of(vec(body.position), quat(body.orientation), leg)
    return is_behind(hip, hits[slot + ROOT]) or is_behind(hip, hits[slot + OVER])


@kernel
def is_unsure(
    creature: Creature, i: int, hits: Records[HitRecord], is_active: NDArray[np.int8]
) -> bool:
    """Whether a leg's ray OVER has met something, and nobody knows yet whether it began in rock.

    Args:
        creature: whose leg it is.
        i: the leg.
        hits: (Q,) what the creature's rays found.
        is_active: (Q,) which of them were cast in this tick.
    """
    slot = bend_slot(creature.trunk.shape[0], creature.legs.shape[0], i)
    return bool(hits[slot + OVER].is_hit and not is_active[slot + INSIDE])


@kernel
def may_be_in_rock(creature: Creature, i: int, point: Vec, hits: Records[HitRecord]) -> bool:
    """Whether a point beside a leg's hip [m, world] is behind what was met near it last.

    Args:
        creature: whose leg it is.
        i: the leg.
        point: within the hull of its segment.
        hits: (Q,) what the creature's rays found: those to that hull, and `OVER`.
    """
    segment_count, leg_count = creature.trunk.shape[0], creature.legs.shape[0]
    first = hull_slot(segment_count, leg_count, creature.legs[i].segment)
    for k in range(HULL_RAYS):
        if is_behind(point, hits[first + k]):
            return True
    return is_behind(point, hits[bend_slot(segment_count, leg_count, i) + OVER])


@kernel
def is_behind(point: Vec, hit: HitRecord) -> bool:
    """Whether a point [m, world] is behind the surface that a ray has met, if it has met any."""
    return bool(hit.is_hit and dot(sub(point, vec(hit.point)), vec(hit.normal)) < 0.0)


@kernel
def goes_down(creature: Creature, i: int, hits: Records[HitRecord]) -> bool:
    """Whether the way of a leg's rays out and down past its aim is free, so that they look back."""
    segment_count, leg_count = creature.trunk.shape[0], creature.legs.shape[0]
    own = hits[foothold_slot(segment_count, i)]
    over = hits[bend_slot(segment_count, leg_count, i) + OVER]
    return bool(not is_walled(creature, i, over) and (not own.is_hit or is_below(creature, i, own)))


@kernel
def forget_behind(creature: Creature, i: int, hits: Records[HitRecord]) -> None:
    """Forget what a leg found behind an edge, unless its way there is free.

    It looked back because that was free a tick before. Where it is not now, it began in rock.

    Args:
        creature: whose leg it is.
        i: the leg.
        hits: (Q,) what the creature's rays found; written.
    """
    if not goes_down(creature, i, hits):
        slot = bend_slot(creature.trunk.shape[0], creature.legs.shape[0], i)
        hits[slot + BACK].is_hit = hits[slot + UP].is_hit = 0


@kernel
def is_bent(creature: Creature, i: int) -> bool:
    """Whether a foothold of who climbs is round an edge: the ground is not below its aim."""
    up = rotate(quat(creature.trunk[creature.legs[i].segment].orientation), Z)
    return bool(creature.plan.climbs and dot(vec(creature.footholds[i].normal), up) < STEEPEST)


@kernel
def is_below(creature: Creature, i: int, hit: HitRecord) -> bool:
    """Whether what a leg's ray down found is below its aim, where it looks back."""
    leg = creature.legs[i]
    orientation = quat(creature.trunk[leg.segment].orientation)
    deep = unrotate(orientation, sub(vec(hit.point), vec(creature.footholds[i].aim)))[2]
    return bool(deep < -2.0 * BELOW * leg.reach)
