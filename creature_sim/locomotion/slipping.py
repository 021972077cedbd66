"""Who does not climb slips off a prop that turns it too steep."""

from math import sqrt

from creature_sim.components import (
    AIRBORNE,
    STANDING,
    BodyRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    PlanRecord,
    Records,
    RecordTable,
    SolidRecord,
)
from creature_sim.locomotion.carry import turns
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gravity import up_at
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.locomotion.wishes import SLIPS
from creature_sim.maths import Vec, add, along, dot, norm, reject, scale, unit, vec
from creature_sim.maths.jit import kernel


@kernel
def slip_off(
    plan: PlanRecord,
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    gravity: GravityRecord,
    solids: Records[SolidRecord],
) -> None:
    """Let all fall that do not climb, and stand on what has turned too steep for feet.

    Args:
        plan: of the body.
        bodies: (N, S).
        gaits: (N,); written.
        feet: (N, L).
        gravity: the field.
        solids: (P,).
    """
    for n in range(bodies.shape[0]):
        if gaits[n].flight != AIRBORNE and is_turned_over(
            plan, vec(bodies[n, 0].position), feet[n], gravity, solids
        ):
            gaits[n].urge = SLIPS


@kernel
def is_turned_over(
    plan: PlanRecord,
    position: Vec,
    feet: Records[FootRecord],
    gravity: GravityRecord,
    solids: Records[SolidRecord],
) -> bool:
    """Whether feet stand on a prop that turns, and on the whole where none would land.

    Args:
        plan: of the body.
        position: of its head [m, world].
        feet: (L,).
        gravity: the field.
        solids: (P,).
    """
    is_turned, whole = False, (0.0, 0.0, 0.0)
    for i in range(feet.shape[0]):
        foot = feet[i]
        if foot.phase == STANDING:
            is_turned = is_turned or turns(foot.prop, solids)
            whole = add(whole, vec(foot.goal_normal))
    steepest = max(STEEPEST, plan.steepest)
    return bool(is_turned and dot(whole, up_at(gravity, position)) < steepest * norm(whole))


@kernel
def slid_off(
    creature: Creature, gravity: GravityRecord, velocity: Vec, fraction: float, dt: float
) -> Vec:
    """Velocity of a body that slips off what carries it along [m/s, world].

    Args:
        creature: whose feet still stand.
        gravity: the field.
        velocity: of its centre, relative to what carries it [m/s, world].
        fraction: of the fastest, with which it leaves that.
        dt: length of a tick [s].
    """
    out, drift, count = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0
    for i in range(creature.legs.shape[0]):
        foot = creature.feet[i]
        if foot.phase == STANDING:
            out, drift = add(out, vec(foot.goal_normal)), add(drift, vec(foot.drift))
            count += 1.0
    plumb = up_at(gravity, vec(creature.trunk[0].position))
    away = unit(reject(out, plumb), out)
    fastest = sqrt(gravity.acceleration * creature.plan.reach)
    carried = add(velocity, scale(drift, 1.0 / (max(count, 1.0) * dt)))
    return along(carried, away, fraction * fastest)
