"""Joints and geoms of one body of an MJCF."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from creature_sim.errors import DefinitionError
from creature_sim.maths import Vec, norm, rotate, scale, sub
from creature_sim.robots.reading.elements import Element
from creature_sim.robots.reading.meshes import open_mesh
from creature_sim.robots.reading.mjcf_settings import ORIGIN, Settings, colour_of
from creature_sim.robots.reading.solids import (
    Solid,
    box_moments,
    matrix_of,
    packed,
    solid_of,
    turned,
)
from creature_sim.robots.reading.turns import NONE, TINY, from_z
from creature_sim.robots.robot import Kind, RobotJoint, Shape

TYPES = {"hinge": "revolute", "ball": "ball", "slide": "prismatic", "free": "free"}
ROUND = ("capsule", "cylinder", "ellipsoid", "box")
GEOMS = ("sphere", *ROUND, "mesh", "plane", "hfield", "sdf")
WATER = 1000.0
"""Density of a geom that says nothing of it [kg/m^3]."""


class Turning(NamedTuple):
    """A joint, and where it is in the frame of its body [m]."""

    joint: RobotJoint
    place: Vec


class Geom(NamedTuple):
    """A shape of a body, and what it weighs."""

    shape: Shape
    solid: Solid


def joint_of(element: Element, settings: Settings, inherited: str, effort: float) -> Turning | None:
    """A joint; None if it lets the body go free."""
    if element.tag == "freejoint":
        return None
    written = settings.with_defaults(element, inherited)
    kind = written.choice("type", TYPES, "hinge")
    if kind == "free":
        return None
    name = written.text("name", f"line {element.line}")
    place = written.vector("pos", ORIGIN)
    if kind == "ball":
        return Turning(RobotJoint(name, "ball"), place)
    axis = written.vector("axis", (0.0, 0.0, 1.0))
    size = norm(axis)
    if size < TINY:
        raise written.refused("axis", "a direction")
    unit = settings.angle if kind == "revolute" else 1.0
    low, high = (unit * part for part in written.numbers("range", 2, 2, (0.0, 0.0)))
    limited = written.choice(
        "limited", {"true": "yes", "false": "no", "auto": "auto", "1": "yes", "0": "no"}, "auto"
    )
    if limited == "auto":
        limited = "yes" if settings.has_auto_limits and "range" in written.attributes else "no"
    turning: Kind = "revolute" if kind == "revolute" else "prismatic"
    if limited == "no":
        low, high = -math.inf, math.inf
        turning = "continuous" if kind == "revolute" else turning
    elif low >= high:
        raise written.refused("range", "two numbers, the lower one first", f"{low:g} {high:g}")
    start = unit * written.number("ref", 0.0)
    force = written.numbers("actuatorfrcrange", 2, 2, (0.0, 0.0))
    effort = effort or max(map(abs, force))
    way = scale(axis, 1.0 / size)
    return Turning(RobotJoint(name, turning, way, low - start, high - start, effort=effort), place)


def geoms_of(body: Element, settings: Settings, inherited: str) -> Iterator[Geom]:
    """The shapes of a body."""
    for element in body.all("geom"):
        written = settings.with_defaults(element, inherited)
        found = _geom(written, settings)
        if found is not None:
            yield found


def inertial_of(body: Element, settings: Settings) -> Solid | None:
    """What a body says that it weighs; None if it says nothing."""
    inertial = body.one("inertial")
    if inertial is None:
        return None
    mass = inertial.number("mass")
    if mass < 0.0:
        raise inertial.refused("mass", "0 or more")
    place, turn = inertial.vector("pos", ORIGIN), settings.turn(inertial)
    if "fullinertia" in inertial.attributes:
        xx, yy, zz, xy, xz, yz = inertial.numbers("fullinertia", 6, 6)
        return Solid(mass, place, packed(matrix_of((xx, yy, zz, xy, xz, yz))))
    return turned(mass, place, turn, inertial.vector("diaginertia", ORIGIN))


def _geom(written: Element, settings: Settings) -> Geom | None:
    kind = written.choice("type", {one: one for one in GEOMS}, "sphere")
    if "mesh" in written.attributes and kind not in ROUND[:3]:
        kind = "mesh"
    if kind in ("plane", "hfield", "sdf"):
        return None
    colour = colour_of(written) if "rgba" in written.attributes else ""
    colour = colour or settings.colours.get(written.attributes.get("material", ""), "")
    place, turn = written.vector("pos", ORIGIN), settings.turn(written)
    collides = written.attributes.get("contype") != "0" or (
        written.attributes.get("conaffinity", "1") != "0"
    )
    weight = written.number("mass") if "mass" in written.attributes else None
    density = written.number("density", WATER)
    if density < 0.0 or (weight or 0.0) < 0.0:
        raise written.refused("density" if density < 0.0 else "mass", "0 or more")
    if kind == "mesh":
        name = written.text("mesh")
        if name not in settings.meshes:
            raise written.refused("mesh", "the name of a mesh")
        path, factors = settings.meshes[name]
        shape = Shape("mesh", factors, place, turn, path, collides, True, colour)
        return Geom(shape, _mesh_solid(shape, density, weight))
    size = written.numbers("size", 1, 3, () if kind == "mesh" else None)
    if any(part < 0.0 for part in size):
        raise written.refused("size", "0 or more")
    length = 0.0
    if "fromto" in written.attributes:
        if kind not in ROUND:
            raise written.refused("fromto", f"a geom of type {', '.join(ROUND)}", repr(kind))
        ends = written.numbers("fromto", 6, 6)
        start, end = np.array(ends[:3]), np.array(ends[3:])
        x, y, z = (0.5 * (start + end)).tolist()
        place = (x, y, z)
        along = (float(end[0] - start[0]), float(end[1] - start[1]), float(end[2] - start[2]))
        length = norm(along)
        turn = from_z(along) or NONE
        if kind in ("box", "ellipsoid"):
            size = (size[0], size[0], 0.5 * length)
    shape = _solid(written, kind, size, length)
    shape = Shape(shape.kind, shape.size, place, turn, "", collides, True, colour)
    return Geom(shape, solid_of(shape, density, weight))


def _solid(written: Element, kind: str, size: tuple[float, ...], length: float) -> Shape:
    """The shape of a geom that is no mesh: sizes in MJCF are halves."""
    needed = {"sphere": 1, "box": 3, "ellipsoid": 3}.get(kind, 1 if length else 2)
    if len(size) < needed:
        raise written.refused("size", f"{needed} numbers")
    if kind == "sphere":
        return Shape("sphere", size[:1])
    if kind == "ellipsoid":  # none of the shapes is one: a ball of its volume
        return Shape("sphere", ((size[0] * size[1] * size[2]) ** (1.0 / 3.0),))
    if kind == "box":
        return Shape("box", tuple(2.0 * part for part in size[:3]))
    long = length or 2.0 * size[1]
    return Shape("capsule" if kind == "capsule" else "cylinder", (size[0], long))


def _mesh_solid(shape: Shape, density: float, mass: float | None) -> Solid:
    """A mesh weighs as its volume does, about the box around it."""
    if not shape.file:
        return Solid(mass or 0.0, shape.position)
    try:
        points, triangles = open_mesh(Path(shape.file))
    except DefinitionError:
        return Solid(mass or 0.0, shape.position)
    points = points * np.array(shape.size)
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    volume = abs(float((np.cross(a, b) * c).sum())) / 6.0
    low, high = points.min(axis=0), points.max(axis=0)
    x, y, z = (0.5 * (low + high)).tolist()
    offset = rotate(shape.orientation, (x, y, z))
    centre = sub(shape.position, scale(offset, -1.0))
    weight = density * volume if mass is None else mass
    wide, deep, tall = (high - low).tolist()
    moments = [weight * part for part in box_moments(wide, deep, tall)]
    return turned(weight, centre, shape.orientation, moments)
