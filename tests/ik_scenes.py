"""Chains and targets that the tests, benchmarks and pictures of `creature_sim.ik` share."""

import numpy as np
from numpy.typing import ArrayLike

from creature_sim.maths import Floats

LEG = np.array([0.6, 1.4, 2.0])


def chain(lengths: ArrayLike, kind: str = "straight", seed: int = 0) -> Floats:
    """Start pose (J, 3) of bones with these lengths: straight along X, bent, or any which way."""
    lengths = np.asarray(lengths, float)
    count = len(lengths)
    turn = 0.3 * np.arange(count)
    directions = {
        "straight": np.tile([1.0, 0.0, 0.0], (count, 1)),
        "bent": np.stack([np.cos(turn), np.sin(turn), 0.1 + 0.0 * turn], axis=1),
        "random": np.random.default_rng(seed).normal(size=(count, 3)),
    }[kind]
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    joints: Floats = np.cumsum(directions * lengths[:, None], axis=0)
    return np.concatenate([np.zeros((1, 3)), joints])


def directions(count: int, seed: int = 0) -> Floats:
    """Unit vectors (count, 3), spread evenly."""
    vectors = np.random.default_rng(seed).normal(size=(count, 3))
    units: Floats = vectors / np.linalg.norm(vectors, axis=1)[:, None]
    return units


def span(lengths: ArrayLike) -> tuple[float, float]:
    """Smallest and largest distance that a chain can reach."""
    lengths = np.asarray(lengths, float)
    return max(0.0, 2.0 * lengths.max() - lengths.sum()), lengths.sum()


def bone_lengths(joints: Floats) -> Floats:
    """Lengths (..., J - 1) of a pose's bones."""
    lengths: Floats = np.linalg.norm(np.diff(joints, axis=-2), axis=-1)
    return lengths


def catmull_rom(points: Floats, count: int) -> Floats:
    """`count` points on the closed Catmull-Rom spline through the points (N, 3)."""
    parameters = np.linspace(0.0, len(points), count, endpoint=False)
    i = parameters.astype(int)
    s = (parameters - i)[:, None]
    n = len(points)
    a, b, c, d = points[i - 1], points[i], points[(i + 1) % n], points[(i + 2) % n]
    found: Floats = 0.5 * (
        2 * b + (c - a) * s + (2 * a - 5 * b + 4 * c - d) * s**2 + (3 * b - a - 3 * c + d) * s**3
    )
    return found


def spline_targets(
    reach: float = 10.0,
    count: int = 1000,
    nearest: float = 0.3,
    farthest: float = 0.9,
    seed: int = 1,
) -> Floats:
    """A closed path of targets between these fractions of the reach."""
    points = directions(9, seed) * np.tile([0.0, 1.0, 0.5], 3)[:, None]
    points = points + 0.4 * directions(9, seed)
    path = catmull_rom(points, count)
    far = np.linalg.norm(path, axis=1)
    fraction = (far - far.min()) / (far.max() - far.min())
    wanted = nearest + (farthest - nearest) * fraction
    return np.ascontiguousarray(path / far[:, None] * wanted[:, None] * reach)
