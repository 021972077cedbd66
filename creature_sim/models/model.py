"""A model: nodes at rest, and the parts of its meshes with the bones that they follow."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from creature_sim.errors import DefinitionError
from creature_sim.maths import Floats
from creature_sim.models.accessors import Accessors
from creature_sim.models.container import Container
from creature_sim.models.fields import Field
from creature_sim.models.hierarchy import Hierarchy, hierarchy_of
from creature_sim.models.images import Picture
from creature_sim.models.materials import Materials

MAX_PARTS = 4_096
MAX_VERTICES = 300_000
"""Of all parts together; a mesh that several nodes show counts for each of them."""
Skin = tuple[list[int], Floats]
"""Nodes of the joints (J,), and what takes vertices to each of them, (J, 4, 4)."""
INFLUENCES = 8
"""Bones that a vertex may follow."""
TRIANGLES = 4


@dataclass(frozen=True)
class Part:
    """Triangles of one material.

    Attributes:
        node: index of the node that it hangs on.
        vertices: (V, 3) at rest, in the frame of the file [Y up, in its lengths].
        normals: (V, 3), or None.
        triangles: (T, 3).
        joints: (V, K) nodes that each vertex follows; K is 1 where there is no skin.
        weights: (V, K) how much it follows each; they add up to 1.
        colour: red, green, blue, as amounts of light, 0 to 1.
        colours: (V, 3) of each vertex besides, or None.
        picture: index of the model's picture that colours it, or None.
        places: (V, 2) in the picture, from its top left corner; None where it has no picture.
        is_thin: whether it is seen from both sides.
    """

    node: int
    vertices: Floats
    normals: Floats | None
    triangles: NDArray[np.int64]
    joints: NDArray[np.int64]
    weights: Floats
    colour: tuple[float, ...]
    colours: Floats | None = None
    picture: int | None = None
    places: Floats | None = None
    is_thin: bool = False


@dataclass(frozen=True)
class Model:
    """What a file holds.

    Attributes:
        nodes: all of them.
        bones: indices of those that a skin names; all nodes where there is no skin.
        parts: of all meshes.
        notes: what was left out.
        pictures: that colour its parts, (H, W, 3) each, as a screen shows them.
    """

    nodes: Hierarchy
    bones: tuple[int, ...]
    parts: tuple[Part, ...]
    notes: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()


def open_model(path: str | Path, data: bytes | None = None) -> Model:
    """Read a model from a .glb or .gltf file.

    Args:
        path: of the file.
        data: its bytes, if they come from elsewhere; no other file is read then.

    Raises:
        DefinitionError: it is no model, is damaged, too large, or needs what is not read here.
    """
    container = Container(Path(path), data)
    try:
        return _Reader(container).model()
    except (MemoryError, RecursionError) as error:
        raise DefinitionError(f"{path}: expected a model, found too much ({error})") from None


class _Reader:
    """Takes a file apart."""

    def __init__(self, container: Container) -> None:
        self._document = container.document
        self._arrays = Accessors(container)
        self._materials = Materials(container, self._arrays)
        self._nodes = hierarchy_of(container.document)
        self._notes: list[str] = []
        self._count = 0  # of vertices so far

    def model(self) -> Model:
        skins = [self._skin(skin) for skin in self._document["skins"].items(MAX_PARTS)]
        meshes = self._document["meshes"].items(MAX_PARTS)
        parts: list[Part] = []
        for index, node in enumerate(self._document["nodes"]):
            if "mesh" in node:
                mesh = meshes[node["mesh"].index(len(meshes))]
                skin = skins[node["skin"].index(len(skins))] if "skin" in node else None
                parts += self._parts(index, mesh, skin)
                if len(parts) > MAX_PARTS:
                    raise node["mesh"].refused(f"at most {MAX_PARTS} parts", len(parts))
        named = sorted({joint for joints, _ in skins for joint in joints})
        bones = tuple(named) or self._nodes.order
        notes = tuple(dict.fromkeys([*self._notes, *self._materials.all_notes]))
        return Model(self._nodes, bones, tuple(parts), notes, self._materials.pictures)

    def _skin(self, skin: Field) -> Skin:
        """Nodes of the joints, and what takes vertices from the mesh to them, (J, 4, 4)."""
        count = len(self._nodes.names)
        joints = [joint.index(count) for joint in skin["joints"].items(count)]
        if not joints:
            raise skin["joints"].refused("at least one joint", "none")
        binds = np.broadcast_to(np.eye(4), (len(joints), 4, 4))
        if "inverseBindMatrices" in skin:
            found = self._arrays.read(skin["inverseBindMatrices"], 16)
            if len(found) < len(joints):
                raise skin["inverseBindMatrices"].refused(
                    f"one matrix for each of {len(joints)} joints", len(found)
                )
            binds = found[: len(joints)].reshape(-1, 4, 4).transpose(0, 2, 1)
        return joints, binds

    def _parts(self, node: int, mesh: Field, skin: Skin | None) -> Iterator[Part]:
        """The parts of a mesh that a node shows."""
        for primitive in mesh["primitives"].items(MAX_PARTS):
            if primitive["mode"].whole(0, 6, TRIANGLES) != TRIANGLES:
                self._notes.append("points, lines and strips are left out")
                continue
            if "targets" in primitive:
                self._notes.append("morph targets are left out")
            yield self._part(node, primitive, skin)

    def _part(self, node: int, primitive: Field, skin: Skin | None) -> Part:
        attributes = primitive["attributes"]
        points = self._arrays.read(attributes["POSITION"], 3)
        self._count += len(points)
        if self._count > MAX_VERTICES:
            raise attributes["POSITION"].refused(f"at most {MAX_VERTICES} vertices", self._count)
        normals = self._arrays.read(attributes["NORMAL"], 3) if "NORMAL" in attributes else None
        if normals is not None and len(normals) != len(points):
            raise attributes["NORMAL"].refused(f"one for each of {len(points)} vertices")
        if "indices" in primitive:
            corners = self._arrays.whole(primitive["indices"], 1, len(points))[:, 0]
        else:
            corners = np.arange(len(points))
        if len(corners) % 3:
            raise primitive.refused("three corners for each triangle", len(corners))
        joints = np.full((len(points), 1), node)
        weights = np.ones((len(points), 1))
        matrices = np.broadcast_to(self._nodes.matrices[node], (len(points), 4, 4))
        if skin is not None:
            joints, weights = self._influences(attributes, len(points), len(skin[0]))
            bones, binds = skin
            moved = self._nodes.matrices[bones] @ binds
            matrices = np.zeros((len(points), 4, 4))
            for column in range(joints.shape[1]):
                matrices += moved[joints[:, column]] * weights[:, column, None, None]
            joints = np.array(bones)[joints]
        x, y, z = points.T
        rows = matrices[:, :3]
        vertices = rows[..., 0] * x[:, None] + rows[..., 1] * y[:, None]
        vertices += rows[..., 2] * z[:, None] + rows[..., 3]
        if not np.isfinite(vertices).all():
            raise attributes["POSITION"].refused("finite vertices at rest", "others")
        if normals is not None:
            normals = np.einsum("vij,vj->vi", rows[..., :3], normals)
            size = np.sqrt((normals * normals).sum(axis=1, keepdims=True))
            normals = normals / np.maximum(size, 1e-12)
        look = self._materials.look(primitive, len(points))
        return Part(node, vertices, normals, corners.reshape(-1, 3), joints, weights, *look)

    def _influences(
        self, attributes: Field, count: int, joint_count: int
    ) -> tuple[NDArray[np.int64], Floats]:
        """Joints of the skin (V, K) that vertices follow, and how much (V, K)."""
        joints: list[NDArray[np.int64]] = []
        weights: list[Floats] = []
        for number in range(INFLUENCES // 4):
            if number and f"JOINTS_{number}" not in attributes:
                break
            joints.append(self._arrays.whole(attributes[f"JOINTS_{number}"], 4, joint_count))
            weights.append(self._arrays.read(attributes[f"WEIGHTS_{number}"], 4))
            if len(joints[-1]) != count or len(weights[-1]) != count:
                raise attributes[f"JOINTS_{number}"].refused(f"one for each of {count} vertices")
        found = np.concatenate(weights, axis=1)
        sums = found.sum(axis=1, keepdims=True)
        if (found < 0.0).any() or (sums < 1e-3).any():
            raise attributes["WEIGHTS_0"].refused("weights that add up to 1", "others")
        return np.concatenate(joints, axis=1), found / sums
