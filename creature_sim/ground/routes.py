"""The surfaces of a ground as a graph: places where a body may be, and the shortest ways past them.

Every face is strewn with points; a body over one is its ride height above it. Two places are
neighbours if they are near and a body fits through between them: round edges and through corners
that leads from face to face, without knowing which of them meet.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.ground.rays import Physics
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths, tangents
from creature_sim.maths.graphs import Indices, paths_to
from creature_sim.terrain import Terrain

SPACING = (0.12, 0.4)
"""Points are as far apart as a body is high, but within these limits [m]."""
REACH, NEAR = 2.3, 1.7
"""Neighbours round edges are nearer than the first multiple of the spacing, others the second..."""
LEVEL = 0.9
"""...where faces turn by less than this (the cosine)."""
FACING = -0.5
"""From floor to ceiling no step leads: faces that see each other and turn by more (the cosine)."""
GAP, OPPOSITE = 1.0, -0.95
"""Half-way to where faces meet that turn there is ground within this many heights of a body, or it
is nearer; those that turn by more than the second (the cosine) are the sides of a plate."""
WIDEST_BAR = 0.25
"""What has no ground so many heights of a body beside it, on either side, is a bar, not a face."""
TURNS = 1.0
"""A right angle costs as much as so many heights of a body: it changes sides for a reason."""
BESIDE = 0.8
"""A place stands for what is no farther beside it than this fraction of the body's height."""
ROUGH = 0.8
"""Normals are told apart once they are multiplied with this and rounded."""
WIDE = 0.4
"""A body is half as wide as this fraction of what it is said to be: it turns aside in gaps."""
ABOVE = 1e-3
"""Rays begin so far above faces [m]."""
FAR = 200.0
"""Rays end so far away [m]."""


@dataclass(frozen=True)
class Field:
    """Shortest ways to a goal.

    Attributes:
        distances: (N,) of all places from it [m]; inf where no way leads.
        nexts: (N,) the next place on the way; -1 at its end.
    """

    distances: Floats
    nexts: Indices


@dataclass(frozen=True)
class Routes:
    """N places of a body near surfaces, and which of them are neighbours.

    Attributes:
        points: (N, 3) on the surfaces [m, world].
        normals: (N, 3) of them.
        places: (N, 3) where a body over them is [m, world].
        first: (N + 1,) where the neighbours of each place begin.
        others: (E,) the neighbours.
        lengths: (E,) how far they are, and more where faces turn [m].
        apart: places on one face that are farther apart are no neighbours [m].
    """

    points: Floats
    normals: Floats
    places: Floats
    first: Indices
    others: Indices
    lengths: Floats
    apart: float

    @staticmethod
    def over(terrain: Terrain, height: float, width: float, low: Floats, high: Floats) -> "Routes":
        """The graph of the surfaces within a box.

        Args:
            terrain: the ground.
            height: of a body above what it stands on [m].
            width: of the body [m].
            low: (3,) corner of the box [m, world].
            high: (3,) the other one.
        """
        spacing = float(np.clip(height, *SPACING))
        with Physics(terrain) as physics:
            points, normals = _strewn(terrain, spacing, low, high)
            kept = _apart(physics, points, normals, height, spacing)
            points, normals = points[kept], normals[kept]
            places = points + height * normals
            a, b = _pairs(places, REACH * spacing)
            level = (normals[a] * normals[b]).sum(axis=1) > LEVEL
            near = lengths(places[a] - places[b]) < NEAR * spacing
            faces = (normals[a] * normals[b]).sum(axis=1) < FACING
            faces &= ((points[b] - points[a]) * normals[a]).sum(axis=1) > 0.0
            fit = (near | ~level) & ~faces
            a, b = a[fit], b[fit]
            free = _is_free(physics, places, normals, a, b, WIDE * width)
            a, b = a[free], b[free]
            met = _meet(physics, points, normals, a, b, height)
            a, b = a[met], b[met]
        ends, others = np.concatenate((a, b)), np.concatenate((b, a))
        order = np.argsort(ends, kind="stable")
        first = np.searchsorted(ends[order], np.arange(len(places) + 1))
        others = others[order]
        ends = ends[order]
        turns = 1.0 - (normals[others] * normals[ends]).sum(axis=1)
        far = lengths(places[others] - places[ends]) + TURNS * height * turns
        return Routes(points, normals, places, first, others, far, NEAR * spacing)

    def nearest(self, point: Floats, up: Floats | None = None) -> tuple[int, float]:
        """The place whose line down to the ground is nearest to a point, and how far it is [m].

        Within a patch around it a place is as good as its neighbours.

        Args:
            point: (3,) [m, world].
            up: (3,) of the body that is there: between floor and ceiling it stands on one of them.
        """
        if not len(self.points):
            return -1, np.inf
        lines = self.places - self.points
        height = lengths(lines)
        along = ((point - self.points) * self.normals).sum(axis=1)
        aside = lengths(point - self.points - along[:, None] * self.normals)
        off = along - np.clip(along, 0.0, height)
        gaps = np.hypot(off, np.maximum(0.0, aside - BESIDE * height)) + 1e-3 * aside
        turned = 0.0 if up is None else height * (1.0 - self.normals @ up)
        found = int((gaps + turned).argmin())
        return found, float(gaps[found])

    def beside(self, place: int) -> Indices:
        """The neighbours of a place."""
        return self.others[self.first[place] : self.first[place + 1]]

    def field(self, goal: int) -> Field:
        """Shortest ways from everywhere to a place."""
        distances = np.empty(len(self.places))
        nexts = np.empty(len(self.places), np.int64)
        paths_to(goal, self.first, self.others, self.lengths, distances, nexts)
        return Field(distances, nexts)


