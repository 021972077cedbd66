"""The ground as triangles to draw, and as heights that keep the camera out of it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from creature_sim.figures.creases import creased
from creature_sim.maths import Floats
from creature_sim.maths.geometry import vertex_normals
from creature_sim.terrain import HALF_SIZE, Terrain
from creature_sim.terrain.tiles.mesh_chunks import MeshChunks
from creature_sim.terrain.tiles.tiles import CELL, HeightTile, MeshTile, join

Floats32 = NDArray[np.float32]

PLOT = 8.0
"""Side of the squares whose triangles are drawn together or not at all [m]."""


@dataclass(frozen=True)
class Ground:
    """Ground, ready for the graphics card.

    Attributes:
        vertices: (V, 6) position [m, world] and unit normal.
        triangles: (T, 3).
        first: (K + 1,) first triangle of each of the K plots, and T.
        boxes: (K, 2, 3) lowest and highest corner of each plot [m, world].
        is_edged: whether it has edges, as blocks have; otherwise it is smooth.
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
        """All of the ground of a terrain that has a border."""
        vertices, triangles = join([MeshTile(*tile.mesh()) for tile in terrain.tiles]).mesh()
        is_edged = has_edges(terrain)
        if is_edged:
            vertices, triangles = creased(vertices, triangles)
        corner, count = np.full(2, -HALF_SIZE), round(2.0 * HALF_SIZE / CELL)
        triangles, first, boxes = in_plots(vertices, triangles, corner)
        roof, floor = cells_of(vertices, triangles, corner, count)
        return Ground(
            np.hstack((vertices, normals_of(vertices, triangles, is_edged))).astype(np.float32),
            triangles.astype(np.uint32),
            first,
            boxes,
            is_edged,
            around(roof),
            -around(-floor),
            corner,
        )

    @cached_property
    def hangs(self) -> bool:
        """Whether any of it faces down: heights do not tell all of it then."""
        return bool((self.vertices[:, 5] < -1e-3).any())

    def heights(self, points: Floats) -> Floats:
        """Heights at points, (P,) [m]: never below the ground; beyond the border the border's.

        Args:
            points: (P, 2) x, y [m, world].
        """
        cells = ((points - self.corner) / CELL).astype(int).clip(0, len(self.roof) - 1)
        found: Floats = self.roof[cells[:, 0], cells[:, 1]]
        return found

    def surface(self, points: Floats) -> Floats:
        """Exact heights of the highest ground at points, (P,) [m]; `heights` where there is none.

        Args:
            points: (P, 2) x, y [m, world], not far from each other.
        """
        low, high = points.min(axis=0), points.max(axis=0)
        meets = ((self.boxes[:, 0, :2] <= high) & (self.boxes[:, 1, :2] >= low)).all(axis=1)
        parts = [
            self.triangles[self.first[plot] : self.first[plot + 1]]
            for plot in np.flatnonzero(meets).tolist()
        ]
        if not parts:
            return self.heights(points)
        corners = self.vertices[np.concatenate(parts), :3].astype(np.float64)
        flat = corners[..., :2]
        corners = corners[((flat.min(axis=1) <= high) & (flat.max(axis=1) >= low)).all(axis=1)]
        start = corners[:, 0]
        (ux, uy, uz), (vx, vy, vz) = ((corners[:, k] - start).T for k in (1, 2))
        turn = ux * vy - uy * vx  # twice the area seen from above: 0 for a wall
        turn = np.where(np.abs(turn) > 1e-12, turn, np.nan)
        x, y = (points[:, None, :] - start[:, :2]).transpose(2, 0, 1)  # (P, T)
        along, aside = (x * vy - y * vx) / turn, (ux * y - uy * x) / turn
        is_over = (along >= -1e-9) & (aside >= -1e-9) & (along + aside <= 1.0 + 1e-9)
        heights = np.where(is_over, start[:, 2] + along * uz + aside * vz, -np.inf)
        found: Floats = heights.max(axis=1, initial=-np.inf)
        return np.where(np.isfinite(found), found, self.heights(points))

    def extent(self, low: Floats, high: Floats) -> tuple[float, float]:
        """Lowest and highest ground between two corners (2,) [m, world], [m]."""
        (x0, y0), (x1, y1) = (
            ((point - self.corner) / CELL).astype(int).clip(0, len(self.floor) - 1)
            for point in (low, high)
        )
        part = slice(x0, x1 + 1), slice(y0, y1 + 1)
        return float(self.floor[part].min()), float(self.roof[part].max())


