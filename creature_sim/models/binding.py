"""A model bound to a creature, a chain or a tree: vertices in our lengths, and bones they follow.

The bones are those of the creature: first the boxes of its trunk, and of its head, as
`CreatureDef.boxes` counts them, then those of each leg, from the hip on, then nodes that swing with
legs. A node of the model that is not named follows the nearest named one above it, and keeps its
place against that; nodes below none follow the body. Chains and trees are such legs and boxes,
too: see `rigs`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef, RigDef
from creature_sim.definitions.model import ChainModelDef, ModelDef
from creature_sim.errors import DefinitionError
from creature_sim.maths import Floats
from creature_sim.maths.geometry import vertex_normals
from creature_sim.models.images import Picture
from creature_sim.models.model import INFLUENCES, Model, Part, open_model
from creature_sim.models.naming import (
    Given,
    RestPose,
    Swings,
    creature_at_rest,
    ours,
    turn_of,
)
from creature_sim.models.rigs import rig_at_rest


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
        swings: nodes that swing with legs.
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
    swings: Swings
    margin: float
    notes: tuple[str, ...]


def binding_of(shown: CreatureDef | RigDef) -> Binding | None:
    """The model of a creature, a chain or a tree; None without one, or without its file."""
    given = shown.model
    if given is None or given.data is None:
        return None
    return bind(shown, _opened(given.file, given.data))


@lru_cache(maxsize=8)
def _opened(file: str, data: bytes) -> Model:
    return open_model(file, data)


def bind(shown: CreatureDef | RigDef, model: Model) -> Binding:
    """A model bound to the bones of a creature, a chain or a tree, which names it.

    Raises:
        DefinitionError: nodes are missing; every line begins with a key of what names it.
    """
    assert shown.model is not None
    if isinstance(shown, CreatureDef):
        assert isinstance(shown.model, ModelDef)
        rest = creature_at_rest(shown, shown.model, model)
    else:
        assert not isinstance(shown.model, ModelDef)
        rest = rig_at_rest(shown, shown.model, model)
    return _bound(shown.model, model, rest)


def _bound(given: Given, model: Model, rest: RestPose) -> Binding:
    is_only = isinstance(given, ChainModelDef) and given.only
    drawn = [_drawn(part, rest.apart, is_only=is_only) for part in model.parts]
    ordered = sorted(
        (part for part in drawn if len(part.triangles)), key=lambda part: _look(part, -1)
    )
    if not ordered:
        raise DefinitionError(
            f"model.{'only' if is_only else 'without'}: expected something of {given.file} that is "
            "drawn, found nothing"
        )
    vertices = ours(given, np.concatenate([part.vertices for part in ordered]))
    followed, weights = zip(*(_influences(part, rest.bones) for part in ordered), strict=True)
    width = max(4, *(part.shape[1] for part in followed))
    width = 4 if width == 4 else INFLUENCES
    first = len(rest.boxes) if len(rest.counts) else 1
    if not any((part >= first).any() for part in followed):
        raise DefinitionError(
            f"{rest.key}: expected parts of {given.file} that follow these nodes, found none: the "
            "model has no skeleton, or another one; rig it, or leave [model] out"
        )
    counts = [len(part.vertices) for part in ordered]
    starts = np.cumsum([0, *counts[:-1]]).tolist()
    triangles = np.concatenate(
        [part.triangles + start for part, start in zip(ordered, starts, strict=True)]
    )
    anchors = np.concatenate((rest.boxes, rest.joints.reshape(-1, 3)))
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
        rest.boxes,
        rest.joints,
        rest.counts,
        rest.swings,
        float(max(_nearest(vertices, anchors), 1e-6)),
        model.notes,
    )


def _drawn(part: Part, apart: NDArray[np.bool_], *, is_only: bool) -> Part:
    """What is drawn of a part, if nodes (N,) are drawn apart: without these, or only these.

    A triangle belongs to those nodes if one of its vertices follows them by more than half. Its
    others follow none of them: so both parts have the same edge, and there is no gap.
    """
    if not (is_only or apart.any()):
        return part
    is_apart = apart[part.joints]
    belongs = (part.weights * is_apart).sum(axis=1) > 0.5
    weights = np.where(is_apart & ~belongs[:, None], 0.0, part.weights)
    weights /= weights.sum(axis=1, keepdims=True)
    triangles = part.triangles[belongs[part.triangles].any(axis=1) == is_only]
    used, renumbered = np.unique(triangles, return_inverse=True)
    return replace(
        part,
        vertices=part.vertices[used],
        normals=_normals(part)[used],
        triangles=renumbered.reshape(-1, 3),
        joints=part.joints[used],
        weights=weights[used],
        colours=None if part.colours is None else part.colours[used],
        places=None if part.places is None else part.places[used],
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
    return vertex_normals(part.vertices, part.triangles, np.arange(len(part.vertices)))


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


def _nearest(vertices: Floats, anchors: Floats) -> float:
    """Largest distance of a vertex from the nearest of the anchors (A, 3)."""
    best = np.full(len(vertices), np.inf)
    for anchor in anchors:
        best = np.minimum(best, ((vertices - anchor) ** 2).sum(axis=1))
    return float(np.sqrt(best.max(initial=0.0)))
