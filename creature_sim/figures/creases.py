"""Sharp edges of meshes: what meets there has normals of its own."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths

SMOOTH = 0.82
"""Cosine of how far the normal of a face may be from that of a corner that is drawn round."""
STEP = 1e-3
"""Faces whose normals differ by less share their corners."""


def creased(vertices: Floats, triangles: NDArray[Any]) -> tuple[Floats, NDArray[Any]]:
    """A mesh whose sharp corners are there once for each direction that faces have at them.

    Files of meshes come with their vertices joined. A corner is sharp where a face is turned away
    from the mean of all faces that meet there.

    Args:
        vertices: (V, 3) [m].
        triangles: (T, 3).

    Returns:
        Vertices that triangles have, and triangles.
    """
    a, b, c = (vertices[triangles[:, corner]] for corner in range(3))
    faces = _unit(np.cross(b - a, c - a))
    sums = np.zeros_like(vertices)
    for corner in range(3):
        np.add.at(sums, triangles[:, corner], faces)
    along = (_unit(sums)[triangles] * faces[:, None]).sum(axis=-1)  # (T, 3)
    is_flat = lengths(faces) > 0.5  # and no line or point
    is_sharp = np.zeros(len(vertices), np.bool_)
    is_sharp[triangles[(along < SMOOTH) & is_flat[:, None]]] = True
    rows, corners = np.nonzero(is_sharp[triangles])
    if not len(rows):
        return vertices, triangles
    owners = triangles[rows, corners]
    kinds = np.column_stack((owners, np.rint(faces[rows] / STEP).astype(np.int64)))
    each, own = np.unique(kinds, axis=0, return_inverse=True)
    found = triangles.copy()
    found[rows, corners] = len(vertices) + own.reshape(-1)
    used, renamed = np.unique(found, return_inverse=True)
    split = np.concatenate((vertices, vertices[each[:, 0]]))
    return split[used], renamed.reshape(found.shape).astype(triangles.dtype)


def _unit(vectors: Floats) -> Floats:
    found: Floats = vectors / np.maximum(lengths(vectors), 1e-12)[..., None]
    return found
