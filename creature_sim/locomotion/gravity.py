"""The world's one field of gravity: along its -Z, or towards the centre of a planet."""

import numpy as np

from creature_sim.components import GRAVITY, BodyRecord, GravityRecord, PlanRecord, Records, zeros
from creature_sim.definitions import TerrainDef
from creature_sim.maths import Floats, Vec, dot, put, quat, rotate, sub, unit, vec
from creature_sim.maths.jit import kernel
from creature_sim.terrain.traits import planet_of

DOWN, UP = (0.0, 0.0, -1.0), (0.0, 0.0, 1.0)

FLOOR = 0.9
"""What is level to 26 degrees is a floor (the cosine)."""
TIPPED = 0.5
"""Whose up has a cosine with the ground's of less than this is tipped over: 60 degrees."""


def gravity_of(terrain: TerrainDef) -> Records[GravityRecord]:
    """The field of gravity (1,) of a world on this ground."""
    field = zeros(GravityRecord, 1)
    field[0].acceleration = GRAVITY
    centre = planet_of(terrain)
    if centre is not None:
        field[0].is_central = 1
        put(field[0].centre, centre)
    return field


@kernel
def down_at(gravity: GravityRecord, point: Vec) -> Vec:
    """Unit direction of gravity at a point [m, world]."""
    if gravity.is_central:
        return unit(sub(vec(gravity.centre), point), DOWN)
    return DOWN


@kernel
def up_at(gravity: GravityRecord, point: Vec) -> Vec:
    """Unit direction against gravity at a point [m, world]."""
    return sub((0.0, 0.0, 0.0), down_at(gravity, point))


@kernel
def pull_on(plan: PlanRecord, gravity: GravityRecord, body: BodyRecord, point: Vec) -> Vec:
    """Unit direction in which a body is balanced over its feet at a point [m, world].

    That of gravity; of who climbs, towards what its feet hold on to.
    """
    if plan.climbs:
        return rotate(quat(body.orientation), DOWN)
    return down_at(gravity, point)


@kernel
def rise_from(plan: PlanRecord, gravity: GravityRecord, body: BodyRecord, point: Vec) -> Vec:
    """Unit direction in which feet rise from the ground about a point [m, world], see `pull_on`."""
    return sub((0.0, 0.0, 0.0), pull_on(plan, gravity, body, point))


@kernel
def levelness(plan: PlanRecord, gravity: GravityRecord, body: BodyRecord) -> float:
    """How level what a body stands on is: of who climbs 0 on a wall, -1 on a ceiling; else 1."""
    if not plan.climbs:
        return 1.0
    return dot(rotate(quat(body.orientation), UP), up_at(gravity, vec(body.position)))


@kernel
def is_on_floor(plan: PlanRecord, gravity: GravityRecord, body: BodyRecord) -> bool:
    """Whether what a body stands on is a floor; who does not climb knows floors only."""
    return levelness(plan, gravity, body) > FLOOR


@kernel
def holds(plan: PlanRecord, gravity: GravityRecord, point: Vec, normal: Vec) -> bool:
    """Whether friction holds a foot at a point [m, world] of a surface with this normal."""
    return dot(normal, up_at(gravity, point)) >= plan.steepest


@kernel
def ups_at(gravity: GravityRecord, points: Floats) -> Floats:
    """Unit directions against gravity at points (K, 3) [m, world], (K, 3)."""
    ups = np.empty_like(points)
    for k in range(len(points)):
        put(ups[k], up_at(gravity, vec(points[k])))
    return ups
