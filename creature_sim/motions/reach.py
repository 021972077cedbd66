"""A leg leaves the ground, and its foot follows a point or a creature."""

from creature_sim.components import (
    GOES,
    REACHES,
    BodyPoseRecord,
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    HeadRecord,
    LegRecord,
    LegTargetRecord,
    MotionRecord,
    PlanRecord,
    Records,
    RecordTable,
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
from creature_sim.motions.motion import Motion

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
def reach(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    motions: Records[MotionRecord],
    poses: Records[BodyPoseRecord],
    heads: Records[HeadRecord],
    targets: RecordTable[LegTargetRecord],
    gravity: Records[GravityRecord],
    dt: float,
) -> None:
    """Lead feet to their points; arguments as of `Motion.move`."""
    for n in range(len(motions)):
        creature = Creature(plan[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
        if not tend(creature, gravity[0], targets[n], poses[n], motions[n], REACHES, dt):
            continue
        lean = (0.0, 0.0, 0.0)
        for i in range(legs.shape[0]):
            target = targets[n, i]
            if target.task == REACHES and target.stage <= GOES:
                lean = add(lean, lean_to(legs[i], bodies[n, legs[i].segment], vec(target.aim)))
                put(heads[n].gaze, vec(target.aim))
                heads[n].is_gazing = 1
                if target.stage == GOES:
                    body = bodies[n, legs[i].segment]
                    rises = rise_from(plan[0], gravity[0], body, vec(target.aim))
                    follow(target, legs[i], rises, dt)
        brace(creature, gravity[0], targets[n], poses[n], lean)


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
