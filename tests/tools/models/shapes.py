"""Tubes along bones, closed and round, as triangles whose corners follow one or two bones."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import PI, Floats, sin_cos

Point = tuple[float, float, float]


@dataclass(frozen=True)
class Skin:
    """Triangles of one colour: see `creature_sim.models.Part`, X forward, Y left, Z up."""

    vertices: Floats
    normals: Floats
    triangles: NDArray[np.int64]
    joints: NDArray[np.int64]
    weights: Floats


@dataclass(frozen=True)
class Ring:
    """A ring of a tube.

    Attributes:
        at: its middle [m].
        along: direction of the tube.
        wide: half of its width, beside `up` [m].
        high: half of its height [m].
        bones: indices of two bones.
        part: how much it follows the second of them.
    """

    at: Floats
    along: Floats
    wide: float
    high: float
    bones: tuple[int, int]
    part: float


def tube(rings: Sequence[Ring], sides: int, up: Point) -> Skin:
    """A closed tube through rings; its first and last ones are points.

    Args:
        rings: along the tube.
        sides: corners of a ring.
        up: direction of the heights of rings.
    """
    angles = [sin_cos(2.0 * PI * side / sides) for side in range(sides)]
    vertices: list[Floats] = []
    joints, weights = [], []
    for number, ring in enumerate(rings):
        across = np.cross(np.asarray(up, dtype=float), ring.along)
        across /= np.sqrt((across * across).sum())
        above = np.cross(ring.along, across)
        is_end = number in (0, len(rings) - 1)
        for sine, cosine in angles[:1] if is_end else angles:
            out = across * (ring.wide * cosine) + above * (ring.high * sine)
            vertices.append(ring.at + (0.0 * out if is_end else out))
            joints.append([*ring.bones, 0, 0])
            weights.append([1.0 - ring.part, ring.part, 0.0, 0.0])
    triangles: list[tuple[int, int, int]] = []
    last = len(vertices) - 1
    for side in range(sides):
        after = (side + 1) % sides
        triangles.append((0, 1 + after, 1 + side))
        for ring_index in range(len(rings) - 3):
            a, b = 1 + ring_index * sides, 1 + (ring_index + 1) * sides
            triangles.append((a + side, a + after, b + after))
            triangles.append((a + side, b + after, b + side))
        a = last - sides
        triangles.append((a + side, a + after, last))
    points, corners = np.array(vertices), np.array(triangles)
    return Skin(points, normals_of(points, corners), corners, np.array(joints), np.array(weights))


def normals_of(vertices: Floats, triangles: NDArray[np.int64]) -> Floats:
    """Directions (V, 3) that a smooth surface faces at its corners."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    faces = np.cross(b - a, c - a)
    found = np.zeros_like(vertices)
    for k in range(3):
        np.add.at(found, triangles[:, k], faces)
    found /= np.maximum(np.sqrt((found * found).sum(axis=1, keepdims=True)), 1e-12)
    return found


def joined(skins: Sequence[Skin]) -> Skin:
    """Several skins as one, rounded so that last digits do not depend on the machine."""
    first = np.cumsum([0, *(len(skin.vertices) for skin in skins)])
    return Skin(
        np.round(np.concatenate([skin.vertices for skin in skins]), 5),
        np.round(np.concatenate([skin.normals for skin in skins]), 3),
        np.concatenate([skin.triangles + at for skin, at in zip(skins, first, strict=False)]),
        np.concatenate([skin.joints for skin in skins]),
        np.round(np.concatenate([skin.weights for skin in skins]), 3),
    )
