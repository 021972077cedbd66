"""Islands above a level sea bed."""

from typing import Literal

import numpy as np
from pydantic import Field

from creature_sim.files.definition import Count, Fraction, NotNegative, Number, Positive
from creature_sim.maths import Floats, clamp, smoothstep
from creature_sim.maths.jit import kernel
from creature_sim.terrain.ground import Clearing, GroundDef, SmoothGround
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.patterns.clearing import growth, level_until
from creature_sim.terrain.patterns.noise import ROLLING, octave_sum

EXAMPLE = """\
kind = "islands"
size = 9.0                    # from island to island, about
depth = 0.8                   # of the sea bed below the islands
sea = 0.0                     # -1 is all land, 1 all sea
shore = 0.5                   # how wide shores are
octaves = 2                   # more of them make shores ragged
clearing = 1.0                # level ground around the start"""


class IslandsDef(SmoothGround):
    """Level islands above a level sea bed, with shores between them."""

    kind: Literal["islands"]
    size: Positive = Field(ge=1.0, description="from island to island, about [m]")
    depth: NotNegative = Field(le=20.0, description="of the sea bed below the islands [m]")
    sea: Number = Field(0.0, ge=-1.0, le=1.0, description="-1 is all land, 1 all sea")
    shore: Fraction = Field(0.3, description="width of a shore, about, over that of an island")
    octaves: Count = Field(2, le=10, description="more of them make shores ragged")
    clearing: Clearing = 0.0


def heights(definition: IslandsDef, x: Floats, y: Floats, seed: int) -> Floats:
    """Islands have height 0; the clearing is one."""
    made = np.empty((len(x), len(y)))
    fill_islands(
        made,
        x,
        y,
        seed,
        definition.size,
        definition.depth,
        definition.sea,
        definition.shore,
        definition.octaves,
        level_until(definition.clearing, 1.0),
    )
    return made


@kernel
def fill_islands(  # noqa: PLR0913 - the keys of its kind
    heights: Floats,
    x: Floats,
    y: Floats,
    seed: int,
    size: float,
    depth: float,
    sea: float,
    shore: float,
    octaves: int,
    level: float,
) -> None:
    """Write land where noise is above `sea`, and shores around it, into `heights` (X, Y) [m].

    Args:
        heights: (X, Y) to be written [m].
        x: (X,) of the nodes [m].
        y: (Y,) of the nodes [m].
        seed: of the ground.
        size: from island to island, about [m].
        depth: of the sea bed below the islands [m].
        sea: noise above which there is land, from -1 to 1.
        shore: width of the shores, in the same unit as the noise.
        octaves: of the noise.
        level: how far from the origin there is land in any case [m].
    """
    for ix in range(heights.shape[0]):
        for iy in range(heights.shape[1]):
            total = octave_sum(seed, x[ix], y[iy], 1.0, size, octaves, 0.5, ROLLING)
            land = smoothstep(clamp((total - sea) / shore, 0.0, 1.0))
            if level > 0.0:
                land = max(land, 1.0 - smoothstep(growth(x[ix], y[iy], level, 0.5 * size)))
            heights[ix, iy] = depth * (land - 1.0)


def trial(challenge: Challenge) -> GroundDef:
    """Islands 0.5 d high, about 4 m from one to the next."""
    size = max(1.0, 4.0 * challenge.scale)
    return IslandsDef(
        kind="islands",
        size=size,
        depth=0.5 * challenge.d * challenge.scale,
        clearing=challenge.clearing,
    )


KIND = TerrainKind(IslandsDef, heights=heights, example=EXAMPLE, trial=trial)
