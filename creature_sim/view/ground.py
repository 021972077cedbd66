"""Terrain as the view needs it: one mesh with normals, and heights to keep the camera out of."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats
from creature_sim.terrain import HALF_SIZE, Terrain
from creature_sim.terrain.tiles import CELL, HeightTile

Floats32 = NDArray[np.float32]


PLOT = 8.0
"""Side of the squares whose triangles are drawn together, or not at all [m]."""


@dataclass(frozen=True)
class Ground:
    """Terrain, ready for upload.

    Attributes:
        vertices: (V, 6) position [m, world] and unit normal.
        triangles: (T, 3).
        first: (K + 1,) first triangle of each of the K plots, and T.
        boxes: (K, 2, 3) lowest and highest corner of each plot [m, world].
        is_edged: whether it is made of blocks and not of rolling ground.
        roof: (G, G) highest ground within each cell of `CELL` and next to it [m].
        floor: (G, G) lowest.
        corner: (2,) lowest x, y of all cells [m, world].
    """

    vertices: Floats32
    triangles: NDArray[np.uint32]
    first: NDArray[np.int64]
    boxes: Floats
    is_edged: bool
    roof: Floats
    floor: Floats
    corner: Floats

    @staticmethod
    def of(terrain: Terrain) -> "Ground":
        """Build it from the tiles: all of ground that has a border."""
        meshes = [tile.mesh() for tile in terrain.tiles]
        counts = np.cumsum([0] + [len(vertices) for vertices, _ in meshes])
        vertices = np.concatenate([vertices for vertices, _ in meshes])
        triangles = np.concatenate(
            [indices + start for (_, indices), start in zip(meshes, counts[:-1], strict=True)]
        )
        is_edged = not isinstance(terrain.tiles[0], HeightTile)
        middles = vertices[triangles].mean(axis=1)[:, :2]
        plots = np.floor((middles + HALF_SIZE) / PLOT).astype(np.int64) @ np.array([1 << 10, 1])
        order = np.argsort(plots, kind="stable")
        triangles = triangles[order]
        first = np.append(np.unique(plots[order], return_index=True)[1], len(triangles))
        corners = vertices[triangles]
        return Ground(
            np.hstack((vertices, _normals(vertices, triangles, is_edged))).astype(np.float32),
            triangles.astype(np.uint32),
            first,
            np.stack(
                (
                    np.minimum.reduceat(corners.min(axis=1), first[:-1]),
                    np.maximum.reduceat(corners.max(axis=1), first[:-1]),
                ),
                axis=1,
            ),
            is_edged,
            _roof(vertices, triangles),
            -_roof(vertices * np.array([1.0, 1.0, -1.0]), triangles),
            np.full(2, -HALF_SIZE),
        )

    def heights(self, points: Floats) -> Floats:
        """Ground near points, never below it, (P,) [m]; beyond the border the border's.

        Args:
            points: (P, 2) x, y [m, world].
        """
        cells = ((points - self.corner) / CELL).astype(int).clip(0, len(self.roof) - 1)
        found: Floats = self.roof[cells[:, 0], cells[:, 1]]
        return found

    def extent(self, low: Floats, high: Floats) -> tuple[float, float]:
        """Heights between which all ground between two corners (2,) [m, world] lies [m]."""
        (x0, y0), (x1, y1) = (
            ((place - self.corner) / CELL).astype(int).clip(0, len(self.floor) - 1)
            for place in (low, high)
        )
        part = slice(x0, x1 + 1), slice(y0, y1 + 1)
        return float(self.floor[part].min()), float(self.roof[part].max())


def _normals(vertices: Floats, triangles: NDArray[np.int32], is_edged: bool) -> Floats:
    """Unit normals, (V, 3); equal across the seams of rolling ground, by face on blocks."""
    a, b, c = (vertices[triangles[:, corner]] for corner in range(3))
    faces = np.cross(b - a, c - a)
    places = np.arange(len(vertices))
    if not is_edged:  # tiles repeat the nodes on their border: sum over all triangles that meet
        nodes = np.rint(vertices[:, :2] / CELL).astype(np.int64)
        _, places = np.unique(nodes @ np.array([1 << 20, 1]), return_inverse=True)
    sums = np.zeros((int(places.max()) + 1, 3))
    for corner in range(3):
        np.add.at(sums, places[triangles[:, corner]], faces)
    normals: Floats = sums / np.maximum(np.sqrt((sums**2).sum(axis=1)), 1e-12)[:, None]
    return normals[places]


def _roof(vertices: Floats, triangles: NDArray[np.int32]) -> Floats:
    """Highest ground of every cell and its eight neighbours, (G, G) [m]."""
    count = round(2.0 * HALF_SIZE / CELL)
    roof = np.full((count + 2, count + 2), -np.inf)
    corners = vertices[triangles]
    low = np.floor((corners[..., :2].min(axis=1) + HALF_SIZE) / CELL).astype(int)
    high = np.ceil((corners[..., :2].max(axis=1) + HALF_SIZE) / CELL).astype(int)
    low, high = low.clip(0, count - 1), high.clip(1, count)
    tops = corners[..., 2].max(axis=1)
    is_small = ((high - low) <= 1).all(axis=1)
    np.maximum.at(roof, tuple(low[is_small].T + 1), tops[is_small])
    for (x0, y0), (x1, y1), top in zip(
        low[~is_small].tolist(), high[~is_small].tolist(), tops[~is_small].tolist(), strict=True
    ):
        block = roof[x0 + 1 : max(x1, x0 + 1) + 1, y0 + 1 : max(y1, y0 + 1) + 1]
        np.maximum(block, top, out=block)
    shifted = [
        roof[1 + i : count + 1 + i, 1 + j : count + 1 + j] for i in (-1, 0, 1) for j in (-1, 0, 1)
    ]
    found: Floats = np.maximum.reduce(shifted)
    return found
