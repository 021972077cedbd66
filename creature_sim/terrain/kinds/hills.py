"""Hills of simplex noise."""

from typing import Literal

import numpy as np
from pydantic import Field

from creature_sim.files.definition import Count, Fraction, NotNegative, Positive
from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel
from creature_sim.terrain.ground import GroundDef, SmoothGround
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.kinds.layers import from_level
from creature_sim.terrain.patterns.noise import BILLOWED, RIDGED, ROLLING, octave_sum, simplex

_SHAPES = {"rolling": ROLLING, "ridged": RIDGED, "billowed": BILLOWED}
WARP_STREAM = 900
"""And the next: streams from 0 on are octaves."""
EXAMPLE = """\
kind = "hills"
amplitude = 1.0               # height of the largest waves
wavelength = 14.0             # and their length
octaves = 5                   # each has half the wavelength of the one before
gain = 0.4                    # each is this much as high
shape = "rolling"             # or "ridged" or "billowed"
warp = 0.0                    # noise is looked up this far aside, which makes it wind"""


class HillsDef(SmoothGround):
    """Several octaves of simplex noise; few and low ones make a meadow."""

    kind: Literal["hills"]
    amplitude: NotNegative = Field(le=50.0, description="height of the largest waves [m]")
    wavelength: Positive = Field(ge=0.5, description="length of the largest waves [m]")
    octaves: Count = Field(le=10, description="each has half the wavelength of the one before")
    gain: Fraction = Field(0.5, description="amplitude of an octave over that of the one before")
    shape: Literal["rolling", "ridged", "billowed"] = Field(
        "rolling", description="ridged has sharp crests, billowed round ones with sharp valleys"
    )
    warp: NotNegative = Field(
        0.0, le=100.0, description="noise is looked up this far aside, which makes it wind [m]"
    )


def heights(definition: HillsDef, x: Floats, y: Floats, seed: int) -> Floats:
    """Octaves of noise."""
    made = np.empty((len(x), len(y)))
    numbers = (definition.amplitude, definition.wavelength, definition.octaves, definition.gain)
    if definition.shape == "rolling" and definition.warp == 0.0:
        fill_hills(made, x, y, seed, *numbers)
    else:
        shape = _SHAPES[definition.shape]
        fill_shaped_hills(made, x, y, seed, *numbers, shape, definition.warp)
    return made


@kernel
def fill_hills(
    heights: Floats,
    x: Floats,
    y: Floats,
    seed: int,
    amplitude: float,
    wavelength: float,
    octaves: int,
    gain: float,
) -> None:
    """Write the sum of the octaves at every (x, y) into `heights` (X, Y) [m].

    Args:
        heights: (X, Y) to be written [m].
        x: (X,) of the nodes [m].
        y: (Y,) of the nodes [m].
        seed: of the ground.
        amplitude: of the largest octave [m].
        wavelength: of the largest octave [m].
        octaves: how many.
        gain: amplitude of an octave over that of the one before.
    """
    for ix in range(heights.shape[0]):
        for iy in range(heights.shape[1]):
            heights[ix, iy] = octave_sum(
                seed, x[ix], y[iy], amplitude, wavelength, octaves, gain, ROLLING
            )


@kernel
def fill_shaped_hills(  # noqa: PLR0913 - the keys of its kind
    heights: Floats,
    x: Floats,
    y: Floats,
    seed: int,
    amplitude: float,
    wavelength: float,
    octaves: int,
    gain: float,
    shape: int,
    warp: float,
) -> None:
    """Write octaves of a shape, looked up up to `warp` aside, into `heights` (X, Y) [m].

    Args:
        heights: (X, Y) to be written [m].
        x: (X,) of the nodes [m].
        y: (Y,) of the nodes [m].
        seed: of the ground.
        amplitude: of the largest octave [m].
        wavelength: of the largest octave [m].
        octaves: how many.
        gain: amplitude of an octave over that of the one before.
        shape: ROLLING, RIDGED or BILLOWED.
        warp: noise is looked up this far aside [m].
    """
    for ix in range(heights.shape[0]):
        for iy in range(heights.shape[1]):
            u, v = x[ix], y[iy]
            if warp > 0.0:
                du = simplex(seed, WARP_STREAM, u / wavelength, v / wavelength)
                dv = simplex(seed, WARP_STREAM + 1, u / wavelength, v / wavelength)
                u, v = u + warp * du, v + warp * dv
            sum_here = octave_sum(seed, u, v, 1.0, wavelength, octaves, gain, shape)
            heights[ix, iy] = amplitude * sum_here


def trial(challenge: Challenge) -> GroundDef:
    """Waves of 4 m, 0.6 d high, with two octaves on them."""
    wavelength = max(1.0, 4.0 * challenge.scale)
    hills = HillsDef(
        kind="hills",
        amplitude=0.6 * challenge.d * challenge.scale,
        wavelength=wavelength,
        octaves=3,
    )
    return from_level(hills, challenge)


KIND = TerrainKind(HillsDef, heights=heights, example=EXAMPLE, trial=trial)
