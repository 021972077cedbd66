"""A model bound to a creature: its vertices in the creature's lengths, and the bones they follow.

The bones are those of the creature: first the boxes of its trunk, and of its head, as
`CreatureDef.boxes` counts them, then those of each leg, from the hip on. A node of the model that
is not named follows the nearest named one above it, and keeps its place against that; nodes below
none follow the body.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef
from creature_sim.definitions.model import ModelDef
from creature_sim.errors import DefinitionError
from creature_sim.files.hints import hint, near
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths
from creature_sim.models.hierarchy import Hierarchy
from creature_sim.models.images import Picture
from creature_sim.models.model import INFLUENCES, Model, Part, open_model

FEW_NAMES = 24
"""Nodes that are offered where a name is unknown."""
SHORTEST = 1e-3
"""Bones of a model are longer than this fraction of those of the creature."""
AXES = {"X": 0, "Y": 1, "Z": 2}


@dataclass(frozen=True)
class Surface:
    """Some of the triangles, which are drawn together.

    Attributes:
        first: index of the first triangle.
        count: of triangles.
        picture: index in the pictures, or None.
        is_thin: whether they are seen from both sides.
    """

    first: int
    count: int
    picture: int | None
    is_thin: bool


@dataclass(frozen=True)
class Binding:
    """What to draw, and what follows what.

    Attributes:
        vertices: (V, 3) at rest [m, body].
        normals: (V, 3).
        colours: (V, 3) amounts of light, 0 to 1.
        places: (V, 2) in the pictures, from the top left corner.
        bones: (V, K) of the creature that each vertex follows; K is 4 or 8.
        weights: (V, K) how much it follows each; they add up to 1.
        triangles: (T, 3) counter-clockwise from outside.
        surfaces: all triangles, those that are seen from both sides last.
        pictures: (H, W, 3) each.
        boxes: (S, 3) centres of the boxes at rest [m, body].
        joints: (L, J, 3) hip to tip at rest [m, body]; short legs repeat their tip.
        counts: (L,) of bones.
        margin: farthest of the vertices from the nearest joint or box at rest [m].
        notes: what was left out.
    """

    vertices: Floats
    normals: Floats
    colours: Floats
    places: Floats
    bones: NDArray[np.int64]
    weights: Floats
    triangles: NDArray[np.int64]
    surfaces: tuple[Surface, ...]
    pictures: tuple[Picture, ...]
    boxes: Floats
    joints: Floats
    counts: NDArray[np.int64]
    margin: float
    notes: tuple[str, ...]


def binding_of(creature: CreatureDef) -> Binding | None:
    """The model of a creature; None where it has none, or its file is not at hand."""
    given = creature.model
    if given is None or given.data is None:
        return None
    return bind(creature, _opened(given.file, given.data))


@lru_cache(maxsize=8)
def _opened(file: str, data: bytes) -> Model:
    return open_model(file, data)


def bind(creature: CreatureDef, model: Model) -> Binding:
    """A model bound to the bones of a creature, which names it.

    Raises:
        DefinitionError: nodes are missing; every line begins with a key of the creature.
    """
    given = creature.model
    assert given is not None
    named = _Named(creature, given, model)
    if named.problems:
        raise DefinitionError("\n".join(named.problems))
    bones = _followed(model.nodes, named.bones)
    return _bound(creature, given, model, bones, named.joints)


class _Named:
    """The nodes that a creature names: bones by node, rest positions of joints; or problems."""

    def __init__(self, creature: CreatureDef, given: ModelDef, model: Model) -> None:
        self._given, self._nodes = given, model.nodes
        self._indices: dict[str, int] = {}
        for index in reversed(model.nodes.order):  # of two with a name, the first is meant
            self._indices[model.nodes.names[index]] = index
        self.problems: list[str] = []
        self.bones: dict[int, int] = {}
        self._keys: dict[int, str] = {}
        if not model.parts:
            self.problems.append(f"model.file: expected a mesh in {given.file}, found none")
        for index, name in enumerate(given.trunk):
            if name:
                self._take(f"model.trunk[{index}]", name, index)
        if given.head:
            self._take("model.head", given.head, len(creature.trunk))
        legs, bone = creature.all_legs, len(creature.boxes)
        joint_count = 1 + max(len(leg.bones) for leg in legs)
        self.joints = np.zeros((len(legs), joint_count, 3))
        for index, (leg, names) in enumerate(zip(legs, given.legs, strict=True)):
            count = len(leg.bones)
            points = []
            for joint, name in enumerate(names):
                last = min(joint, count - 1)  # the node of a tip follows the last bone
                points.append(self._take(f"model.legs[{index}][{joint}]", name, bone + last))
            if len(points) == count:
                points.append(_ours(given, np.array(given.tips[index])))
            self.joints[index, : count + 1] = points
            self.joints[index, count + 1 :] = points[-1]
            self._check_lengths(index, names, leg.bones)
            bone += count

    def _take(self, key: str, name: str, bone: int) -> Floats:
        """Let a node follow a bone; returns where it is at rest."""
        node = self._indices.get(name)
        if node is None:
            names = list(self._indices)
            offered = near(name, names) or names[:FEW_NAMES]
            self.problems.append(
                f"{key}: expected a node of {self._given.file}, found {name!r}{hint(name, offered)}"
            )
            return np.zeros(3)
        if node in self.bones:
            self.problems.append(
                f"{key}: expected a node that nothing else names, found {name!r} of "
                f"{self._keys[node]}"
            )
        self.bones[node], self._keys[node] = bone, key
        return _ours(self._given, self._nodes.matrices[node, :3, 3])

    def _check_lengths(self, index: int, names: tuple[str, ...], wanted: tuple[float, ...]) -> None:
        if self.problems:
            return
        found = lengths(np.diff(self.joints[index, : len(wanted) + 1], axis=0))
        for bone, (length, least) in enumerate(zip(found.tolist(), wanted, strict=True)):
            if length < SHORTEST * least:
                self.problems.append(
                    f"model.legs[{index}][{bone}]: expected a node about {least:g} m from the "
                    f"next joint, found {names[bone]!r} {length:.3g} m from it (scale)"
                )


def turn_of(given: ModelDef) -> Floats:
    """The matrix (3, 3) that takes axes of the file to ahead, left and up."""
    ahead, up = _axis(given.forward), _axis(given.up)
    return np.stack((ahead, np.cross(up, ahead), up))


def _axis(name: str) -> Floats:
    found = np.zeros(3)
    found[AXES[name[1]]] = 1.0 if name[0] == "+" else -1.0
    return found


def _ours(given: ModelDef, points: Floats) -> Floats:
    """Points (..., 3) of the file in the body's frame [m, body]."""
    moved = given.scale * (points - np.array(given.origin))
    found: Floats = (moved[..., None, :] * turn_of(given)).sum(axis=-1)
    return found


