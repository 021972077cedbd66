"""Coarse triangles that cast the shadows of models: fine ones would cost as much as the colours."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.models.binding import Binding

CELLS = 80.0
"""Cells along the diagonal of a model; what is smaller than one is hardly seen in a shadow."""


def casters(binding: Binding) -> tuple[NDArray[np.int64], int]:
    """Triangles (T, 3) that cast the shadow of a model, and how many of them have one side.

    Vertices in one cell of a grid count as one if they face the same octant and follow the same
    bone most (vertex clustering: Rossignac and Borrel 1993). So thin parts keep both their sides,
    and toes that touch at rest stay apart. The triangles name vertices of the binding; those that
    are seen from both sides are the last.
    """
    vertices = binding.vertices
    size = max(float(np.linalg.norm(np.ptp(vertices, axis=0))), 1e-9) / CELLS
    bone = np.take_along_axis(binding.bones, binding.weights.argmax(axis=1)[:, None], axis=1)
    cells = np.floor(vertices / size)
    _, firsts, cell = np.unique(
        np.hstack((cells, binding.normals > 0.0, bone)), axis=0, return_index=True,
        return_inverse=True,
    )  # fmt: skip
    merged = firsts[cell.ravel()][binding.triangles]
    is_left = (merged != np.roll(merged, 1, axis=1)).all(axis=1)
    closed = sum(surface.count for surface in binding.surfaces if not surface.is_thin)
    return merged[is_left], int(is_left[:closed].sum())
