"""A leg keeps to its side of the planes between it and legs of other creatures."""

from math import sqrt

from creature_sim.components import LOST, STANDING, Near
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.orca import Half, put_half
from creature_sim.locomotion.sides import least_along, limb_of
from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    Z,
    add,
    along,
    norm,
    put,
    quat,
    quat_about,
    quat_multiply,
    reject,
    rotate,
    scale,
    sub,
    vec,
)
from creature_sim.maths.jit import kernel

SIDEWAYS = 1e-3
"""A neighbour whose normal lies in the surface by less than this asks for nothing along it."""
ROUNDS = 2
"""What one plane asks for may lead a foot over another one: all are heard so many times."""
IMPATIENCE = 2.0
"""How fast the urgency of a foot in the air grows that gets nowhere [1/s]..."""
DESPERATE = 6.0
"""...and above this one legs of others hold it no more: it would hang in the air for ever."""
NOWHERE = 0.8
"""A foot that is kept off by this fraction of its way gets nowhere."""
SHORTEST = 1e-9
"""A way that is shorter than this leads nowhere [m]."""
TRIED = 1e-4
"""How far a leg leaves a plane as its body moves is looked at over this much [m, rad]."""
EPSILON = 1e-9
"""A leg that is over a plane by less than this is on its side [m]."""


@kernel
def side_of(near: Near, b: int) -> tuple[Vec, float]:
    """The unit normal of a plane, towards its leg, and how far that is at least along it [m]."""
    return (near.sides[b, 0], near.sides[b, 1], near.sides[b, 2]), near.sides[b, 3]


@kernel
def is_held_off(creature: Creature, i: int, near: Near) -> bool:
    """Whether a leg has to keep to its side of any plane.

    Not while its foot is in the air and desperate.
    """
    foot = creature.feet[i]
    if near.first_side[i + 1] == near.first_side[i] or foot.phase == LOST:
        return False
    is_desperate = foot.phase != STANDING and foot.urgency > DESPERATE
    return not is_desperate


@kernel
def stop_leg(
    creature: Creature,
    leader: int,
    i: int,
    near: Near,
    halves: Floats,
    turns: Floats,
    count: int,
    dt: float,
) -> int:
    """Add the half-planes of velocities that keep a leg on its side of the planes in this tick.

    Args:
        creature: whose leg it is.
        leader: the segment that is steered.
        i: the leg.
        near: to it.
        halves: (K, 4), written.
        turns: (K,), written: what a turn counts as along the half-plane's normal [m/rad].
        count: how many there are.
        dt: length of a tick [s].

    Returns:
        How many there are now.
    """
    leg, foot = creature.legs[i], vec(creature.feet[i].position)
    body = creature.trunk[leg.segment]
    position, orientation = vec(body.position), quat(body.orientation)
    here = limb_of(leg, position, orientation, foot)
    ahead = limb_of(leg, add(position, rotate(orientation, (TRIED, 0.0, 0.0))), orientation, foot)
    aside = limb_of(leg, add(position, rotate(orientation, (0.0, TRIED, 0.0))), orientation, foot)
    turned = quat_multiply(orientation, quat_about(Z, TRIED))
    about = limb_of(leg, position, turned, foot)
    for b in range(near.first_side[i], near.first_side[i + 1]):
        normal, least = side_of(near, b)
        at = least_along(here, normal)
        x, y = least_along(ahead, normal) - at, least_along(aside, normal) - at
        turn = least_along(about, normal) - at
        if leg.segment != leader:
            x = turn = 0.0
        size = sqrt(x * x + y * y)
        if size < SIDEWAYS * TRIED:
            continue
        x, y = x / size, y / size
        fastest = max(0.0, at - least) / dt * TRIED / size
        put_half(halves, count, Half((-fastest * x, -fastest * y), (x, y)))
        turns[count] = turn / size
        count += 1
    return count


@kernel
def keeps_sides(
    creature: Creature, i: int, near: Near, position: Vec, orientation: Quat, foot: Vec
) -> bool:
    """Whether a leg is on its side of the planes between it and legs of others.

    Args:
        creature: whose leg it is.
        i: the leg.
        near: to it.
        position: of its segment [m, world].
        orientation: of that.
        foot: of the leg [m, world].
    """
    if not is_held_off(creature, i, near):
        return True
    limb = limb_of(creature.legs[i], position, orientation, foot)
    for b in range(near.first_side[i], near.first_side[i + 1]):
        normal, least = side_of(near, b)
        if least_along(limb, normal) < least - EPSILON:
            return False
    return True


@kernel
def legs_stay_apart(creature: Creature, near: Near, position: Floats, orientation: Floats) -> bool:
    """Whether all legs are on their sides of the planes, where the trunk goes.

    Args:
        creature: as it is.
        near: to it.
        position: (S, 3) of its segments, as wished [m, world].
        orientation: (S, 4), as wished.
    """
    for i in range(creature.legs.shape[0]):
        s, foot = creature.legs[i].segment, vec(creature.feet[i].position)
        if not keeps_sides(creature, i, near, vec(position[s]), quat(orientation[s]), foot):
            return False
    return True


@kernel
def keep_side(creature: Creature, i: int, near: Near, before: Vec, dt: float) -> bool:
    """Let a foot in the air stay where its leg is on its side of the planes.

    Its time passes the slower the more of its way it loses: else it would leap to its goal.

    Args:
        creature: whose foot it is; its position and track are moved.
        i: the leg.
        near: to it.
        before: where the foot was [m, world].
        dt: length of a tick [s].

    Returns:
        Whether it got nowhere.
    """
    leg, foot = creature.legs[i], creature.feet[i]
    body = creature.trunk[leg.segment]
    position, orientation, here = vec(body.position), quat(body.orientation), vec(foot.position)
    if keeps_sides(creature, i, near, position, orientation, here):
        return False
    up, way = rotate(orientation, Z), sub(here, before)
    there = here
    for _ in range(ROUNDS):
        for b in range(near.first_side[i], near.first_side[i + 1]):
            normal, least = side_of(near, b)
            limb = limb_of(leg, position, orientation, there)
            over = least - least_along(limb, normal)
            if over > 0.0:
                there = along(there, reject(normal, up), over)
    step, most = sub(there, before), norm(way)
    if norm(step) > most:  # no farther than it would have flown
        there = along(before, step, most / norm(step))
    if not keeps_sides(creature, i, near, position, orientation, there):
        there = sub(here, reject(way, up))  # its arc goes on above where it was
    moved = sub(there, here)
    put(foot.position, there)
    put(foot.track, add(vec(foot.track), moved))
    lost = min(1.0, norm(moved) / max(most, SHORTEST))
    if lost > NOWHERE:
        foot.urgency += IMPATIENCE * dt
    foot.elapsed = max(0.0, foot.elapsed - lost * foot.rate * dt)
    put(foot.track_rate, scale(vec(foot.track_rate), 1.0 - lost))
    put(foot.track_bend, scale(vec(foot.track_bend), 1.0 - lost))
    return bool(lost > NOWHERE)


@kernel
def stay_on_side(creature: Creature, i: int, near: Near, before: Vec) -> None:
    """Leave a foot in the air where it was, where its own legs push it over a plane."""
    foot, body = creature.feet[i], creature.trunk[creature.legs[i].segment]
    position, orientation, here = vec(body.position), quat(body.orientation), vec(foot.position)
    if not keeps_sides(creature, i, near, position, orientation, here):
        back = reject(sub(before, here), rotate(orientation, Z))
        put(foot.position, add(here, back))
        put(foot.track, add(vec(foot.track), back))
