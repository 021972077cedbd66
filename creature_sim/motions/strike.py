"""A leg draws back, strikes fast through a point, and comes back: what is loose there is pushed."""

from creature_sim.components import (
    GOES,
    STRIKES,
    BodyPoseRecord,
    BodyRecord,
    LegRecord,
)
from creature_sim.definitions.motions import FORMS
from creature_sim.locomotion.blows import Blow, blow_of, plan_blow, thrown, tip_at
from creature_sim.locomotion.bracing import brace
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gravity import rise_from
from creature_sim.locomotion.tasks import end_task, tend
from creature_sim.maths import Vec, Z, add, clamp, cross, put, quat, scale, unrotate, vec
from creature_sim.maths.jit import kernel
from creature_sim.motions.motion import Actors, Motion

BACK, LUNGE = 0.1, 0.14
"""The body goes back with the leg, and then with the blow, by these fractions of its reach..."""
TIPS, TURNS = 0.12, 0.12
"""...tips, and turns, by these angles with both [rad]."""
ARCS = 0.08
"""The way back is raised by this fraction of the reach."""


@kernel
def strike(actors: Actors, dt: float) -> None:
    """Move legs through their blows, and bodies with them."""
    for n in range(len(actors.motions)):
        trunk, feet, footholds = actors.bodies[n], actors.feet[n], actors.footholds[n]
        creature = Creature(actors.plan[0], actors.legs, trunk, actors.gaits[n], feet, footholds)
        gravity, targets, pose = actors.gravity[0], actors.targets[n], actors.poses[n]
        if not tend(creature, gravity, targets, pose, actors.motions[n], STRIKES, dt):
            continue
        head, lean = actors.heads[n], (0.0, 0.0, 0.0)
        for i in range(len(targets)):
            target, leg = targets[i], creature.legs[i]
            body = creature.trunk[leg.segment]
            if target.task != STRIKES or target.stage > GOES:
                continue
            put(head.gaze, vec(target.aim))
            head.is_gazing = 1
            if target.stage != GOES:
                continue
            if target.ticks == 0:
                rises = rise_from(creature.plan, gravity, body, vec(target.aim))
                plan_blow(rises, leg, body, target)
            blow = blow_of(gravity, leg, target, dt)
            target.ticks += 1
            up = rise_from(creature.plan, gravity, body, vec(target.old_aim))
            put(target.point, tip_at(blow, target.ticks, up, ARCS * leg.reach))
            lean = add(lean, throw_body(creature.trunk[0], leg, blow, target.ticks, pose))
            if target.ticks >= blow.rest:
                end_task(creature, gravity, target, i)
        brace(creature, gravity, targets, pose, lean)


@kernel
def throw_body(
    body: BodyRecord, leg: LegRecord, blow: Blow, tick: int, pose: BodyPoseRecord
) -> Vec:
    """Tip and turn a body with a blow, and say where it goes with it [m, body].

    Args:
        body: the first segment.
        leg: that strikes.
        blow: its blow.
        tick: of that.
        pose: what is asked of it is added to.
    """
    far = thrown(blow, tick)
    way = unrotate(quat(body.orientation), blow.way)
    x, y, _ = way
    side = leg.mount[0] * y - leg.mount[1] * x  # turning to the left brings the hip along
    turn = scale(cross(Z, way), TIPS * far)
    turn = add(turn, (0.0, 0.0, clamp(side / leg.reach, -1.0, 1.0) * TURNS * far))
    put(pose.asked_turn, add(vec(pose.asked_turn), turn))
    size = leg.reach * (LUNGE if far > 0.0 else BACK) * far
    return (x * size, y * size, 0.0)


STRIKE = Motion("strike", FORMS["strike"], strike, STRIKES)
