"""A small planet."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from pydantic import Field

from creature_sim.files.definition import Positive
from creature_sim.maths import PI, sin_cos
from creature_sim.terrain.ground import GroundDef
from creature_sim.terrain.kind import Planet, TerrainKind
from creature_sim.terrain.patterns.solids import floor
from creature_sim.terrain.tiles.tiles import Tile, quad_mesh

HEADROOM = 10.0
"""From the lowest point of a planet to the plain below it [m]."""
FACETS = 48
"""Along each edge of the cube that is blown up to a sphere; it has 12 FACETS^2 triangles."""
EXAMPLE = """\
kind = "sphere"
radius = 8.0                  # of a small planet; the start is on its top"""


class SphereDef(GroundDef):
    """A small planet: a ball whose top is the origin; gravity points to its centre."""

    kind: Literal["sphere"]
    radius: Positive = Field(ge=1.0, le=30.0, description="[m]")


def tiles(definition: SphereDef, _seed: int) -> Iterator[Tile]:
    """A cube of FACETS^2 squares a face blown up to a sphere, and the plain that it hangs over."""
    angles = PI * (np.arange(FACETS + 1) / FACETS - 0.5) * 0.5
    tangents = np.array([s / c for s, c in (sin_cos(angle) for angle in angles.tolist())])
    u, v = np.meshgrid(tangents, tangents, indexing="ij")
    one = np.ones_like(u)
    faces = [*((one, u, v), (-one, v, u), (v, one, u), (u, -one, v)), *((u, v, one), (v, u, -one))]
    for face in faces:
        x, y, z = face
        away = np.stack(face, axis=-1) / np.sqrt(x * x + y * y + z * z)[..., None]
        points = definition.radius * away - np.array([0.0, 0.0, definition.radius])
        corners = (points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:])
        yield quad_mesh(np.stack(corners, axis=2).reshape(-1, 4, 3))
    yield from floor(-2.0 * definition.radius - HEADROOM)


def planet(definition: SphereDef) -> Planet:
    """The ball itself."""
    return Planet((0.0, 0.0, -definition.radius), definition.radius)


KIND = TerrainKind(
    SphereDef,
    tiles=tiles,
    ends="which is one thing at the origin",
    in_patches=False,
    planet=planet,
    example=EXAMPLE,
)
