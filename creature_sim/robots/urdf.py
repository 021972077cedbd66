"""Robots as URDF."""

import xml.etree.ElementTree as ET

from creature_sim.maths import Quat, Vec, add, rotate
from creature_sim.robots.robot import Link, Robot, RobotJoint, Shape
from creature_sim.robots.texts import rgba_of, rpy_of, text_of, xml_of


def urdf_of(robot: Robot, comment: str) -> bytes:
    """A robot as a URDF document; the comment says where it comes from."""
    root = ET.Element("robot", name=robot.name)
    for colour in dict.fromkeys(shape.colour for link in robot.links for shape in link.shapes):
        material = ET.SubElement(root, "material", name=_material(colour))
        ET.SubElement(material, "color", rgba=rgba_of(colour))
    for link in robot.links:
        _write_link(root, link)
    for link in robot.links:
        if link.joint:
            _write_joint(root, link, link.joint, robot.links[link.parent].name)
    return xml_of(root, comment)


def _material(colour: str) -> str:
    return f"colour_{colour.removeprefix('#') or 'none'}"


def _write_link(root: ET.Element, link: Link) -> None:
    node = ET.SubElement(root, "link", name=link.name)
    inertial = ET.SubElement(node, "inertial")
    _origin(inertial, link.centre)
    ET.SubElement(inertial, "mass", value=text_of([link.mass]))
    xx, yy, zz, xy, xz, yz = link.inertia
    named = {"ixx": xx, "ixy": xy, "ixz": xz, "iyy": yy, "iyz": yz, "izz": zz}
    ET.SubElement(inertial, "inertia", {key: text_of([part]) for key, part in named.items()})
    for shape in link.shapes:
        for tag, is_wanted in (("visual", shape.is_drawn), ("collision", shape.collides)):
            for part in _parts(shape) if is_wanted else ():
                solid = ET.SubElement(node, tag)
                _origin(solid, part.position, part.orientation)
                _geometry(solid, part)
                if tag == "visual":
                    ET.SubElement(solid, "material", name=_material(shape.colour))


def _parts(shape: Shape) -> list[Shape]:
    """A shape as those that URDF has: a capsule is a cylinder and two balls."""
    if shape.kind != "capsule":
        return [shape]
    radius, length = shape.size
    half = rotate(shape.orientation, (0.0, 0.0, 0.5 * length))
    ends = (half, (-half[0], -half[1], -half[2]))
    return [
        Shape("cylinder", shape.size, shape.position, shape.orientation),
        *(Shape("sphere", (radius,), add(shape.position, end)) for end in ends),
    ]


def _geometry(solid: ET.Element, shape: Shape) -> None:
    geometry = ET.SubElement(solid, "geometry")
    if shape.kind == "box":
        ET.SubElement(geometry, "box", size=text_of(shape.size))
    elif shape.kind == "mesh":
        ET.SubElement(geometry, "mesh", filename=shape.file, scale=text_of(shape.size))
    elif shape.kind == "sphere":
        ET.SubElement(geometry, "sphere", radius=text_of(shape.size))
    else:
        radius, length = (text_of([part]) for part in shape.size)
        ET.SubElement(geometry, "cylinder", radius=radius, length=length)


def _write_joint(root: ET.Element, link: Link, joint: RobotJoint, parent: str) -> None:
    node = ET.SubElement(root, "joint", name=joint.name, type=joint.kind)
    ET.SubElement(node, "parent", link=parent)
    ET.SubElement(node, "child", link=link.name)
    _origin(node, link.position, link.orientation)
    if joint.kind == "fixed":
        return
    ET.SubElement(node, "axis", xyz=text_of(joint.axis))
    limits = {"lower": joint.lo, "upper": joint.hi} if joint.kind != "continuous" else {}
    limits |= {"effort": joint.effort, "velocity": joint.velocity}
    ET.SubElement(node, "limit", {key: text_of([limit]) for key, limit in limits.items()})


def _origin(node: ET.Element, position: Vec, turn: Quat = (0.0, 0.0, 0.0, 1.0)) -> None:
    ET.SubElement(node, "origin", xyz=text_of(position), rpy=text_of(rpy_of(turn)))
