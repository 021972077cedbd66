"""A leg leaves the ground, and its foot follows a point or a creature."""

from creature_sim.components import (
    GOES,
    REACHES,
    LegRecord,
    LegTargetRecord,
)
from creature_sim.definitions.motions import FORMS
from creature_sim.locomotion.bracing import brace, lean_to
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gravity import rise_from
from creature_sim.locomotion.tasks import tend
from creature_sim.maths import (
    Vec,
    add,
    along,
    distance,
    norm,
    put,
    reject,
    smoothstep,
    spring,
    sub,
    vec,
)
from creature_sim.maths.jit import kernel
from creature_sim.motions.motion import Actors, Motion

STIFFNESS = 9.0
"""Of the spring that draws a foot to its point [1/s]..."""
GROWS = 0.25
"""...which has all of it after this time [s]."""
HOVERS = 0.12
"""A foot on its way is higher than that by this fraction of the reach..."""
COMES_DOWN = 0.5
"""...and lower where less than that over this is left of the way."""
JUMPS = 4.0
"""A point that goes faster than this is elsewhere: the foot goes there anew [m/s]."""


@kernel
def reach(actors: Actors, dt: float) -> None:
    """Lead feet to their points."""
    for n in range(len(actors.motions)):
        trunk, feet, footholds = actors.bodies[n], actors.feet[n], actors.footholds[n]
        creature = Creature(actors.plan[0], actors.legs, trunk, actors.gaits[n], feet, footholds)
        gravity, targets, pose = actors.gravity[0], actors.targets[n], actors.poses[n]
        if not tend(creature, gravity, targets, pose, actors.motions[n], REACHES, dt):
            continue
        head, lean = actors.heads[n], (0.0, 0.0, 0.0)
        for i in range(len(targets)):
            target, leg = targets[i], creature.legs[i]
            if target.task == REACHES and target.stage <= GOES:
                body = creature.trunk[leg.segment]
                lean = add(lean, lean_to(leg, body, vec(target.aim)))
                put(head.gaze, vec(target.aim))
                head.is_gazing = 1
                if target.stage == GOES:
                    rises = rise_from(creature.plan, gravity, body, vec(target.aim))
                    follow(target, leg, rises, dt)
        brace(creature, gravity, targets, pose, lean)


@kernel
def follow(target: LegTargetRecord, leg: LegRecord, up: Vec, dt: float) -> None:
    """Move a foot on to its point, which it goes along with.

    Args:
        target: of the leg; written.
        leg: of the plan.
        up: direction against gravity [world].
        dt: length of a tick [s].
    """
    aim, old = vec(target.aim), vec(target.old_aim)
    put(target.old_aim, aim)
    if distance(aim, old) > JUMPS * dt:
        old = aim
    target.ticks += 1
    off = hovering(leg, sub(vec(target.here), old), up, -1.0)
    stiffness = STIFFNESS * smoothstep(min(1.0, target.ticks * dt / GROWS))
    vx, vy, vz = vec(target.velocity)
    x, vx = spring(off[0], vx, dt, stiffness)
    y, vy = spring(off[1], vy, dt, stiffness)
    z, vz = spring(off[2], vz, dt, stiffness)
    put(target.velocity, (vx, vy, vz))
    put(target.point, add(aim, hovering(leg, (x, y, z), up, 1.0)))


@kernel
def hovering(leg: LegRecord, off: Vec, up: Vec, sign: float) -> Vec:
    """The way that is left [m, world], higher (1) or lower (-1) by what a foot on it hovers."""
    left = COMES_DOWN * norm(reject(off, up))
    return along(off, up, sign * min(HOVERS * leg.reach, left))


REACH = Motion("reach", FORMS["reach"], reach, REACHES)
