"""Hills cut into level terraces."""

from typing import Literal

import numpy as np
from pydantic import Field

from creature_sim.files.definition import Count, Fraction, NotNegative, Positive
from creature_sim.maths import Floats, clamp, smoothstep
from creature_sim.maths.jit import kernel
from creature_sim.terrain.ground import GroundDef, SmoothGround
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.kinds.layers import from_level
from creature_sim.terrain.patterns.noise import ROLLING, octave_sum

EXAMPLE = """\
kind = "terraces"
amplitude = 1.2               # height of the largest waves of the hills that are cut
wavelength = 16.0             # and their length
octaves = 2                   # each has half the wavelength of the one before
gain = 0.3                    # each is this much as high
riser = 0.25                  # from one terrace to the next
ramp = 0.5                    # fraction of the height that slopes keep"""


class TerracesDef(SmoothGround):
    """Hills cut into level terraces with slopes between them."""

    kind: Literal["terraces"]
    amplitude: NotNegative = Field(le=50.0, description="height of the largest waves [m]")
    wavelength: Positive = Field(ge=0.5, description="length of the largest waves [m]")
    octaves: Count = Field(2, le=10, description="each has half the wavelength of the one before")
    gain: Fraction = Field(0.3, description="amplitude of an octave over that of the one before")
    riser: Positive = Field(le=10.0, description="from one terrace to the next [m]")
    ramp: Fraction = Field(
        0.3, description="fraction of the height, before it was cut, that slopes keep"
    )


def heights(definition: TerracesDef, x: Floats, y: Floats, seed: int) -> Floats:
    """Terraces lie at whole multiples of the riser."""
    made = np.empty((len(x), len(y)))
    fill_terraces(
        made,
        x,
        y,
        seed,
        definition.amplitude,
        definition.wavelength,
        definition.octaves,
        definition.gain,
        definition.riser,
        definition.ramp,
    )
    return made


@kernel
def fill_terraces(  # noqa: PLR0913 - the keys of its kind
    heights: Floats,
    x: Floats,
    y: Floats,
    seed: int,
    amplitude: float,
    wavelength: float,
    octaves: int,
    gain: float,
    riser: float,
    ramp: float,
) -> None:
    """Write hills whose heights are drawn to multiples of `riser` into `heights` (X, Y) [m].

    Args:
        heights: (X, Y) to be written [m].
        x: (X,) of the nodes [m].
        y: (Y,) of the nodes [m].
        seed: of the ground.
        amplitude: of the largest octave of the hills [m].
        wavelength: of the largest octave [m].
        octaves: of the hills.
        gain: amplitude of an octave over that of the one before.
        riser: from one terrace to the next [m].
        ramp: fraction of the height, before it was cut, that slopes keep.
    """
    for ix in range(heights.shape[0]):
        for iy in range(heights.shape[1]):
            total = octave_sum(seed, x[ix], y[iy], 1.0, wavelength, octaves, gain, ROLLING)
            steps = amplitude * total / riser
            below = np.floor(steps)
            fraction = clamp((steps - below - 1.0 + ramp) / ramp, 0.0, 1.0)
            heights[ix, iy] = riser * (below + smoothstep(fraction))


def trial(challenge: Challenge) -> GroundDef:
    """Hills of 6 m, 0.5 d high, cut into risers of 0.05 + 0.1 d."""
    terraces = TerracesDef(
        kind="terraces",
        amplitude=0.5 * challenge.d * challenge.scale,
        wavelength=max(1.0, 6.0 * challenge.scale),
        riser=(0.05 + 0.1 * challenge.d) * challenge.scale,
    )
    return from_level(terraces, challenge)


KIND = TerrainKind(TerracesDef, heights=heights, example=EXAMPLE, trial=trial)
