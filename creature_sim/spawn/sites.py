"""The ground that creatures are placed on, what placing writes, and how it looks for ground."""

from typing import NamedTuple

import numpy as np

from creature_sim.components import (
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    Records,
)
from creature_sim.components.queries import find_props
from creature_sim.definitions import TerrainDef, WorldDef
from creature_sim.ground.rays import Physics
from creature_sim.maths import Vec, mix, vec
from creature_sim.props.rays import cast
from creature_sim.terrain import Terrain
from creature_sim.terrain.tiles.tiles import Tile

HALF_WORLD = 500.0
"""Ground lies between this depth and this height, of endless ground from its level there [m]."""
BELOW_ROOF = 0.9
"""Rays begin within this fraction of the height of a roof."""


class Site(NamedTuple):
    """The ground that creatures are placed on.

    Attributes:
        physics: where rays are cast.
        half_size: of the square that has ground [m].
        terrain: its definition.
        gravity: (1,) its field of gravity.
        friction: its coefficient of friction; None: feet hold wherever legs can stand.
        tiles: what it is made of.
    """

    physics: Physics
    half_size: float
    terrain: TerrainDef
    gravity: Records[GravityRecord]
    friction: float | None
    tiles: tuple[Tile, ...]

    @staticmethod
    def of(
        world: WorldDef, physics: Physics, terrain: Terrain, gravity: Records[GravityRecord]
    ) -> "Site":
        """The ground of a world, as it was built."""
        whole = terrain.half_size, world.terrain, gravity, world.friction, terrain.tiles
        return Site(physics, *whole)


class Pose(NamedTuple):
    """What placing a creature writes.

    Attributes:
        trunk: (S,).
        gait: how it stands; read.
        feet: (L,).
        footholds: (L,).
    """

    trunk: Records[BodyRecord]
    gait: GaitRecord
    feet: Records[FootRecord]
    footholds: Records[FootholdRecord]


class Found(NamedTuple):
    """What a ray found: a point [m, world], the normal there, and the prop (GROUND: none)."""

    point: Vec
    normal: Vec
    prop: int


def look(physics: Physics, start: Vec, end: Vec) -> Found | None:
    """What a ray between two points [m, world] meets first."""
    fractions, normals, props = cast(physics, find_props(), np.array([start]), np.array([end]))
    if fractions[0] >= 1.0:
        return None
    return Found(mix(start, end, float(fractions[0])), vec(normals[0]), int(props[0]))