def _followed(nodes: Hierarchy, named: dict[int, int]) -> NDArray[np.int64]:
    """The bone that each node follows, (N,): its own, or that of the nearest above it, or 0."""
    found = np.zeros(len(nodes.names), np.int64)
    for node in nodes.order:
        above = nodes.parents[node]
        found[node] = named.get(node, 0 if above < 0 else found[above])
    return found


def _bound(
    creature: CreatureDef,
    given: ModelDef,
    model: Model,
    bones: NDArray[np.int64],
    joints: Floats,
) -> Binding:
    ordered = sorted(model.parts, key=lambda part: _look(part, -1))
    vertices = _ours(given, np.concatenate([part.vertices for part in ordered]))
    followed, weights = zip(*(_influences(part, bones) for part in ordered), strict=True)
    width = max(4, *(part.shape[1] for part in followed))
    width = 4 if width == 4 else INFLUENCES
    boxes = _boxes(creature)
    if not any((part >= len(boxes)).any() for part in followed):
        raise DefinitionError(
            f"model.legs: expected parts of {given.file} that follow nodes of the legs, found "
            "none: the model has no skeleton, or others; rig it, or leave [model] out"
        )
    counts = [len(part.vertices) for part in ordered]
    starts = np.cumsum([0, *counts[:-1]]).tolist()
    triangles = np.concatenate(
        [part.triangles + start for part, start in zip(ordered, starts, strict=True)]
    )
    anchors = np.concatenate((boxes, joints.reshape(-1, 3)))
    return Binding(
        vertices,
        np.concatenate([_normals(part) for part in ordered]) @ turn_of(given).T,
        np.concatenate([_colours(part) for part in ordered]),
        np.concatenate([_places(part) for part in ordered]),
        np.concatenate([_padded(part, width) for part in followed]),
        np.concatenate([_padded(part, width) for part in weights]),
        triangles,
        tuple(_surfaces(ordered)),
        model.pictures,
        boxes,
        joints,
        np.array([len(leg.bones) for leg in creature.all_legs]),
        float(max(_nearest(vertices, anchors), 1e-6)),
        model.notes,
    )


