"""The body of a twin, from the robot that its creature is."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef, LegDef
from creature_sim.definitions.names import leg_names, segment_names
from creature_sim.maths import Floats, Vec
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.robots.building import robot_of
from creature_sim.robots.reading.solids import Solid, joined, matrix_of, solid_of
from creature_sim.robots.robot import FIXED, Link, Robot, Shape
from creature_sim.twin.links import Gains, Links
from creature_sim.twin.motion import motion_for, move_base, move_links

SNAP = 50.0
"""Frequency with which a spring draws a hinge to its goal, critically damped, all other hinges left
free [rad/s]."""
INSET = 0.7
"""Soles press with points so far towards their corners: on its edge a sole rolls."""
HOLD = 120.0
"""The same of a hinge that an event asks for an angle: it also has to bear the body."""
RATE = 360.0
"""Steps of a second at least: springs of hinges are explicit."""
LOAD = 0.7
"""Size of the box that it carries, as a fraction of that of its body."""
FRICTION = 1.0
"""Of feet on the ground, where its world says nothing."""


class Machine(NamedTuple):
    """What a twin is made of.

    Attributes:
        robot: without fixed joints.
        links: the same as arrays.
        gains: how hard it is held.
        stiff: how hard while events ask for the angles of its hinges.
    """

    robot: Robot
    links: Links
    gains: Gains
    stiff: Gains


def machine_of(creature: CreatureDef, friction: float | None) -> Machine:
    """The twin of a creature on ground with a friction; None: as usual."""
    robot = with_load(merged(robot_of(creature)), creature)
    robot = with_rotors(robot, _free(mass_matrix(robot, links_of(robot, creature))))
    links = links_of(robot, creature)
    matrix = mass_matrix(robot, links)
    free = _free(matrix)
    centre = matrix[3:6, :3] / robot.mass
    whole = np.diag(matrix[3:6, 3:6] + robot.mass * centre @ centre)
    efforts = [joint.effort for joint in robot.joints]
    reach = float(np.mean([sum(leg.bones) for leg in creature.all_legs]))
    gains = Gains(
        SNAP * SNAP * free,
        2.0 * SNAP * free,
        free,
        np.array(efforts),
        np.array([joint.velocity for joint in robot.joints]),
        whole.copy(),
        robot.mass,
        reach,
        FRICTION if friction is None else friction,
    )
    stiff = gains._replace(stiffness=HOLD * HOLD * free, damping=2.0 * HOLD * free)
    return Machine(robot, links, gains, stiff)


def _free(matrix: Floats) -> Floats:
    """Inertia of each hinge, (A,), nothing else held, by a `mass_matrix` [kg m^2]."""
    found: Floats = 1.0 / np.diag(np.linalg.inv(matrix))[6:]
    return found


def with_load(robot: Robot, creature: CreatureDef) -> Robot:
    """A robot with a box on its back that weighs what the creature carries.

    Args:
        robot: without fixed joints.
        creature: that it is; its `motion.load` is a fraction of its own mass.
    """
    if not creature.motion.load:
        return robot
    base, *others = robot.links
    mass = creature.motion.load * robot.mass
    long, wide, high = (LOAD * size for size in creature.body.size)
    x, y, _ = base.shapes[0].position
    centre = x, y, 0.5 * (creature.body.size[2] + high)
    shape = Shape("box", (long, wide, high), centre)
    own = Solid(base.mass, base.centre, base.inertia)
    whole = joined([own, solid_of(shape, 0.0, mass)])
    loaded = replace(
        base,
        mass=whole.mass,
        centre=whole.centre,
        inertia=whole.inertia,
        shapes=(*base.shapes, shape),
    )
    return replace(robot, links=(loaded, *others))


def with_rotors(robot: Robot, free: Floats) -> Robot:
    """A robot whose links are as hard to turn as their motors' rotors make them.

    None is so light that its motor would bring it to full speed within a step: motors that strong
    have rotors that are heavier by far, through their gears.

    Args:
        robot: without fixed joints.
        free: (A,) inertia of each hinge, nothing else held [kg m^2].
    """
    base, *others = robot.links
    links = [base]
    for link, inertia in zip(others, free.tolist(), strict=True):
        assert link.joint is not None
        rotor = max(0.0, link.joint.effort / (RATE * link.joint.velocity) - inertia)
        xx, yy, zz, *mixed = link.inertia
        turned = (xx + rotor, yy + rotor, zz + rotor, *mixed)
        links.append(replace(link, inertia=turned))
    return replace(robot, links=tuple(links))


def mass_matrix(robot: Robot, links: Links) -> Floats:
    """How forces on the base and torques on hinges accelerate a robot as it stands, inverted.

    (6 + A, 6 + A): velocity of the base's frame, its spin, rates of the hinges; in the frame of the
    base (Featherstone 2008, by Jacobians).
    """
    count = len(links.parent)
    motion = motion_for(count)
    still = (0.0, 0.0, 0.0)
    move_base(motion, links, still, (0.0, 0.0, 0.0, 1.0), still, still)
    move_links(motion, links, np.array([joint.rest for joint in robot.joints]), np.zeros(count - 1))
    turns = rotation_matrices(motion.orientation)
    found = np.zeros((5 + count, 5 + count))
    carried: list[list[int]] = []  # hinges before each link
    for k in range(count):
        carried.append([*carried[links.parent[k]], k] if k else [])
        goes, spins = np.zeros((3, 5 + count)), np.zeros((3, 5 + count))
        goes[:, :3], goes[:, 3:6], spins[:, 3:6] = np.eye(3), -_cross(motion.centre[k]), np.eye(3)
        for hinge in carried[k]:
            arm = motion.centre[k] - motion.position[hinge]
            goes[:, 5 + hinge] = np.cross(motion.axis[hinge], arm)
            spins[:, 5 + hinge] = motion.axis[hinge]
        found += links.mass[k] * goes.T @ goes
        found += spins.T @ (turns[k] @ links.inertia[k] @ turns[k].T) @ spins
    return found


def _cross(vector: Floats) -> Floats:
    """The matrix of a cross product with a vector on its left."""
    x, y, z = vector
    return np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))


def links_of(robot: Robot, creature: CreatureDef) -> Links:
    """The links of a robot without fixed ones, made of a creature."""
    links = robot.links
    index = {link.name: number for number, link in enumerate(links)}
    legs = list(zip(leg_names(creature), creature.all_legs, strict=True))
    most = max(len(leg.bones) for _, leg in legs)
    bones = np.full((len(legs), most), -1)
    for row, (name, leg) in zip(bones, legs, strict=True):
        row[: len(leg.bones)] = [index[f"{name}_bone_{b + 1}"] for b in range(len(leg.bones))]
    segments = [index[name] for name in segment_names(creature)]
    return Links(
        np.array([link.parent for link in links]),
        np.array([link.position for link in links]),
        np.array([link.orientation for link in links]),
        np.array([link.joint.axis if link.joint else (0.0, 0.0, 1.0) for link in links]),
        np.array([joint.lo for joint in robot.joints]),
        np.array([joint.hi for joint in robot.joints]),
        np.array([link.mass for link in links]),
        np.array([link.centre for link in links]),
        np.array([matrix_of(link.inertia) for link in links]),
        _first_hinges(robot),
        index.get("head", 0),
        np.array([leg.segment for _, leg in legs]),
        np.array(segments),
        np.array([links[segment].shapes[0].position for segment in segments]),
        bones,
        bones.max(axis=1),
        np.array([(leg.bones[-1], 0.0, 0.0) for _, leg in legs]),
        np.array([number for number, (_, leg) in enumerate(legs) for _ in _points(leg)]),
        np.array([point for _, leg in legs for point in _points(leg)]),
    )


def _points(leg: LegDef) -> list[Vec]:
    """Where a foot presses: with its tip, or with the corners of its sole [m, last bone]."""
    length = leg.bones[-1]
    if leg.foot is None:
        return [(length, 0.0, 0.0)]
    (long, wide, _), ahead = leg.sole
    toes = leg.toes_side
    return [
        (length, side * INSET * wide, toes * ahead + end * INSET * long)
        for end in (1.0, -1.0)
        for side in (1.0, -1.0)
    ]


def _first_hinges(robot: Robot) -> NDArray[np.int64]:
    """Of each link, the first of those that are in one place one after the other, it the last."""
    found: list[int] = []
    for number, link in enumerate(robot.links):
        is_between = number > 0 and not robot.links[link.parent].shapes
        goes_on = is_between and link.parent == number - 1 and not any(link.position)
        found.append(found[link.parent] if goes_on else number)
    return np.array(found)


def merged(robot: Robot) -> Robot:
    """The same robot without fixed joints: their links are parts of those that they hang on."""
    kept: list[Link] = []
    where: list[tuple[int, Floats]] = []  # of each link: index among those kept, and where in it
    for link in robot.links:
        if link.joint is None or link.joint.kind != FIXED:
            parent = -1 if link.parent < 0 else where[link.parent][0]
            where.append((len(kept), np.zeros(3)))
            kept.append(replace(link, parent=parent))
            continue
        index, before = where[link.parent]
        place = before + np.array(link.position)
        where.append((index, place))
        kept[index] = _fastened(kept[index], link, place)
    feet = tuple(where[foot][0] for foot in robot.feet)
    return replace(robot, links=tuple(kept), feet=feet)


def _fastened(link: Link, other: Link, place: Floats) -> Link:
    """A link with another one fastened to it, unturned, at a place [m, link]."""
    x, y, z = (place + np.array(other.centre)).tolist()
    own = Solid(link.mass, link.centre, link.inertia)
    whole = joined([own, Solid(other.mass, (x, y, z), other.inertia)])
    shapes = [
        replace(shape, position=tuple((place + np.array(shape.position)).tolist()))
        for shape in other.shapes
    ]
    return replace(
        link,
        mass=whole.mass,
        centre=whole.centre,
        inertia=whole.inertia,
        shapes=(*link.shapes, *shapes),
    )
