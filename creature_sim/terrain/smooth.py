"""Ground without edges: flat, hills, slope, rough, wave."""

from collections.abc import Iterator

import numpy as np

from creature_sim.definitions import FlatDef, HillsDef, RoughDef, SlopeDef, WaveDef
from creature_sim.jit import kernel
from creature_sim.maths import PI, Floats, clamp, random_unit, sin, sin_cos
from creature_sim.terrain.noise import fill_hills
from creature_sim.terrain.tiles import CELL, Tile
from creature_sim.terrain.tiling import height_nodes, height_tiles

_ROUGH_STREAM = 1001  # 1000 and above: noise octaves use the streams below


def _level(clearing: float, cells: float) -> float:
    """How far nodes are level so that all that touches a clearing is: so many cells farther."""
    return clearing + cells * CELL if clearing > 0.0 else 0.0


def flat(_definition: FlatDef, _seed: int) -> Iterator[Tile]:
    """Level ground."""
    nodes = height_nodes()
    return height_tiles(np.zeros((len(nodes), len(nodes))))


def hills(definition: HillsDef, seed: int) -> Iterator[Tile]:
    """Octaves of noise."""
    nodes = height_nodes()
    heights = np.empty((len(nodes), len(nodes)))
    fill_hills(
        heights,
        nodes,
        nodes,
        seed,
        definition.amplitude,
        definition.wavelength,
        definition.octaves,
        definition.gain,
    )
    return height_tiles(heights)


def slope(definition: SlopeDef, _seed: int) -> Iterator[Tile]:
    """A plane, level in the clearing."""
    nodes = height_nodes()
    sine, cosine = sin_cos(definition.heading)
    run = nodes[:, None] * cosine + nodes[None, :] * sine
    level = _level(definition.clearing, abs(sine) + abs(cosine))
    run = np.maximum(run - level, 0.0) + np.minimum(run + level, 0.0)
    return height_tiles(run * definition.grade)


def rough(definition: RoughDef, seed: int) -> Iterator[Tile]:
    """Random heights on a grid, which lies about the origin."""
    nodes = height_nodes()
    heights = np.empty((len(nodes), len(nodes)))
    level = _level(definition.clearing, 1.0 + definition.spacing / CELL)
    fill_rough(heights, nodes, seed, definition.amplitude, definition.spacing, level)
    return height_tiles(heights)


def wave(definition: WaveDef, _seed: int) -> Iterator[Tile]:
    """Waves that grow from the clearing's border on."""
    nodes = height_nodes()
    heights = np.empty((len(nodes), len(nodes)))
    level = _level(definition.clearing, 1.0)
    fill_waves(heights, nodes, definition.amplitude, definition.wavelength, level)
    return height_tiles(heights)


@kernel
def _rough_height(
    seed: int, i: int, j: int, amplitude: float, level: float, spacing: float
) -> float:
    """Height of a random node (i, j) of the grid [m]; 0 up to `level` from the origin."""
    if max(abs(i), abs(j)) * spacing < level:  # what touches the clearing is level too
        return 0.0
    counter = ((i + 1024) << 12) + (j + 1024)
    return amplitude * (2.0 * random_unit(seed, _ROUGH_STREAM, counter) - 1.0)


@kernel
def fill_rough(
    heights: Floats, nodes: Floats, seed: int, amplitude: float, spacing: float, level: float
) -> None:
    """Write bilinear mixes of the random heights around every node into `heights` (X, Y) [m].

    Random heights nearer than `level` to the origin are 0.
    """
    for ix in range(heights.shape[0]):
        u = nodes[ix] / spacing
        i = int(np.floor(u))
        for iy in range(heights.shape[1]):
            v = nodes[iy] / spacing
            j = int(np.floor(v))
            low = _rough_height(seed, i, j, amplitude, level, spacing) * (1.0 - (v - j))
            low += _rough_height(seed, i, j + 1, amplitude, level, spacing) * (v - j)
            high = _rough_height(seed, i + 1, j, amplitude, level, spacing) * (1.0 - (v - j))
            high += _rough_height(seed, i + 1, j + 1, amplitude, level, spacing) * (v - j)
            heights[ix, iy] = low * (1.0 - (u - i)) + high * (u - i)


@kernel
def fill_waves(
    heights: Floats, nodes: Floats, amplitude: float, wavelength: float, level: float
) -> None:
    """Write half the sum of a sine along X and one along Y into `heights` (X, Y) [m].

    Both begin at the origin. Around a clearing, `level` wide, they grow over half a wavelength.
    """
    for ix in range(heights.shape[0]):
        x = nodes[ix]
        for iy in range(heights.shape[1]):
            y = nodes[iy]
            share = 1.0
            if level > 0.0:
                away = max(abs(x), abs(y)) - level
                share = clamp(2.0 * away / wavelength, 0.0, 1.0)
            both = sin(2.0 * PI * x / wavelength) + sin(2.0 * PI * y / wavelength)
            heights[ix, iy] = 0.5 * amplitude * share * both
