"""The joints of a robot's limb by what they do: turn its plane, bend it there, turn a foot."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from creature_sim.anatomy.robots.machine import Machine, Pose
from creature_sim.errors import DefinitionError
from creature_sim.maths import Floats
from creature_sim.robots.robot import BALL, SLIDES

ALIKE = 0.97
"""Cosine of the angle up to which two axes are one direction."""
LEVEL = 0.6
"""A leg bends about axes whose direction is less upright than this."""
NEAR = 0.02
"""Joints this near to each other are one hip, over the limb."""
UPRIGHT = 0.8
"""An axis that is more upright turns a leg's plane as the hip of an insect does."""


@dataclass(frozen=True)
class Chain:
    """A limb.

    Attributes:
        groups: from its root to the last.
        hips: those whose joints turn the plane that it bends in.
        bends: those whose joints bend it, hip first.
        ankles: those whose joints turn what follows the last of them.
    """

    groups: tuple[int, ...]
    hips: tuple[int, ...]
    bends: tuple[int, ...]
    ankles: tuple[int, ...]


def chain_of(machine: Machine, groups: Sequence[int], pose: Pose, up: Floats) -> Chain:
    """The joints of a limb by what they do.

    Args:
        machine: the robot.
        groups: of the limb, from its root to the last.
        pose: in which its hips are straight.
        up: direction of the pose's frame.

    Raises:
        DefinitionError: it has joints that slide, or bends in more than one plane.
    """
    joints = [machine.joint(group) for group in groups]
    slides = [joint.name for joint in joints if joint.kind == SLIDES]
    if slides:
        raise DefinitionError(f"expected joints that turn, found {slides[0]!r}, which slides")
    axes = [pose.turns[group] @ machine.axis(group) for group in groups]
    balls = [index for index, joint in enumerate(joints) if joint.kind == BALL]
    best: list[int] = []
    for index, axis in enumerate(axes):
        if index in balls or abs(float(axis @ up)) > LEVEL:
            continue
        alike = [
            one
            for one, other in enumerate(axes)
            if one not in balls and abs(float(other @ axis)) > ALIKE
        ]
        if (len(alike), alike[-1]) > (len(best), best[-1] if best else -1):
            best = alike
    if not best:
        raise DefinitionError(f"expected a knee, found joints {_named(joints)} and no level axis")
    before = [index for index in balls if index < best[0]]
    bends = before[-1:] + best
    at = pose.places[list(groups)]
    near = NEAR * float(np.linalg.norm(at[1:] - at[:-1], axis=1).sum())
    between = [i for i in range(bends[0], best[-1]) if i not in bends]
    crooked = [i for i in between if float(np.linalg.norm(at[i] - at[bends[0]])) > near]
    if crooked:
        raise DefinitionError(
            f"expected knees that bend in one plane, found joint {joints[crooked[0]].name!r} "
            f"across {joints[best[-1]].name!r}"
        )
    hips = [index for index in range(best[-1]) if index not in bends]
    ankles = range(best[-1] + 1, len(groups))
    return Chain(
        tuple(groups),
        tuple(groups[index] for index in hips),
        tuple(groups[index] for index in bends),
        tuple(groups[index] for index in ankles),
    )


def is_insect(machine: Machine, chain: Chain, pose: Pose, up: Floats) -> bool:
    """Whether its hip turns it fore and aft about an upright axis, and about no other."""
    axes = [pose.turns[group] @ machine.axis(group) for group in chain.hips]
    return len(axes) == 1 and abs(float(axes[0] @ up)) > UPRIGHT


def _named(joints: Sequence[object]) -> str:
    names = [repr(getattr(joint, "name", "")) for joint in joints]
    return ", ".join(names[:6])
