"""Robots as MJCF, the format of MuJoCo: with motors that hold angles, on a floor."""

import xml.etree.ElementTree as ET
from collections.abc import Mapping

from creature_sim.maths import Quat
from creature_sim.robots.robot import Link, Robot, RobotJoint, Shape
from creature_sim.robots.texts import rgba_of, text_of, xml_of
from creature_sim.robots.touching import touching

GIVE = 0.05
"""A motor gives way by this angle under its largest torque [rad]: that is its stiffness."""
LAG = 0.02
"""It follows an angle that moves after this time [s]: that is its damping."""
STEP = 0.002
"""Of the simulation [s]."""
KINDS: Mapping[str, str] = {
    "revolute": "hinge",
    "continuous": "hinge",
    "prismatic": "slide",
    "ball": "ball",
}


def mjcf_of(robot: Robot, comment: str) -> bytes:
    """A robot as an MJCF document; the comment says where it comes from.

    Links that touch each other at rest, and those with nothing but motors between them, do not
    collide with each other. All others do.
    """
    root = ET.Element("mujoco", model=robot.name)
    ET.SubElement(root, "compiler", angle="radian", autolimits="true")
    ET.SubElement(root, "option", timestep=text_of([STEP]), integrator="implicitfast")
    world = ET.SubElement(root, "worldbody")
    ET.SubElement(world, "light", pos="0 0 3", dir="0 0 -1", directional="true")
    grey = {"size": "0 0 1", "rgba": rgba_of("#b0b4b8")}
    ET.SubElement(world, "geom", grey, name="floor", type="plane")
    bodies = [world]
    for index, link in enumerate(robot.links):
        above = world if link.parent < 0 else bodies[link.parent + 1]
        bodies.append(_body(above, link, robot, index in robot.feet))
    pairs = touching(robot)
    contact = ET.SubElement(root, "contact") if pairs else root
    for a, b in pairs:
        names = {"body1": robot.links[a].name, "body2": robot.links[b].name}
        ET.SubElement(contact, "exclude", names)
    _write_motors(root, robot)
    return xml_of(root, comment)


def _body(above: ET.Element, link: Link, robot: Robot, is_foot: bool) -> ET.Element:
    body = ET.SubElement(above, "body", name=link.name)
    position = (0.0, 0.0, robot.height) if link.parent < 0 else link.position
    body.set("pos", text_of(position))
    body.set("quat", _quat(link.orientation))
    if link.joint is None:
        ET.SubElement(body, "freejoint", name="root")
    elif link.joint.kind != "fixed":
        _write_joint(body, link.joint)
    xx, yy, zz, xy, xz, yz = link.inertia
    inertial = {"pos": text_of(link.centre), "mass": text_of([link.mass])}
    if xy == xz == yz == 0.0:
        inertial["diaginertia"] = text_of((xx, yy, zz))
    else:
        inertial["fullinertia"] = text_of(link.inertia)
    ET.SubElement(body, "inertial", inertial)
    for shape in link.shapes:
        _write_geom(body, shape)
    if is_foot:
        ET.SubElement(body, "site", name=link.name, size="0.005")
    return body


def _write_joint(body: ET.Element, joint: RobotJoint) -> None:
    node = ET.SubElement(body, "joint", name=joint.name, type=KINDS[joint.kind])
    if joint.kind != "ball":
        node.set("axis", text_of(joint.axis))
    if joint.kind not in ("ball", "continuous"):
        node.set("range", text_of((joint.lo, joint.hi)))


def _write_geom(body: ET.Element, shape: Shape) -> None:
    """Write a shape; MuJoCo has half of sizes and lengths."""
    size = shape.size
    if shape.kind == "box":
        size = tuple(0.5 * part for part in size)
    elif shape.kind in ("capsule", "cylinder"):
        size = (size[0], 0.5 * size[1])
    geom = ET.SubElement(body, "geom", type=shape.kind, size=text_of(size))
    geom.set("pos", text_of(shape.position))
    geom.set("quat", _quat(shape.orientation))
    geom.set("rgba", rgba_of(shape.colour))
    if not shape.collides:
        geom.set("contype", "0")
        geom.set("conaffinity", "0")


def _write_motors(root: ET.Element, robot: Robot) -> None:
    """Write the actuators, and a keyframe in which all stands."""
    node = ET.SubElement(root, "actuator")
    for joint in robot.joints:
        motor = ET.SubElement(node, "position", name=joint.name, joint=joint.name)
        stiffness = joint.effort / GIVE
        motor.set("kp", text_of([stiffness]))
        motor.set("kv", text_of([stiffness * LAG]))
        motor.set("forcerange", text_of((-joint.effort, joint.effort)))
        if joint.kind != "continuous":
            motor.set("ctrlrange", text_of((joint.lo, joint.hi)))
    rest = [joint.rest for joint in robot.joints]
    place = (0.0, 0.0, robot.height, 1.0, 0.0, 0.0, 0.0)
    keys = ET.SubElement(root, "keyframe")
    ET.SubElement(keys, "key", name="stand", qpos=text_of((*place, *rest)), ctrl=text_of(rest))


def _quat(turn: Quat) -> str:
    """A quaternion as MuJoCo has it, w first."""
    x, y, z, w = turn
    return text_of((w, x, y, z))
