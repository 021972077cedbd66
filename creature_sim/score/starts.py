"""Where the creatures of a world start, and from which side their ground is looked at."""

from math import inf
from typing import NamedTuple

import numpy as np

from creature_sim.definitions import PlacementDef, WorldDef
from creature_sim.ground.rays import Physics
from creature_sim.locomotion.gravity import down_at, gravity_of
from creature_sim.maths import Vec, X, Z, along, mix, reject, scale, sin_cos, unit, vec
from creature_sim.spawn.headings import ahead_of
from creature_sim.spawn.sites import BELOW_ROOF, HALF_WORLD
from creature_sim.terrain.traits import roof_over

CUT = 0.5
"""Ground is cut this fraction of the way from a start to what is above it, or below who hangs."""
OVERHANGING = -0.1
"""What faces down more than this (the Z of its normal) is not seen from above."""
OFF = 1e-3
"""Rays begin this far off the ground [m]."""


class Start(NamedTuple):
    """Where a creature starts.

    Attributes:
        point: of the ground [m, world]; of a start on the topmost ground its height is 0.
        up: unit normal there; there it is Z [world].
        ahead: unit direction in which the creature looks [world].
    """

    point: Vec
    up: Vec
    ahead: Vec


class View(NamedTuple):
    """How ground is looked at.

    Attributes:
        cut: height of what is seen nearest [m, world]; inf: all is seen from above.
        from_below: whether what is above the cut is seen, from below.
    """

    cut: float
    from_below: bool


def starts_of(world: WorldDef, physics: Physics) -> list[Start]:
    """The starts of a world's creatures; of one whose ground is not there, x and y as written."""
    return [_start(world, placement, physics) for placement in world.creatures]


def view_of(world: WorldDef, starts: list[Start], physics: Physics) -> View:
    """The view that shows the ground of the first start: half-way up to what is over it."""
    if not starts or world.creatures[0].up is None:
        where = world.creatures[0].position if starts else (0.0, 0.0)
        return View(CUT * roof_over(world.terrain, *where), from_below=False)
    first = starts[0]
    from_below = first.up[2] < OVERHANGING
    side = -1.0 if from_below else 1.0
    begin = along(first.point, first.up, OFF)
    found = _look(physics, begin, along(begin, Z, side * HALF_WORLD))
    if found is None:
        return View(side * inf, from_below)
    return View(mix(begin, found[0], CUT)[2], from_below)


def _start(world: WorldDef, placement: PlacementDef, physics: Physics) -> Start:
    """Where a creature starts, as `spawn.clinging` finds its ground, but without props."""
    x, y = placement.position
    sine, cosine = sin_cos(placement.heading)
    level = Start((x, y, 0.0), Z, (cosine, sine, 0.0))
    if placement.up is None:
        return level
    z, floor = placement.height, physics.level(x, y)
    if z is None:
        top = floor + min(HALF_WORLD, BELOW_ROOF * roof_over(world.terrain, x, y))
        below = _look(physics, (x, y, top), (x, y, floor - HALF_WORLD))
        z = (below[0][2] if below else floor) + world.species_of(placement).body.ride_height
    begin = (x, y, z)
    found = _look(physics, begin, along(begin, unit(placement.up, Z), -HALF_WORLD))
    if found is None:
        return level
    point, up = found
    plumb = scale(down_at(gravity_of(world.terrain)[0], point), -1.0)
    return Start(point, up, unit(reject(ahead_of(placement.heading, up, plumb), up), X))


def _look(physics: Physics, begin: Vec, end: Vec) -> tuple[Vec, Vec] | None:
    """The point of the ground that a ray meets first [m, world], and the normal there."""
    fractions, normals = physics.cast(np.array([begin]), np.array([end]))
    if fractions[0] >= 1.0:
        return None
    return mix(begin, end, float(fractions[0])), vec(normals[0])
