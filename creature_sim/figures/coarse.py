"""Smooth ground in fewer triangles, for plots that look small.

The border of a plot keeps all its nodes, so that plots meet without gaps however coarse they are.
Inside, a coarse level has nodes of its own. It is half as far from the ground as it would be if
they lay on it.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from creature_sim.figures.ground import PLOT, Floats32, Ground
from creature_sim.maths import Floats
from creature_sim.terrain.tiles.tiles import CELL

SIDE = round(PLOT / CELL)
"""Cells along a side of a plot."""
STEPS = (2, 4)
"""Cells that are one in the first coarse level of a plot, and in the next."""
ROUNDS, MOVES = 4, 0.35
"""So often nodes move, by this fraction of what the largest gaps above and below add up to. More
rounds hardly change anything."""
NO_PART = 0.01
"""A node with a smaller weight has no part in the height of another."""


@dataclass(frozen=True)
class CoarsePlots:
    """Plots of ground in coarse levels.

    Attributes:
        vertices: (V, 6) that the levels have besides those of the ground, and which count on from
            those: position [m, world] and unit normal.
        triangles: (T, 3).
        first: (len(STEPS), K) the first one of each level of each of the K plots.
        counts: (len(STEPS),) how many a plot has in each level.
        errors: (len(STEPS), K) how far the level is from the ground, at most [m]; inf for plots
            that are no grid.
    """

    vertices: Floats32
    triangles: NDArray[np.uint32]
    first: NDArray[np.int64]
    counts: NDArray[np.int64]
    errors: Floats


def coarse_plots(ground: Ground) -> CoarsePlots:
    """The plots of `ground` in coarse levels."""
    errors = np.full((len(STEPS), len(ground.boxes)), np.inf)
    first = np.zeros(errors.shape, np.int64)
    counts = np.array([len(_pattern(step)) for step in STEPS])
    vertices, triangles = [np.empty((0, 6), np.float32)], [np.empty((0, 3), np.uint32)]
    if not ground.is_edged:
        plots, nodes = _grids(ground)
        heights = ground.vertices[nodes, 2]
        begin, begin_vertex = 0, len(ground.vertices)
        for level, step in enumerate(STEPS):
            inner = _inner(step)
            fitted, errors[level, plots] = _fitted(heights, step)
            own = ground.vertices[nodes[:, inner]]
            own[..., 2] = fitted
            vertices.append(own.reshape(-1, 6))
            named = nodes.copy()
            named[:, inner] = begin_vertex + np.arange(own[..., 0].size).reshape(-1, len(inner))
            begin_vertex += own[..., 0].size
            triangles.append(named[:, _pattern(step)].reshape(-1, 3))
            first[level, plots] = begin + counts[level] * np.arange(len(plots))
            begin += counts[level] * len(plots)
    return CoarsePlots(np.concatenate(vertices), np.concatenate(triangles), first, counts, errors)


def _fitted(heights: Floats32, step: int) -> tuple[Floats32, Floats32]:
    """Heights (P, I) for the nodes inside of P plots, and how far the level is off, (P,) [m].

    Each node moves to where the ground around it is as far above the level as below it.

    Args:
        heights: (P, N) of the ground at all nodes [m].
        step: of the level.
    """
    ground = np.ascontiguousarray(heights.T)  # plots last: ten times as fast
    corners, weights = _surface(step)
    shares = weights.astype(np.float32)[..., None]
    inner, around = _inner(step), _around(step)
    fitted = ground.copy()
    for _ in range(ROUNDS):
        gaps = (fitted[corners] * shares).sum(axis=1) - ground
        near = gaps[around]
        fitted[inner] -= MOVES * (near.max(axis=1) + near.min(axis=1))
    gaps = (fitted[corners] * shares).sum(axis=1) - ground
    return fitted[inner].T, np.abs(gaps).max(axis=0, initial=0.0)


def _grids(ground: Ground) -> tuple[NDArray[np.intp], NDArray[np.uint32]]:
    """Which plots are grids, and the vertices at their nodes row by row, (P, (SIDE + 1)^2)."""
    sizes = np.ptp(ground.boxes[..., :2], axis=1)
    is_whole = (np.abs(sizes - PLOT) < 0.01 * CELL).all(axis=1)
    plots = np.flatnonzero(is_whole & (np.diff(ground.first) == 2 * SIDE * SIDE))
    cells = (ground.vertices[:, :2] - ground.corner) / CELL
    at = np.rint(cells)
    if (np.abs(cells - at) > 0.01).any():
        return plots[:0], np.empty((0, (SIDE + 1) ** 2), np.uint32)
    place = at.astype(np.int64) @ np.array([SIDE + 1, 1])
    begin = np.rint((ground.boxes[plots, 0, :2] - ground.corner) / CELL).astype(np.int64)
    rows = ground.first[plots, None] + np.arange(2 * SIDE * SIDE)
    vertices = ground.triangles[rows].reshape(len(plots), -1)
    nodes = np.full((len(plots), (SIDE + 1) ** 2), -1, np.int64)
    own = place[vertices] - (begin @ np.array([SIDE + 1, 1]))[:, None]
    nodes[np.arange(len(plots))[:, None], own] = vertices
    is_full = (nodes >= 0).all(axis=1)
    return plots[is_full], nodes[is_full].astype(np.uint32)


@cache
def _pattern(step: int) -> NDArray[np.int64]:
    """Triangles of a plot whose cells are `step` of the finest ones, but along its border, (T, 3).

    They count nodes row by row, and are counter-clockwise from above.
    """
    found: list[tuple[tuple[int, int], ...]] = []
    for x in range(step, SIDE - step, step):
        for y in range(step, SIDE - step, step):
            far_x, far_y = x + step, y + step
            found += [((x, y), (far_x, y), (x, far_y)), ((far_x, y), (far_x, far_y), (x, far_y))]
    border: list[tuple[tuple[int, int], ...]] = []
    last = step
    for x in range(SIDE):  # each piece of the border, with the nearest inner node
        inner = min(max(round((x + 0.5) / step) * step, step), SIDE - step)
        if inner != last:
            border.append(((x, 0), (inner, step), (last, step)))
        border.append(((x, 0), (x + 1, 0), (inner, step)))
        last = inner
    for _ in range(4):
        found += border
        border = [tuple((SIDE - y, x) for x, y in triangle) for triangle in border]
    pattern: NDArray[np.int64] = np.array(found) @ np.array([SIDE + 1, 1])
    return pattern


@cache
def _inner(step: int) -> NDArray[np.int64]:
    """The nodes of `_pattern` that are not on the border, (I,)."""
    inside = np.arange(step, SIDE, step)
    found: NDArray[np.int64] = ((SIDE + 1) * inside[:, None] + inside).ravel()
    return found


@cache
def _around(step: int) -> NDArray[np.int64]:
    """Nodes whose height depends on that of each of the `_inner` ones, (I, A); some repeat."""
    corners, weights = _surface(step)
    found = [
        np.flatnonzero(((corners == node) & (weights > NO_PART)).any(axis=1))
        for node in _inner(step)
    ]
    most = max(len(nodes) for nodes in found)
    return np.array([np.resize(nodes, most) for nodes in found])


@cache
def _surface(step: int) -> tuple[NDArray[np.int64], Floats]:
    """What the heights of nodes are in `_pattern`: three nodes and their weights, (N, 3) each."""
    pattern = _pattern(step)
    count = (SIDE + 1) ** 2
    points = np.stack(np.divmod(np.arange(count), SIDE + 1), axis=-1).astype(np.float64)
    start, along, aside = (points[pattern[:, k]] for k in range(3))
    along, aside = along - start, aside - start
    away = points - start[:, None]  # (T, N, 2)
    area = along[:, 0] * aside[:, 1] - along[:, 1] * aside[:, 0]
    second = (away[..., 0] * aside[:, None, 1] - away[..., 1] * aside[:, None, 0]) / area[:, None]
    third = (along[:, None, 0] * away[..., 1] - along[:, None, 1] * away[..., 0]) / area[:, None]
    weights = np.stack((1.0 - second - third, second, third), axis=-1)  # (T, N, 3)
    owners = (weights > -1e-9).all(axis=-1).argmax(axis=0)
    return pattern[owners], weights[owners, np.arange(count)]
