"""Where a creature that leaps or falls lands: footholds around the pose that it rests in."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import LOST, FlightFootRecord, Records
from creature_sim.locomotion.balance import is_upright
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.reach import reaches
from creature_sim.locomotion.trunk import centre_of
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    X,
    Y,
    Z,
    add,
    along,
    atan2,
    cross,
    distance,
    dot,
    put,
    quat,
    quat_between,
    quat_multiply,
    quat_turned,
    quat_unit,
    reject,
    rotate,
    scale,
    sub,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel

SIDE = 5
"""Rays along a side of the patch that is looked at around each home..."""
CELLS = SIDE * SIDE
"""...and in all of it."""
SPACING = 0.1
"""Between them, as a fraction of the leg's reach."""
ABOVE = 0.7
"""They begin so far above where ground should be and end so far below, as a fraction of it."""
EDGE = 0.08
"""Ground that steps by more than this fraction of the reach between two rays has an edge."""
SHARES = 0.8
"""A leap needs ground for this fraction of all feet where it lands..."""
CATCHES = 0.7
"""...a body that is pushed for this one where it catches itself..."""
FEWEST = 2
"""...and both for so many."""
ON_END = 0.3
"""A trunk that looks up or down does not roll: the sine of its angle to that."""
FLATTEN = 0.02
"""How much the plane of the footholds leans towards the level, so that a line of feet has one."""


class Landing(NamedTuple):
    """Where a body comes to rest, as a whole.

    Attributes:
        centre: of its trunk [m, world].
        turn: rotation from how it is now [world].
        up: normal of the ground that it rests on [world].
    """

    centre: Vec
    turn: Quat
    up: Vec


@kernel
def up_of(creature: Creature) -> Vec:
    """Mean up of a trunk [world]."""
    up = (0.0, 0.0, 0.0)
    for s in range(creature.trunk.shape[0]):
        up = add(up, rotate(quat(creature.trunk[s].orientation), Z))
    return unit(up, Z)


@kernel
def upright(creature: Creature, up: Vec) -> Quat:
    """Rotation that brings the up of a trunk to a direction: the shortest.

    Who climbs may come down from anywhere: it rolls first, and so does not go head over heels.
    """
    own = up_of(creature)
    if not creature.plan.climbs:
        return quat_between(own, up)
    ahead = rotate(quat(creature.trunk[0].orientation), X)
    aside = unit(cross(ahead, own), Y)
    level = reject(up, ahead)
    if dot(level, level) < ON_END * ON_END:
        return quat_between(own, up)
    roll = quat_turned(scale(ahead, atan2(dot(level, aside), dot(level, own))))
    return quat_unit(quat_multiply(quat_between(rotate(roll, own), up), roll))


@kernel
def landing_on(creature: Creature, point: Vec, up: Vec) -> Landing:
    """How a body whose first segment is over a point [m, world] rests, upright along `up`."""
    turn = upright(creature, up)
    behind = sub(centre_of(creature.trunk), vec(creature.trunk[0].position))
    head = along(point, up, creature.plan.ride_height)
    return Landing(add(head, rotate(turn, behind)), turn, up)


@kernel
def segment_at(creature: Creature, s: int, centre: Vec, turn: Quat) -> tuple[Vec, Quat]:
    """Position [m, world] and orientation of a segment of a trunk that is moved as a whole."""
    body = creature.trunk[s]
    arm = sub(vec(body.position), centre_of(creature.trunk))
    turned = quat_unit(quat_multiply(turn, quat(body.orientation)))
    return add(centre, rotate(turn, arm)), turned


@kernel
def probe_landing(creature: Creature, landing: Landing, start: Floats, end: Floats) -> None:
    """Write the rays around every home: (L CELLS, 3) each [m, world]."""
    for i in range(creature.legs.shape[0]):
        leg = creature.legs[i]
        position, orientation = segment_at(creature, leg.segment, landing.centre, landing.turn)
        home = add(position, rotate(orientation, vec(leg.home)))
        for k in range(CELLS):
            point = add(home, rotate(orientation, cell(leg.reach, k)))
            put(start[CELLS * i + k], along(point, landing.up, ABOVE * leg.reach))
            put(end[CELLS * i + k], along(point, landing.up, -ABOVE * leg.reach))


