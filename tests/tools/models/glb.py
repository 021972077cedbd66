"""A skinned model as a binary glTF file, the same bits on every machine."""

import struct
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from tests.tools.models.body import Body

KINDS = {"<f4": 5126, "<u2": 5123, "|u1": 5121}
WIDTHS = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
VERTICES, CORNERS = 34962, 34963
COPYRIGHT = "MIT License, the authors of creature_sim"


def glb_of(body: Body) -> bytes:
    """The file: Y up, Z forward, metres; one mesh with a part for each colour, one skin."""
    arrays = _Arrays()
    origins = np.array([turned(bone.head) for bone in body.bones])
    primitives: list[dict[str, Any]] = []
    materials: list[dict[str, Any]] = []
    for name, colour in body.colours.items():
        skin = body.skins[name]
        weights = _bytes(skin.weights)
        attributes = {
            "POSITION": arrays.add(turned(skin.vertices).astype("<f4"), bounds=True),
            "NORMAL": arrays.add(turned(skin.normals).astype("<f4")),
            "JOINTS_0": arrays.add(np.where(weights, skin.joints, 0).astype("|u1")),
            "WEIGHTS_0": arrays.add(weights, is_fraction=True),
        }
        corners = arrays.add(skin.triangles.reshape(-1, 1).astype("<u2"), CORNERS)
        primitives.append(
            {"attributes": attributes, "indices": corners, "material": len(materials)}
        )
        materials.append(
            {
                "name": name,
                "pbrMetallicRoughness": {
                    "baseColorFactor": [*colour, 1.0],
                    "metallicFactor": 0.0,
                    "roughnessFactor": 0.8,
                },
            }
        )
    binds = np.tile(np.eye(4), (len(origins), 1, 1))
    binds[:, 3, :3] = -origins  # column-major: the translation is the last row here
    nodes: list[dict[str, Any]] = []
    for index, bone in enumerate(body.bones):
        above = origins[bone.parent] if bone.parent >= 0 else np.zeros(3)
        node: dict[str, Any] = {
            "name": bone.name,
            "translation": np.round(origins[index] - above, 6).tolist(),
        }
        children = [other for other, child in enumerate(body.bones) if child.parent == index]
        nodes.append({**node, "children": children} if children else node)
    roots = [index for index, bone in enumerate(body.bones) if bone.parent < 0]
    nodes.append({"name": body.name, "mesh": 0, "skin": 0})
    document = {
        "asset": {"version": "2.0", "generator": "creature_sim", "copyright": COPYRIGHT},
        "scene": 0,
        "scenes": [{"nodes": [*roots, len(nodes) - 1]}],
        "nodes": nodes,
        "meshes": [{"name": body.name, "primitives": primitives}],
        "materials": materials,
        "skins": [
            {
                "joints": list(range(len(body.bones))),
                "skeleton": roots[0],
                "inverseBindMatrices": arrays.add(binds.reshape(-1, 16).astype("<f4"), None),
            }
        ],
        **arrays.document(),
    }
    return _file(orjson.dumps(document), bytes(arrays.data))


def turned(points: Any) -> NDArray[np.float64]:
    """Points (..., 3) with X forward, Y left and Z up, with Z forward, X left and Y up."""
    return np.asarray(points, dtype=np.float64)[..., [1, 2, 0]]


def _bytes(weights: NDArray[Any]) -> NDArray[np.uint8]:
    """Weights (V, 4), of which two are used, as 255ths that add up to 255."""
    found = np.zeros(weights.shape, dtype=np.uint8)
    found[:, 1] = np.round(255.0 * weights[:, 1])
    found[:, 0] = 255 - found[:, 1]
    return found


class _Arrays:
    """Arrays that stand one after another in the bytes of a file."""

    def __init__(self) -> None:
        self.data = bytearray()
        self._views: list[dict[str, Any]] = []
        self._accessors: list[dict[str, Any]] = []

    def add(
        self,
        values: NDArray[Any],
        target: int | None = VERTICES,
        *,
        bounds: bool = False,
        is_fraction: bool = False,
    ) -> int:
        """The index of an array (N, C); `target` says what it is for."""
        found = values.tobytes()
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(found)}
        if target is not None:
            view["target"] = target
        accessor: dict[str, Any] = {
            "bufferView": len(self._views),
            "componentType": KINDS[values.dtype.str],
            "count": len(values),
            "type": WIDTHS[values.shape[1]],
        }
        if is_fraction:
            accessor["normalized"] = True
        if bounds:
            accessor |= {"min": values.min(axis=0).tolist(), "max": values.max(axis=0).tolist()}
        self._views.append(view)
        self._accessors.append(accessor)
        self.data += found + bytes(-len(found) % 4)
        return len(self._accessors) - 1

    def document(self) -> dict[str, Any]:
        """What the JSON says of them."""
        return {
            "accessors": self._accessors,
            "bufferViews": self._views,
            "buffers": [{"byteLength": len(self.data)}],
        }


def _file(text: bytes, data: bytes) -> bytes:
    """A binary file of a JSON text and bytes."""
    text += b" " * (-len(text) % 4)
    head = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data))
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    return head + chunks + struct.pack("<I4s", len(data), b"BIN\0") + data
