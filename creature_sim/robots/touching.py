"""Which links of a robot touch each other at rest: those must not collide."""

from itertools import combinations, product

import numpy as np

from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths, rotation_matrices
from creature_sim.robots.kinematics import frames_of
from creature_sim.robots.robot import Robot, Shape

CLOSE = 0.002
"""Links that come so close at rest count as touching [m]."""
SAMPLES = 9
"""Points along a capsule, and along each edge of a box."""


def touching(robot: Robot) -> list[tuple[int, int]]:
    """Pairs of links that touch at rest, or have only links without shapes between them.

    A link and the one that it hangs on are no such pair: simulators know of them. Meshes are left
    out, whose size only their files say.
    """
    rest = np.array([[joint.rest for joint in robot.joints]])
    origin, turn = np.zeros((1, 3)), np.array([[0.0, 0.0, 0.0, 1.0]])
    places, turns = frames_of(robot, rest, origin, turn)
    solids = [
        [_Solid(shape, places[0, k], turns[0, k]) for shape in link.shapes if shape.kind != "mesh"]
        for k, link in enumerate(robot.links)
    ]
    found = set(_joined(robot))
    for a, b in combinations(range(len(robot.links)), 2):
        if robot.links[b].parent != a and any(
            one.touches(other) for one, other in product(solids[a], solids[b])
        ):
            found.add((a, b))
    return sorted(found)


def _joined(robot: Robot) -> list[tuple[int, int]]:
    """Links with shapes that hang on each other through links without any."""
    found = []
    for index, link in enumerate(robot.links):
        parent = link.parent
        while parent >= 0 and not robot.links[parent].shapes:
            parent = robot.links[parent].parent
        if link.shapes and 0 <= parent != link.parent:
            found.append((parent, index))
    return found


class _Solid:
    """A shape in the world, as points with a radius around them, and as what points may be in."""

    def __init__(self, shape: Shape, place: Floats, turn: Floats) -> None:
        self._middle = place + turn @ np.array(shape.position)
        self._turn = turn @ rotation_matrices(np.array(shape.orientation))
        self._half, self._radius = _core(shape)
        ticks = [np.linspace(-half, half, SAMPLES if half else 1) for half in self._half]
        grid = np.stack(np.meshgrid(*ticks, indexing="ij"), axis=-1).reshape(-1, 3)
        self._points = self._middle + grid @ self._turn.T
        self._size = float(lengths(self._half[None])[0]) + self._radius

    def touches(self, other: "_Solid") -> bool:
        """Whether it comes close to another one: their cores are boxes, or lines, or points."""
        between = float(lengths((self._middle - other._middle)[None])[0])
        if between > self._size + other._size + CLOSE:
            return False
        near = self._radius + other._radius + CLOSE
        return min(self._nearest(other._points), other._nearest(self._points)) <= near

    def _nearest(self, points: Floats) -> float:
        """Distance of the nearest of points (P, 3) from the core [m]."""
        local = (points - self._middle) @ self._turn
        beyond = np.maximum(np.abs(local) - self._half, 0.0)
        return float(lengths(beyond).min())


def _core(shape: Shape) -> tuple[Floats, float]:
    """Half of the size of a shape's core, a box that may be flat, and the radius around it [m]."""
    if shape.kind == "box":
        return 0.5 * np.array(shape.size), 0.0
    half = 0.5 * shape.size[1] if len(shape.size) > 1 else 0.0
    return np.array((0.0, 0.0, half)), shape.size[0]
