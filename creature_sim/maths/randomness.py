"""Random numbers without state: a hash of seed, stream and counter."""

import numpy as np

from creature_sim.maths.jit import kernel

GOLDEN = 0.6180339887498949
"""Golden ratio, its fractional part: its multiples modulo 1 spread evenly however many they are."""


@kernel
def _scramble(x: np.uint64) -> np.uint64:
    """Finaliser of splitmix64 (Steele, Lea and Flood 2014, figure 17)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel
def random_bits(seed: int, stream: int, counter: int) -> np.uint64:
    """64 random bits that depend on the three numbers alone."""
    golden = np.uint64(0x9E3779B97F4A7C15)
    x = _scramble(np.uint64(np.int64(seed)) + golden)
    x = _scramble((x ^ np.uint64(np.int64(stream))) + golden)
    return _scramble((x ^ np.uint64(np.int64(counter))) + golden)


@kernel
def random_unit(seed: int, stream: int, counter: int) -> float:
    """Random number in [0, 1) that depends on the three numbers alone."""
    return float(random_bits(seed, stream, counter) >> np.uint64(11)) * 1.1102230246251565e-16
