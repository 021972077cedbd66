"""Searches move away from edges, from ground that a shin would meet, and from other feet."""

from creature_sim.components import LOST, STANDING, HitRecord, LegRecord, Near, Records
from creature_sim.locomotion.balance import is_upright
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.hips import watches_knee
from creature_sim.locomotion.others import leave_others
from creature_sim.locomotion.prediction import looks_around, seconds_until_turn
from creature_sim.locomotion.search import EDGE, RESTS, SHIN, Find
from creature_sim.locomotion.shins import leans_out, shin_of
from creature_sim.locomotion.slots import RING
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import (
    Quat,
    Vec,
    along,
    clamp,
    dot,
    norm,
    put,
    quat,
    scale,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

EVADE_SPEED = 1.6
"""How fast a search moves away from an edge [m/s]."""
RETURN_SPEED = 0.5
"""How fast it comes back where there is none [m/s]."""
APART = 0.12
"""Feet keep this fraction of the reach between each other's footholds: legs do not cross."""
BELOW_SHIN = 0.5
"""Ground below the bone above a foot stays lower than this fraction of the way up to it: between
there and the foot it may rise at once..."""
TIGHT = 0.3
"""...and where it does not, the foothold is so clear."""
MAX_ASIDE = 0.08
"""How far it moves aside over two feet, which a body must fall to and fro between."""
MAX_OFFSET = 0.2
"""How far a search moves, as a fraction of the reach."""


@kernel
def evade(
    creature: Creature, i: int, found: Find, ring: Records[HitRecord], near: Near, dt: float
) -> float:
    """Move a leg's search away from edges, and from where other feet stand.

    What is moved now is sensed at its new position in the next tick. Where nothing is in the way,
    a standing foot's search comes back to where it wants to be, if the body goes on.

    Args:
        creature: whose leg it is.
        i: the leg.
        found: its foothold, as sensed.
        ring: (R + 1,) around the foothold, and below the bone above it; (0,) where that is plain
            and was not looked at in this tick.
        near: other creatures.
        dt: [s].

    Returns:
        How clear the foothold is, 1 down to 0.
    """
    leg, foot, foothold = creature.legs[i], creature.feet[i], creature.footholds[i]
    if not looks_around(creature.plan, creature.gait, foot, foothold, dt):
        return 1.0
    step = EVADE_SPEED * dt
    push, clear = leave_edges(leg, found, ring)
    offset = along(vec(foothold.offset), push, step)
    push, room = leave_shin(leg, shin_of(creature, i), found, ring)
    if not watches_knee(leg):  # it surveys: over two feet a search that drifts unbalances
        offset = along(offset, push, step)
    offset, clear = leave_feet(creature, i, found, offset, clear, step)
    offset, clear = leave_others(creature, i, near, found, offset, clear, step)
    clear *= room
    size = norm(offset)
    if clear == 1.0 and foot.phase == STANDING and creature.gait.pace >= RESTS:
        offset = scale(offset, max(0.0, 1.0 - RETURN_SPEED * dt / max(size, 1e-9)))
    elif size > MAX_OFFSET * leg.reach:
        offset = scale(offset, MAX_OFFSET * leg.reach / size)
    if is_upright(creature.legs, creature.gait):
        farthest = MAX_ASIDE * leg.reach
        offset = (offset[0], clamp(offset[1], -farthest, farthest), offset[2])
    put(foothold.offset, offset)
    return clear


@kernel
def leave_edges(leg: LegRecord, found: Find, ring: Records[HitRecord]) -> tuple[Vec, float]:
    """Direction away from edges [body], and how clear of them a foothold is, 1 down to 0.

    Edges are where rays of the ring find the ground elsewhere. Between two, it goes along them.
    """
    clear, x, y = 1.0, 0.0, 0.0
    across = 0  # edges in the way of X, less those in the way of Y
    for k in range(min(len(RING), ring.shape[0])):
        rise = dot(sub(vec(ring[k].point), found.point), found.normal)
        is_wall = dot(vec(ring[k].normal), found.normal) < STEEPEST
        if ring[k].is_hit == 0 or is_wall or abs(rise) > EDGE * leg.reach:
            rx, ry, _ = RING[k]
            x, y = x - rx, y - ry
            across += 1 if rx != 0.0 else -1
            clear -= 1.0 / len(RING)
    if clear < 1.0 and x == 0.0 and y == 0.0:
        x, y = (1.0, 0.0) if across <= 0 else (0.0, 1.0)
    return (x, y, 0.0), clear


@kernel
def leave_shin(
    leg: LegRecord, shin: Vec, found: Find, ring: Records[HitRecord]
) -> tuple[Vec, float]:
    """Direction away from ground that the bone above the foot may pass through [body].

    Returns:
        The direction, zero where nothing is in the way, and how clear it is: 0 where the bone would
        be in the ground, TIGHT where the ground may rise too near to the foot.
    """
    if ring.shape[0] == 0:
        return (0.0, 0.0, 0.0), 1.0
    out, below = leans_out(leg, shin), ring[len(RING)]
    if out > 0.0 and below.is_hit:
        rise = dot(sub(vec(below.point), found.point), found.normal)
        if rise > BELOW_SHIN * SHIN * shin[2]:
            x, y = shin[0] * SHIN / out, shin[1] * SHIN / out
            is_in = rise > SHIN * shin[2] - leg.foot_radius
            return (-x, -y, 0.0), 0.0 if is_in else TIGHT
    for k in range(len(RING)):
        rise = dot(sub(vec(ring[k].point), found.point), found.normal)
        lean = RING[k][0] * shin[0] + RING[k][1] * shin[1]
        is_below = 4.0 * lean * lean > shin[0] * shin[0] + shin[1] * shin[1]
        if ring[k].is_hit and lean > 0.0 and is_below and rise > EDGE * leg.reach:
            return (0.0, 0.0, 0.0), TIGHT
    return (0.0, 0.0, 0.0), 1.0


@kernel
def leave_feet(
    creature: Creature, i: int, found: Find, offset: Vec, clear: float, step: float
) -> tuple[Vec, float]:
    """Move a search away from where other feet of its side stand or land.

    Not from those that are gone when the foot lands.

    Args:
        creature: whose leg it is.
        i: the leg.
        found: its foothold, as sensed.
        offset: of the search [m, body].
        clear: how clear of other things the foothold is, 0 to 1.
        step: how far to move it [m].

    Returns:
        The new offset, and how clear the foothold is.
    """
    plan, gait, legs, feet = creature.plan, creature.gait, creature.legs, creature.feet
    seconds = seconds_to_touchdown(plan, gait, feet[i])
    orientation: Quat = quat(creature.trunk[legs[i].segment].orientation)
    apart = APART * legs[i].reach
    for other in range(legs.shape[0]):
        if other != i and legs[other].side == legs[i].side and feet[other].phase != LOST:
            gap = sub(found.point, vec(feet[other].goal))
            size = norm(gap)
            if size < apart and not leaves_before(creature, other, seconds):
                x, y, _ = unrotate(orientation, unit(gap, found.normal))
                offset = along(offset, (x, y, 0.0), step)
                clear *= size / apart
    return offset, clear


@kernel
def leaves_before(creature: Creature, i: int, seconds: float) -> bool:
    """Whether it is the turn of a foot that stands before a time [s] has passed."""
    plan, gait, foot = creature.plan, creature.gait, creature.feet[i]
    return bool(foot.phase == STANDING and seconds_until_turn(plan, gait, foot) < seconds)
