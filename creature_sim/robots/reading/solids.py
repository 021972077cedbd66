"""Mass, centre and inertia of shapes of a density, and of several of them together."""

from collections.abc import Sequence
from math import pi
from typing import NamedTuple

import numpy as np

from creature_sim.maths import Floats, Quat, Vec
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.robots.robot import Shape

Inertia = tuple[float, float, float, float, float, float]
"""xx, yy, zz, xy, xz, yz [kg m^2]."""

NO_INERTIA: Inertia = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class Solid(NamedTuple):
    """What weighs: mass [kg], its centre [m] and its inertia about that."""

    mass: float = 0.0
    centre: Vec = (0.0, 0.0, 0.0)
    inertia: Inertia = NO_INERTIA


def solid_of(shape: Shape, density: float, mass: float | None = None) -> Solid:
    """A shape that is no mesh, of a density [kg/m^3] or a mass [kg], in the frame of its link."""
    volume, parts = _unit(shape)
    weight = density * volume if mass is None else mass
    return turned(weight, shape.position, shape.orientation, [weight * part for part in parts])


def turned(mass: float, centre: Vec, turn: Quat, principal: Sequence[float]) -> Solid:
    """A solid of moments [kg m^2] about axes that are turned against those of its link."""
    axes = rotation_matrices(np.array(turn))
    return Solid(mass, centre, packed((axes * np.array(principal)) @ axes.T))


def joined(solids: Sequence[Solid]) -> Solid:
    """Several solids as one."""
    mass = float(sum(solid.mass for solid in solids))
    if mass <= 0.0:
        return Solid()
    centres = np.array([solid.centre for solid in solids])
    centre = np.array([solid.mass for solid in solids]) @ centres / mass
    total = np.zeros((3, 3))
    for solid, place in zip(solids, centres, strict=True):
        off = place - centre
        total += matrix_of(solid.inertia) + solid.mass * (
            off @ off * np.eye(3) - np.outer(off, off)
        )
    x, y, z = (float(part) for part in centre)
    return Solid(mass, (x, y, z), packed(total))


def matrix_of(inertia: Inertia) -> Floats:
    """An inertia as a matrix (3, 3)."""
    xx, yy, zz, xy, xz, yz = inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def packed(matrix: Floats) -> Inertia:
    """A matrix (3, 3) as an inertia."""
    m = matrix.tolist()
    return m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]


def box_moments(x: float, y: float, z: float) -> list[float]:
    """Moments of a box about its axes, over its mass [m^2]."""
    return [(y * y + z * z) / 12.0, (x * x + z * z) / 12.0, (x * x + y * y) / 12.0]


def _unit(shape: Shape) -> tuple[float, list[float]]:
    """Volume of a shape [m^3], and its moments about its axes over its mass [m^2]."""
    if shape.kind == "box":
        x, y, z = shape.size
        return x * y * z, box_moments(x, y, z)
    radius = shape.size[0]
    square = radius * radius
    if shape.kind == "sphere":
        return 4.0 / 3.0 * pi * square * radius, [0.4 * square] * 3
    length = shape.size[1]
    rod = pi * square * length
    across = square / 4.0 + length * length / 12.0
    if shape.kind == "cylinder":
        return rod, [across, across, 0.5 * square]
    ball = 4.0 / 3.0 * pi * square * radius
    caps = 0.4 * square + length * length / 4.0 + 0.375 * length * radius
    if rod + ball <= 0.0:
        return 0.0, [0.0, 0.0, 0.0]
    both = (rod * across + ball * caps) / (rod + ball)
    return rod + ball, [both, both, (0.5 * rod + 0.4 * ball) / (rod + ball) * square]