def has_edges(terrain: Terrain) -> bool:
    """Whether the ground of a terrain has edges, as blocks have; otherwise it is smooth."""
    if terrain.chunks is not None:
        return isinstance(terrain.chunks, MeshChunks)
    return not isinstance(terrain.tiles[0], HeightTile)


def node_keys(points: Floats) -> NDArray[np.int64]:
    """One number for each node of the grid of smooth ground, (P,): equal where points (P, 2+) are.

    Neighbouring tiles repeat the nodes of their common border.
    """
    nodes = np.rint(points[:, :2] / CELL).astype(np.int64)
    found: NDArray[np.int64] = nodes @ np.array([1 << 20, 1])
    return found


def in_plots(
    vertices: Floats, triangles: NDArray[np.int32], corner: Floats
) -> tuple[NDArray[np.int32], NDArray[np.int64], Floats]:
    """Triangles (T, 3) sorted by plot, the first of each plot and T, and boxes, as in `Ground`.

    Args:
        vertices: (V, 3) [m, world].
        triangles: (T, 3).
        corner: (2,) lowest x, y of all [m, world].
    """
    middles = vertices[triangles].mean(axis=1)[:, :2]
    plots = np.floor((middles - corner) / PLOT).astype(np.int64) @ np.array([1 << 10, 1])
    order = np.argsort(plots, kind="stable")
    triangles = triangles[order]
    first = np.append(np.unique(plots[order], return_index=True)[1], len(triangles))
    corners = vertices[triangles]
    boxes = (
        np.minimum.reduceat(corners.min(axis=1), first[:-1]),
        np.maximum.reduceat(corners.max(axis=1), first[:-1]),
    )
    return triangles, first, np.stack(boxes, axis=1)


def normals_of(vertices: Floats, triangles: NDArray[np.int32], is_edged: bool) -> Floats:
    """Unit normals, (V, 3): of smooth ground equal across seams, of ground with edges by face."""
    owners = np.arange(len(vertices))
    if not is_edged:  # sum over all triangles that meet at a node
        _, owners = np.unique(node_keys(vertices), return_inverse=True)
    return vertex_normals(vertices, triangles, owners)[owners]


def cells_of(
    vertices: Floats, triangles: NDArray[np.int32], corner: Floats, count: int
) -> tuple[Floats, Floats]:
    """Highest and lowest ground of each cell, (count, count) each [m].

    Args:
        vertices: (V, 3) [m, world].
        triangles: (T, 3).
        corner: (2,) lowest x, y of all cells [m, world].
        count: cells along each axis.
    """
    corners = vertices[triangles]
    low = np.floor((corners[..., :2].min(axis=1) - corner) / CELL).astype(int)
    high = np.ceil((corners[..., :2].max(axis=1) - corner) / CELL).astype(int)
    low, high = low.clip(0, count - 1), high.clip(1, count)
    tops, bottoms = corners[..., 2].max(axis=1), corners[..., 2].min(axis=1)
    roof, floor = np.full((count, count), -np.inf), np.full((count, count), np.inf)
    is_small = ((high - low) <= 1).all(axis=1)
    np.maximum.at(roof, tuple(low[is_small].T), tops[is_small])
    np.minimum.at(floor, tuple(low[is_small].T), bottoms[is_small])
    rest = ~is_small
    for (x0, y0), (x1, y1), top, bottom in zip(
        low[rest].tolist(), high[rest].tolist(), tops[rest], bottoms[rest], strict=True
    ):
        block = slice(x0, max(x1, x0 + 1)), slice(y0, max(y1, y0 + 1))
        np.maximum(roof[block], top, out=roof[block])
        np.minimum(floor[block], bottom, out=floor[block])
    return roof, floor


def around(cells: Floats) -> Floats:
    """Largest value of each cell and its eight neighbours, (X, Y)."""
    padded = np.pad(cells, 1, constant_values=-np.inf)
    for axis in range(2):
        size = padded.shape[axis]
        padded = np.maximum.reduce(
            [padded.take(range(start, size - 2 + start), axis) for start in range(3)]
        )
    return padded
