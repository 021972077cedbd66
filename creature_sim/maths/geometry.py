"""Geometry of whole arrays: rotations of frames, convex hulls, segments, boxes.

Plain numpy, for what looks at a state: scores, figures, maps. Kernels use `vectors` and
`quaternions`, whose bits are the same on every machine; a sum or an arc sine of numpy's is not.
"""

from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths.vectors import Floats


def rotation_matrices(quaternions: Floats) -> Floats:
    """Rotation matrices (..., 3, 3) of unit quaternions (..., 4), xyzw.

    The columns are the turned axes: `[..., 0]` is a body's X (ahead), `[..., 2]` its Z (up).
    """
    x, y, z, w = np.moveaxis(quaternions, -1, 0)
    found = np.empty((*quaternions.shape[:-1], 3, 3))
    found[..., 0, 0] = 1.0 - 2.0 * (y * y + z * z)
    found[..., 0, 1] = 2.0 * (x * y - w * z)
    found[..., 0, 2] = 2.0 * (x * z + w * y)
    found[..., 1, 0] = 2.0 * (x * y + w * z)
    found[..., 1, 1] = 1.0 - 2.0 * (x * x + z * z)
    found[..., 1, 2] = 2.0 * (y * z - w * x)
    found[..., 2, 0] = 2.0 * (x * z - w * y)
    found[..., 2, 1] = 2.0 * (y * z + w * x)
    found[..., 2, 2] = 1.0 - 2.0 * (x * x + y * y)
    return found


def pitched(quaternions: Floats, angles: Floats) -> Floats:
    """Unit quaternions (..., 4) turned about their own Y by angles (...) [rad]."""
    x, y, z, w = np.moveaxis(quaternions, -1, 0)
    sine, cosine = np.sin(0.5 * angles), np.cos(0.5 * angles)
    turned = (x * cosine - z * sine, y * cosine + w * sine)
    return np.stack((*turned, z * cosine + x * sine, w * cosine - y * sine), axis=-1)


def rotation_angles(a: Floats, b: Floats) -> Floats:
    """Angles (...) of the rotations from unit quaternions a (..., 4) to b (..., 4) [rad, 0 to pi].

    Small angles come from a sine, which loses no digits where the cosine is nearly 1.
    """
    cosines = (a * b).sum(axis=-1)
    chords = lengths(np.where(cosines[..., None] < 0.0, -b, b) - a)
    small = 4.0 * np.arcsin(np.minimum(1.0, 0.5 * chords))
    large = 2.0 * np.arccos(np.minimum(1.0, np.abs(cosines)))
    return np.where(np.abs(cosines) > 0.5, small, large)


def blend_rotations(a: Floats, b: Floats, fraction: float | Floats) -> Floats:
    """Unit quaternions (..., 4) at `fraction` of the shorter turn from a to b, both (..., 4).

    Normalised linear interpolation, as `nlerp` does it for one.

    Args:
        a: (..., 4) where `fraction` is 0.
        b: (..., 4) where `fraction` is 1.
        fraction: a number, or an array that broadcasts against a and b.
    """
    cosines = (a * b).sum(axis=-1, keepdims=True)
    blended = a + (np.where(cosines >= 0.0, b, -b) - a) * fraction
    return blended / lengths(blended)[..., None]


def lengths(vectors: Floats) -> Floats:
    """Lengths (...) of vectors (..., D)."""
    square = vectors[..., 0] * vectors[..., 0]
    for k in range(1, vectors.shape[-1]):  # several times as fast as a sum over so short an axis
        square = square + vectors[..., k] * vectors[..., k]
    found: Floats = np.sqrt(square)
    return found


def angles_between(a: Floats, b: Floats) -> Floats:
    """Angles (...) between vectors a and b (..., 3) [rad, 0 to pi]."""
    found: Floats = np.arctan2(lengths(np.cross(a, b)), (a * b).sum(axis=-1))
    return found


def tangents(normals: Floats) -> tuple[Floats, Floats]:
    """Two unit vectors (..., 3) across each unit vector (..., 3): X and Y below Z.

    They and the normal are a right-handed frame (Duff et al. 2017, Building an Orthonormal
    Basis, Revisited). They jump where a normal's z changes its sign.
    """
    x, y, z = np.moveaxis(normals, -1, 0)
    sign = np.copysign(1.0, z)
    factor = -1.0 / (sign + z)
    both = x * y * factor
    first = np.stack((1.0 + sign * x * x * factor, sign * both, -sign * x), axis=-1)
    return first, np.stack((both, sign + y * y * factor, -y), axis=-1)


def vertex_normals(vertices: Floats, triangles: NDArray[Any], owners: NDArray[Any]) -> Floats:
    """Unit normals (O, 3) of O corners: sums over the triangles that meet there, by their areas.

    Those that only lines meet face up.

    Args:
        vertices: (V, 3).
        triangles: (T, 3) of them, counter-clockwise from outside.
        owners: (V,) which of the corners each vertex is at.
    """
    a, b, c = (vertices[triangles[:, corner]] for corner in range(3))
    faces = np.cross(b - a, c - a)
    sums = np.zeros((int(owners.max(initial=-1)) + 1, 3))
    for corner in range(3):
        np.add.at(sums, owners[triangles[:, corner]], faces)
    size = np.sqrt((sums**2).sum(axis=1))
    sums[size < 1e-12] = (0.0, 0.0, 1.0)
    found: Floats = sums / np.where(size < 1e-12, 1.0, size)[:, None]
    return found