def _influences(part: Part, bones: NDArray[np.int64]) -> tuple[NDArray[np.int64], Floats]:
    """Bones (V, K) that the vertices of a part follow, and how much; most of all first.

    Nodes that follow the same bone count as one.
    """
    followed = bones[part.joints]
    weights = part.weights.copy()
    for column in range(1, followed.shape[1]):
        for other in range(column):
            is_same = followed[:, column] == followed[:, other]
            weights[is_same, other] += weights[is_same, column]
            weights[is_same, column] = 0.0
    order = np.argsort(-weights, axis=1, kind="stable")
    followed = np.take_along_axis(followed, order, axis=1)
    weights = np.take_along_axis(weights, order, axis=1)
    followed[weights == 0.0] = 0
    needed = max(1, int((weights > 0.0).sum(axis=1).max()))
    return followed[:, :needed], weights[:, :needed]


def _padded(values: NDArray[np.generic], width: int) -> NDArray[np.generic]:
    """Values (V, K) with further columns of zeros."""
    found = np.zeros((len(values), width), values.dtype)
    found[:, : values.shape[1]] = values
    return found


def _normals(part: Part) -> Floats:
    """Normals (V, 3) of a part: those of its file, or the mean of those of its triangles."""
    if part.normals is not None:
        return part.normals
    corners = part.vertices[part.triangles]
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    found = np.zeros_like(part.vertices)
    for corner in range(3):
        np.add.at(found, part.triangles[:, corner], faces)
    size = lengths(found)[:, None]
    normals: Floats = np.where(size > 1e-12, found / np.maximum(size, 1e-12), [0.0, 0.0, 1.0])
    return normals


def _colours(part: Part) -> Floats:
    found = np.broadcast_to(np.array(part.colour), (len(part.vertices), 3))
    return found if part.colours is None else found * part.colours


def _places(part: Part) -> Floats:
    return np.zeros((len(part.vertices), 2)) if part.places is None else part.places


def _surfaces(parts: list[Part]) -> Iterator[Surface]:
    first = 0
    for look in dict.fromkeys(map(_look, parts)):
        count = sum(len(part.triangles) for part in parts if _look(part) == look)
        yield Surface(first, count, look[1], look[0])
        first += count


def _look(part: Part, without: int | None = None) -> tuple[bool, int | None]:
    """What parts that are drawn together have in common."""
    return part.is_thin, without if part.picture is None else part.picture


def _boxes(creature: CreatureDef) -> Floats:
    """Centres (S, 3) of the boxes of a creature that stands straight [m, body]."""
    along, found = 0.0, []
    for index, segment in enumerate(creature.trunk):
        half = 0.5 * segment.size[0]
        along -= half if index else 0.0
        found.append([along, 0.0, 0.0])
        along -= half
    if creature.head:
        x, y, z = creature.head.mount
        found.append([x + 0.5 * creature.head.size[0], y, z])
    return np.array(found)


def _nearest(vertices: Floats, anchors: Floats) -> float:
    """Largest distance of a vertex from the nearest of the anchors (A, 3)."""
    best = np.full(len(vertices), np.inf)
    for anchor in anchors:
        best = np.minimum(best, ((vertices - anchor) ** 2).sum(axis=1))
    return float(np.sqrt(best.max(initial=0.0)))
