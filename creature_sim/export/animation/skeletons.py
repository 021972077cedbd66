"""Skeletons: one node for each bone, its place in the hierarchy, and where it is at every tick.

A node lies where its bone begins, with Z along it; X is the axis that a leg bends about. (In files
whose Y is up, that is Y along it.) A tip has a node of its own. Nodes of bodies and props are their
own frames: the middle, X ahead, Z up; a further segment's lies in its front, a head's in its neck.
A bone turns from its place at rest by the shortest way, so that no skin on it twists.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from creature_sim.export.animation.turns import (
    UNTURNED,
    inverse,
    multiplied,
    shortest,
    steady,
    turned,
)
from creature_sim.figures.soles import turns_of
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths

Z = np.array([0.0, 0.0, 1.0])
LEVEL = 0.5
"""A body whose up has less than this of Z climbs, or walks round a planet."""
FLAT = 0.02
"""A leg whose bones bend by less, as a sine, has no plane that it bends in."""


class Node(NamedTuple):
    """A node that is to be placed on joints.

    Attributes:
        name: of it.
        parent: its index among the nodes.
        joint: index of the joint where it is.
        aim: of the joint that its Z points to; None: it keeps the turn of its parent.
    """

    name: str
    parent: int
    joint: int
    aim: int | None


@dataclass(frozen=True)
class Skeleton:
    """The nodes of a creature, a chain, a tree or a prop.

    Attributes:
        names: of the nodes, (B,); the first lies on the world's origin.
        parents: index of each one's parent; -1 for the first.
        groups: indices of the nodes whose keys lie at the same times: the trunk, then each leg.
        feet: the node at the tip of each leg.
        reaches: of each leg [m].
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    feet: tuple[int, ...] = ()
    reaches: tuple[float, ...] = ()

    def named(self, name: str) -> "Skeleton":
        """The same with another name of the first."""
        return replace(self, names=(name, *self.names[1:]))

    def locals_of(self, frames: Floats) -> Floats:
        """Frames against those of the parents, (..., B, 7), from frames (..., B, 7)."""
        found = frames.copy()
        for bone, parent in enumerate(self.parents):
            if parent >= 0:
                back = inverse(frames[..., parent, 3:])
                offset = frames[..., bone, :3] - frames[..., parent, :3]
                found[..., bone, :3] = turned(back, offset)
                found[..., bone, 3:] = multiplied(back, frames[..., bone, 3:])
        return found

    def globals_of(self, frames: Floats) -> Floats:
        """The opposite of `locals_of`."""
        found = frames.copy()
        for bone, parent in enumerate(self.parents):
            if parent >= 0:
                turns = found[..., parent, 3:]
                found[..., bone, :3] = found[..., parent, :3] + turned(turns, frames[..., bone, :3])
                found[..., bone, 3:] = multiplied(turns, frames[..., bone, 3:])
        return found


def nodes_along(names: Sequence[str], parents: Sequence[int], first: int, mount: int) -> list[Node]:
    """Nodes for joints that branch: each is named like the joint where it lies.

    A joint that several bones begin at has a node without a direction, and one `NAME_CHILD` for
    each of them.

    Args:
        names: of the joints, the root first.
        parents: index of each joint's parent, before it; -1 for the root.
        first: index that the first of the nodes will have.
        mount: index of the node that they hang on.
    """
    children: list[list[int]] = [[] for _ in names]
    for joint, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(joint)
    found: list[Node] = []
    taken = set(names)
    carrier = [mount] * len(names)  # of each joint: the node of the bone that leads to it
    for joint, name in enumerate(names):
        mine = children[joint]
        found.append(Node(name, carrier[joint], joint, mine[0] if len(mine) == 1 else None))
        at = first + len(found) - 1
        for child in mine:
            if len(mine) > 1:
                own = f"{name}_{names[child]}"
                while own in taken:
                    own += "_"
                taken.add(own)
                found.append(Node(own, at, joint, child))
            carrier[child] = first + len(found) - 1 if len(mine) > 1 else at
    return found


