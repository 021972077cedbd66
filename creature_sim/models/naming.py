"""The nodes of a model that a creature, a chain or a tree names, and where they are at rest."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef
from creature_sim.definitions.model import ModelDef, RigModelDef
from creature_sim.errors import DefinitionError
from creature_sim.files.hints import hint, near
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths
from creature_sim.models.hierarchy import Hierarchy
from creature_sim.models.model import Model

FEW_NAMES = 24
"""Nodes that are offered where a name is unknown."""
SHORTEST = 1e-3
"""Bones of a model are longer than this fraction of those of the creature."""
AXES = {"X": 0, "Y": 1, "Z": 2}
Given = ModelDef | RigModelDef


@dataclass(frozen=True)
class Swings:
    """K nodes that swing with legs.

    Attributes:
        names: of the nodes.
        places: (K, 3) where they turn, at rest [m, body].
        carriers: (K,) the bone that each hangs on.
        legs: (K,) the leg that it swings with.
        gains: (K,) its angle over that of the leg.
    """

    names: tuple[str, ...]
    places: Floats
    carriers: NDArray[np.int64]
    legs: NDArray[np.int64]
    gains: Floats


@dataclass(frozen=True)
class RestPose:
    """Where all bones are at rest, and which of them each node of the model follows.

    Attributes:
        boxes: (S, 3) centres of the boxes [m, body].
        joints: (L, J, 3) hip to tip [m, body]; short legs repeat their tip.
        counts: (L,) of bones.
        swings: nodes that swing with legs.
        bones: (N,) of all nodes: their own, or that of the nearest node above, or 0.
        apart: (N,) whether a node is one of a tail that is drawn by itself.
        key: of the legs, for messages.
    """

    boxes: Floats
    joints: Floats
    counts: NDArray[np.int64]
    swings: Swings
    bones: NDArray[np.int64]
    apart: NDArray[np.bool_]
    key: str


def creature_at_rest(creature: CreatureDef, given: ModelDef, model: Model) -> RestPose:
    """A creature as its model stands at rest.

    Raises:
        DefinitionError: nodes are missing; every line begins with a key of the creature.
    """
    named = Named(given, model)
    for index, name in enumerate(given.trunk):
        if name:
            named.take(f"model.trunk[{index}]", name, index)
    if given.head:
        named.take("model.head", given.head, len(creature.trunk))
    legs, bone = creature.all_legs, len(creature.boxes)
    joints = np.zeros((len(legs), 1 + max(len(leg.bones) for leg in legs), 3))
    for index, (leg, names) in enumerate(zip(legs, given.legs, strict=True)):
        tip = given.tips[index] if given.tips else None
        points = named.row(f"model.legs[{index}]", names, leg.bones, bone, tip)
        joints[index, : len(points)] = points
        joints[index, len(points) :] = points[-1]
        bone += len(leg.bones)
    places = [
        named.take(f"model.swings[{index}].node", swing.node, bone + index)
        for index, swing in enumerate(given.swings)
    ]
    apart = named.below({f"model.without[{k}]": name for k, name in enumerate(given.without)})
    bones = named.followed()
    above = [model.nodes.parents[named.indices[swing.node]] for swing in given.swings]
    swings = Swings(
        tuple(swing.node for swing in given.swings),
        np.array(places).reshape(-1, 3),
        np.array([0 if node < 0 else bones[node] for node in above], np.int64),
        np.array([swing.leg for swing in given.swings], np.int64),
        np.array([swing.gain for swing in given.swings], np.float64),
    )
    counts = np.array([len(leg.bones) for leg in legs])
    return RestPose(_boxes(creature), joints, counts, swings, bones, apart, "model.legs")


class Named:
    """Bones by node, and problems."""

    def __init__(self, given: Given, model: Model) -> None:
        """Begin with none."""
        self._given, self._nodes = given, model.nodes
        self.indices: dict[str, int] = {}
        for index in reversed(model.nodes.order):  # of two with a name, the first is meant
            self.indices[model.nodes.names[index]] = index
        self._problems: list[str] = []
        self._bones: dict[int, int] = {}
        self._keys: dict[int, str] = {}
        if not model.parts:
            self._problems.append(f"model.file: expected a mesh in {given.file}, found none")

    def row(
        self,
        key: str,
        names: tuple[str, ...],
        bones: tuple[float, ...],
        first: int,
        tip: tuple[float, ...] | None,
    ) -> list[Floats]:
        """Let nodes follow bones one after another; returns all joints at rest, (J, 3).

        Args:
            key: of the names.
            names: of the nodes.
            bones: lengths of the bones [m].
            first: index of the first bone.
            tip: where it is, if no node is there.
        """
        count = len(bones)
        found = [
            self.take(f"{key}[{joint}]", name, first + min(joint, count - 1))
            for joint, name in enumerate(names)
        ]
        if len(found) == count:
            assert tip is not None
            found.append(ours(self._given, np.array(tip)))
        if not self._problems:
            sizes = lengths(np.diff(np.array(found), axis=0)).tolist()
            self._problems += [
                f"{key}[{bone}]: expected a node about {wanted:g} m from the next joint, found "
                f"{names[bone]!r} {size:.3g} m from it (scale)"
                for bone, (size, wanted) in enumerate(zip(sizes, bones, strict=True))
                if size < SHORTEST * wanted
            ]
        return found

    def take(self, key: str, name: str, bone: int) -> Floats:
        """Let a node follow a bone; returns where it is at rest."""
        node = self._node(key, name)
        if node is None:
            return np.zeros(3)
        if node in self._bones:
            self._problems.append(
                f"{key}: expected a node that nothing else names, found {name!r} of "
                f"{self._keys[node]}"
            )
        self._bones[node], self._keys[node] = bone, key
        return ours(self._given, self._nodes.matrices[node, :3, 3])

    def below(self, names: Mapping[str, str]) -> NDArray[np.bool_]:
        """Which nodes (N,) have one of these names, by their keys, or hang on one that has."""
        given = [self._node(key, name) for key, name in names.items()]
        first = {node: 1 for node in given if node is not None}
        return np.equal(_followed(self._nodes, first), 1)

    def _node(self, key: str, name: str) -> int | None:
        node = self.indices.get(name)
        if node is None:
            known = list(self.indices)
            offered = near(name, known) or known[:FEW_NAMES]
            self._problems.append(
                f"{key}: expected a node of {self._given.file}, found {name!r}{hint(name, offered)}"
            )
        return node

    def followed(self) -> NDArray[np.int64]:
        """The bone that each node follows, (N,).

        Raises:
            DefinitionError: anything was wrong.
        """
        if self._problems:
            raise DefinitionError("\n".join(self._problems))
        return _followed(self._nodes, self._bones)


def turn_of(given: Given) -> Floats:
    """The matrix (3, 3) that takes axes of the file to ahead, left and up."""
    ahead, up = _axis(given.forward), _axis(given.up)
    return np.stack((ahead, np.cross(up, ahead), up))


def _axis(name: str) -> Floats:
    found = np.zeros(3)
    found[AXES[name[1]]] = 1.0 if name[0] == "+" else -1.0
    return found


def ours(given: Given, points: Floats) -> Floats:
    """Points (..., 3) of the file in the body's frame [m, body]."""
    moved = given.scale * (points - np.array(given.origin))
    found: Floats = (moved[..., None, :] * turn_of(given)).sum(axis=-1)
    return found


def _followed(nodes: Hierarchy, named: dict[int, int]) -> NDArray[np.int64]:
    found = np.zeros(len(nodes.names), np.int64)
    for node in nodes.order:
        above = nodes.parents[node]
        found[node] = named.get(node, 0 if above < 0 else found[above])
    return found


def _boxes(creature: CreatureDef) -> Floats:
    """Centres (S, 3) of the boxes of a creature that stands straight [m, body]."""
    found = [[x, 0.0, 0.0] for x in creature.centres]
    if creature.head:
        x, y, z = creature.head.mount
        found.append([x + 0.5 * creature.head.size[0], y, z])
    return np.array(found)
