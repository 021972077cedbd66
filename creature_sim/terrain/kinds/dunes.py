"""Dunes across the wind."""

from typing import Literal

import numpy as np
from pydantic import Field

from creature_sim.files.definition import Angle, Fraction, NotNegative, Positive
from creature_sim.maths import Floats, sin_cos, smoothstep
from creature_sim.maths.jit import kernel
from creature_sim.terrain.ground import Clearing, GroundDef, SmoothGround
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.patterns.clearing import growth, level_until
from creature_sim.terrain.patterns.noise import simplex

_CREST_STREAM, _HEIGHT_STREAM = 910, 911
CREST_LENGTH = 3.0
"""Length along the crests over which dunes change, in wavelengths."""
LOWEST = 0.5
"""Lowest height of a crest, as a fraction of the largest."""
EXAMPLE = """\
kind = "dunes"
height = 1.0                  # from trough to crest
wavelength = 9.0              # from crest to crest
heading = 0.4                 # where the wind blows to
lee = 0.35                    # fraction of the wavelength on the steep side
bend = 2.0                    # crests wander this far
clearing = 1.0                # level ground around the start"""


class DunesDef(SmoothGround):
    """Long crests across the wind, gentle on its side and steep in their lee."""

    kind: Literal["dunes"]
    height: NotNegative = Field(le=20.0, description="from trough to crest [m]")
    wavelength: Positive = Field(ge=1.0, le=64.0, description="from crest to crest [m]")
    heading: Angle = Field(0.0, description="where the wind blows to, from X towards Y [rad]")
    lee: Fraction = Field(0.3, description="fraction of the wavelength on the steep side")
    bend: NotNegative = Field(
        2.0, le=32.0, description="crests wander this far forward and back [m]"
    )
    clearing: Clearing = 0.0


def heights(definition: DunesDef, x: Floats, y: Floats, seed: int) -> Floats:
    """Crests that grow from the clearing's border on."""
    made = np.empty((len(x), len(y)))
    sine, cosine = sin_cos(definition.heading)
    fill_dunes(
        made,
        x,
        y,
        seed,
        definition.height,
        definition.wavelength,
        cosine,
        sine,
        definition.lee,
        definition.bend,
        level_until(definition.clearing, 1.0),
    )
    return made


@kernel
def fill_dunes(  # noqa: PLR0913 - the keys of its kind
    heights: Floats,
    x: Floats,
    y: Floats,
    seed: int,
    height: float,
    wavelength: float,
    cosine: float,
    sine: float,
    lee: float,
    bend: float,
    level: float,
) -> None:
    """Write dunes into `heights` (X, Y) [m]: smoothsteps up over the windward side, down in lee.

    Args:
        heights: where to.
        x: (X,) of the nodes [m].
        y: (Y,) of the nodes [m].
        seed: of the ground.
        height: from trough to crest, at most [m].
        wavelength: from crest to crest [m].
        cosine: of the wind's direction.
        sine: of the wind's direction.
        lee: fraction of the wavelength on the steep side.
        bend: how far crests wander [m].
        level: how far from the origin ground is level [m].
    """
    scale = 1.0 / (CREST_LENGTH * wavelength)
    for ix in range(heights.shape[0]):
        for iy in range(heights.shape[1]):
            u, v = x[ix] * scale, y[iy] * scale
            run = x[ix] * cosine + y[iy] * sine + bend * simplex(seed, _CREST_STREAM, u, v)
            phase = run / wavelength
            phase -= np.floor(phase)
            if phase < 1.0 - lee:
                profile = smoothstep(phase / (1.0 - lee))
            else:
                profile = smoothstep((1.0 - phase) / lee)
            ratio = 0.5 * (1.0 + simplex(seed, _HEIGHT_STREAM, u, v))
            ratio = LOWEST + (1.0 - LOWEST) * ratio
            grown = growth(x[ix], y[iy], level, 0.5 * wavelength)
            heights[ix, iy] = height * profile * ratio * grown


def trial(challenge: Challenge) -> GroundDef:
    """Dunes 0.6 d high, 4 m from crest to crest."""
    wavelength = max(1.0, 4.0 * challenge.scale)
    return DunesDef(
        kind="dunes",
        height=0.6 * challenge.d * challenge.scale,
        wavelength=wavelength,
        clearing=challenge.clearing,
    )


KIND = TerrainKind(DunesDef, heights=heights, example=EXAMPLE, trial=trial)