def is_in_rock(physics: Physics, point: Floats) -> bool:
    """Whether a point [m, world] is in the ground: lines from it meet faces an odd number of times.

    The most of three lines decide.
    """
    odd = 0
    for way in np.array([(0.05, 0.03, 1.0), (0.9, 0.3, 0.6), (-0.5, 0.8, 0.4)]):
        start, end, count = point[None], point[None] + FAR * way, 0
        while (fraction := float(physics.cast(start, end)[0][0])) < 1.0:
            count += 1
            start = start + (fraction + 1e-4 / FAR) * (end - start)
        odd += count % 2
    return odd >= 2


def _strewn(terrain: Terrain, spacing: float, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Points (K, 3) on all faces within a box [m, world], and the normals of the faces, (K, 3)."""
    found = []
    for tile in terrain.tiles:
        vertices, triangles = tile.mesh()
        corners = vertices[triangles].astype(np.float64)
        is_near = (corners.max(axis=1) >= low).all(axis=1) & (corners.min(axis=1) <= high).all(1)
        corners = corners[is_near]
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        sizes = lengths(across)
        edges = lengths(corners - np.roll(corners, 1, axis=1)).max(axis=1)
        counts = np.maximum(1, np.ceil(edges / spacing)).astype(int)
        for count in np.unique(counts[sizes > 0.0]).tolist():
            (some,) = np.nonzero((counts == count) & (sizes > 0.0))
            weights = _weights(count)
            points = np.einsum("wc,kcx->kwx", weights, corners[some]).reshape(-1, 3)
            normals = np.repeat(across[some] / sizes[some, None], len(weights), axis=0)
            inside = ((points >= low) & (points <= high)).all(axis=1)
            found.append(np.concatenate((points[inside], normals[inside]), axis=1))
    if not found:
        return np.empty((0, 3)), np.empty((0, 3))
    both = np.concatenate(found)
    return both[:, :3], both[:, 3:]


def _apart(
    physics: Physics, points: Floats, normals: Floats, height: float, spacing: float
) -> Indices:
    """Which of points to keep, that each cell of this width [m] has one for each way to face.

    The one with room for a body whose place is nearest to the middle of its cell: so none at an
    edge is far from those on the other side. Most points need no ray.
    """
    places = points + height * normals
    corners = np.floor(places / spacing)
    facing = np.round(ROUGH * normals)
    _, cells = np.unique(_keys(np.concatenate((corners, facing), axis=1)), return_inverse=True)
    order = np.lexsort((lengths(places / spacing - corners - 0.5), cells))
    cells = cells[order]
    ranks = np.arange(len(cells)) - np.searchsorted(cells, cells)
    found = np.full(cells.max(initial=-1) + 1, -1)
    low, high = 0, 1
    while len(tried := np.flatnonzero((found[cells] < 0) & (ranks >= low) & (ranks < high))):
        tried = tried[_has_room(physics, points[order[tried]], normals[order[tried]], height)]
        some, first = np.unique(cells[tried], return_index=True)
        found[some] = order[tried[first]]
        low, high = high, 2 * high
    return np.sort(found[found >= 0])


def _keys(rows: Floats) -> Indices:
    """A number for each row of whole numbers (K, C), (K,): the same for those that are equal."""
    found = np.zeros(len(rows), np.int64)
    for column in (rows - rows.min(axis=0, initial=np.inf)).astype(np.int64).T:
        found = found * (column.max(initial=0) + 1) + column
    return found


def _weights(count: int) -> Floats:
    """Barycentric coordinates of the middles of the parts of a triangle, (count^2, 3)."""
    rows = []
    for i in range(count):
        for j in range(count - i):
            rows.append((i + 1 / 3, j + 1 / 3))
            if i + j < count - 1:
                rows.append((i + 2 / 3, j + 2 / 3))
    found = np.array(rows) / count
    return np.column_stack((1.0 - found.sum(axis=1), found))


def _has_room(
    physics: Physics, points: Floats, normals: Floats, height: float
) -> NDArray[np.bool_]:
    """Over which points there is room for a body, (K,)."""
    starts = points + ABOVE * normals
    fractions, _ = physics.cast(starts, points + (height + ABOVE) * normals)
    found: NDArray[np.bool_] = fractions == 1.0
    return found


def _pairs(places: Floats, reach: float) -> tuple[Indices, Indices]:
    """All pairs of places that are nearer than `reach` [m]: (E,) of the first and of the second."""
    cells = np.floor(places / reach).astype(np.int64)
    cells -= cells.min(axis=0, initial=0) - 1
    width = cells.max(axis=0, initial=0) + 2
    keys = (cells[:, 0] * width[1] + cells[:, 1]) * width[2] + cells[:, 2]
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    firsts, seconds = [], []
    steps = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)]
    for x, y, z in steps:
        shift = (x * width[1] + y) * width[2] + z
        begin = np.searchsorted(keys, keys + shift, "left")
        counts = np.searchsorted(keys, keys + shift, "right") - begin
        a = np.repeat(np.arange(len(keys)), counts)
        b = np.arange(len(a)) - np.repeat(np.cumsum(counts) - counts, counts)
        b += np.repeat(begin, counts)
        first, second = order[a], order[b]
        is_near = (first < second) & (lengths(places[first] - places[second]) < reach)
        firsts.append(first[is_near])
        seconds.append(second[is_near])
    return np.concatenate(firsts), np.concatenate(seconds)


def _meet(
    physics: Physics, points: Floats, normals: Floats, a: Indices, b: Indices, height: float
) -> NDArray[np.bool_]:
    """Whether the faces of pairs of points meet, (E,), as far as they turn.

    Their planes do, in a line. Half-way from each point to that there is ground, unless it is near:
    a pipe that hangs over a floor may be near to that, but no surface leads there. Bars have no
    faces: of them this says nothing.
    """
    found = np.ones(len(a), bool)
    cosines = (normals[a] * normals[b]).sum(axis=1)
    (turned,) = np.nonzero((cosines <= LEVEL) & (cosines > OPPOSITE))
    cosines = cosines[turned, None]
    for one, other in ((a[turned], b[turned]), (b[turned], a[turned])):
        across = normals[other] - cosines * normals[one]  # along the face of the one
        away = ((points[other] - points[one]) * normals[other]).sum(axis=1)[:, None]
        half = 0.5 * away / (1.0 - cosines**2) * across
        (far,) = np.nonzero(lengths(half) > GAP * height)
        off = GAP * height * normals[one[far]]
        middles = points[one[far]] + half[far]
        fractions, _ = physics.cast(middles + off, middles - off)
        far = far[fractions == 1.0]
        ends, places = np.unique(one[far], return_inverse=True)
        is_face = _are_faces(physics, points[ends], normals[ends], WIDEST_BAR * height)
        found[turned[far[is_face[places]]]] = False
    return found


def _are_faces(
    physics: Physics, points: Floats, normals: Floats, width: float
) -> NDArray[np.bool_]:
    """Whether there is ground beside points (N, 3), so far away: on one side along, one across."""
    found = np.ones(len(points), bool)
    for way in tangents(normals):
        meets = np.zeros(len(points), bool)
        for side in (-width, width):
            beside = points + side * way
            meets |= physics.cast(beside + width * normals, beside - width * normals)[0] < 1.0
        found &= meets
    return found


def _is_free(
    physics: Physics, places: Floats, normals: Floats, a: Indices, b: Indices, half: float
) -> NDArray[np.bool_]:
    """Whether a body half as wide as `half` [m] fits through between places, (E,).

    Beside the line between them it is looked at where faces turn.
    """
    turns = (normals[a] * normals[b]).sum(axis=1) <= LEVEL
    ways, up = places[b] - places[a], normals[a] + normals[b]
    aside = np.cross(up, ways)
    size = lengths(aside)[:, None]
    aside = np.where(size > 1e-6, aside / np.maximum(size, 1e-6), 0.0)
    free = np.ones(len(a), bool)
    for offset in (0.0, half, -half):
        (left,) = np.nonzero(free & (turns | (offset == 0.0)))
        starts = places[a[left]] + offset * aside[left]
        fractions, _ = physics.cast(starts, starts + ways[left])
        free[left] = fractions == 1.0
    return free
