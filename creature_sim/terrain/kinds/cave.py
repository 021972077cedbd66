"""A winding cave through rock."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from creature_sim.files.definition import NotNegative, Positive
from creature_sim.maths import TAU, Floats, sin_cos
from creature_sim.maths.jit import kernel
from creature_sim.terrain.ground import FARTHEST_EDGE, GroundDef
from creature_sim.terrain.kind import Roof, TerrainKind
from creature_sim.terrain.patterns.noise import simplex
from creature_sim.terrain.patterns.shapes import on_floor
from creature_sim.terrain.tiles.tiles import Tile, join, quad_mesh

_STREAM, _SKIN_STREAM, _ROCK_STREAM = 920, 921, 922
SPACING = 0.25
"""Of the nodes of the rock along X, and about that around the cave [m]."""
MAX_SECTORS = 96
CENTRE = 0.6
"""Height of the cave's axis over its mean radius: the level floor cuts off what is below."""
EXAMPLE = """\
kind = "cave"
length = 24.0                 # along X; its middle is the start
radius = 2.0                  # mean one, from its axis to the rock
rough = 0.35                  # fraction of the radius by which the rock juts out and falls back
wavelength = 2.5              # of the rock
bend = 3.0                    # it winds this far to each side"""


class CaveDef(GroundDef):
    """A winding cave along X through rough rock that overhangs, open at both ends."""

    kind: Literal["cave"]
    length: Positive = Field(ge=2.0, le=60.0, description="along X; its middle is the origin [m]")
    radius: Positive = Field(ge=0.5, le=10.0, description="mean one, from its axis to rock [m]")
    rough: NotNegative = Field(
        0.35, le=0.6, description="fraction of the radius by which rock juts out and falls back"
    )
    wavelength: Positive = Field(2.5, ge=0.5, le=30.0, description="of the rock [m]")
    bend: NotNegative = Field(0.0, le=20.0, description="it winds this far to each side [m]")
    thickness: Positive = Field(0.5, ge=0.1, le=10.0, description="of the rock around it [m]")

    @model_validator(mode="after")
    def _is_inside(self) -> "CaveDef":
        end = self.bend + (1.0 + self.rough) * self.radius + self.thickness
        if end > FARTHEST_EDGE:
            raise ValueError(
                f"bend: expected rock that ends within {FARTHEST_EDGE:g} m, found {end:g} m"
            )
        return self


def tiles(definition: CaveDef, seed: int) -> Iterator[Tile]:
    """The floor, and a skin of rock within and without, closed at the ends."""
    inner, outer = rings_of(definition, seed)
    around = [*range(1, inner.shape[1]), 0]
    within = _skin(inner, inner[:, around])
    without = _skin(outer[:, around], outer)
    first = np.stack((outer[0], inner[0], inner[0][around], outer[0][around]), axis=1)
    last = np.stack((inner[-1], outer[-1], outer[-1][around], inner[-1][around]), axis=1)
    return on_floor([join([quad_mesh(quads) for quads in (within, without, first, last)])])


def _skin(rows: Floats, beside: Floats) -> Floats:
    """Quadrangles between rings (R, S, 3) and the same turned by one sector, (Q, 4, 3)."""
    quads = np.stack((rows[:-1], rows[1:], beside[1:], beside[:-1]), axis=2)
    return quads.reshape(-1, 4, 3)


def rings_of(definition: CaveDef, seed: int) -> Floats:
    """Rings around the axis, within the rock and without, (2, R, S, 3) [m, world]."""
    rows = int(np.ceil(definition.length / SPACING))
    sectors = min(MAX_SECTORS, int(np.ceil(TAU * definition.radius / SPACING)))
    found = np.empty((2, rows + 1, sectors, 3))
    fill_rings(
        found,
        seed,
        definition.length,
        definition.radius,
        definition.rough,
        definition.wavelength,
        definition.bend,
        definition.thickness,
    )
    return found


@kernel
def fill_rings(
    rings: Floats,
    seed: int,
    length: float,
    radius: float,
    rough: float,
    wavelength: float,
    bend: float,
    thickness: float,
) -> None:
    """Write the rings of a cave, see `rings_of`.

    Args:
        rings: (2, R, S, 3) to be written [m, world].
        seed: of the ground.
        length: of the cave [m].
        radius: mean one [m].
        rough: fraction of it by which rock juts out and falls back.
        wavelength: of the rock [m].
        bend: how far the cave winds to each side [m].
        thickness: of the rock [m].
    """
    rows, sectors = rings.shape[1], rings.shape[2]
    here = simplex(seed, _STREAM, 0.0, 0.5)
    for row in range(rows):
        x = length * (row / (rows - 1) - 0.5)
        y = 0.5 * bend * (simplex(seed, _STREAM, x / length * 2.0, 0.5) - here)
        for sector in range(sectors):
            sine, cosine = sin_cos(TAU * sector / sectors)
            at, up, aside = x / wavelength, radius * sine / wavelength, radius * cosine / wavelength
            rock = simplex(seed, _SKIN_STREAM, at + 0.4 * aside, up)
            rock += simplex(seed, _ROCK_STREAM, at - 0.4 * up, aside)
            inside = radius * (1.0 + 0.5 * rough * rock)
            for side in range(2):
                out = inside + side * thickness
                rings[side, row, sector, 0] = x
                rings[side, row, sector, 1] = y + out * cosine
                rings[side, row, sector, 2] = CENTRE * radius + out * sine


def roof(definition: CaveDef) -> Roof:
    """What is free around the start however the rock juts out; rays find the rest by themselves."""
    free = definition.radius * (1.0 - definition.rough)
    half = 0.5 * min(definition.length, definition.radius)
    height = CENTRE * definition.radius + free
    return Roof(height, (-half, half), (-0.3 * free, 0.3 * free), ())


KIND = TerrainKind(
    CaveDef,
    tiles=tiles,
    ends="which is one thing at the origin",
    in_patches=False,
    roof=roof,
    has_unknown_roofs=True,
    example=EXAMPLE,
)
