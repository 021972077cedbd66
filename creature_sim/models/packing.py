"""A model whole in itself: one binary file, with its buffers and pictures in it."""

import struct
from pathlib import Path
from typing import Any

import orjson

from creature_sim.errors import DefinitionError
from creature_sim.models.container import Container

MAX_PACKED = 8 << 20
"""A replay can carry so many [bytes]."""


def packed(path: Path) -> bytes:
    """The bytes of a model's file, as .glb; buffers and pictures beside it are put into it.

    Raises:
        DefinitionError: it cannot be read, or is too large to be carried.
    """
    container = Container(path)
    pictures = [(index, image) for index, image in enumerate(container.document["images"])]
    linked = {index: container.picture(image["uri"]) for index, image in pictures if "uri" in image}
    if container.is_binary and container.is_whole:
        data = path.read_bytes()
    else:
        data = _joined(container, linked)
    if len(data) > MAX_PACKED:
        raise DefinitionError(
            f"{path}: expected at most {MAX_PACKED} bytes with all its pictures, which a replay "
            f"can carry, found {len(data)}: make its pictures smaller"
        )
    return data


def _joined(container: Container, linked: dict[int, bytes | None]) -> bytes:
    """A binary file of one buffer."""
    document: dict[str, Any] = orjson.loads(orjson.dumps(container.document.value))
    body = bytearray()
    starts = []
    for data in container.buffers:
        body += bytes(-len(body) % 4)
        starts.append(len(body))
        body += data
    views = document.setdefault("bufferViews", [])
    for view, field in zip(views, container.document["bufferViews"], strict=False):
        index = field["buffer"].index(len(starts))
        view["byteOffset"] = starts[index] + field["byteOffset"].whole(0, 2**31, 0)
        view["buffer"] = 0
    for index, picture in linked.items():
        image = document["images"][index]
        del image["uri"]
        if picture is None:  # it is drawn without
            continue
        body += bytes(-len(body) % 4)
        views.append({"buffer": 0, "byteOffset": len(body), "byteLength": len(picture)})
        body += picture
        image["bufferView"] = len(views) - 1
        image["mimeType"] = "image/png" if picture[:4] == b"\x89PNG" else "image/jpeg"
    document["buffers"] = [{"byteLength": len(body)}] if body else []
    text = orjson.dumps(document)
    text += b" " * (-len(text) % 4)
    body += bytes(-len(body) % 4)
    head = struct.pack("<4sII", b"glTF", 2, 12 + 8 + len(text) + 8 + len(body))
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    return head + chunks + struct.pack("<I4s", len(body), b"BIN\0") + bytes(body)