@kernel
def cell(reach: float, k: int) -> Vec:
    """Where a ray of a patch is against its middle [m, segment]."""
    middle = 0.5 * (SIDE - 1)
    return ((k // SIDE - middle) * SPACING * reach, (k % SIDE - middle) * SPACING * reach, 0.0)


@kernel
def take_footholds(
    creature: Creature,
    landing: Landing,
    points: Floats,
    normals: Floats,
    props: NDArray[np.int64],
    is_hit: NDArray[np.bool_],
    feet: Records[FlightFootRecord],
) -> int:
    """Choose a foothold for every foot, the nearest to its home that is level and no edge.

    Args:
        creature: that lands.
        landing: where.
        points: (L CELLS, 3) that the rays of `probe_landing` hit [m, world].
        normals: (L CELLS, 3) there.
        props: (L CELLS,) that were hit; -1: the ground.
        is_hit: (L CELLS,) whether there is anything.
        feet: (L,); written.

    Returns:
        how many were found.
    """
    found = 0
    for i in range(creature.legs.shape[0]):
        leg, foot = creature.legs[i], feet[i]
        foot.is_found = 0
        if creature.feet[i].phase == LOST:
            continue
        position, orientation = segment_at(creature, leg.segment, landing.centre, landing.turn)
        home = add(position, rotate(orientation, vec(leg.home)))
        first, nearest = CELLS * i, 1e9
        for k in range(CELLS):
            point = vec(points[first + k])
            if not is_hit[first + k] or dot(vec(normals[first + k]), landing.up) < STEEPEST:
                continue
            far = distance(point, home) / leg.reach
            far += edges(landing.up, leg.reach, first, k, points, is_hit)
            if far < nearest and reaches(position, orientation, leg, point):
                nearest, foot.is_found = far, 1
                put(foot.goal, point)
                put(foot.normal, vec(normals[first + k]))
                foot.prop = props[first + k]
        found += foot.is_found
    return found


@kernel
def edges(
    up: Vec, reach: float, first: int, k: int, points: Floats, is_hit: NDArray[np.bool_]
) -> float:
    """How many of a ray's neighbours in its patch find no ground as high as it does."""
    count = 0.0
    row, column = k // SIDE, k % SIDE
    for step in range(4):
        other_row = row + (1 if step == 0 else -1 if step == 1 else 0)
        other_column = column + (1 if step == 2 else -1 if step == 3 else 0)
        if not (0 <= other_row < SIDE and 0 <= other_column < SIDE):
            count += 0.1
            continue
        other = first + SIDE * other_row + other_column
        rise = dot(sub(vec(points[other]), vec(points[first + k])), up)
        if not is_hit[other] or abs(rise) > EDGE * reach + SPACING * reach:
            count += 1.0
    return count


@kernel
def is_enough(creature: Creature, found: int, share: float) -> bool:
    """Whether so many footholds carry a body: this share of all feet that are left."""
    left = creature.legs.shape[0] - creature.gait.lost_count
    return bool(found >= FEWEST and found >= share * left)


@kernel
def settled(creature: Creature, landing: Landing, feet: Records[FlightFootRecord]) -> Landing:
    """A landing that is tilted to the plane of its footholds, at ride height over it."""
    e1, e2, up = rotate(landing.turn, X), rotate(landing.turn, Y), landing.up
    e1 = unit(sub(e1, scale(up, dot(e1, up))), X)
    e2 = unit(sub(sub(e2, scale(up, dot(e2, up))), scale(e1, dot(e1, e2))), Y)
    count = mx = my = mz = 0.0
    xx = xy = yy = xz = yz = 0.0
    for i in range(feet.shape[0]):
        if not feet[i].is_found:
            continue
        arm = sub(vec(feet[i].goal), landing.centre)
        x, y, z = dot(arm, e1), dot(arm, e2), dot(arm, up)
        count, mx, my, mz = count + 1.0, mx + x, my + y, mz + z
        xx, xy, yy, xz, yz = xx + x * x, xy + x * y, yy + y * y, xz + x * z, yz + y * z
    if count == 0.0:
        return landing
    mx, my, mz = mx / count, my / count, mz / count
    xx, xy, yy = xx - count * mx * mx, xy - count * mx * my, yy - count * my * my
    xz, yz = xz - count * mx * mz, yz - count * my * mz
    weight = FLATTEN * (xx + yy) + 1e-9
    xx, yy = xx + weight, yy + weight
    determinant = xx * yy - xy * xy
    a, b = (xz * yy - yz * xy) / determinant, (yz * xx - xz * xy) / determinant
    height = mz - a * mx - b * my + creature.plan.ride_height
    centre = along(landing.centre, up, height)
    if is_upright(creature.legs, creature.gait):
        return Landing(centre, landing.turn, up)
    normal = unit(add(add(scale(e1, -a), scale(e2, -b)), up), up)
    turn = quat_unit(quat_multiply(quat_between(up, normal), landing.turn))
    return Landing(centre, turn, normal)
