"""Which part of a ground is worth looking at: all of it, or what stands on a level floor."""

from math import ceil
from typing import NamedTuple

import numpy as np

from creature_sim.definitions import WorldDef
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths
from creature_sim.props.shapes import hulls_of
from creature_sim.terrain import HALF_SIZE, Terrain

MARGIN = 0.1
"""Level floor around what stands on it, over the longer side of that."""
STEP, EIGHTH = 0.5, 0.125
"""Sides and centres of parts are multiples of these: edges of ground often lie at eighths of a
metre, and no sample lies on them [m]."""
_LEVEL = 1e-6  # heights that differ less are the same [m]


class Part(NamedTuple):
    """A square of ground.

    Attributes:
        centre: x, y [m].
        side: [m].
    """

    centre: tuple[float, float]
    side: float


WHOLE = Part((0.0, 0.0), 2.0 * HALF_SIZE)


def part_of(world: WorldDef, terrain: Terrain) -> Part:
    """The square that holds all that stands on a level floor, the starts and the props.

    It is the whole ground where nothing stands on it, or where it is not level along its border.
    """
    points = np.concatenate([tile.mesh()[0] for tile in terrain.tiles])
    is_border = np.abs(points[:, :2]).max(axis=1) > HALF_SIZE - _LEVEL
    levels = points[is_border, 2]
    if len(levels):
        if np.ptp(levels) > _LEVEL:
            return WHOLE
        points = points[np.abs(points[:, 2] - levels[0]) > _LEVEL]
    if not len(points) and not world.props:
        return WHOLE
    starts = [np.array([placement.position]) for placement in world.creatures]
    corners = np.concatenate([points[:, :2], *starts, *_corners_of_props(world)])
    low, high = corners.min(axis=0), corners.max(axis=0)
    side = STEP * ceil((1.0 + 2.0 * MARGIN) * float(np.max(high - low)) / STEP)
    if side >= 2.0 * HALF_SIZE:
        return WHOLE
    farthest = HALF_SIZE - 0.5 * side
    x, y = np.clip(EIGHTH * np.round(0.5 * (low + high) / EIGHTH), -farthest, farthest).tolist()
    return Part((x, y), side)


def _corners_of_props(world: WorldDef) -> list[Floats]:
    """What props take up, however they are turned, x, y (P, 2) [m]."""
    found: list[Floats] = []
    for prop, hull in zip(world.props, hulls_of(world.props), strict=True):
        reach = float(lengths(hull).max()) if len(hull) else prop.radius or 0.0
        middles = np.array(prop.waypoints or [prop.position])
        found += [middles[:, :2] - reach, middles[:, :2] + reach]
    return found
