"""Props as rows of solids: blocks, ramps, balls and drums, coloured by how they move."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import PropDef
from creature_sim.figures.palette import PROP_COLOURS
from creature_sim.figures.shapes import Solid, sphere
from creature_sim.figures.solids import DRUM, PROP, Rows, rgb, rows
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths, rotation_matrices
from creature_sim.props.shapes import SIDES
from creature_sim.snapshots.poses import PropsPose

NEAR = 0.02
"""A point up to this distance from a prop is on it [m]."""

DARKER = 0.82
"""Every other one of the sectors of a drum is darker by this factor."""
SECTORS = 12

_BLOCK = [
    *((-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1)),
    *((-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)),
]
_SIDES = [(4, 5, 6, 7), (3, 2, 1, 0), (0, 1, 5, 4), (2, 3, 7, 6), (1, 2, 6, 5), (3, 0, 4, 7)]
_RAMP = [(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (1, -1, 1), (1, 1, 1)]
_RAMP_SIDES = [(0, 4, 5, 3), (3, 2, 1, 0), (1, 2, 5, 4), (0, 1, 4), (2, 3, 5)]


def block() -> Solid:
    """A block that fills -1 to 1 along each axis."""
    return _faceted(_BLOCK, _SIDES)


def ramp() -> Solid:
    """Half a block: it rises along X from its lower edge to its upper edge."""
    return _faceted(_RAMP, _RAMP_SIDES)


def drum() -> Solid:
    """A cylinder about Z that fills -1 to 1 along each axis."""
    turn = 2.0 * np.pi * np.arange(SIDES) / SIDES
    ring = np.stack((np.cos(turn), np.sin(turn), np.zeros(SIDES)), axis=1)
    up = np.array([0.0, 0.0, 1.0])
    round_side = [np.hstack((ring + z * up, ring)) for z in (-1.0, 1.0)]
    flat_ends = [np.hstack((ring + z * up, 0.0 * ring + z * up)) for z in (-1.0, 1.0)]
    middles = [np.hstack((z * up, z * up))[None] for z in (-1.0, 1.0)]
    k = np.arange(SIDES)
    after = (k + 1) % SIDES
    triangles = [
        np.stack((k, after, SIDES + after), axis=1),
        np.stack((k, SIDES + after, SIDES + k), axis=1),
        np.stack((2 * SIDES + after, 2 * SIDES + k, np.full(SIDES, 4 * SIDES)), axis=1),
        np.stack((3 * SIDES + k, 3 * SIDES + after, np.full(SIDES, 4 * SIDES + 1)), axis=1),
    ]
    vertices = np.concatenate((*round_side, *flat_ends, *middles)).astype(np.float32)
    return vertices, np.concatenate(triangles).astype(np.uint32)


def is_dark(solid: Solid) -> NDArray[np.bool_]:
    """Which triangles of a drum are in its darker sectors, (T,): one sees that it turns."""
    vertices, triangles = solid
    middles = vertices[triangles, :2].mean(axis=1)
    turn = np.arctan2(middles[:, 1], middles[:, 0]) / (2.0 * np.pi)
    flags: NDArray[np.bool_] = np.floor(SECTORS * turn).astype(int) % 2 != 0
    return flags


def _faceted(corners: list[Any], sides: list[Any]) -> Solid:
    """A solid of flat sides, counter-clockwise from outside, that share no vertices."""
    vertices: list[NDArray[Any]] = []
    triangles: list[tuple[int, int, int]] = []
    for side in sides:
        points = np.array([corners[corner] for corner in side], dtype=np.float64)
        normal = np.cross(points[1] - points[0], points[2] - points[0])
        normal /= np.sqrt((normal**2).sum())
        first = len(vertices)
        vertices += [np.concatenate((point, normal)) for point in points]
        triangles += [(first, first + k, first + k + 1) for k in range(1, len(side) - 1)]
    return np.array(vertices, np.float32), np.array(triangles, np.uint32)


def prop_shapes() -> list[Solid]:
    """The shapes that props have: block, ramp, ball, drum."""
    return [block(), ramp(), sphere(), drum()]


class PropFigures:
    """The props of a world."""

    def __init__(self, props: tuple[PropDef, ...]) -> None:
        """Read shapes, sizes and colours."""
        kinds = np.array([kind_of(prop) for prop in props], dtype=np.int64)
        self._members = [np.flatnonzero(kinds == kind) for kind in range(len(prop_shapes()))]
        self._halves = np.array([half_of(prop) for prop in props]).reshape(-1, 3)
        self._colours = np.array([rgb(PROP_COLOURS[prop.motion]) for prop in props]).reshape(-1, 3)

    def rows(self, pose: PropsPose) -> list[Rows]:
        """Rows for each of `prop_shapes`."""
        bases = rotation_matrices(pose.orientations) * self._halves[:, None, :]
        return [
            rows(bases[members], pose.positions[members], self._colours[members], material)
            for members, material in zip(self._members, (PROP, PROP, PROP, DRUM), strict=True)
        ]

    def boxes(self, pose: PropsPose) -> tuple[Floats, Floats]:
        """Lowest and highest corners of boxes around them, (P, 3) each [m, world]."""
        turns = np.abs(rotation_matrices(pose.orientations))
        reach = (turns * self._halves[:, None, :]).sum(axis=-1)
        return pose.positions - reach, pose.positions + reach


def kind_of(prop: PropDef) -> int:
    """Which of `prop_shapes` it has."""
    return {"ramp": 1, "ball": 2, "cylinder": 3}.get(prop.shape, 0)


def half_of(prop: PropDef) -> tuple[float, ...]:
    """Half of the size along each axis [m]."""
    if prop.radius is not None:
        return (prop.radius, prop.radius, 0.5 * prop.length if prop.length else prop.radius)
    assert prop.size is not None
    return tuple(0.5 * side for side in prop.size)


def is_on_props(props: tuple[PropDef, ...], pose: PropsPose, points: Floats) -> NDArray[np.bool_]:
    """Which points (K, 3) [m, world] lie in props or on them: there is no ground to print on."""
    found = np.zeros(len(points), dtype=np.bool_)
    turns = rotation_matrices(pose.orientations)
    for prop, position, turn in zip(props, pose.positions, turns, strict=True):
        own = (points - position) @ turn
        is_on = (np.abs(own) < np.array(half_of(prop)) + NEAR).all(axis=1)
        if prop.radius is not None:
            across = own if prop.shape == "ball" else own[:, :2]
            is_on &= lengths(across) < prop.radius + NEAR
        found |= is_on
    return found