def along_ground(directions: Floats, normals: Floats) -> Floats:
    """Unit vectors (..., 3) of directions (..., 3) along ground with unit normals (..., 3).

    Where one has no part along it, some unit vector along it.
    """
    level = directions - normals * (directions * normals).sum(axis=-1, keepdims=True)
    size = np.sqrt((level**2).sum(axis=-1, keepdims=True))
    found: Floats = np.where(size < 1e-6, tangents(normals)[0], level / np.maximum(size, 1e-6))
    return found


def box_corners(low: Floats, high: Floats) -> Floats:
    """Corners (..., 8, 3) of boxes from their lowest (..., 3) to their highest (..., 3) corners."""
    ends = np.stack((low, high), axis=-2)
    return np.stack([ends[..., [i, j, k], [0, 1, 2]] for i, j, k in np.ndindex(2, 2, 2)], axis=-2)


def convex_hull(points: Floats) -> NDArray[np.intp]:
    """Which of points (P, 2) are corners of their convex hull, (H,), counter-clockwise.

    Begins with the leftmost one. Points within an edge are no corners: of points on a line come
    the two ends, of points all in one place no more than two of them (Andrew's monotone chain,
    1979).
    """
    return np.array(_hull_of(points.tolist()), np.intp)


def _hull_of(places: list[list[float]]) -> list[int]:
    """As `convex_hull`."""
    order = sorted(range(len(places)), key=places.__getitem__)
    if len(order) < 2:
        return order

    def half(indices: list[int]) -> list[int]:
        chain: list[int] = []
        for index in indices:
            while len(chain) > 1 and not _is_left(*(places[i] for i in (*chain[-2:], index))):
                chain.pop()
            chain.append(index)
        return chain[:-1]  # the other half begins with the last

    return half(order) + half(order[::-1])


def _is_left(a: list[float], b: list[float], c: list[float]) -> bool:
    """Whether a path from a over b to c (2,) turns to the left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0


def hull_margin(points: Floats, position: Floats | tuple[float, float] = (0.0, 0.0)) -> float:
    """Signed distance of a position (2,) to the edge of the convex hull of points (P, 2).

    Positive inside; outside, and for fewer than three corners, minus the distance to the hull;
    minus infinity without any points.
    """
    if not len(points):
        return -np.inf
    places = points.tolist()  # of a few points each step of numpy costs more than all of them
    x, y = float(position[0]), float(position[1])
    corners = [(places[i][0] - x, places[i][1] - y) for i in _hull_of(places)]
    edges = [(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise((*corners, corners[0]))]
    if len(corners) >= 3:
        inside: float = min(
            (ey * ax - ex * ay) / max(sqrt(ex * ex + ey * ey), 1e-12)
            for (ax, ay), (ex, ey) in zip(corners, edges, strict=True)
        )
        if inside >= 0.0:
            return inside
    squares = []
    for (ax, ay), (ex, ey) in zip(corners, edges, strict=True):
        fraction = min(max(-(ax * ex + ay * ey) / max(ex * ex + ey * ey, 1e-24), 0.0), 1.0)
        nx, ny = ax + fraction * ex, ay + fraction * ey
        squares.append(nx * nx + ny * ny)
    return -sqrt(min(squares))


def segment_fractions(points: Floats, starts: Floats, ends: Floats) -> Floats:
    """Where segments come nearest to points, (...): 0 at their starts, 1 at their ends.

    0 for a segment without length. The arguments broadcast against each other.

    Args:
        points: (..., D).
        starts: (..., D).
        ends: (..., D).
    """
    edges = ends - starts
    squares = (edges * edges).sum(axis=-1)
    found: Floats = ((points - starts) * edges).sum(axis=-1) / np.maximum(squares, 1e-24)
    return np.clip(found, 0.0, 1.0)


def segments_nearest(
    starts: Floats, ends: Floats, other_starts: Floats, other_ends: Floats
) -> tuple[Floats, Floats]:
    """Where segments come nearest to other ones: fractions (...) of the first and of the others.

    Of parallel ones any such place (Ericson 2005, Real-Time Collision Detection, 5.1.9). The
    arguments, (..., D), broadcast against each other.
    """
    a, b, gap = ends - starts, other_ends - other_starts, starts - other_starts
    aa, bb = np.maximum((a * a).sum(axis=-1), 1e-24), np.maximum((b * b).sum(axis=-1), 1e-24)
    ab, ag, bg = (a * b).sum(axis=-1), (a * gap).sum(axis=-1), (b * gap).sum(axis=-1)
    across = aa * bb - ab * ab
    is_skew = across > 1e-12 * aa * bb
    first = np.where(is_skew, (ab * bg - ag * bb) / np.where(is_skew, across, 1.0), 0.0)
    second = np.clip((ab * np.clip(first, 0.0, 1.0) + bg) / bb, 0.0, 1.0)
    return np.clip((ab * second - ag) / aa, 0.0, 1.0), second
