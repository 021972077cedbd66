"""Parts of a robot: links with solids, each at the end of the hinges of one joint."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from creature_sim.maths import Quat, Vec, clamp
from creature_sim.robots.inertia import Lump, ball
from creature_sim.robots.robot import FIXED, TURNS, Link, RobotJoint, Shape
from creature_sim.robots.turns import Turn

BETWEEN = 0.05
"""Fraction of a part's mass that each link between the hinges of its joint has: the motor's frame.
Links without mass are none in URDF, and links of next to none make simulations stiff."""
ALONG: Quat = (0.0, 0.70710678118654752, 0.0, 0.70710678118654752)
"""Turns Z, along which capsules lie, to X, along which bones do."""
STIFF = 1e-6
"""A hinge whose limits are one angle has this room: formats have none without [rad]."""
VELOCITY = 15.0
"""No motor turns faster [rad/s]: what the score takes for a joint that pops."""


@dataclass(frozen=True)
class Part:
    """A rigid part of a creature.

    Attributes:
        name: of its link.
        lump: its solid, of density 1 [link].
        shapes: of it.
        radius: of the links between its hinges [m].
    """

    name: str
    lump: Lump
    shapes: tuple[Shape, ...]
    radius: float


@dataclass(frozen=True)
class Hinge:
    """What the hinges of a joint have in common.

    Attributes:
        name: that their names begin with.
        effort: largest torque [N m].
    """

    name: str
    effort: float


def base(part: Part) -> Link:
    """The link that hangs on nothing."""
    return _link(part, -1, None, part.lump)


def hung(
    part: Part, parent: int, index: int, position: Vec, joint: Hinge, turns: Sequence[Turn]
) -> list[Link]:
    """A part at the end of hinges in one place, the links between them first.

    Args:
        part: it hangs on the last hinge.
        parent: index of the link that the first one hangs on.
        index: that the first of the links gets.
        position: of the joint [m, parent].
        joint: of all hinges.
        turns: hinges, at least one.
    """
    found = []
    share = BETWEEN * part.lump.mass
    for number, turn in enumerate(turns):
        is_last = number == len(turns) - 1
        mine = RobotJoint(
            f"{joint.name}_{turn.name}",
            TURNS,
            turn.axis,
            turn.lo,
            max(turn.hi, turn.lo + STIFF),
            clamp(turn.rest, turn.lo, turn.hi),
            joint.effort,
            VELOCITY,
        )
        small = Part(f"{part.name}_{turn.name}", ball(share, part.radius), (), part.radius)
        rest = part.lump.scaled(1.0 - BETWEEN * number)
        link = _link(part, parent, mine, rest) if is_last else _link(small, parent, mine)
        found.append(replace(link, position=position, orientation=turn.orientation))
        parent, position = index + number, (0.0, 0.0, 0.0)
    return found


def fastened(part: Part, parent: int, position: Vec) -> Link:
    """A part that does not move against its parent; position [m, parent]."""
    link = _link(part, parent, RobotJoint(f"{part.name}_fixed", FIXED))
    return replace(link, position=position)


def _link(part: Part, parent: int, joint: RobotJoint | None, lump: Lump | None = None) -> Link:
    lump = lump or part.lump
    inertia = (*lump.inertia, 0.0, 0.0, 0.0)
    return Link(
        part.name,
        parent,
        joint,
        mass=lump.mass,
        centre=lump.centre,
        inertia=inertia,
        shapes=part.shapes,
    )


def bar(start: float, end: float, radius: float, colour: str) -> Shape:
    """A capsule along X, from `start` to `end`, without its caps [m]; a ball if they are one."""
    middle = (0.5 * (start + end), 0.0, 0.0)
    if end <= start:
        return Shape("sphere", (radius,), middle, colour=colour)
    return Shape("capsule", (radius, end - start), middle, ALONG, colour=colour)
