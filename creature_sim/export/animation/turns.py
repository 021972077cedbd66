"""Turns of many frames at once: unit quaternions (..., 4), xyzw, in plain numpy."""

import numpy as np

from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths

UNTURNED = np.array([0.0, 0.0, 0.0, 1.0])
STRAIGHT = 1e-9
"""Quaternions this near to each other are blended along a line: there an arc is one."""


def multiplied(a: Floats, b: Floats) -> Floats:
    """The turn b, then the turn a, (..., 4)."""
    x, y, z, w = (a[..., axis] for axis in range(4))
    i, j, k, r = (b[..., axis] for axis in range(4))
    found = np.empty(np.broadcast_shapes(a.shape, b.shape))
    found[..., 0] = w * i + x * r + y * k - z * j
    found[..., 1] = w * j - x * k + y * r + z * i
    found[..., 2] = w * k + x * j - y * i + z * r
    found[..., 3] = w * r - x * i - y * j - z * k
    return found


def inverse(turns: Floats) -> Floats:
    """The turns back, (..., 4)."""
    found: Floats = turns * np.array([-1.0, -1.0, -1.0, 1.0])
    return found


def turned(turns: Floats, vectors: Floats) -> Floats:
    """Vectors (..., 3) after turns (..., 4)."""
    x, y, z, w = (turns[..., axis] for axis in range(4))
    a, b, c = (vectors[..., axis] for axis in range(3))
    i, j, k = 2.0 * (y * c - z * b), 2.0 * (z * a - x * c), 2.0 * (x * b - y * a)
    found = np.empty((*np.broadcast_shapes(turns.shape[:-1], vectors.shape[:-1]), 3))
    found[..., 0] = a + w * i + (y * k - z * j)
    found[..., 1] = b + w * j + (z * i - x * k)
    found[..., 2] = c + w * k + (x * j - y * i)
    return found


def shortest(a: Floats, b: Floats) -> Floats:
    """The shortest turns (..., 4) from unit vectors a (..., 3) to b (..., 3).

    Half a turn about an axis across a where b is its opposite.
    """
    a, b = np.broadcast_arrays(a, b)
    found = np.concatenate((np.cross(a, b), 1.0 + (a * b).sum(axis=-1, keepdims=True)), axis=-1)
    is_opposite = found[..., 3] < 1e-12
    if is_opposite.any():
        least = np.eye(3)[np.abs(a[is_opposite]).argmin(axis=-1)]
        found[is_opposite, :3] = np.cross(a[is_opposite], least)
        found[is_opposite, 3] = 0.0
    unit: Floats = found / lengths(found)[..., None]
    return unit


def slerped(a: Floats, b: Floats, fraction: Floats) -> Floats:
    """Turns (..., 4) at a fraction (...) of the shorter way from a to b, both (..., 4).

    At an even speed along the arc, as players of glTF and USD go (Shoemake 1985).
    """
    cosine = (a * b).sum(axis=-1)
    b = np.where(cosine[..., None] < 0.0, -b, b)
    angle = 2.0 * np.arcsin(np.minimum(1.0, 0.5 * lengths(b - a)))  # between two unit vectors
    sine = np.sin(angle)
    is_arc = sine > STRAIGHT
    safe = np.where(is_arc, sine, 1.0)
    first = np.where(is_arc, np.sin((1.0 - fraction) * angle) / safe, 1.0 - fraction)
    second = np.where(is_arc, np.sin(fraction * angle) / safe, fraction)
    found = first[..., None] * a + second[..., None] * b
    unit: Floats = found / lengths(found)[..., None]
    return unit


def steady(turns: Floats) -> Floats:
    """Turns (T, ..., 4) with signs such that each is in the hemisphere of the one before it."""
    nearness = (turns[1:] * turns[:-1]).sum(axis=-1)
    signs = np.cumprod(np.where(nearness < 0.0, -1.0, 1.0), axis=0)
    return np.concatenate((turns[:1], turns[1:] * signs[..., None]))