def rest_along(nodes: Sequence[Node], joints: Floats, rest: list[Floats]) -> None:
    """Add the frames (7,) of nodes at rest to those of the nodes before them.

    Args:
        nodes: parents before their children.
        joints: (J, 3) at rest [m].
        rest: of the nodes so far.
    """
    across = _bend(joints)
    for node in nodes:
        turn = rest[node.parent][3:]
        if node.aim is not None:
            turn = _frame(_unit(joints[node.aim] - joints[node.joint]), across)
        rest.append(np.concatenate((joints[node.joint], turn)))


def frames_along(nodes: Sequence[Node], joints: Floats, rest: Floats, frames: list[Floats]) -> None:
    """Add the frames (T, 7) of nodes at every tick to those of the nodes before them.

    Args:
        nodes: parents before their children.
        joints: (T, J, 3) [m, world].
        rest: (B, 7) of all nodes at rest.
        frames: of the nodes so far.
    """
    for node in nodes:
        turn = frames[node.parent][:, 3:]
        if node.aim is not None:
            index = len(frames)
            back = inverse(rest[node.parent, 3:])
            own = multiplied(back, rest[index, 3:])
            now = turned(inverse(turn), _unit(joints[:, node.aim] - joints[:, node.joint]))
            turn = multiplied(turn, multiplied(shortest(turned(own, Z), now), own))
        frames.append(np.concatenate((joints[:, node.joint], steady(turn)), axis=-1))


def _unit(vectors: Floats) -> Floats:
    """Unit vectors; along X where there is none."""
    size = lengths(vectors)[..., None]
    found: Floats = np.where(size > 1e-9, vectors / np.maximum(size, 1e-9), np.eye(3)[0])
    return found


def _bend(joints: Floats) -> Floats | None:
    """The axis (3,) that joints (J, 3) bend about, one after the other; None if they do not."""
    bones = _unit(np.diff(joints, axis=0))
    axis: Floats = np.cross(bones[:-1], bones[1:]).sum(axis=0) if len(bones) > 1 else np.zeros(3)
    size = float(lengths(axis))
    return axis / size if size > FLAT else None


def _frame(along: Floats, across: Floats | None) -> Floats:
    """A turn (4,) that takes Z to a unit vector `along`, and X as near to `across` as it goes."""
    if across is None:
        return shortest(Z, along)
    x = across - along * float((across * along).sum())
    size = float(lengths(x))
    if size < FLAT:
        return shortest(Z, along)
    x = x / size
    return turns_of(x, along)


def up_of(turn: Floats) -> Floats:
    """What is up (3,) for a body turned so (4,): Z, or its own up where it climbs."""
    own = turned(turn, Z)
    return Z if own[2] > LEVEL else own


def root_frame(position: Floats, turn: Floats, up: Floats, height: float) -> Floats:
    """A frame (7,) on the ground below a body: X where the body points, seen from above.

    Args:
        position: (3,) of the body [m, world].
        turn: (4,) of the body.
        up: unit vector (3,).
        height: of the body above the ground [m].
    """
    ahead = turned(turn, np.eye(3)[0])
    ahead = _unit(ahead - up * float((ahead * up).sum()))
    return np.concatenate((position - height * up, turns_of(ahead, up)))


def height_above(position: Floats, points: Floats, up: Floats) -> float:
    """How far a position (3,) is above the lowest of points (N, 3) [m]."""
    return float(((position - points) * up).sum(axis=-1).max())


def seen_from(frame: Floats, frames: Floats) -> Floats:
    """Frames (..., 7) as a frame (..., 7) sees them."""
    back = inverse(frame[..., 3:])
    return np.concatenate(
        (
            turned(back, frames[..., :3] - frame[..., :3]),
            multiplied(back, frames[..., 3:]),
        ),
        axis=-1,
    )


AT_ORIGIN = np.array([0.0, 0.0, 0.0, *UNTURNED])
