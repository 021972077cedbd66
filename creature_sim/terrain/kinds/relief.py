"""More ground without edges, dunes, canyon, craters, terraces, islands: heights at nodes.

Functions take and return what those of smooth.py do.
"""

import numpy as np

from creature_sim.definitions import CanyonDef, CratersDef, DunesDef, IslandsDef, TerracesDef
from creature_sim.maths import Floats, clamp, random_unit, sin_cos, smoothstep
from creature_sim.maths.jit import kernel
from creature_sim.terrain.kinds.noise import ROLLING, octave_sum, simplex
from creature_sim.terrain.kinds.smooth import cell_number, growth, level_until

_CRATERS_STREAM = 1005  # see boxes.py for the others
_CREST_STREAM, _HEIGHT_STREAM, _BEND_STREAM = 910, 911, 912
CREST_LENGTH = 3.0
"""Dunes change along their crests over so many wavelengths."""
LOWEST = 0.5
"""Where a dune is lowest, as a share of its height."""
APRON = 1.5
"""A crater's rim ends at so many of its radii."""


def dunes(definition: DunesDef, x: Floats, y: Floats, seed: int) -> Floats:
    """Crests that grow from the clearing's border on."""
    heights = np.empty((len(x), len(y)))
    sine, cosine = sin_cos(definition.heading)
    fill_dunes(
        heights,
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
    return heights


def canyon(definition: CanyonDef, x: Floats, y: Floats, seed: int) -> Floats:
    """The floor has height 0 and passes through the origin."""
    heights = np.empty((len(x), len(y)))
    fill_canyon(
        heights,
        x,
        y,
        seed,
        definition.depth,
        definition.width,
        definition.wall,
        definition.bend,
        definition.wavelength,
    )
    return heights


def craters(definition: CratersDef, x: Floats, y: Floats, seed: int) -> Floats:
    """Craters that would reach into the clearing are left out."""
    heights = np.empty((len(x), len(y)))
    level = level_until(definition.clearing, 1.0)
    numbers = (definition.depth, definition.rim, definition.size, definition.spacing, level)
    fill_craters(heights, x, y, seed, *numbers)
    return heights


def terraces(definition: TerracesDef, x: Floats, y: Floats, seed: int) -> Floats:
    """Terraces lie at whole multiples of the riser."""
    heights = np.empty((len(x), len(y)))
    fill_terraces(
        heights,
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
    return heights


def islands(definition: IslandsDef, x: Floats, y: Floats, seed: int) -> Floats:
    """Islands have height 0; the clearing is one."""
    heights = np.empty((len(x), len(y)))
    fill_islands(
        heights,
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
    return heights


@kernel
def fill_dunes(
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
        lee: share of the wavelength on the steep side.
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
            share = 0.5 * (1.0 + simplex(seed, _HEIGHT_STREAM, u, v))
            share = LOWEST + (1.0 - LOWEST) * share
            grown = growth(x[ix], y[iy], level, 0.5 * wavelength)
            heights[ix, iy] = height * profile * share * grown


@kernel
def fill_canyon(
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
    """Write a canyon along X, whose walls are smoothsteps, into `heights` (X, Y) [m]."""
    here = simplex(seed, _BEND_STREAM, 0.0, 0.5)
    for ix in range(heights.shape[0]):
        # Half of the difference: each way at most `bend`.
        shift = 0.5 * bend * (simplex(seed, _BEND_STREAM, x[ix] / wavelength, 0.5) - here)
        for iy in range(heights.shape[1]):
            away = abs(y[iy] - shift) - 0.5 * width
            heights[ix, iy] = depth * smoothstep(clamp(away / wall, 0.0, 1.0))


@kernel
def fill_craters(
    heights: Floats,
    x: Floats,
    y: Floats,
    seed: int,
    depth: float,
    rim: float,
    size: float,
    spacing: float,
    level: float,
) -> None:
    """Write the sum of all craters that reach a node into `heights` (X, Y) [m].

    A crater is a paraboloid up to its rim; outside, the rim falls to level ground with a zero
    slope. Depth and rim shrink with the radius.
    """
    for ix in range(heights.shape[0]):
        i = int(np.floor(x[ix] / spacing))
        for iy in range(heights.shape[1]):
            j = int(np.floor(y[iy] / spacing))
            height = 0.0
            for k in range(9):  # a crater reaches at most into the squares beside its own
                row, column = i + k // 3 - 1, j + k % 3 - 1
                counter = 3 * cell_number(row, column)
                share = 0.5 + 0.5 * random_unit(seed, _CRATERS_STREAM, counter)
                radius = 0.5 * size * share
                cx = (row + random_unit(seed, _CRATERS_STREAM, counter + 1)) * spacing
                cy = (column + random_unit(seed, _CRATERS_STREAM, counter + 2)) * spacing
                if max(abs(cx), abs(cy)) - APRON * radius < level:
                    continue
                dx, dy = (x[ix] - cx) / radius, (y[iy] - cy) / radius
                squared = dx * dx + dy * dy
                if squared < 1.0:
                    height += share * ((depth + rim) * squared - depth)
                elif squared < APRON * APRON:
                    out = (APRON - np.sqrt(squared)) / (APRON - 1.0)
                    height += share * rim * out * out
            heights[ix, iy] = height


@kernel
def fill_terraces(
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
    """Write hills whose heights are drawn to multiples of `riser` into `heights` (X, Y) [m]."""
    for ix in range(heights.shape[0]):
        for iy in range(heights.shape[1]):
            total = octave_sum(seed, x[ix], y[iy], 1.0, wavelength, octaves, gain, ROLLING)
            steps = amplitude * total / riser
            below = np.floor(steps)
            share = clamp((steps - below - 1.0 + ramp) / ramp, 0.0, 1.0)
            heights[ix, iy] = riser * (below + smoothstep(share))


@kernel
def fill_islands(
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
    """Write land where noise is above `sea`, and shores around it, into `heights` (X, Y) [m]."""
    for ix in range(heights.shape[0]):
        for iy in range(heights.shape[1]):
            total = octave_sum(seed, x[ix], y[iy], 1.0, size, octaves, 0.5, ROLLING)
            land = smoothstep(clamp((total - sea) / shore, 0.0, 1.0))
            if level > 0.0:
                land = max(land, 1.0 - smoothstep(growth(x[ix], y[iy], level, 0.5 * size)))
            heights[ix, iy] = depth * (land - 1.0)
