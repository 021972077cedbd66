"""The nodes of a model: a forest, with the frame and the size of each at rest."""

from dataclasses import dataclass

import numpy as np

from creature_sim.maths import Floats
from creature_sim.models.fields import Field

MAX_NODES = 20_000
EVEN = 1e-3
"""Scales whose parts differ by less, over their size, are even; axes that are as square."""


@dataclass(frozen=True)
class Hierarchy:
    """All nodes.

    Attributes:
        names: of the nodes; `node 3` where it has none.
        parents: index of each one's parent; -1 for those at the top.
        order: indices, parents before their children.
        matrices: (N, 4, 4) of the nodes at rest [in the lengths of the file, Y up].
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    order: tuple[int, ...]
    matrices: Floats


def hierarchy_of(document: Field) -> Hierarchy:
    """The nodes of a document.

    Raises:
        DefinitionError: a node has two parents or is below itself, or is scaled unevenly.
    """
    nodes = document["nodes"].items(MAX_NODES)
    names = tuple(node["name"].text(f"node {index}") for index, node in enumerate(nodes))
    parents = [-1] * len(nodes)
    for index, node in enumerate(nodes):
        for child in node["children"].items(MAX_NODES):
            found = child.index(len(nodes))
            if parents[found] >= 0:
                raise child.refused("a node with one parent", f"{names[found]!r} below two")
            parents[found] = index
    order = _order(document, parents)
    matrices = np.zeros((len(nodes), 4, 4))
    for index in order:
        own = _matrix(nodes[index], names[index])
        above = parents[index]
        matrices[index] = own if above < 0 else matrices[above] @ own
    if not np.isfinite(matrices).all():
        raise document["nodes"].refused("finite frames", "others")
    return Hierarchy(names, tuple(parents), order, matrices)


def _order(document: Field, parents: list[int]) -> tuple[int, ...]:
    """Indices, parents before their children; a ring of nodes is refused."""
    children: list[list[int]] = [[] for _ in parents]
    for index, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(index)
    found = [index for index, parent in enumerate(parents) if parent < 0]
    for index in found:  # it grows meanwhile
        found.extend(children[index])
    if len(found) < len(parents):
        lost = min(set(range(len(parents))) - set(found))
        raise document["nodes"].refused("trees of nodes", f"node {lost} below itself")
    return tuple(found)


def _matrix(node: Field, name: str) -> Floats:
    """The matrix (4, 4) of a node against its parent."""
    found = np.eye(4)
    if "matrix" in node:
        usual = tuple(np.eye(4).ravel().tolist())
        found = np.array(node["matrix"].numbers(usual)).reshape(4, 4).T.copy()
        block = found[:3, :3]
        sizes = np.sqrt((block * block).sum(axis=0))
        size = float(sizes.max())
        gram = (block.T @ block) / max(size * size, 1e-300)
        if size <= 0.0 or np.abs(gram - np.eye(3)).max() > EVEN or np.linalg.det(block) <= 0.0:
            raise node["matrix"].refused(
                "a turn with an even scale", f"another matrix at {name!r}: apply its scale"
            )
        return found
    x, y, z, w = node["rotation"].numbers((0.0, 0.0, 0.0, 1.0))
    length = x * x + y * y + z * z + w * w
    if abs(length - 1.0) > 2.0 * EVEN:
        raise node["rotation"].refused("a unit quaternion")
    scale = node["scale"].numbers((1.0, 1.0, 1.0))
    low, high = min(scale), max(scale)
    if low <= 0.0 or high - low > EVEN * high:
        raise node["scale"].refused(
            "the same positive scale along all axes", f"{list(scale)} at {name!r}: apply it"
        )
    s = 2.0 / length
    found[:3, :3] = (
        np.array(
            [
                [1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
                [s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)],
                [s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)],
            ]
        )
        * scale[0]
    )
    found[:3, 3] = node["translation"].numbers((0.0, 0.0, 0.0))
    return found
