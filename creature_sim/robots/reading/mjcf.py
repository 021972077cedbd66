"""Robots from MJCF: bodies in one another; https://mujoco.readthedocs.io/en/stable/XMLreference.html."""

from collections.abc import Iterator
from dataclasses import replace

from creature_sim.maths import Quat, Vec, add, quat_multiply, rotate, sub
from creature_sim.robots.reading.elements import Element
from creature_sim.robots.reading.faults import faults_of
from creature_sim.robots.reading.mjcf_parts import (
    Turning,
    geoms_of,
    inertial_of,
    joint_of,
)
from creature_sim.robots.reading.mjcf_settings import ORIGIN, Settings, included, settings_of
from creature_sim.robots.reading.read import Reading
from creature_sim.robots.reading.solids import joined
from creature_sim.robots.reading.turns import NONE
from creature_sim.robots.robot import Link, Robot, RobotJoint

MAX_LINKS = 1_000
WORLD = "world"
MOTORS = ("motor", "general", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle")
COPIES = ("composite", "flexcomp", "replicate", "attach")


def read_mjcf(root: Element) -> Reading:
    """The robot of a file; see `read_robot`."""
    return _Reader(root).reading()


class _Reader:
    def __init__(self, root: Element) -> None:
        included(root)
        self._root = root
        self._settings = settings_of(root)
        self._efforts = dict(_efforts(root, self._settings))
        self._links: list[Link] = []
        self._faults: list[str] = []
        self._names: dict[str, int] = {}

    def reading(self) -> Reading:
        worlds = list(self._root.all("worldbody"))
        found = [
            (body, place, turn, inherited)
            for world in worlds
            for body, place, turn, inherited in self._bodies(world, "main")
        ]
        if not found:
            raise self._root.refused("", "a <body> in a <worldbody>", "none")
        for world in worlds:
            self._note_copies(world)
        best = max(found, key=lambda one: _count(one[0]))
        for body, *_ in found:
            if body is not best[0]:
                self._settings.notes.append(
                    f"{body.shown} is another body of the world, and is left out"
                )
        self._add(*best)
        links = self._weighed()
        for equality in self._root.all("equality"):
            for tie in equality.all("connect", "weld"):
                bodies = " and ".join(
                    tie.attributes[key] for key in ("body1", "body2") if key in tie.attributes
                )
                self._settings.notes.append(
                    f"line {tie.line}: <{tie.tag}> closes a loop ({bodies}), and is left out"
                )
        name = self._root.attributes.get("model", self._root.file.stem)
        notes = tuple(dict.fromkeys(self._settings.notes))
        return Reading(str(self._root.file), Robot(name, links), notes, tuple(self._faults))

    def _add(self, body: Element, place: Vec, turn: Quat, inherited: str) -> None:
        """A tree of bodies; a body whose joint is free is the base, others hang on the world."""
        waiting = [(body, place, turn, inherited, -1, ORIGIN)]
        for one, at, turned, given, parent, origin in waiting:  # it grows meanwhile
            given = one.attributes.get("childclass", given)
            written = list(one.all("joint", "freejoint"))
            joints = [
                joint_of(
                    joint,
                    self._settings,
                    given,
                    self._efforts.get(joint.attributes.get("name", ""), 0.0),
                )
                for joint in written
            ]
            is_free = None in joints
            turning = [joint for joint in joints if joint is not None]
            if is_free and (turning or parent >= 0):
                raise one.refused("", "a free joint alone, of a body of the world", "another")
            if parent < 0 and turning:
                self._append(Link(WORLD, -1, None), one)
                parent = 0
            index, offset = self._body(one, sub(at, origin), turned, turning, parent, given)
            for child, inner, way, name in self._bodies(one, given):
                waiting.append((child, inner, way, name, index, offset))

    def _body(
        self,
        body: Element,
        place: Vec,
        turn: Quat,
        turning: list[Turning],
        parent: int,
        inherited: str,
    ) -> tuple[int, Vec]:
        """A body as one link for each of its joints; index of the last, and its place in it [m]."""
        name = body.attributes.get("name") or f"body{body.line}"
        while name in self._names:
            name += "_"
        offset = ORIGIN
        joint: RobotJoint | None = None if parent < 0 else RobotJoint(f"{name} fixed", "fixed")
        for number, one in enumerate(turning):
            joint = one.joint
            if number + 1 < len(turning):
                where = add(place, rotate(turn, sub(one.place, offset)))
                parent = self._append(
                    Link(f"{name} {joint.name}", parent, joint, where, turn), body
                )
                place, turn, offset = ORIGIN, NONE, one.place
            else:
                place = add(place, rotate(turn, sub(one.place, offset)))
                offset = one.place
        geoms = list(geoms_of(body, self._settings, inherited))
        solid = inertial_of(body, self._settings)
        if solid is None or self._settings.from_geoms == "true":
            solid = joined([geom.solid for geom in geoms])
        shapes = tuple(
            replace(geom.shape, position=sub(geom.shape.position, offset)) for geom in geoms
        )
        link = Link(
            name,
            parent,
            joint,
            place,
            turn,
            solid.mass,
            sub(solid.centre, offset),
            solid.inertia,
            shapes,
        )
        return self._append(link, body), offset

    def _append(self, link: Link, body: Element) -> int:
        if len(self._links) >= MAX_LINKS:
            raise body.refused("", f"at most {MAX_LINKS} links", "more")
        self._names[link.name] = len(self._links)
        self._links.append(link)
        if link.name != WORLD and not (link.mass == 0.0 and not link.shapes):
            self._faults += faults_of(link, body)
        return len(self._links) - 1

    def _bodies(self, element: Element, inherited: str) -> Iterator[tuple[Element, Vec, Quat, str]]:
        """Bodies in an element, and in frames in it: place, turn, class."""
        waiting = [(element, ORIGIN, NONE, inherited)]
        for one, place, turn, given in waiting:  # it grows meanwhile
            for child in one.all("body", "frame"):
                at = add(place, rotate(turn, child.vector("pos", ORIGIN)))
                way = quat_multiply(turn, self._settings.turn(child))
                if child.tag == "body":
                    yield child, at, way, given
                else:
                    waiting.append((child, at, way, child.attributes.get("childclass", given)))

    def _weighed(self) -> tuple[Link, ...]:
        """The links, as heavy as a file says that all of them are."""
        mass = sum(link.mass for link in self._links)
        total = self._settings.total
        if not total or mass <= 0.0:
            return tuple(self._links)
        factor = total / mass
        return tuple(
            replace(
                link,
                mass=factor * link.mass,
                inertia=tuple(factor * part for part in link.inertia),  # type: ignore[arg-type]
            )
            for link in self._links
        )

    def _note_copies(self, world: Element) -> None:
        waiting = [world]
        for element in waiting:  # it grows meanwhile
            waiting += element.children
            if element.tag in COPIES:
                self._settings.notes.append(
                    f"line {element.line}: {element.shown} is not read, and is left out"
                )


def _count(body: Element) -> int:
    """Bodies in a body."""
    waiting = [body]
    for element in waiting:  # it grows meanwhile
        waiting += element.all("body", "frame")
    return len(waiting)


def _efforts(root: Element, settings: Settings) -> Iterator[tuple[str, float]]:
    """The largest torque or force of joints that actuators drive, by name [N m or N]."""
    for actuators in root.all("actuator"):
        for element in actuators.all(*MOTORS):
            written = settings.with_defaults(element, "main")
            gear = abs(written.numbers("gear", 1, 6, (1.0,))[0])
            key = "forcerange" if "forcerange" in written.attributes else "ctrlrange"
            if key == "ctrlrange" and element.tag != "motor":
                continue
            low, high = written.numbers(key, 2, 2, (0.0, 0.0))
            yield written.attributes.get("joint", ""), gear * max(abs(low), abs(high))
