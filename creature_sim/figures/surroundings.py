"""The ground around the camera's target: all of it, or some chunks of endless ground."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.figures.ground import (
    PLOT,
    Floats32,
    Ground,
    around,
    cells_of,
    in_plots,
    normals_of,
)
from creature_sim.maths import Floats
from creature_sim.terrain import Terrain
from creature_sim.terrain.tiles.chunks import Chunk, Chunks, nodes_of
from creature_sim.terrain.tiles.mesh_chunks import MeshChunks
from creature_sim.terrain.tiles.tiles import CELL, CELLS, grid_mesh
from creature_sim.terrain.tiles.tiling import TILE

SHOWN = 2
"""Endless ground is shown this many chunks to each side of the one under the camera's target."""
READY = SHOWN + 1
"""Chunks up to this distance are prepared, one per picture."""


@dataclass(frozen=True)
class _Piece:
    """A chunk, ready to be joined with others.

    Attributes are those of `Ground`, but roof and floor do not look at neighbouring cells.
    """

    vertices: Floats32
    triangles: NDArray[np.uint32]
    first: NDArray[np.int64]
    boxes: Floats
    roof: Floats
    floor: Floats


class Surroundings:
    """The ground to draw around a position that moves.

    Attributes:
        ground: around the last position.
    """

    def __init__(self, terrain: Terrain) -> None:
        """Begin around the origin."""
        self._chunks = terrain.chunks
        self._pieces: dict[Chunk, _Piece] = {}
        self._middle: Chunk = (0, 0)
        self.ground = Ground.of(terrain) if self._chunks is None else self._joined(self._chunks)

    def follow(self, position: Floats) -> None:
        """Let `ground` be the ground around a position (2,) [m, world]."""
        if self._chunks is None:
            return
        i, j = np.floor(position / TILE).astype(int).tolist()
        if (i, j) != self._middle:
            self._middle = i, j
            self.ground = self._joined(self._chunks)
        for chunk in self._around(READY):
            if chunk not in self._pieces:
                self._pieces[chunk] = _piece(self._chunks, chunk)
                break

    def _around(self, reach: int) -> list[Chunk]:
        (i, j), steps = self._middle, range(-reach, reach + 1)
        return [(i + a, j + b) for a in steps for b in steps]

    def _joined(self, chunks: Chunks | MeshChunks) -> Ground:
        """The chunks around the middle as one; chunks far from it are forgotten."""
        near = set(self._around(READY))
        self._pieces = {chunk: piece for chunk, piece in self._pieces.items() if chunk in near}
        for chunk in self._around(SHOWN):
            if chunk not in self._pieces:
                self._pieces[chunk] = _piece(chunks, chunk)
        pieces = [self._pieces[chunk] for chunk in self._around(SHOWN)]
        side = 2 * SHOWN + 1
        begins = np.cumsum([0] + [len(piece.vertices) for piece in pieces])[:-1]
        counts = np.cumsum([0] + [len(piece.triangles) for piece in pieces])
        firsts = [
            piece.first[:-1] + count for piece, count in zip(pieces, counts[:-1], strict=True)
        ]
        return Ground(
            vertices=np.concatenate([piece.vertices for piece in pieces]),
            triangles=np.concatenate(
                [
                    piece.triangles + np.uint32(begin)
                    for piece, begin in zip(pieces, begins, strict=True)
                ]
            ),
            first=np.append(np.concatenate(firsts), counts[-1]),
            boxes=np.concatenate([piece.boxes for piece in pieces]),
            is_edged=isinstance(chunks, MeshChunks),
            roof=around(_quilt([piece.roof for piece in pieces], side)),
            floor=-around(-_quilt([piece.floor for piece in pieces], side)),
            corner=TILE * (np.array(self._middle, dtype=np.float64) - SHOWN),
        )


def _quilt(parts: list[Floats], side: int) -> Floats:
    """Squares (P, P), given row by row along X, joined into one."""
    rows = [np.concatenate(parts[row * side : (row + 1) * side], axis=1) for row in range(side)]
    return np.concatenate(rows)


def _ordered_triangles() -> NDArray[np.uint32]:
    """Triangles of a chunk's nodes, sorted by plot, (T, 3)."""
    nodes = nodes_of(0)
    grid, triangles = grid_mesh(nodes, nodes, np.zeros((len(nodes), len(nodes))))
    plots = (grid[triangles].mean(axis=1)[:, :2] // PLOT).astype(int)
    order = np.lexsort((plots[:, 1], plots[:, 0]))
    return triangles[order].astype(np.uint32)


_TRIANGLES = _ordered_triangles()
_FIRST = np.linspace(0, len(_TRIANGLES), round(TILE / PLOT) ** 2 + 1).astype(np.int64)


def _piece(chunks: Chunks | MeshChunks, chunk: Chunk) -> _Piece:
    return (
        _edged_piece(chunks, chunk)
        if isinstance(chunks, MeshChunks)
        else _smooth_piece(chunks, chunk)
    )


def _edged_piece(chunks: MeshChunks, chunk: Chunk) -> _Piece:
    vertices, triangles = chunks.tile(chunk).mesh()
    corner = TILE * np.array(chunk, dtype=np.float64)
    triangles, first, boxes = in_plots(vertices, triangles, corner)
    normals = normals_of(vertices, triangles, is_edged=True)
    return _Piece(
        np.hstack((vertices, normals)).astype(np.float32),
        triangles.astype(np.uint32),
        first,
        boxes,
        *cells_of(vertices, triangles, corner, CELLS),
    )


def _smooth_piece(chunks: Chunks, chunk: Chunk) -> _Piece:
    x, y = (nodes_of(index, apron=1) for index in chunk)
    heights = chunks.at(x, y)
    grid = np.stack((*np.meshgrid(x[1:-1], y[1:-1], indexing="ij"), heights[1:-1, 1:-1]), axis=-1)
    count, size = round(TILE / PLOT), round(PLOT / CELL)
    boxes = [
        [extreme(plot, axis=0) for extreme in (np.min, np.max)]
        for i in range(count)
        for j in range(count)
        for plot in [
            grid[i * size : (i + 1) * size + 1, j * size : (j + 1) * size + 1].reshape(-1, 3)
        ]
    ]
    corners = [heights[i : i + CELLS, j : j + CELLS] for i in (1, 2) for j in (1, 2)]
    return _Piece(
        np.concatenate((grid, _normals(heights)), axis=-1).reshape(-1, 6).astype(np.float32),
        _TRIANGLES,
        _FIRST,
        np.array(boxes),
        np.maximum.reduce(corners),
        np.minimum.reduce(corners),
    )


def _normals(heights: Floats) -> Floats:
    """Unit normals at the inner nodes of a grid of heights (X + 2, Y + 2), (X, Y, 3).

    Means of the triangles around each node, weighted by area, as `normals_of` makes them.
    """
    a, b, c, d = heights[:-1, :-1], heights[1:, :-1], heights[:-1, 1:], heights[1:, 1:]
    up = np.full(a.shape, CELL)
    first = np.stack((a - b, a - c, up), axis=-1)  # of the triangle a, b, c
    second = np.stack((c - d, b - d, up), axis=-1)  # of b, d, c
    sums = first[1:, 1:] + second[:-1, :-1]
    sums += first[:-1, 1:] + second[:-1, 1:] + first[1:, :-1] + second[1:, :-1]
    normals: Floats = sums / np.sqrt((sums**2).sum(axis=-1))[..., None]
    return normals
