"""Ground without edges, flat, hills, slope, rough, wave: heights at nodes.

Functions take the definition, x (X,) and y (Y,) of the nodes [m] and the seed, and return the
heights (X, Y) [m].
"""

import numpy as np

from creature_sim.definitions import FlatDef, HillsDef, RoughDef, SlopeDef, WaveDef
from creature_sim.maths import PI, Floats, clamp, random_unit, sin, sin_cos
from creature_sim.maths.jit import kernel
from creature_sim.terrain.kinds.noise import (
    BILLOWED,
    RIDGED,
    ROLLING,
    fill_hills,
    fill_shaped_hills,
)
from creature_sim.terrain.tiles.tiles import CELL

_ROUGH_STREAM = 1001  # 1000 and above: noise octaves use the streams below
_SHAPES = {"rolling": ROLLING, "ridged": RIDGED, "billowed": BILLOWED}


def level_until(clearing: float, cells: float) -> float:
    """How far nodes are level so that all that touches a clearing is: so many cells farther."""
    return clearing + cells * CELL if clearing > 0.0 else 0.0


def flat(_definition: FlatDef, x: Floats, y: Floats, _seed: int) -> Floats:
    """Level ground."""
    return np.zeros((len(x), len(y)))


def hills(definition: HillsDef, x: Floats, y: Floats, seed: int) -> Floats:
    """Octaves of noise."""
    heights = np.empty((len(x), len(y)))
    numbers = (definition.amplitude, definition.wavelength, definition.octaves, definition.gain)
    if definition.shape == "rolling" and definition.warp == 0.0:
        fill_hills(heights, x, y, seed, *numbers)
    else:
        shape = _SHAPES[definition.shape]
        fill_shaped_hills(heights, x, y, seed, *numbers, shape, definition.warp)
    return heights


def slope(definition: SlopeDef, x: Floats, y: Floats, _seed: int) -> Floats:
    """A plane, level in the clearing."""
    sine, cosine = sin_cos(definition.heading)
    run = x[:, None] * cosine + y[None, :] * sine
    level = level_until(definition.clearing, abs(sine) + abs(cosine))
    run = np.maximum(run - level, 0.0) + np.minimum(run + level, 0.0)
    return run * definition.grade


def rough(definition: RoughDef, x: Floats, y: Floats, seed: int) -> Floats:
    """Random heights on a grid, which lies about the origin."""
    heights = np.empty((len(x), len(y)))
    level = level_until(definition.clearing, 1.0 + definition.spacing / CELL)
    fill_rough(heights, x, y, seed, definition.amplitude, definition.spacing, level)
    return heights


def wave(definition: WaveDef, x: Floats, y: Floats, _seed: int) -> Floats:
    """Waves that grow from the clearing's border on."""
    heights = np.empty((len(x), len(y)))
    level = level_until(definition.clearing, 1.0)
    fill_waves(heights, x, y, definition.amplitude, definition.wavelength, level)
    return heights


@kernel
def cell_number(i: int, j: int) -> int:
    """Number of the cell (i, j) of a grid, no other's, for |i|, |j| < 2^19.

    Those that ground with a border has are numbered as they were before there was endless ground.
    """
    if max(abs(i), abs(j)) < 1024:
        return ((i + 1024) << 12) + (j + 1024)
    return (1 << 40) + ((i + (1 << 19)) << 20) + (j + (1 << 19))


@kernel
def _rough_height(
    seed: int, i: int, j: int, amplitude: float, level: float, spacing: float
) -> float:
    """Height of a random node (i, j) of the grid [m]; 0 up to `level` from the origin."""
    if max(abs(i), abs(j)) * spacing < level:  # what touches the clearing is level too
        return 0.0
    number = cell_number(i, j)
    return amplitude * (2.0 * random_unit(seed, _ROUGH_STREAM, number) - 1.0)


@kernel
def fill_rough(
    heights: Floats,
    x: Floats,
    y: Floats,
    seed: int,
    amplitude: float,
    spacing: float,
    level: float,
) -> None:
    """Write bilinear mixes of the random heights around every node into `heights` (X, Y) [m].

    Random heights nearer than `level` to the origin are 0.
    """
    for ix in range(heights.shape[0]):
        u = x[ix] / spacing
        i = int(np.floor(u))
        for iy in range(heights.shape[1]):
            v = y[iy] / spacing
            j = int(np.floor(v))
            low = _rough_height(seed, i, j, amplitude, level, spacing) * (1.0 - (v - j))
            low += _rough_height(seed, i, j + 1, amplitude, level, spacing) * (v - j)
            high = _rough_height(seed, i + 1, j, amplitude, level, spacing) * (1.0 - (v - j))
            high += _rough_height(seed, i + 1, j + 1, amplitude, level, spacing) * (v - j)
            heights[ix, iy] = low * (1.0 - (u - i)) + high * (u - i)


@kernel
def growth(x: float, y: float, level: float, over: float) -> float:
    """Share of its height that ground has near a clearing: 0 up to `level`, 1 `over` beyond."""
    if level <= 0.0:
        return 1.0
    return clamp((max(abs(x), abs(y)) - level) / over, 0.0, 1.0)


@kernel
def fill_waves(
    heights: Floats, x: Floats, y: Floats, amplitude: float, wavelength: float, level: float
) -> None:
    """Write half the sum of a sine along X and one along Y into `heights` (X, Y) [m].

    Both begin at the origin. Around a clearing, `level` wide, they grow over half a wavelength.
    """
    for ix in range(heights.shape[0]):
        for iy in range(heights.shape[1]):
            share = growth(x[ix], y[iy], level, 0.5 * wavelength)
            both = sin(2.0 * PI * x[ix] / wavelength) + sin(2.0 * PI * y[iy] / wavelength)
            heights[ix, iy] = 0.5 * amplitude * share * both
