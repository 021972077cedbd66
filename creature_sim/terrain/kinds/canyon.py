"""A winding valley."""

from typing import Literal

import numpy as np
from pydantic import Field

from creature_sim.files.definition import NotNegative, Positive
from creature_sim.maths import Floats, clamp, smoothstep
from creature_sim.maths.jit import kernel
from creature_sim.terrain.ground import GroundDef, SmoothGround
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.kinds.layers import from_level
from creature_sim.terrain.patterns.noise import simplex

_STREAM = 912
EXAMPLE = """\
kind = "canyon"
depth = 3.0                   # from the plain to the floor
width = 4.0                   # of the floor
wall = 5.0                    # width of each of its sides
bend = 6.0                    # it winds this far to each side
wavelength = 20.0             # length of its bends"""


class CanyonDef(SmoothGround):
    """A winding valley along X with a level floor, in a level plain."""

    kind: Literal["canyon"]
    depth: NotNegative = Field(le=30.0, description="from the plain to the floor [m]")
    width: Positive = Field(le=60.0, description="of the floor [m]")
    wall: Positive = Field(ge=0.25, le=30.0, description="width of each of its sides [m]")
    bend: NotNegative = Field(0.0, le=20.0, description="it winds this far to each side [m]")
    wavelength: Positive = Field(24.0, ge=2.0, description="length of its bends [m]")


def heights(definition: CanyonDef, x: Floats, y: Floats, seed: int) -> Floats:
    """The floor has height 0 and passes through the origin."""
    made = np.empty((len(x), len(y)))
    fill_canyon(
        made,
        x,
        y,
        seed,
        definition.depth,
        definition.width,
        definition.wall,
        definition.bend,
        definition.wavelength,
    )
    return made


@kernel
def fill_canyon(  # noqa: PLR0913 - the keys of its kind
    heights: Floats,
    x: Floats,
    y: Floats,
    seed: int,
    depth: float,
    width: float,
    wall: float,
    bend: float,
    wavelength: float,
) -> None:
    """Write a canyon along X, whose walls are smoothsteps, into `heights` (X, Y) [m].

    Args:
        heights: (X, Y) to be written [m].
        x: (X,) of the nodes [m].
        y: (Y,) of the nodes [m].
        seed: of the ground.
        depth: from the plain to the floor [m].
        width: of the floor [m].
        wall: width of each side [m].
        bend: how far the canyon winds to each side [m].
        wavelength: length of its bends [m].
    """
    here = simplex(seed, _STREAM, 0.0, 0.5)
    for ix in range(heights.shape[0]):
        # Half of the difference: at most `bend` to either side.
        shift = 0.5 * bend * (simplex(seed, _STREAM, x[ix] / wavelength, 0.5) - here)
        for iy in range(heights.shape[1]):
            away = abs(y[iy] - shift) - 0.5 * width
            heights[ix, iy] = depth * smoothstep(clamp(away / wall, 0.0, 1.0))


def trial(challenge: Challenge) -> GroundDef:
    """A canyon 0.6 d deep that the course crosses, with sides of 1 m."""
    canyon = CanyonDef(
        kind="canyon",
        depth=0.6 * challenge.d * challenge.scale,
        width=1.2 * challenge.scale,
        wall=max(0.25, challenge.scale),
        bend=1.2 * challenge.scale,
        wavelength=max(2.0, 8.0 * challenge.scale),
    )
    return from_level(canyon, challenge)


KIND = TerrainKind(CanyonDef, heights=heights, example=EXAMPLE, trial=trial)
