"""Sine waves along X and along Y."""

from typing import Literal

import numpy as np
from pydantic import Field

from creature_sim.files.definition import NotNegative, Positive
from creature_sim.maths import PI, Floats, sin
from creature_sim.maths.jit import kernel
from creature_sim.terrain.ground import Clearing, GroundDef, SmoothGround
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.patterns.clearing import growth, level_until

EXAMPLE = """\
kind = "wave"
amplitude = 0.15              # heights lie within +- this
wavelength = 2.5              # from crest to crest
clearing = 1.0                # level ground around the start"""


class WaveDef(SmoothGround):
    """Sine waves along X and along Y."""

    kind: Literal["wave"]
    amplitude: NotNegative = Field(le=10.0, description="heights lie within +- this [m]")
    wavelength: Positive = Field(ge=0.5, le=64.0, description="from crest to crest [m]")
    clearing: Clearing = 0.0


def heights(definition: WaveDef, x: Floats, y: Floats, _seed: int) -> Floats:
    """Waves that grow from the clearing's border on."""
    made = np.empty((len(x), len(y)))
    level = level_until(definition.clearing, 1.0)
    fill_waves(made, x, y, definition.amplitude, definition.wavelength, level)
    return made


@kernel
def fill_waves(
    heights: Floats, x: Floats, y: Floats, amplitude: float, wavelength: float, level: float
) -> None:
    """Write half the sum of a sine along X and one along Y into `heights` (X, Y) [m].

    Both begin at the origin. Around a clearing, `level` wide, they grow over half a wavelength.

    Args:
        heights: (X, Y) to be written [m].
        x: (X,) of the nodes [m].
        y: (Y,) of the nodes [m].
        amplitude: heights lie within +- this [m].
        wavelength: from crest to crest [m].
        level: how far from the origin ground is level [m].
    """
    for ix in range(heights.shape[0]):
        for iy in range(heights.shape[1]):
            grown = growth(x[ix], y[iy], level, 0.5 * wavelength)
            both = sin(2.0 * PI * x[ix] / wavelength) + sin(2.0 * PI * y[iy] / wavelength)
            heights[ix, iy] = 0.5 * amplitude * grown * both


def trial(challenge: Challenge) -> GroundDef:
    """Heights within +-0.2 d, 2 m from crest to crest."""
    wavelength = max(1.0, 2.0 * challenge.scale)
    return WaveDef(
        kind="wave",
        amplitude=0.2 * challenge.d * challenge.scale,
        wavelength=wavelength,
        clearing=challenge.clearing,
    )


KIND = TerrainKind(WaveDef, heights=heights, example=EXAMPLE, trial=trial)
