"""The three solids that creatures are drawn from, as triangles."""

import numpy as np
from numpy.typing import NDArray

Floats32 = NDArray[np.float32]
Indices = NDArray[np.uint32]
Solid = tuple[Floats32, Indices]
"""(V, 6) vertices: position and normal (for the limb: direction, end and two zeros); (T, 3)."""

BOX_POWER = 4.0
"""Of the superellipsoid that a body is: 2 is an ellipsoid, many a box."""


def sphere(segments: int = 12, rings: int = 7) -> Solid:
    """A sphere of radius 1."""
    directions, triangles = _globe(segments, [np.pi * i / rings for i in range(rings + 1)])
    return np.hstack((directions, directions)).astype(np.float32), triangles


def limb(segments: int = 10) -> Solid:
    """A capsule along X whose two ends the shader moves and scales apart."""
    angles = [0.0, 0.25 * np.pi, 0.5 * np.pi, 0.5 * np.pi, 0.75 * np.pi, np.pi]
    directions, triangles = _globe(segments, angles)
    ends = np.zeros_like(directions)
    ends[: len(directions) // 2, 0] = 1.0  # the first rings lie around +X
    return np.hstack((directions, ends)).astype(np.float32), triangles


def rounded_box(cells: int = 8) -> Solid:
    """A box from -1 to 1 along each axis with rounded edges.

    |x|^p + |y|^p + |z|^p = 1 (superellipsoid, Barr 1981).
    """
    ticks = np.tan(np.linspace(-0.25 * np.pi, 0.25 * np.pi, cells + 1))
    u, v = (part.ravel() for part in np.meshgrid(ticks, ticks, indexing="ij"))
    index = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    a, b, c, d = index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]
    face = np.concatenate(
        [np.stack(corners, -1).reshape(-1, 3) for corners in ((a, b, c), (a, c, d))]
    )
    points: list[NDArray[np.float64]] = []
    triangles: list[NDArray[np.int64]] = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            columns = [np.full_like(u, sign), u * sign, v]
            points.append(np.stack([columns[(i - axis) % 3] for i in range(3)], axis=1))
            triangles.append(face + len(triangles) * len(u))
    cube = np.concatenate(points)
    surface = cube / (np.abs(cube) ** BOX_POWER).sum(axis=1)[:, None] ** (1.0 / BOX_POWER)
    normals = np.sign(surface) * np.abs(surface) ** (BOX_POWER - 1.0)
    normals /= np.sqrt((normals**2).sum(axis=1))[:, None]
    vertices = np.hstack((surface, normals)).astype(np.float32)
    return vertices, np.concatenate(triangles).astype(np.uint32)


def _globe(segments: int, angles: list[float]) -> tuple[NDArray[np.float64], Indices]:
    """Directions in rings around X, by angle from X, and the triangles between them."""
    turn = 2.0 * np.pi * np.arange(segments) / segments
    rings = [
        np.stack(
            (
                np.full(segments, np.cos(angle)),
                np.sin(angle) * np.cos(turn),
                np.sin(angle) * np.sin(turn),
            ),
            axis=1,
        )
        for angle in angles
    ]
    index = np.arange(len(angles) * segments).reshape(len(angles), segments)
    a, b = index[:-1], index[1:]
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    triangles = np.concatenate([np.stack(t, -1).reshape(-1, 3) for t in ((a, b, c), (a, c, d))])
    return np.concatenate(rings), triangles.astype(np.uint32)
