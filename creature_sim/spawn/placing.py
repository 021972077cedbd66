"""Where creatures start: trunks above the ground, feet on it."""

import numpy as np

from creature_sim.components import (
    Plan,
)
from creature_sim.definitions import CreatureDef, PlacementDef, TerrainDef
from creature_sim.errors import DefinitionError, TerrainError
from creature_sim.locomotion.balance import is_upright
from creature_sim.locomotion.gravity import down_at, holds
from creature_sim.locomotion.reach import reaches
from creature_sim.locomotion.search import downhill
from creature_sim.locomotion.trunk import hang
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import (
    X,
    Z,
    add,
    along,
    cross,
    dot,
    put,
    put_quat,
    quat,
    quat_from_axes,
    reject,
    rotate,
    scale,
    sin_cos,
    unit,
    vec,
)
from creature_sim.spawn.clinging import cling
from creature_sim.spawn.sites import BELOW_ROOF, HALF_WORLD, Pose, Site, look
from creature_sim.spawn.stances import places_of, stance_problem
from creature_sim.terrain.tiles.inside import is_inside
from creature_sim.terrain.traits import lowest_roof, roof_over

OFF = 1e-3
"""Rock is looked for so far over what a ray has found [m]."""


def place(definition: CreatureDef, plan: Plan, where: PlacementDef, site: Site, pose: Pose) -> None:
    """Put a creature on the ground.

    Raises:
        DefinitionError: the position is too near to the border, or a leg cannot stand anywhere.
        TerrainError: there is no ground below it, or out of reach.
    """
    x, y = where.position
    margin = plan.body[0].border_margin
    border = site.half_size - margin
    if border < 0.0:
        raise DefinitionError(
            f"creature: expected one with room on ground that ends {site.half_size:g} m from the "
            f"origin, found {definition.name}, which keeps {margin:.2f} m from the border"
        )
    if max(abs(x), abs(y)) > border:
        raise DefinitionError(
            f"position: expected x and y between {-border:.2f} and {border:.2f} m, so that "
            f"{definition.name} stands on ground; found {list(where.position)}"
        )
    roof = roof_over(site.terrain, x, y)
    if where.up is not None:
        cling(definition, plan, where, site, pose)
        for index in range(len(plan.legs)):
            _plant(plan, index, site, pose, float(plan.body[0].ride_height))
        return
    _stand(where, plan, site, pose, min(HALF_WORLD, BELOW_ROOF * roof))
    lowest = site.physics.level(x, y) + plan.body[0].ride_height
    for index, leg in enumerate(plan.legs):
        left = BELOW_ROOF * roof - max(0.0, pose.trunk[leg.segment].position[2] - lowest)
        above = float(min(2.0 * leg.reach, left))  # on a table it is nearer to the ceiling
        _plant(plan, index, site, pose, above)


def check_room(definition: CreatureDef, plan: Plan, terrain: TerrainDef) -> None:
    """Refuse a roof that a creature at its ride height, its knees too, would stick in."""
    top = definition.body.ride_height + 0.5 * max(part.size[2] for part in definition.trunk)
    knees = float(plan.legs["shin"][:, 2].max())
    needed = max(top + definition.motion.bob, knees) / BELOW_ROOF
    if lowest_roof(terrain) < needed:
        raise TerrainError(
            f"terrain.height: expected at least {needed + 0.005:.2f} m, so that a "
            f"{definition.name} finds the ground below it, found {lowest_roof(terrain):g}"
        )


def _stand(where: PlacementDef, plan: Plan, site: Site, pose: Pose, top: float) -> None:
    """Put a trunk above the ground, aligned with its normal, its segments in a row.

    Two legs carry theirs upright. The ground is looked for from the height `top` [m] down.
    """
    x, y = where.position
    sine, cosine = sin_cos(where.heading)
    heading = (cosine, sine, 0.0)
    position, orientation = np.empty((len(pose.trunk), 3)), np.empty((len(pose.trunk), 4))
    height, level = float(plan.body[0].ride_height), site.physics.level(x, y)
    for s, segment in enumerate(plan.segments):
        start, end = (x, y, level + top), (x, y, level - HALF_WORLD)
        if s:  # below where it would be in one line with the one before it
            before = quat(orientation[s - 1])
            arm = plan.segments[s - 1].rear - segment.front
            centre, down = along(vec(position[s - 1]), rotate(before, X), arm), rotate(before, Z)
            start, end = along(centre, down, height), along(centre, down, -HALF_WORLD)
        found = look(site.physics, start, end)
        if found is None:
            raise TerrainError(
                f"position: expected ground below all of the body, found none below segment {s}"
            )
        up = found.normal
        if is_upright(plan.legs, pose.gait):
            up = scale(down_at(site.gravity[0], found.point), -1.0)
        if top < HALF_WORLD and is_inside(site.tiles, along(found.point, up, OFF)):
            raise TerrainError(
                f"position: expected a start in the open, found {list(where.position)} inside rock"
            )
        ahead = unit(reject(heading, up), (1.0, 0.0, 0.0))
        put(position[s], along(found.point, up, height))
        put_quat(orientation[s], quat_from_axes(ahead, cross(up, ahead), up))
        if s:
            hang(plan.segments, s, s - 1, position, orientation)
    for s, body in enumerate(pose.trunk):
        put(body.position, vec(position[s]))
        put_quat(body.orientation, quat(orientation[s]))


def _plant(plan: Plan, index: int, site: Site, pose: Pose, above: float) -> None:
    """Put a foot on the ground at its home, or nearer to the hip where that is out of reach."""
    leg, foot, foothold = plan.legs[index], pose.feet[index], pose.footholds[index]
    body = pose.trunk[leg.segment]
    position, orientation = vec(body.position), quat(body.orientation)
    up = rotate(orientation, Z)
    home = add(vec(leg.home), downhill(plan.body[0], site.gravity[0], pose.gait, body))
    for place in places_of(leg, home):
        aim = add(position, rotate(orientation, place))
        found = look(site.physics, along(aim, up, above), along(aim, up, -leg.reach))
        if (
            found
            and dot(found.normal, up) >= STEEPEST
            and holds(plan.body[0], site.gravity[0], found.point, found.normal)
            and reaches(position, orientation, leg, found.point)
        ):
            break
    else:
        name = f"{'left' if leg.side > 0 else 'right'} {leg.pair + 1}"
        problem = stance_problem(leg)
        if problem:
            raise DefinitionError(f"creature: {name} (leg {index}): {problem}")
        grip = "" if site.friction is None else f" where friction {site.friction:g} holds feet"
        raise TerrainError(
            f"position: expected ground in reach of every leg{grip}, "
            f"found none for {name} (leg {index}), which reaches {leg.reach:.2g} m: "
            "level ground has it"
        )
    for point in (foot.position, foot.track, foot.goal, foothold.position, foothold.aim):
        put(point, found.point)
    for normal in (foot.goal_normal, foot.normal, foothold.normal):
        put(normal, found.normal)
    put(foot.heading, rotate(orientation, X))
    foot.prop = foothold.prop = found.prop
