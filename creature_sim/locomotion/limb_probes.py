"""Rays that look where bones are: along shins of standing feet, and below hips."""

from creature_sim.components import PHASE, STANDING
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.prediction import travel
from creature_sim.locomotion.rays import Rays, cast_along
from creature_sim.locomotion.shins import shin_from, under
from creature_sim.locomotion.slots import along_shin_slot, hip_slot
from creature_sim.maths import Z, add, put, quat, rotate, scale, sub, unrotate, vec
from creature_sim.maths.jit import kernel

EVERY = 4
"""Each bone is looked at once in so many ticks."""
SHIN_AHEAD = 0.1
"""The ground is looked at along where the bone above a standing foot will be in this time [s]..."""
WAITS_AHEAD = 0.25
"""...or this one, where feet have to wait for others..."""
SHIN_FROM = 0.15
"""...but for this fraction of it, above the foot."""
HIP_RAY = 0.15
"""Ground is looked for so far above hips, as a fraction of the reach."""


@kernel
def probe_shin(creature: Creature, rays: Rays, i: int) -> None:
    """Look along the lower side of the bone above a standing foot, where it will be soon."""
    leg, foot = creature.legs[i], creature.feet[i]
    slot = along_shin_slot(creature.trunk.shape[0], creature.legs.shape[0], i)
    rays.is_active[slot] = 0
    if foot.phase != STANDING or leg.shank == 0.0 or (creature.gait.age + i) % EVERY != 0:
        return
    body = creature.trunk[leg.segment]
    orientation = quat(body.orientation)
    x, y, z = unrotate(orientation, sub(vec(foot.position), vec(body.position)))
    ahead = SHIN_AHEAD if creature.plan.gait_kind == PHASE else WAITS_AHEAD
    going = travel(body, leg, ahead)
    shin = shin_from(leg, (x - going[0], y - going[1], z - body.climb * ahead))
    below = scale(under(shin), leg.foot_radius)
    for end, fraction in ((rays.start, 1.0), (rays.end, SHIN_FROM)):
        offset = add(scale(shin, fraction), below)
        put(end[slot], add(vec(foot.position), rotate(orientation, offset)))
    rays.is_active[slot] = 1


@kernel
def probe_hip(creature: Creature, rays: Rays, i: int) -> None:
    """Look at the ground below a leg's hip."""
    leg = creature.legs[i]
    slot = hip_slot(creature.trunk.shape[0], creature.legs.shape[0], i)
    rays.is_active[slot] = 0
    if (creature.gait.age + i) % EVERY != 0:
        return
    body = creature.trunk[leg.segment]
    orientation = quat(body.orientation)
    point = add(vec(body.position), rotate(orientation, vec(leg.mount)))
    above, below = HIP_RAY * leg.reach, creature.plan.ride_height
    cast_along(rays, slot, point, rotate(orientation, Z), above, below)
