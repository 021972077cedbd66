"""Simplex noise in two dimensions, from a hash of the lattice alone."""

import numpy as np

from creature_sim.maths import random_bits
from creature_sim.maths.jit import kernel

SKEW = 0.3660254037844386  # (sqrt(3) - 1) / 2
UNSKEW = 0.21132486540518713  # (3 - sqrt(3)) / 6
NORMALISE = 99.20431458539

ROLLING, RIDGED, BILLOWED = 0, 1, 2
"""Shapes of the noise of an octave."""

# Sixteen directions of a gradient, 22.5 degrees apart.
_A, _B, _C = 0.9238795325112867, 0.7071067811865476, 0.3826834323650898
_X = np.array([1.0, _A, _B, _C, 0.0, -_C, -_B, -_A, -1.0, -_A, -_B, -_C, 0.0, _C, _B, _A])
_Y = np.array([0.0, _C, _B, _A, 1.0, _A, _B, _C, 0.0, -_C, -_B, -_A, -1.0, -_A, -_B, -_C])


@kernel
def _corner(seed: int, stream: int, i: int, j: int, x: float, y: float) -> float:
    """Contribution of a lattice point at the offset (x, y) from it.

    Args:
        seed: of the ground.
        stream: of random numbers.
        i: number of the lattice point along the first axis.
        j: number of the lattice point along the second axis.
        x: offset of the point from the lattice point, along the first axis.
        y: the same along the second axis.
    """
    fall = 0.5 - x * x - y * y
    if fall <= 0.0:
        return 0.0
    counter = (i << 32) ^ (j & 0xFFFFFFFF)
    pick = int(random_bits(seed, stream, counter) >> np.uint64(60))
    fall *= fall
    return float(fall * fall * (_X[pick] * x + _Y[pick] * y))


@kernel
def simplex(seed: int, stream: int, x: float, y: float) -> float:
    """Noise in [-1, 1] at a point, smooth, of unit wavelength (Perlin 2001, Gustavson 2005)."""
    skewed = (x + y) * SKEW
    i = int(np.floor(x + skewed))
    j = int(np.floor(y + skewed))
    unskewed = (i + j) * UNSKEW
    x0 = x - (i - unskewed)
    y0 = y - (j - unskewed)
    di = 1 if x0 > y0 else 0
    dj = 1 - di
    total = _corner(seed, stream, i, j, x0, y0)
    total += _corner(seed, stream, i + di, j + dj, x0 - di + UNSKEW, y0 - dj + UNSKEW)
    total += _corner(seed, stream, i + 1, j + 1, x0 - 1.0 + 2.0 * UNSKEW, y0 - 1.0 + 2.0 * UNSKEW)
    return NORMALISE * total


@kernel
def octave_sum(
    seed: int,
    x: float,
    y: float,
    amplitude: float,
    wavelength: float,
    octaves: int,
    gain: float,
    shape: int,
) -> float:
    """Octaves of noise at a point.

    Args:
        seed: of the ground.
        x: of the point [m].
        y: of the point [m].
        amplitude: of the largest octave.
        wavelength: of the largest octave [m].
        octaves: how many, each of half the wavelength of the one before.
        gain: amplitude of an octave over that of the one before.
        shape: ROLLING, RIDGED or BILLOWED (Musgrave, in Ebert et al. 2003, chapter 16).
    """
    height, size, frequency = 0.0, amplitude, 1.0 / wavelength
    for octave in range(octaves):
        value = simplex(seed, octave, x * frequency, y * frequency)
        if shape == RIDGED:
            value = 1.0 - 2.0 * abs(value)
        elif shape == BILLOWED:
            value = 2.0 * abs(value) - 1.0
        height += size * value
        size *= gain
        frequency *= 2.0
    return height
