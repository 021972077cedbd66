"""A robot: a tree of links with mass, each on one joint, whatever file it comes from or goes to.

All frames have X forward, Y left, Z up where the format does not say otherwise. Quaternions are
(x, y, z, w). A link's frame is where its joint is; the joint turns the link about it.
"""

from dataclasses import dataclass, field
from math import fsum
from typing import Final, Literal

from creature_sim.maths import Quat, Vec

Kind = Literal["fixed", "revolute", "continuous", "prismatic", "ball"]
FIXED: Final = "fixed"
TURNS: Final = "revolute"
SLIDES: Final = "prismatic"
BALL: Final = "ball"
"""Kinds of joints."""


@dataclass(frozen=True)
class Shape:
    """A solid that hangs on a link."""

    kind: Literal["sphere", "capsule", "cylinder", "box", "mesh"]
    size: tuple[float, ...]
    """Radius [m]; radius and length without caps, along Z [m]; the same; sizes [m]; factors."""
    position: Vec = (0.0, 0.0, 0.0)  # [m, link]
    orientation: Quat = (0.0, 0.0, 0.0, 1.0)  # shape to link
    file: str = ""  # of a mesh
    collides: bool = True
    is_drawn: bool = True
    colour: str = ""  # #rrggbb; empty: none is given


@dataclass(frozen=True)
class RobotJoint:
    """How a link moves on its parent."""

    name: str
    kind: Kind
    axis: Vec = (0.0, 0.0, 1.0)  # unit [link]
    lo: float = 0.0  # [rad or m]
    hi: float = 0.0
    rest: float = 0.0  # as it stands
    effort: float = 0.0  # largest [N m or N]; 0: not given
    velocity: float = 0.0  # largest [rad/s or m/s]; 0: not given


@dataclass(frozen=True)
class Link:
    """A rigid part."""

    name: str
    parent: int  # index of the link that it hangs on; -1: none, it is the base
    joint: RobotJoint | None  # to its parent; none for the base
    position: Vec = (0.0, 0.0, 0.0)  # of its frame, all joints at 0 [m, parent]
    orientation: Quat = (0.0, 0.0, 0.0, 1.0)  # link to parent, all joints at 0
    mass: float = 0.0  # [kg]
    centre: Vec = (0.0, 0.0, 0.0)  # of mass [m, link]
    inertia: tuple[float, float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    """About the centre: xx, yy, zz, xy, xz, yz [kg m^2, link]."""
    shapes: tuple[Shape, ...] = field(default=())


@dataclass(frozen=True)
class Robot:
    """Links, parents before children; the first one is the base, free in the world."""

    name: str
    links: tuple[Link, ...]
    height: float = 0.0
    """Of the base's frame above level ground as it stands [m]; 0: not known."""
    feet: tuple[int, ...] = ()
    """Links that it stands on."""

    @property
    def joints(self) -> tuple[RobotJoint, ...]:
        """All that move, in the order of the links: that of angles everywhere."""
        found = (link.joint for link in self.links)
        return tuple(joint for joint in found if joint and joint.kind != FIXED)

    @property
    def mass(self) -> float:
        """Of all links [kg]."""
        return fsum(link.mass for link in self.links)
