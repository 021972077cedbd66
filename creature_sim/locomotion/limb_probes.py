"""Rays that look where bones are: along shins of standing feet, and below hips."""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import PHASE, STANDING, HitRecord, LegRecord, Records
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.plainness import walks_on_plain
from creature_sim.locomotion.prediction import ground_velocity, travel
from creature_sim.locomotion.rays import ONCE, Rays, cast_along, cast_none
from creature_sim.locomotion.shins import shin_from, under
from creature_sim.locomotion.slots import SHIN_RAYS, along_shin_slot, hip_slot
from creature_sim.locomotion.swing import PATIENT, seconds_to_touchdown
from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    Z,
    add,
    along,
    cross,
    dot,
    norm,
    put,
    quat,
    rotate,
    scale,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

HALF_ROOT = sqrt(0.75)

EVERY = 6
"""Each bone is looked at once in so many ticks: of who climbs, and on plain ground, along one of
its sides..."""
PLAIN_EVERY = 24
"""...and the ground below hips is looked at once in so many."""
WAITS_AHEAD = 0.25
"""The ground is looked at along where the bone above a standing foot will be in this time where
feet have to wait for others [s]; else where its body stands that stops at the next look."""
PAD = 0.05
"""What is nearer to the tip than this fraction of the reach is the foot."""
THIRDS = ((1.0, 0.0), (-0.5, HALF_ROOT), (-0.5, -HALF_ROOT))
"""Three directions across a bone: downwards and aside."""
FLAT = 0.9
"""Shins of who climbs are looked at on ground that faces as the body's up, or nearly (the cosine).
"""
MAX_OFF = 0.1
"""A bone is no farther off than this fraction of the reach from where it was foreseen."""
HIP_RAY = 0.15
"""Ground is looked for so far above hips, as a fraction of the reach."""


@kernel
def probe_shin(creature: Creature, rays: Rays, joints: Floats, i: int, dt: float) -> None:
    """Look along both sides of the bone above a foot, where it is and where it will be soon.

    Above a foot in the air: where it will be when that lands on its goal, and soon after.

    Args:
        creature: whose foot it is.
        rays: written.
        joints: (J, 3) of its leg, as they were solved in the tick before [m, world].
        i: the leg.
        dt: length of a tick [s].
    """
    leg, foot = creature.legs[i], creature.feet[i]
    slot = along_shin_slot(creature.trunk.shape[0], creature.legs.shape[0], i)
    cast_none(rays, slot, SHIN_RAYS)
    look = creature.gait.age + i + EVERY // 2
    if leg.shank == 0.0 or look % EVERY != 0:
        return
    body = creature.trunk[leg.segment]
    orientation = quat(body.orientation)
    if creature.plan.climbs and dot(vec(foot.goal_normal), rotate(orientation, Z)) < FLAT:
        creature.footholds[i].is_blocked = 0
        return
    stand, seconds = vec(foot.position), 0.0
    if foot.phase != STANDING:
        stand, seconds = vec(foot.goal), seconds_to_touchdown(creature.plan, creature.gait, foot)
    x, y, z = unrotate(orientation, sub(stand, vec(body.position)))
    ahead = WAITS_AHEAD
    if creature.plan.gait_kind == PHASE:
        _, _, speed = ground_velocity(body, leg)
        ahead = EVERY * dt
        if not creature.gait.run:  # whose stances are over sooner
            ahead += 0.5 * speed / (PATIENT * creature.plan.acceleration)
    off = (0.0, 0.0, 0.0)
    if foot.phase == STANDING:
        was = travel(body, leg, dt)  # by so much less far when the leg was solved
        before = (x + was[0], y + was[1], z)
        off = off_foreseen(leg, joints, orientation, stand, before)
    sides = SHIN_RAYS - 1
    turn = 1.0 if (creature.gait.age + i) // EVERY % 2 else -1.0
    climbs = creature.plan.climbs
    looks_once = (walks_on_plain(creature.gait) or climbs) and not creature.footholds[i].is_blocked
    one = look // (2 * EVERY) % SHIN_RAYS
    if climbs:  # so each comes with either turn
        one = (look // EVERY + look // (SHIN_RAYS * EVERY)) % SHIN_RAYS
    for k in range(SHIN_RAYS):
        if looks_once and k != one:
            continue
        time = seconds if k < sides else seconds + ahead
        going = travel(body, leg, time)
        shin = add(shin_from(leg, (x - going[0], y - going[1], z - body.climb * time)), off)
        low = scale(under(shin), leg.foot_radius)
        aside = cross(unit(shin, Z), low)
        if k < sides:
            a, b = THIRDS[k]
            low = along(scale(low, turn * a), aside, b)
        for end, fraction in ((rays.start, 1.0), (rays.end, PAD * leg.reach / leg.shank)):
            put(end[slot + k], add(stand, rotate(orientation, along(low, shin, fraction))))
        rays.is_active[slot + k] = ONCE


@kernel
def off_foreseen(leg: LegRecord, joints: Floats, orientation: Quat, foot: Vec, before: Vec) -> Vec:
    """What the bone above a foot that stands was off from where `shin_from` has it [m, segment].

    Its body hung on its legs, and legs of more than two bones below their hips bend otherwise.

    Args:
        leg: the leg.
        joints: (J, 3) as they were solved in the tick before [m, world].
        orientation: of its segment.
        foot: where it stands [m, world].
        before: where it stood then [m, segment].
    """
    solved = unrotate(orientation, sub(vec(joints[leg.bone_count - 1]), foot))
    off = sub(solved, shin_from(leg, before))
    if norm(off) > MAX_OFF * leg.reach or solved[2] <= 0.0:  # it was put elsewhere
        return (0.0, 0.0, 0.0)
    return off


@kernel
def sides_in_ground(before: int, is_active: NDArray[np.int8], hits: Records[HitRecord]) -> int:
    """On which sides a bone meets the ground, a bit for each of SHIN_RAYS.

    Args:
        before: on which it did when it was looked at last.
        is_active: (SHIN_RAYS,) which ones are looked at now.
        hits: (SHIN_RAYS,) what these rays found.
    """
    sides = before
    for k in range(SHIN_RAYS):
        if is_active[k]:
            bit = 1 << k
            sides = (sides & ~bit) | (bit if hits[k].is_hit else 0)
    return sides


@kernel
def probe_hip(creature: Creature, rays: Rays, i: int) -> None:
    """Look at the ground below a leg's hip."""
    leg = creature.legs[i]
    slot = hip_slot(creature.trunk.shape[0], creature.legs.shape[0], i)
    rays.is_active[slot] = 0
    if (creature.gait.age + i) % (PLAIN_EVERY if walks_on_plain(creature.gait) else EVERY) != 0:
        return
    body = creature.trunk[leg.segment]
    orientation = quat(body.orientation)
    point = add(vec(body.position), rotate(orientation, vec(leg.mount)))
    above, below = HIP_RAY * leg.reach, creature.plan.ride_height
    cast_along(rays, slot, point, rotate(orientation, Z), above, below)
    rays.is_active[slot] = ONCE
