"""Vectors: tuples of three numbers, taken out of arrays and put into them."""

from math import sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths.jit import kernel

Vec: TypeAlias = tuple[float, float, float]
Quat: TypeAlias = tuple[float, float, float, float]
Floats: TypeAlias = NDArray[np.float64]

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
"""Axes of any frame."""
PI = 3.141592653589793
TAU = 6.283185307179586


@kernel
def vec(array: Floats) -> Vec:
    """The vector in an array of shape (3,)."""
    return (array[0], array[1], array[2])


@kernel
def put(array: Floats, value: Vec) -> None:
    """Write a vector into an array of shape (3,)."""
    array[0] = value[0]
    array[1] = value[1]
    array[2] = value[2]


@kernel
def add(a: Vec, b: Vec) -> Vec:
    """Sum a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@kernel
def sub(a: Vec, b: Vec) -> Vec:
    """Difference a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@kernel
def scale(a: Vec, factor: float) -> Vec:
    """Product of a vector and a number."""
    return (a[0] * factor, a[1] * factor, a[2] * factor)


@kernel
def along(a: Vec, direction: Vec, distance: float) -> Vec:
    """Point a + direction * distance."""
    return (
        a[0] + direction[0] * distance,
        a[1] + direction[1] * distance,
        a[2] + direction[2] * distance,
    )


@kernel
def mix(a: Vec, b: Vec, fraction: float) -> Vec:
    """Point at `fraction` of the segment from a (0) to b (1)."""
    return (
        a[0] + (b[0] - a[0]) * fraction,
        a[1] + (b[1] - a[1]) * fraction,
        a[2] + (b[2] - a[2]) * fraction,
    )


@kernel
def dot(a: Vec, b: Vec) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a: Vec, b: Vec) -> Vec:
    """Vector product."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@kernel
def norm(a: Vec) -> float:
    """Length of a vector."""
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@kernel
def distance(a: Vec, b: Vec) -> float:
    """Distance between two points."""
    return norm(sub(a, b))


@kernel
def unit(a: Vec, fallback: Vec) -> Vec:
    """Direction of a vector, a unit vector; `fallback` where it is shorter than 1e-12."""
    length = norm(a)
    if length < 1e-12:
        return fallback
    return (a[0] / length, a[1] / length, a[2] / length)


@kernel
def reject(a: Vec, axis: Vec) -> Vec:
    """Part of `a` at right angles to the unit vector `axis`."""
    return along(a, axis, -dot(a, axis))


@kernel
def any_normal(a: Vec) -> Vec:
    """Some unit vector at right angles to the unit vector `a`, the same one every time."""
    if a[0] * a[0] <= a[1] * a[1] and a[0] * a[0] <= a[2] * a[2]:
        return unit(cross(a, (1.0, 0.0, 0.0)), (0.0, 1.0, 0.0))
    if a[1] * a[1] <= a[2] * a[2]:
        return unit(cross(a, (0.0, 1.0, 0.0)), (0.0, 0.0, 1.0))
    return unit(cross(a, (0.0, 0.0, 1.0)), (1.0, 0.0, 0.0))


@kernel
def clamp(value: float, low: float, high: float) -> float:
    """Number in [low, high] nearest to `value`."""
    if value < low:
        return low
    if value > high:
        return high
    return value
