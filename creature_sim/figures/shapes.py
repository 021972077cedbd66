"""What creatures are drawn from, as triangles: solids in levels of detail, and distant legs."""

from math import fsum

import numpy as np
from numpy.typing import NDArray

Floats32 = NDArray[np.float32]
Indices = NDArray[np.uint32]
Solid = tuple[Floats32, Indices]
"""(V, 6) vertices: position and normal (for the limb: direction, end and two zeros); (T, 3)."""

LEVELS = 4
"""Number of levels of detail; 0 is the finest."""
OF_FILES = -1
"""Level of exported files, between 0 and 1: the last entry in the table of each solid."""
DISTANT = 3
"""From this level on, creatures cast no shadow, and their eyes, a pixel wide, are not drawn."""
SMALL = 2
"""From this level on, corners of triangles are lit alone, not each pixel in them, where nothing
casts shadows; where something does, from `DISTANT` on."""
JOINTLESS = 2
"""From this level on, the round ends of bones do for joints, which would be a pixel or two wide."""
HULL_POWER = 2.7
"""Exponent of the superellipsoid that a body starts from: 2 is an ellipsoid, infinity a box."""
NOSE = 0.80
"""Width of a body in front over its width behind."""
BACK = 0.86
"""Height of a body's back over the height of its belly."""


def sphere(level: int = 0) -> Solid:
    """A sphere of radius 1; there are no distant ones."""
    segments, rings = ((16, 10), (7, 4), (4, 3), (7, 5))[level]
    directions, triangles = _globe(segments, [np.pi * i / rings for i in range(rings + 1)])
    return np.hstack((directions, directions)).astype(np.float32), triangles


def limb(level: int = 0) -> Solid:
    """A capsule along X whose two ends the shader moves and scales apart; see `leg`, too."""
    segments, cap = ((14, 3), (7, 1), (4, 1), (7, 2))[level]
    angles = [0.5 * np.pi * i / cap for i in range(cap)] + [0.5 * np.pi]
    angles += [np.pi - angle for angle in reversed(angles)]
    directions, triangles = _globe(segments, angles)
    ends = np.zeros_like(directions)
    ends[: len(directions) // 2, 0] = 1.0  # the first rings lie around +X
    return np.hstack((directions, ends)).astype(np.float32), triangles


def leg() -> Solid:
    """A distant leg: a ribbon along three bones, and a foot, which the shader turns to the eye.

    Positions are: which joint, how far to the side, how far along; those of the foot are joint 4.
    """
    corners = [(joint, side, 0) for joint in range(4) for side in (-1, 1)]
    corners += [(4, -1, 0), (4, 0, 1), (4, 1, 0), (4, 0, -1)]
    triangles = [(k + i, k + j, k + 3) for k in (0, 2, 4) for i, j in ((0, 1), (2, 0))]
    triangles += [(8, 9, 10), (8, 10, 11)]
    vertices = np.hstack((corners, np.zeros((len(corners), 3))))
    return vertices.astype(np.float32), np.array(triangles, np.uint32)


def is_in_hull(point: NDArray[np.float64]) -> bool:
    """Whether a point (3,) is in a hull, which fills -1 to 1 along each axis, or on it."""
    x, y, z = point.tolist()
    if abs(x) > 1.0:
        return False
    wide = 0.5 * (1.0 + NOSE) - 0.5 * (1.0 - NOSE) * x
    high = BACK if z > 0.0 else 1.0
    return fsum(abs(part) ** HULL_POWER for part in (x, y / wide, z / high)) <= 1.0


def hull(level: int = 0) -> Solid:
    """A body that fills -1 to 1 along each axis: rounded, narrower in front, flatter above.

    It starts from |x|^p + |y|^p + |z|^p = 1 (superellipsoid, Barr 1981).
    """
    cells = (12, 4, 4, 2, 6)[level]
    ticks = np.tan(np.linspace(-0.25 * np.pi, 0.25 * np.pi, cells + 1))
    u, v = (part.ravel() for part in np.meshgrid(ticks, ticks, indexing="ij"))
    index = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    if level < SMALL:
        a, b, c, d = index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]
        corners = [(a, b, c), (a, c, d)]
    else:  # four cells are four triangles around their middle
        a, b, c, d = index[:-1:2, :-1:2], index[2::2, :-1:2], index[2::2, 2::2], index[:-1:2, 2::2]
        middle = index[1::2, 1::2]
        corners = [(middle, a, b), (middle, b, c), (middle, c, d), (middle, d, a)]
    face = np.concatenate([np.stack(corner, -1).reshape(-1, 3) for corner in corners])
    points: list[NDArray[np.float64]] = []
    triangles: list[NDArray[np.int64]] = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            columns = [np.full_like(u, sign), u * sign, v]
            points.append(np.stack([columns[(i - axis) % 3] for i in range(3)], axis=1))
            triangles.append(face + len(triangles) * len(u))
    cube = np.concatenate(points)
    surface = cube / (np.abs(cube) ** HULL_POWER).sum(axis=1)[:, None] ** (1.0 / HULL_POWER)
    normals = np.sign(surface) * np.abs(surface) ** (HULL_POWER - 1.0)
    x, y, z = surface.T
    wide = 0.5 * (1.0 + NOSE) - 0.5 * (1.0 - NOSE) * x
    high = np.where(z > 0.0, BACK, 1.0)
    # Normals of a sheared and scaled surface: the inverse of its transposed Jacobian.
    normals[:, 0] += normals[:, 1] * y * 0.5 * (1.0 - NOSE) / wide
    normals[:, 1] /= wide
    normals[:, 2] /= high
    shaped = np.stack((x, y * wide, z * high), axis=1)
    normals /= np.sqrt((normals**2).sum(axis=1))[:, None]
    vertices = np.hstack((shaped, normals)).astype(np.float32)
    return vertices, np.concatenate(triangles).astype(np.uint32)


def welded(vertices: Floats32, triangles: Indices) -> Solid:
    """The same solid with each of its vertices once, those of its triangles alone."""
    used, corners = np.unique(triangles, return_inverse=True)
    near = np.round(vertices[used], 5) + 0.0  # no -0
    _, first, owners = np.unique(near, axis=0, return_index=True, return_inverse=True)
    return vertices[used[first]], owners.ravel()[corners.ravel()].reshape(-1, 3).astype(np.uint32)


def square() -> Solid:
    """A square from -1 to 1 in the plane of X and Y."""
    corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], np.float32)
    up = np.broadcast_to(np.array([0, 0, 1], np.float32), corners.shape)
    return np.hstack((corners, up)), np.array([[0, 1, 2], [0, 2, 3]], np.uint32)


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
    is_wide = np.sin(angles) > 1e-9  # at a pole a ring is a point
    first, second = np.stack((a, b, c), -1)[is_wide[1:]], np.stack((a, c, d), -1)[is_wide[:-1]]
    triangles = np.concatenate((first.reshape(-1, 3), second.reshape(-1, 3)))
    return np.concatenate(rings), triangles.astype(np.uint32)
