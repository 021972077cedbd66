"""The ground around a walk, in as few triangles as show it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.figures.creases import creased
from creature_sim.figures.ground import has_edges, node_keys
from creature_sim.maths import Floats
from creature_sim.terrain import HALF_SIZE, Terrain
from creature_sim.terrain.tiles.chunks import Chunk, Chunks, chunks_between
from creature_sim.terrain.tiles.mesh_chunks import MeshChunks
from creature_sim.terrain.tiles.tiles import CELL, HeightTile, MeshTile, Tile, grid_mesh, join

MARGIN, MAX_MARGIN = 7.0, 40.0
"""Ground is shown up to this distance from everything that moves, and up to that around what is
much larger than usual [m]."""
MAX_NODES = 160 * 160
"""Smooth ground of more nodes is shown coarser."""
COARSE = 2
"""A rectangle of endless ground is shown if at least every second node of it is."""
BLOCK = 16
"""Ground along a longer path is shown in squares with sides of this many cells."""
MAX_TRIANGLES = 120_000
"""Ground with edges is shown less far where it would have more triangles."""


@dataclass(frozen=True)
class Patch:
    """A part of the ground.

    Attributes:
        vertices: (V, 3) [m, world].
        triangles: (T, 3) counter-clockwise from outside.
        area: x, y of the lowest and of the highest corner [m, world]; triangles may reach beyond.
        is_edged: whether it has edges, as blocks have; otherwise it is smooth.
    """

    vertices: Floats
    triangles: NDArray[Any]
    area: tuple[float, float, float, float]
    is_edged: bool


def patch_along(
    terrain: Terrain, points: Floats, scale: float = 1.0, margin: float = MARGIN
) -> Patch:
    """The ground around what moves through points (N, 2) [m, world].

    Endless ground is shown in a strip along the path where the rectangle around it would be shown
    coarsely; with edges, always in a strip.

    Args:
        terrain: with the ground.
        points: (N, 2) [m, world].
        scale: how many times larger than usual the largest is that moves.
        margin: around what moves, where that is of usual size [m].
    """
    margin = min(MAX_MARGIN, margin * max(1.0, scale))
    if isinstance(terrain.chunks, MeshChunks):
        return _edged_strip(terrain.chunks, points, margin)
    low, high = points.min(axis=0), points.max(axis=0)
    size = np.prod((high - low + 2.0 * margin) / CELL)
    if isinstance(terrain.chunks, Chunks) and size > COARSE * COARSE * MAX_NODES:
        return _smooth_strip(terrain.chunks, points, margin)
    return patch_around(terrain, low, high, margin)


def patch_around(terrain: Terrain, low: Floats, high: Floats, margin: float = MARGIN) -> Patch:
    """The ground between two corners (2,) [m, world], with a margin around them [m]."""
    area = _area(low, high, margin, terrain.half_size)
    if not has_edges(terrain):
        return _smooth(terrain, *area)
    while True:
        patch = _edged(terrain, *area)
        if len(patch.triangles) <= MAX_TRIANGLES or margin < 1.0:
            return patch
        margin *= 0.5
        area = _area(low, high, margin, terrain.half_size)


def _area(low: Floats, high: Floats, margin: float, half_size: float) -> tuple[Floats, Floats]:
    """Corners of an area with a margin around it, within the ground."""
    first = np.clip(low - margin, -half_size, half_size - CELL)
    return first, np.clip(high + margin, first + CELL, half_size)


def _smooth(terrain: Terrain, low: Floats, high: Floats) -> Patch:
    first, last = np.floor(low / CELL).astype(int), np.ceil(high / CELL).astype(int)
    stride = 1
    while np.prod((last - first) // stride + 1) > MAX_NODES:
        stride += 1
    last_node = round(terrain.half_size / CELL)
    nodes = [
        np.arange(a, b + stride, stride).clip(max=last_node)
        for a, b in zip(first, last, strict=True)
    ]
    x, y = (CELL * indices for indices in nodes)
    if not isinstance(terrain.chunks, Chunks):
        shown = _heights(terrain)[np.ix_(*(indices + last_node for indices in nodes))]
    else:
        shown = terrain.chunks.at(x, y)
    vertices, triangles = grid_mesh(x, y, shown)
    area = (float(x[0]), float(y[0]), float(x[-1]), float(y[-1]))
    return Patch(vertices, triangles, area, is_edged=False)


def _heights(terrain: Terrain) -> Floats:
    """All heights of smooth ground that has a border, (257, 257) [m]."""
    count = round(2.0 * HALF_SIZE / CELL) + 1
    heights = np.zeros((count, count))
    for tile in terrain.tiles:
        assert isinstance(tile, HeightTile)
        row, column = (round((origin + HALF_SIZE) / CELL) for origin in tile.origin)
        rows, columns = tile.heights.shape
        heights[row : row + rows, column : column + columns] = tile.heights
    return heights


def _smooth_strip(chunks: Chunks, points: Floats, margin: float) -> Patch:
    """Squares with sides of BLOCK cells near points, as fine as MAX_NODES allows."""
    side = BLOCK * CELL
    reach = range(-int(np.ceil(margin / side)), int(np.ceil(margin / side)) + 1)
    visited = np.unique(np.floor(points / side).astype(int), axis=0)
    around = np.array([(i, j) for i in reach for j in reach])
    blocks = np.unique((visited[:, None] + around).reshape(-1, 2), axis=0)
    stride = 1
    while stride < BLOCK and len(blocks) * (BLOCK // stride) ** 2 > MAX_NODES:
        stride *= 2
    steps = np.arange(0, BLOCK + 1, stride)
    vertices, triangles = [], []
    for number, block in enumerate(blocks):
        x, y = (CELL * (BLOCK * index + steps) for index in block)
        nodes, corners = grid_mesh(x, y, chunks.at(x, y))
        vertices.append(nodes)
        triangles.append(corners + number * len(nodes))
    # Squares that touch share their nodes, so that no edge is seen between them.
    shared = np.concatenate(vertices)
    _, first, owners = np.unique(node_keys(shared), return_index=True, return_inverse=True)
    low, high = blocks.min(axis=0) * side, (blocks.max(axis=0) + 1) * side
    area = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    return Patch(shared[first], owners[np.concatenate(triangles)], area, is_edged=False)


def _edged(terrain: Terrain, low: Floats, high: Floats) -> Patch:
    parts = [_part(tile, [(low, high)]) for tile in terrain.tiles]
    return _joined(parts, low, high)


def _part(tile: Tile, rectangles: Iterable[tuple[Floats, Floats]]) -> MeshTile:
    """The triangles of a tile that meet any of the rectangles."""
    points, corners = tile.mesh()
    flat = points[corners][..., :2]
    lowest, highest = flat.min(axis=1), flat.max(axis=1)
    is_near = np.zeros(len(corners), np.bool_)
    for low, high in rectangles:
        is_near |= ((highest >= low) & (lowest <= high)).all(axis=1)
    used, renamed = np.unique(corners[is_near], return_inverse=True)
    return MeshTile(points[used], renamed.reshape(-1, 3).astype(np.int32))


def _joined(parts: list[MeshTile], low: Floats, high: Floats) -> Patch:
    """Parts as one patch between two corners (2,) [m]."""
    area = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    return Patch(*creased(*join(parts).mesh()), area, is_edged=True)


def _edged_strip(chunks: MeshChunks, points: Floats, margin: float) -> Patch:
    """Triangles within a margin of points, or nearer where there are more than MAX_TRIANGLES."""
    while True:
        # All points in one square of half the margin count as its middle.
        side = 0.5 * margin
        squares = (np.unique(np.floor(points / side), axis=0) + 0.5) * side
        near: dict[Chunk, list[Floats]] = {}
        for square in squares:
            for chunk in chunks_between(square - margin, square + margin):
                near.setdefault(chunk, []).append(square)
        parts = [
            _part(chunks.tile(chunk), [(middle - margin, middle + margin) for middle in middles])
            for chunk, middles in near.items()
        ]
        if sum(len(part.triangles) for part in parts) <= MAX_TRIANGLES or margin < 1.0:
            return _joined(parts, points.min(axis=0) - margin, points.max(axis=0) + margin)
        margin *= 0.5
