"""The bones of a model: where they begin, what hangs on what, and what of the skin follows each."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from creature_sim.errors import DefinitionError
from creature_sim.maths import Floats
from creature_sim.models import Model

MAX_BONES = 600
MOST = 0.5
"""A vertex belongs to a bone that it follows by more than this."""


@dataclass(frozen=True)
class Skeleton:
    """Bones, parents before their children.

    Attributes:
        names: of the bones.
        parents: index of each one's parent; -1 for none.
        heads: (B, 3) where they begin.
        skins: of each bone, the vertices (V, 3) that belong to it.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    heads: Floats
    skins: tuple[Floats, ...]

    def children(self, bone: int) -> list[int]:
        """Bones that hang on one."""
        return self._children[bone]

    @cached_property
    def _children(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self.parents]
        for index, parent in enumerate(self.parents):
            if parent >= 0:
                found[parent].append(index)
        return found

    def below(self, bone: int) -> list[int]:
        """A bone and all that hang on it, parents first."""
        found = [bone]
        for one in found:  # it grows meanwhile
            found.extend(self.children(one))
        return found

    def path(self, bone: int, root: int) -> list[int]:
        """Bones from one to another below it."""
        found = [bone]
        while found[-1] != root:
            found.append(self.parents[found[-1]])
        return found[::-1]

    @cached_property
    def middle(self) -> float:
        """Where along Y the middle plane is: that about which most bones are mirrored."""
        y = self.heads[:, 1]
        planes = [0.0, float(y[0]), 0.5 * float(y.min() + y.max())]
        return max(planes, key=lambda plane: self.mirrored(plane, 0.01))

    def mirrored(self, plane: float, near: float) -> int:
        """Bones that have one near their mirror image, by the extent of the skeleton."""
        images = self.heads * [1.0, -1.0, 1.0] + [0.0, 2.0 * plane, 0.0]
        gaps = np.abs(self.heads[:, None] - images[None]).max(axis=2).min(axis=1)
        return int((gaps < near * self.extent).sum())

    @property
    def points(self) -> Floats:
        """All heads and all of the skin (N, 3)."""
        return np.concatenate([self.heads, *self.skins])

    @cached_property
    def extent(self) -> float:
        """The largest of its length, width and height."""
        points = self.points
        return float((points.max(axis=0) - points.min(axis=0)).max())

    def moved(self, turn: Floats, scale: float, origin: Floats) -> "Skeleton":
        """The same in another frame: each point is turned (3, 3), scaled, and measured from one."""

        def placed(points: Floats) -> Floats:
            found: Floats = scale * np.einsum("ij,nj->ni", turn, points - origin)
            return found

        return replace(self, heads=placed(self.heads), skins=tuple(map(placed, self.skins)))


def skeleton_of(model: Model, file: str) -> Skeleton:
    """The bones of a model, in the frame of its file.

    Bones that no vertex follows, nor one of those below, are left out: they are handles of a rig.
    One such below others is kept, for it may be where a bone ends.

    Raises:
        DefinitionError: it has none, or too many, or two of one name.
    """
    bones = set(model.bones) | set(_junctions(model))
    if len(bones) < 3 or not any(model.nodes.parents[bone] in bones for bone in bones):
        raise DefinitionError(
            f"{file}: expected a skeleton (bones that hang on one another, as an armature that a "
            f"mesh is parented to), found {len(bones)} nodes without one; export the armature "
            "too, or write a creature by hand: creature-sim new creature NAME"
        )
    if len(bones) > MAX_BONES:
        raise DefinitionError(
            f"{file}: expected at most {MAX_BONES} bones, found {len(bones)}; export only those "
            "that deform the mesh"
        )
    ordered = [node for node in model.nodes.order if node in bones]
    skins = _skins(model, ordered)
    used = [len(skin) > 0 for skin in skins]
    number = {node: index for index, node in enumerate(ordered)}
    parents = [_above(model, node, number) for node in ordered]
    has_skin = any(used)
    for index in reversed(range(len(ordered))):
        if used[index] and parents[index] >= 0:
            used[parents[index]] = True
    kept = [
        index
        for index in range(len(ordered))
        if not has_skin or used[index] or (parents[index] >= 0 and used[parents[index]])
    ]
    found = _largest(model, [ordered[index] for index in kept], [skins[index] for index in kept])
    name, count = Counter(found.names).most_common(1)[0]
    if count > 1:  # a creature's file names the bones that its own ones are
        raise DefinitionError(
            f"{file}: expected bones with names of their own, found {count} that are named {name!r}"
        )
    return found


def _junctions(model: Model) -> Iterator[int]:
    """Nodes that skins do not name, and that join the trees of bones that one mesh follows."""
    bones, parents = set(model.bones), model.nodes.parents
    for part in model.parts:
        paths: list[list[int]] = []
        for joint in sorted(
            bones.intersection(np.unique(part.joints[part.weights > 0.0]).tolist())
        ):
            path = [joint]
            while parents[path[-1]] >= 0:
                path.append(parents[path[-1]])
            last = max(index for index, node in enumerate(path) if node in bones)
            paths.append(path[last:][::-1])  # from the scene down to the tree's first bone
        shared = [nodes[0] for nodes in zip(*paths, strict=False) if len(set(nodes)) == 1]
        if len({path[-1] for path in paths}) > 1 and shared:
            yield shared[-1]


def _above(model: Model, node: int, number: dict[int, int]) -> int:
    """Index of the nearest bone above a node; -1 if there is none."""
    above = model.nodes.parents[node]
    while above >= 0 and above not in number:
        above = model.nodes.parents[above]
    return number.get(above, -1)


def _skins(model: Model, ordered: Sequence[int]) -> list[Floats]:
    """The vertices that belong to each of some nodes."""
    found: dict[int, list[Floats]] = {node: [] for node in ordered}
    for part in model.parts:
        best = part.weights.argmax(axis=1)
        rows = np.arange(len(best))
        owner: NDArray[np.int64] = part.joints[rows, best]
        owner = np.where(part.weights[rows, best] >= MOST, owner, -1)
        for node in np.unique(owner):
            if int(node) in found:
                found[int(node)].append(part.vertices[owner == node])
    return [np.concatenate(found[node]) if found[node] else np.zeros((0, 3)) for node in ordered]


def _largest(model: Model, nodes: Sequence[int], skins: Sequence[Floats]) -> Skeleton:
    """The tree of bones that has most of them, and on its root those that share a mesh with it."""
    number = {node: index for index, node in enumerate(nodes)}
    parents = [_above(model, node, number) for node in nodes]
    tops = list(range(len(nodes)))
    for index, parent in enumerate(parents):
        if parent >= 0:
            tops[index] = tops[parent]
    largest = max(sorted(set(tops)), key=tops.count)
    joined = {largest}
    for part in model.parts:
        followed = np.unique(part.joints[part.weights > 0.0]).tolist()
        mine = {tops[number[node]] for node in followed if node in number}
        joined |= mine if largest in mine else set()
    kept = [index for index, top in enumerate(tops) if top == largest]
    kept += [index for index, top in enumerate(tops) if top in joined - {largest}]
    renumbered = {index: place for place, index in enumerate(kept)}
    return Skeleton(
        tuple(model.nodes.names[nodes[index]] for index in kept),
        (-1, *(renumbered.get(parents[index], 0) for index in kept[1:])),
        np.array([model.nodes.matrices[nodes[index]][:3, 3] for index in kept]),
        tuple(skins[index] for index in kept),
    )
