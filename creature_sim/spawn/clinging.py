"""Where creatures start that climb: on walls, below ceilings, under tables."""

import numpy as np

from creature_sim.components import Plan
from creature_sim.definitions import CreatureDef, PlacementDef
from creature_sim.errors import DefinitionError, TerrainError
from creature_sim.locomotion.gravity import down_at, holds
from creature_sim.locomotion.trunk import hang
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import (
    Vec,
    X,
    Z,
    acos,
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
    unit,
    vec,
)
from creature_sim.spawn.headings import ahead_of
from creature_sim.spawn.sites import BELOW_ROOF, HALF_WORLD, Found, Pose, Site, look
from creature_sim.terrain.tiles.inside import is_inside
from creature_sim.terrain.traits import roof_over


def cling(definition: CreatureDef, plan: Plan, where: PlacementDef, site: Site, pose: Pose) -> None:
    """Put a trunk onto ground that faces `up`.

    Raises:
        DefinitionError: its feet do not hold there.
        TerrainError: there is no such ground, no room, or nothing but rock.
    """
    assert where.up is not None
    (x, y), body = where.position, plan.body[0]
    wanted, z = unit(where.up, Z), where.height
    if z is None:
        level = site.physics.level(x, y)
        top = level + min(HALF_WORLD, BELOW_ROOF * roof_over(site.terrain, x, y))
        floor = look(site.physics, (x, y, top), (x, y, level - HALF_WORLD))
        z = floor.point[2] + float(body.ride_height) if floor else level
    start = (x, y, z)
    where_from = f"{[round(part, 3) for part in start]}"
    if is_inside(site.tiles, start):
        raise TerrainError(f"height: expected a start in the open, found {where_from} inside rock")
    found = look(site.physics, start, along(start, wanted, -HALF_WORLD))
    if found is None:
        raise TerrainError(
            f"up: expected ground that faces {list(where.up)}, found none from {where_from} on"
        )
    plumb, up = scale(down_at(site.gravity[0], found.point), -1.0), found.normal
    steep = dot(up, plumb)
    if not body.climbs and steep < STEEPEST:
        raise DefinitionError(
            f"up: expected a creature that climbs ([climb] in its file, or climb = true here) on "
            f"ground that faces {_shown(up)}, found {definition.name}, which does not"
        )
    if where.physical and steep < STEEPEST:
        raise DefinitionError(
            f"up: expected a creature that no force moves on ground that faces {_shown(up)}, found "
            "physical = true, with which its feet push, but do not hold"
        )
    if not holds(body, site.gravity[0], found.point, up):
        limit = definition.climb.overhang if definition.climb else 0.0
        raise DefinitionError(
            f"up: expected ground that feet of {definition.name} hold on to (climb.overhang "
            f"{limit:g}), found some that is steeper, {acos(max(-1.0, steep)):.2f}"
        )
    ahead = ahead_of(where.heading, up, plumb)
    centre = along(found.point, up, float(body.ride_height))
    back = along(centre, up, float(plan.segments["top"].max()))
    if look(site.physics, along(found.point, up, 1e-3), back):
        raise TerrainError(
            f"up: expected room for {definition.name}, {body.ride_height:.2f} m and its back, "
            f"over the ground at {_shown(found.point)}, found less"
        )
    _lay(found, ahead, plan, site, pose)


def _lay(first: Found, ahead: Vec, plan: Plan, site: Site, pose: Pose) -> None:
    """Put the segments of a trunk in a row over what its first one is over."""
    height = float(plan.body[0].ride_height)
    position, orientation = np.empty((len(pose.trunk), 3)), np.empty((len(pose.trunk), 4))
    for s, segment in enumerate(plan.segments):
        found: Found | None = first
        if s:
            before = quat(orientation[s - 1])
            arm = plan.segments[s - 1].rear - segment.front
            centre, up = along(vec(position[s - 1]), rotate(before, X), arm), rotate(before, Z)
            found = look(site.physics, centre, along(centre, up, -2.0 * height))
        if found is None:
            raise TerrainError(f"up: expected ground under all of the body, found none under {s}")
        forward = unit(reject(ahead, found.normal), ahead)
        put(position[s], along(found.point, found.normal, height))
        turned = quat_from_axes(forward, cross(found.normal, forward), found.normal)
        put_quat(orientation[s], turned)
        if s:
            hang(plan.segments, s, s - 1, position, orientation)
    for s, body in enumerate(pose.trunk):
        put(body.position, vec(position[s]))
        put_quat(body.orientation, quat(orientation[s]))


def _shown(point: Vec) -> str:
    """A point or a direction, for a message."""
    return f"{[round(part, 2) + 0.0 for part in point]}"
