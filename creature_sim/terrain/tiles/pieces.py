"""Cuts a mesh into pieces that pybullet takes."""

from collections.abc import Iterator

import numpy as np

from creature_sim.maths import Floats
from creature_sim.terrain.tiles.tiles import Indices, MeshTile

MAX_PIECE = 32_768
"""Triangles of one shape of pybullet, which fails somewhere beyond 131,072."""


def pieces(vertices: Floats, triangles: Indices) -> Iterator[MeshTile]:
    """Halves of halves of a mesh, across the longer side, until each is small enough."""
    if len(triangles) <= MAX_PIECE:
        used, renamed = np.unique(triangles, return_inverse=True)
        yield MeshTile(vertices[used], renamed.reshape(-1, 3).astype(np.int32))
        return
    a, b, c = (vertices[triangles[:, corner], :2] for corner in range(3))
    middles = a + b + c
    extent = middles.max(axis=0) - middles.min(axis=0)
    order = np.argsort(middles[:, int(extent[1] > extent[0])], kind="stable")
    half = len(order) // 2
    yield from pieces(vertices, triangles[np.sort(order[:half])])
    yield from pieces(vertices, triangles[np.sort(order[half:])])
