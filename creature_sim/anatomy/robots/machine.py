"""A robot as rigid groups: links that move, each with all that is fixed to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.robots import Link, Robot, RobotJoint, Shape
from creature_sim.robots.kinematics import rotations_about
from creature_sim.robots.robot import BALL, FIXED, SLIDES


@dataclass(frozen=True)
class Placed:
    """A shape in the frame of its group: turn (3, 3) and place (3,) [m]."""

    shape: Shape
    turn: Floats
    place: Floats


@dataclass(frozen=True)
class Pose:
    """Where groups are: turns (G, 3, 3) and places (G, 3) [m]."""

    turns: Floats
    places: Floats


class Machine:
    """Groups of links, parents before children; the first one is the base.

    Attributes:
        robot: that it is.
        links: index of the link that each group's joint moves.
        parents: group that each hangs on; -1 for the base.
        groups: of each link.
    """

    def __init__(self, robot: Robot) -> None:
        """Group the links of a robot."""
        self.robot = robot
        self.links: list[int] = []
        self.parents: list[int] = []
        self.groups: list[int] = []
        self.balls: dict[int, Floats] = {}  # axis that one turns about as it bends a leg
        self._offsets: list[tuple[Floats, Floats]] = []  # of links, in their group
        self._mounts: list[tuple[Floats, Floats]] = []  # of groups, in that above
        for index, link in enumerate(robot.links):
            turn, place = _frame(link)
            is_own = link.joint is None or link.joint.kind != FIXED
            above = self.groups[link.parent] if link.parent >= 0 else -1
            if link.parent >= 0:
                before, origin = self._offsets[link.parent]
                turn, place = before @ turn, before @ place + origin
            if is_own:
                self.groups.append(len(self.links))
                self.links.append(index)
                self.parents.append(above)
                self._mounts.append((turn, place))
                turn, place = np.eye(3), np.zeros(3)
            else:
                self.groups.append(above)
            self._offsets.append((turn, place))

    @property
    def names(self) -> tuple[str, ...]:
        """Of the links that joints move."""
        return tuple(self.robot.links[link].name for link in self.links)

    def link(self, group: int) -> Link:
        """The link that a group's joint moves."""
        return self.robot.links[self.links[group]]

    def joint(self, group: int) -> RobotJoint:
        """The joint of a group that is not the base."""
        found = self.link(group).joint
        assert found is not None
        return found

    def axis(self, group: int) -> Floats:
        """Of its joint, in its frame."""
        if group in self.balls:
            return self.balls[group]
        return np.array(self.joint(group).axis)

    def children(self, group: int) -> list[int]:
        """Groups that hang on one."""
        return [index for index, parent in enumerate(self.parents) if parent == group]

    def mass(self, group: int) -> float:
        """Of a group [kg]."""
        links = zip(self.robot.links, self.groups, strict=True)
        return float(sum(link.mass for link, one in links if one == group))

    @cached_property
    def shapes(self) -> tuple[tuple[Placed, ...], ...]:
        """The shapes of each group."""
        found: list[list[Placed]] = [[] for _ in self.links]
        for index, link in enumerate(self.robot.links):
            turn, place = self._offsets[index]
            for shape in link.shapes:
                own = rotation_matrices(np.array(shape.orientation))
                where = turn @ np.array(shape.position) + place
                found[self.groups[index]].append(Placed(shape, turn @ own, where))
        return tuple(map(tuple, found))

    def ends(self, group: int) -> Floats:
        """Where links that are fixed to a group begin (N, 3) [m, group]."""
        found = [self._offsets[index][1] for index, one in enumerate(self.groups) if one == group]
        return np.array(found).reshape(-1, 3)

    def posed(self, angles: Sequence[float], turn: Floats) -> Pose:
        """Where all groups are, at angles of their joints [rad, or m], the base turned (3, 3)."""
        turns, places = np.zeros((len(self.links), 3, 3)), np.zeros((len(self.links), 3))
        for group, parent in enumerate(self.parents):
            mount, origin = self._mounts[group]
            before, at = (turn, np.zeros(3)) if parent < 0 else (turns[parent], places[parent])
            turns[group], places[group] = before @ mount, before @ origin + at
            joint = self.link(group).joint
            if joint is None or not angles[group]:
                continue
            if joint.kind == SLIDES:
                places[group] += turns[group] @ self.axis(group) * angles[group]
            else:
                turns[group] = turns[group] @ rotations_about(self.axis(group), angles[group])
        return Pose(turns, places)


def within(joint: RobotJoint, value: float) -> float:
    """The value of a joint nearest to one that its limits allow."""
    return value if joint.kind == BALL else min(max(value, joint.lo), joint.hi)


def _frame(link: Link) -> tuple[Floats, Floats]:
    return rotation_matrices(np.array(link.orientation)), np.array(link.position, np.float64)
