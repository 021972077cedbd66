"""Robots from URDF: links and joints by name; http://wiki.ros.org/urdf/XML."""

import math
from collections.abc import Iterator
from typing import Literal, NamedTuple

from creature_sim.maths import norm, scale
from creature_sim.robots.reading.elements import Element
from creature_sim.robots.reading.faults import faults_of
from creature_sim.robots.reading.read import Reading
from creature_sim.robots.reading.turns import NONE, TINY
from creature_sim.robots.reading.urdf_parts import (
    ZERO,
    colour_of,
    effort_faults,
    inertial_of,
    located,
    origin_of,
    sizes_of,
)
from creature_sim.robots.robot import BALL, FIXED, Kind, Link, Robot, RobotJoint, Shape

KINDS: dict[str, Kind] = {
    "fixed": "fixed",
    "revolute": "revolute",
    "continuous": "continuous",
    "prismatic": "prismatic",
    "spherical": "ball",
}
FREE, PLANAR = "floating", "planar"
MAX_LINKS = 1_000


class _Joint(NamedTuple):
    element: Element
    parent: str
    child: str
    kind: str


def read_urdf(root: Element) -> Reading:
    """The robot of a file; see `read_robot`."""
    return _Reader(root).reading()


class _Reader:
    def __init__(self, root: Element) -> None:
        self._root = root
        self._notes: list[str] = []
        self._colours = {
            material.attributes.get("name", ""): colour_of(material)
            for material in root.all("material")
        }
        self._missing: set[str] = set()

    def reading(self) -> Reading:
        elements = self._elements()
        joints = self._joints(elements)
        order = self._order(elements, joints)
        number = {name: index for index, name in enumerate(order)}
        links: list[Link] = []
        faults: list[str] = []
        for name in order:
            joint = joints.get(name)
            link = self._link(elements[name], joint, number)
            links.append(link)
            faults += faults_of(link, elements[name])
            if joint is not None:
                faults += effort_faults(link, joint.element)
        name = self._root.attributes.get("name", self._root.file.stem)
        robot = Robot(name, tuple(links))
        return Reading(
            str(self._root.file), robot, tuple(dict.fromkeys(self._notes)), tuple(faults)
        )

    def _elements(self) -> dict[str, Element]:
        found: dict[str, Element] = {}
        for element in self._root.all("link"):
            name = element.text("name")
            if name in found:
                raise element.refused("name", f"another, for line {found[name].line} has it")
            found[name] = element
        if not found:
            raise self._root.refused("", "a <link>", "none")
        if len(found) > MAX_LINKS:
            raise self._root.refused("", f"at most {MAX_LINKS} links", len(found))
        return found

    def _joints(self, links: dict[str, Element]) -> dict[str, _Joint]:
        """The joint to its parent of each link that has one."""
        found: dict[str, _Joint] = {}
        names: dict[str, Element] = {}
        for element in self._root.all("joint"):
            name = element.text("name")
            if name in names:
                raise element.refused("name", f"another, for line {names[name].line} has it")
            names[name] = element
            kind = element.choice("type", {one: one for one in (*KINDS, FREE, PLANAR)}, "")
            ends = []
            for tag in ("parent", "child"):
                end = element.one(tag)
                if end is None:
                    raise element.refused("", f"a <{tag}>", "none")
                if end.text("link") not in links:
                    raise end.refused("link", "the name of a link")
                ends.append(end.text("link"))
            if ends[1] in found:
                other = found[ends[1]].element.attributes["name"]
                raise element.refused(
                    "child", f"a link with one parent, for joint {other!r} holds it", repr(ends[1])
                )
            found[ends[1]] = _Joint(element, ends[0], ends[1], kind)
        return found

    def _order(self, links: dict[str, Element], joints: dict[str, _Joint]) -> list[str]:
        """Names of links, parents before children; a base that only holds the robot is left out."""
        roots = [name for name in links if name not in joints]
        if not roots:
            first = next(iter(joints.values()))
            raise first.element.refused("", "a link that none holds", "joints in a circle")
        below: dict[str, list[str]] = {}
        for name in links:
            if name in joints:
                below.setdefault(joints[name].parent, []).append(name)
        trees = [_tree(root, below) for root in roots]
        if sum(map(len, trees)) < len(links):
            reached = {name for tree in trees for name in tree}
            lost = next(name for name in links if name not in reached)
            raise joints[lost].element.refused("", "no circle of joints", f"one at link {lost!r}")
        order = max(trees, key=len)
        for tree in trees:
            if tree is not order:
                self._notes.append(f"link {tree[0]!r} hangs on nothing, and is left out")
        while self._is_stand(links[order[0]], [joints[name] for name in below.get(order[0], [])]):
            order = order[1:]
            joints.pop(order[0])
        return order

    def _is_stand(self, base: Element, held: list[_Joint]) -> bool:
        """Whether a base is nothing that the robot stands on or hangs from, freely or fixed."""
        return (
            len(held) == 1
            and held[0].kind in (FREE, FIXED)
            and not list(base.all("visual", "collision", "inertial"))
        )

    def _link(self, element: Element, joint: _Joint | None, number: dict[str, int]) -> Link:
        mass, centre, inertia = inertial_of(element)
        shapes = tuple(self._shapes(element))
        name = element.attributes["name"]
        if joint is None:
            return Link(name, -1, None, ZERO, NONE, mass, centre, inertia, shapes)
        place, turn = origin_of(joint.element)
        made = self._joint(joint)
        parent = number[joint.parent]
        return Link(name, parent, made, place, turn, mass, centre, inertia, shapes)

    def _joint(self, joint: _Joint) -> RobotJoint:
        element = joint.element
        name = element.attributes["name"]
        if joint.kind in (FREE, PLANAR):
            raise element.refused("type", "a joint that turns, slides or is fixed")
        kind = KINDS[joint.kind]
        written = element.one("axis")
        axis = (1.0, 0.0, 0.0) if written is None else written.vector("xyz", (1.0, 0.0, 0.0))
        if kind in (FIXED, BALL):
            return RobotJoint(name, kind)
        if norm(axis) < TINY:
            assert written is not None
            raise written.refused("xyz", "a direction")
        axis = scale(axis, 1.0 / norm(axis))
        if element.one("mimic") is not None:
            self._notes.append(f"joint {name!r} mimics another: it moves on its own here")
        limit = element.one("limit")
        low, high, effort, velocity = 0.0, 0.0, 0.0, 0.0
        if limit is not None:
            low, high = limit.number("lower", 0.0), limit.number("upper", 0.0)
            effort, velocity = limit.number("effort", 0.0), limit.number("velocity", 0.0)
        elif kind in ("revolute", "prismatic"):
            raise element.refused("", "a <limit>, which such a joint needs", "none")
        is_free = limit is not None and not {"lower", "upper"} & set(limit.attributes)
        if kind != "continuous" and (is_free or low > high):
            found = "which say nothing" if is_free else f"{low:g} to {high:g}"
            self._notes.append(
                f"limits of joint {name!r}, {found}, are taken for none, as in pybullet"
            )
            low, high = (-math.inf, math.inf)
            kind = "continuous" if kind == "revolute" else kind
        if kind == "continuous":
            low, high = -math.inf, math.inf
        return RobotJoint(name, kind, axis, low, high, effort=effort, velocity=velocity)

    def _shapes(self, link: Element) -> Iterator[Shape]:
        for element in link.all("visual", "collision"):
            collides = element.tag == "collision"
            colour = "" if collides else self._material(element)
            geometry = element.one("geometry")
            if geometry is None:
                raise element.refused("", "a <geometry>", "none")
            place, turn = origin_of(element)
            kind, size, file = self._solid(geometry)
            if kind:
                yield Shape(kind, size, place, turn, file, collides, not collides, colour)

    def _material(self, visual: Element) -> str:
        material = visual.one("material")
        if material is None:
            return ""
        return colour_of(material) or self._colours.get(material.attributes.get("name", ""), "")

    def _solid(
        self, geometry: Element
    ) -> tuple[Literal["sphere", "capsule", "cylinder", "box", "mesh", ""], tuple[float, ...], str]:
        for one in geometry.children:
            if one.tag == "box":
                return "box", sizes_of(one, "size", 3), ""
            if one.tag == "sphere":
                return "sphere", sizes_of(one, "radius", 1), ""
            if one.tag in ("cylinder", "capsule"):
                kind: Literal["cylinder", "capsule"] = "cylinder"
                kind = kind if one.tag == "cylinder" else "capsule"
                return kind, (*sizes_of(one, "radius", 1), *sizes_of(one, "length", 1)), ""
            if one.tag == "mesh":
                factors = one.numbers("scale", 1, 3, (1.0, 1.0, 1.0))
                factors = factors * 3 if len(factors) == 1 else factors
                if len(factors) != 3:
                    raise one.refused("scale", "1 or 3 numbers")
                return "mesh", factors, self._file(one)
            self._notes.append(f"<{one.tag}> is no shape that is known here, and is left out")
            return "", (), ""
        raise geometry.refused("", "a shape", "none")

    def _file(self, mesh: Element) -> str:
        """The path of a mesh, empty if there is none."""
        name = mesh.text("filename")
        found = located(self._root.file.parent, name)
        if found is None and name not in self._missing:
            self._missing.add(name)
            self._notes.append(f"line {mesh.line}: {mesh.shown} filename: no file {name!r}")
        return "" if found is None else str(found)


def _tree(root: str, below: dict[str, list[str]]) -> list[str]:
    """A link and all that hang on it, parents first."""
    found = [root]
    for name in found:  # it grows meanwhile
        found.extend(below.get(name, []))
    return found
