"""Triangles of a robot's shapes: those of its meshes, and those of plain solids."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from creature_sim.anatomy.robots.machine import Machine, Placed
from creature_sim.errors import DefinitionError
from creature_sim.maths import Floats
from creature_sim.robots import Shape
from creature_sim.robots.reading.meshes import Mesh, open_mesh

SIDES, RINGS = 14, 4
"""Corners about a round solid, and rings of a quarter of a ball."""
MAX_TRIANGLES = 3_000
"""Of one mesh; finer ones lose detail until they have fewer."""
FEWER = 0.75
"""By this factor, over the number of cells along a mesh."""
CELLS = 160


@dataclass(frozen=True)
class Surface:
    """Triangles in the frame of a group.

    Attributes:
        key: equal for surfaces of equal shapes.
        corners: (T, 3, 3) [m, shape].
        turn: (3, 3) of the shape in the group.
        place: (3,) of it [m].
        colour: #rrggbb, or empty.
    """

    key: tuple[object, ...]
    corners: Floats
    turn: Floats
    place: Floats
    colour: str

    @property
    def points(self) -> Floats:
        """All corners (N, 3) [m, group]."""
        found: Floats = self.corners.reshape(-1, 3) @ self.turn.T + self.place
        return found


class Surfaces:
    """The surfaces of a robot's groups; meshes are read once."""

    def __init__(self, machine: Machine) -> None:
        """Read what its shapes name; notes tell what cannot be read."""
        self.notes: list[str] = []
        self._meshes: dict[str, Mesh | None] = {}
        self._known: dict[tuple[object, ...], Floats] = {}
        self.groups = tuple(tuple(self._shown(shapes)) for shapes in machine.shapes)

    def _shown(self, shapes: Sequence[Placed]) -> list[Surface]:
        """What is drawn of a group: its drawn shapes, or those that collide if there are none."""
        drawn = self._read([one for one in shapes if one.shape.is_drawn])
        if drawn and len(drawn) == sum(one.shape.is_drawn for one in shapes):
            return drawn
        return drawn + self._read(
            [one for one in shapes if one.shape.collides and not one.shape.is_drawn]
        )

    def _read(self, shapes: Sequence[Placed]) -> list[Surface]:
        found = []
        for placed in shapes:
            shape = placed.shape
            key = (shape.kind, shape.size, shape.file)
            if key not in self._known:
                corners = self._corners(shape)
                if corners is None:
                    continue
                self._known[key] = corners
            found.append(Surface(key, self._known[key], placed.turn, placed.place, shape.colour))
        return found

    def _corners(self, shape: Shape) -> Floats | None:
        if shape.kind != "mesh":
            return solid_corners(shape) if min(shape.size) > 0.0 else None
        if shape.file not in self._meshes:
            self._meshes[shape.file] = self._opened(shape.file)
        mesh = self._meshes[shape.file]
        if mesh is None:
            return None
        found: Floats = mesh[0][mesh[1]] * np.array(shape.size)
        if np.prod(shape.size) < 0.0:  # a mirror turns triangles over
            found = found[:, ::-1]
        return found

    def _opened(self, file: str) -> Mesh | None:
        if not file:
            return None
        try:
            return coarser(open_mesh(Path(file)))
        except DefinitionError as error:
            self.notes.append(f"{error}; what collides is drawn instead")
            return None


def coarser(mesh: Mesh) -> Mesh:
    """A mesh of not too many triangles: vertices of one cell of a grid become one."""
    vertices, triangles = mesh
    used = np.unique(triangles)
    low = vertices[used].min(axis=0)
    extent = max(float((vertices[used].max(axis=0) - low).max()), 1e-12)
    cells = float(CELLS)
    while len(triangles) > MAX_TRIANGLES and cells > 2.0:
        keys = np.floor((mesh[0] - low) * (cells / extent)).astype(np.int64)
        _, owners = np.unique(keys, axis=0, return_inverse=True)
        owners = owners.reshape(-1)
        counts = np.bincount(owners)[:, None]
        vertices = np.stack([np.bincount(owners, mesh[0][:, k]) for k in range(3)], 1) / counts
        triangles = _whole(owners[mesh[1]])
        cells *= FEWER
    return vertices, triangles


def _whole(triangles: NDArray[np.int64]) -> NDArray[np.int64]:
    """Triangles with three corners, each once."""
    a, b, c = triangles.T
    found: NDArray[np.int64] = triangles[(a != b) & (b != c) & (c != a)]
    _, first = np.unique(np.sort(found, axis=1), axis=0, return_index=True)
    found = found[np.sort(first)]
    return found


def solid_corners(shape: Shape) -> Floats:
    """Triangles (T, 3, 3) of a shape that is no mesh [m, shape]."""
    if shape.kind == "box":
        x, y, z = (0.5 * part for part in shape.size)
        return _lathe([(1.0, -z), (1.0, z)], 4, True) * [x * 2**0.5, y * 2**0.5, 1.0]
    radius = shape.size[0]
    half = 0.0 if shape.kind == "sphere" else 0.5 * shape.size[1]
    if shape.kind == "cylinder":
        return _lathe([(radius, -half), (radius, half)], SIDES, False)
    quarter = [0.5 * pi * k / RINGS for k in range(RINGS + 1)]
    lower = [(radius * sin(a), -half - radius * cos(a)) for a in quarter]
    upper = [(radius * cos(a), half + radius * sin(a)) for a in quarter]
    return _lathe(lower + upper[shape.kind == "sphere" :], SIDES, False)


def _lathe(profile: Sequence[tuple[float, float]], sides: int, is_turned: bool) -> Floats:
    """Triangles (T, 3, 3) about Z through rings of (radius, height), closed at both ends."""
    start = pi / sides if is_turned else 0.0
    ways = [
        (cos(start + 2.0 * pi * k / sides), sin(start + 2.0 * pi * k / sides)) for k in range(sides)
    ]
    closed = [(0.0, profile[0][1]), *profile, (0.0, profile[-1][1])]
    rings = [[(r * c, r * s, z) for c, s in ways] for r, z in closed]
    found = []
    for below, above in pairwise(rings):
        for k in range(sides):
            after = (k + 1) % sides
            a, b, c, d = below[k], below[after], above[after], above[k]
            found += [(a, b, c)] if b != a else []
            found += [(a, c, d)] if c != d else []
    return np.array(found)
