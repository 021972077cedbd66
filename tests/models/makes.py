"""Small models made by hand, for the tests of their reader."""

import copy
import json
import struct
from base64 import b64encode
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

POINTS = np.array(
    [[x, y, z] for y in (0.0, 1.0, 2.0) for x, z in ((-0.1, 0.0), (0.1, 0.0), (0.0, 0.1))], "<f4"
)
"""A leg of two bones, each 1 long, along Y."""
CORNERS = np.array([[0, 1, 4], [0, 4, 3], [3, 4, 7], [3, 7, 6], [1, 2, 5], [2, 0, 3]], "<u2")
JOINTS = np.array([[min(k // 3, 1), 0, 0, 0] for k in range(9)], "u1")
WEIGHTS = np.tile(np.array([1, 0, 0, 0], "<f4"), (9, 1))
PIXELS = np.arange(192, dtype=np.uint8).reshape(8, 8, 3)
PLACES = np.linspace(0.0, 2.0, 18, dtype="<f4").reshape(9, 2)
SHADES = np.tile(np.array([255, 128, 0, 255], "u1"), (9, 1))
BINDS = np.array(
    [np.eye(4).T, (np.eye(4) - np.outer([0, 1, 0, 0], [0, 0, 0, 1])).T], "<f4"
).reshape(2, 16)


def leg() -> tuple[dict[str, Any], bytes]:
    """The JSON and the bytes of a skinned leg."""
    arrays = [
        (POINTS, 5126, "VEC3"),
        (CORNERS.reshape(-1), 5123, "SCALAR"),
        (JOINTS, 5121, "VEC4"),
        (WEIGHTS, 5126, "VEC4"),
        (BINDS, 5126, "MAT4"),
    ]
    data, views, accessors = b"", [], []
    for values, kind, name in arrays:
        data += bytes(-len(data) % 4)
        found = np.ascontiguousarray(values).tobytes()
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(found)})
        accessors.append(
            {
                "bufferView": len(views) - 1,
                "componentType": kind,
                "count": len(values),
                "type": name,
            }
        )
        data += found
    attributes = {"POSITION": 0, "JOINTS_0": 2, "WEIGHTS_0": 3}
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 3]}],
        "nodes": [
            {"name": "hip", "children": [1]},
            {"name": "knee", "translation": [0.0, 1.0, 0.0], "children": [2]},
            {"name": "tip", "translation": [0.0, 1.0, 0.0], "scale": [1.0, 1.0, 1.0]},
            {"name": "skin", "mesh": 0, "skin": 0},
        ],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": 1, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [0.2, 0.4, 0.6, 1.0]}}],
        "skins": [{"joints": [0, 1], "inverseBindMatrices": 4}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(data)}],
    }
    return copy.deepcopy(document), data


def painted_leg(picture: bytes | None = None) -> tuple[dict[str, Any], bytes]:
    """The leg with colours of vertices, and a picture of 8 x 8 pixels."""
    document, data = leg()
    if picture is None:
        found = BytesIO()
        Image.fromarray(PIXELS).save(found, "PNG")
        picture = found.getvalue()
    arrays: list[tuple[Any, int, str, str]] = [
        (PLACES, 5126, "VEC2", "TEXCOORD_0"),
        (SHADES, 5121, "VEC4", "COLOR_0"),
    ]
    attributes = document["meshes"][0]["primitives"][0]["attributes"]
    for values, kind, name, attribute in arrays:
        data += bytes(-len(data) % 4)
        raw = values.tobytes()
        document["bufferViews"].append(
            {"buffer": 0, "byteOffset": len(data), "byteLength": len(raw)}
        )
        attributes[attribute] = len(document["accessors"])
        view = len(document["bufferViews"]) - 1
        entry = {"bufferView": view, "componentType": kind, "count": 9, "type": name}
        document["accessors"].append({**entry, "normalized": kind == 5121})
        data += raw
    data += bytes(-len(data) % 4)
    document["bufferViews"].append(
        {"buffer": 0, "byteOffset": len(data), "byteLength": len(picture)}
    )
    document["images"] = [{"bufferView": len(document["bufferViews"]) - 1, "mimeType": "image/png"}]
    data += picture
    document["textures"] = [{"source": 0}]
    document["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 0}
    document["buffers"][0]["byteLength"] = len(data)
    return document, data


def binary(document: Any, data: bytes) -> bytes:
    """A .glb of a JSON document, or of text that is none, and bytes."""
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    data += bytes(-len(data) % 4)
    size = 12 + 8 + len(text) + 8 + len(data)
    head = struct.pack("<4sII", b"glTF", 2, size)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    return head + chunks + struct.pack("<I4s", len(data), b"BIN\0") + data


def write(path: Path, document: Any, data: bytes) -> Path:
    """A file: .glb, or .gltf with its bytes in the text."""
    if path.suffix == ".glb":
        path.write_bytes(binary(document, data))
        return path
    text = b64encode(data).decode()
    document["buffers"][0]["uri"] = f"data:application/octet-stream;base64,{text}"
    path.write_text(json.dumps(document))
    return path
