"""Patches of ground that feet survey where there are edges, or no ground; how clear cells are.

A cell is clear where the cells beside it are as high, and where the bone above a foot that stands
there meets none of them, from touchdown to lift-off.
"""

from creature_sim.components import (
    LIFTING,
    LOST,
    NOT_FOUND,
    STANDING,
    HitRecord,
    LegRecord,
    Records,
)
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.prediction import aims, lead_time, travel
from creature_sim.locomotion.search import EDGE, RING_RADIUS, Find
from creature_sim.locomotion.shins import has_shin, shin_from
from creature_sim.locomotion.slots import PATCH_SIDE
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import (
    Vec,
    add,
    dot,
    quat,
    rotate,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

SURVEY_EVERY = 4
"""A foot surveys its ground once in so many ticks."""
UNSEEN = 0.9
"""How clear a cell is at the border of its patch, beyond which an edge may be."""
SHIN_PLACES = 6
"""Places along the bone above a foot that are looked at."""
IN_GROUND = 0.05
"""How clear a cell is from which that bone would be in the ground."""


@kernel
def surveys(creature: Creature, i: int) -> bool:
    """Whether a foot looks at a whole patch in this tick.

    One in the air does where its goal is not clear, one that stands where it should step and finds
    no place. Who climbs looks at none: its rays may begin behind a wall.
    """
    foot, foothold = creature.feet[i], creature.footholds[i]
    if foot.phase == LOST or creature.plan.climbs:
        return False
    if foot.phase == STANDING:
        looks = foothold.status == NOT_FOUND and foot.urgency > 1.0
    else:
        looks = foothold.clear < 1.0 and aims(foot, foothold)
    is_turn = foot.phase == LIFTING or (creature.gait.age + i) % SURVEY_EVERY == 0
    return bool(looks and is_turn)


@kernel
def patch_centre(creature: Creature, i: int) -> Vec:
    """Where a foot would land if the ground were clear there [m, world]."""
    foothold = creature.footholds[i]
    orientation = quat(creature.trunk[creature.legs[i].segment].orientation)
    return sub(vec(foothold.aim), rotate(orientation, vec(foothold.offset)))


@kernel
def cell_offset(leg: LegRecord, k: int) -> Vec:
    """Of a cell from the middle of its patch [m, body]."""
    half, size = (PATCH_SIDE - 1) // 2, RING_RADIUS * leg.reach
    return (size * (k // PATCH_SIDE - half), size * (k % PATCH_SIDE - half), 0.0)


@kernel
def farness(k: int) -> float:
    """How far a cell is from the middle, 0 to 1, squared."""
    half = (PATCH_SIDE - 1) // 2
    a, b = k // PATCH_SIDE - half, k % PATCH_SIDE - half
    return (a * a + b * b) / (2.0 * half * half)


@kernel
def cell_near(leg: LegRecord, offset: Vec) -> int:
    """The cell that is nearest to an offset from the middle [m, body]; -1: it is beyond them."""
    half, size = (PATCH_SIDE - 1) // 2, RING_RADIUS * leg.reach
    a, b = offset[0] / size + half + 0.5, offset[1] / size + half + 0.5
    if a < 0.0 or b < 0.0 or a >= PATCH_SIDE or b >= PATCH_SIDE:
        return -1
    return int(a) * PATCH_SIDE + int(b)


@kernel
def cell_clear(
    creature: Creature, i: int, patch: Records[HitRecord], k: int, found: Find, seconds: float
) -> float:
    """How clear a cell is of edges and of the bone above the foot, 1 down to 0.

    Args:
        creature: whose leg it is.
        i: the leg.
        patch: what its rays found.
        k: the cell.
        found: there.
        seconds: until touchdown.
    """
    return edge_clear(creature.legs[i], patch, k, found) * shin_clear(
        creature, i, patch, k, found, seconds
    )


@kernel
def edge_clear(leg: LegRecord, patch: Records[HitRecord], k: int, found: Find) -> float:
    """How clear a cell is of edges: of the four beside it."""
    clear = 1.0
    a, b = k // PATCH_SIDE, k % PATCH_SIDE
    for side in range(4):
        na, nb = a + (1 - side if side % 2 == 0 else 0), b + (2 - side if side % 2 == 1 else 0)
        if na < 0 or nb < 0 or na >= PATCH_SIDE or nb >= PATCH_SIDE:
            clear *= UNSEEN
            continue
        beside = patch[na * PATCH_SIDE + nb]
        rise = dot(sub(vec(beside.point), found.point), found.normal)
        is_wall = dot(vec(beside.normal), found.normal) < STEEPEST
        if beside.is_hit == 0 or is_wall or abs(rise) > EDGE * leg.reach:
            clear -= 0.25
    return max(0.0, clear)


@kernel
def shin_clear(
    creature: Creature, i: int, patch: Records[HitRecord], k: int, found: Find, seconds: float
) -> float:
    """How clear the bone above a foot is of the ground at both ends of a stance: 1 or IN_GROUND."""
    leg = creature.legs[i]
    if not has_shin(leg):
        return 1.0
    body = creature.trunk[leg.segment]
    orientation = quat(body.orientation)
    moved = travel(body, leg, seconds)
    foot = sub(unrotate(orientation, sub(found.point, vec(body.position))), moved)
    foot = (foot[0], foot[1], foot[2] - body.climb * seconds)
    stance = 2.0 * lead_time(creature.plan, creature.gait, body, leg)
    up = rotate(orientation, (0.0, 0.0, 1.0))
    here = cell_offset(leg, k)
    for end in range(2):
        if end == 1:
            x, y, _ = travel(body, leg, stance)
            foot = (foot[0] - x, foot[1] - y, foot[2] - body.climb * stance)
        shin = shin_from(leg, foot)
        for place in range(SHIN_PLACES):
            along = (place + 1.0) / SHIN_PLACES
            cell = cell_near(leg, add(here, (along * shin[0], along * shin[1], 0.0)))
            if cell < 0:
                break
            if cell != k and patch[cell].is_hit:
                rise = dot(sub(vec(patch[cell].point), found.point), up)
                over = along * shin[2] - (1.0 + along) * leg.foot_radius
                if rise > max(over, EDGE * leg.reach):
                    return IN_GROUND
    return 1.0
