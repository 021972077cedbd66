"""The file of a model: binary glTF 2.0, or glTF with its buffers beside it or inside it."""

import binascii
import struct
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import orjson

from creature_sim.errors import DefinitionError
from creature_sim.models.fields import Field

MAX_BYTES = 64 << 20
"""Of a file, and of all its buffers together."""
MAX_JSON = 4 << 20
MAX_BUFFERS = 64
HEAD = struct.Struct("<4sII")
CHUNK = struct.Struct("<I4s")
READABLE = frozenset({"KHR_mesh_quantization", "KHR_texture_transform", "KHR_materials_unlit"})
"""Extensions that a file may require: they change nothing that is read here, or what is."""


class Container:
    """A file that has been read.

    Attributes:
        document: its JSON.
        buffers: its bytes.
        is_whole: whether the file needs no other one.
    """

    def __init__(self, path: Path, data: bytes | None = None) -> None:
        """Read a file.

        Args:
            path: of it.
            data: its bytes, where they come from elsewhere: then no other file is read.

        Raises:
            DefinitionError: it is no model, is cut off, too large, or needs what is not read here.
        """
        self._path, self._is_alone = path, data is not None
        self.is_whole = True
        if data is None:
            data = _read(path, path.parent, str(path))
        if not data:
            raise DefinitionError(f"{path}: expected glTF, found an empty file")
        self.is_binary = data[:4] == b"glTF"
        binary = b""
        text = data
        if data[:4] == b"glTF":
            text, binary = _chunks(path, data)
        if len(text) > MAX_JSON:
            raise DefinitionError(
                f"{path}: expected at most {MAX_JSON} bytes of JSON, found {len(text)}"
            )
        try:
            found = orjson.loads(text)
        except (orjson.JSONDecodeError, RecursionError) as error:
            reason = f" ({error})" if text.lstrip()[:1] == b"{" else ""
            raise DefinitionError(f"{path}: expected glTF, found no JSON{reason}") from None
        self.document = Field(str(path), "", found)
        version = self.document["asset"]["version"]
        if not version.text().startswith("2."):
            raise version.refused('version "2.0"')
        for extension in self.document["extensionsRequired"]:
            if extension.text() not in READABLE:
                raise extension.refused("no extension that is not read here; export without it")
        self.buffers = list(self._buffers(binary))

    def _buffers(self, binary: bytes) -> Iterator[bytes]:
        """The bytes of every buffer: of the file itself, in its text, or of files beside it."""
        left = MAX_BYTES
        for index, buffer in enumerate(self.document["buffers"].items(MAX_BUFFERS)):
            size = buffer["byteLength"].whole(1, left)
            left -= size
            if "uri" not in buffer:
                if index or not binary:
                    raise buffer.refused("a `uri`, or the bytes of a binary file", "none")
                data = binary
            else:
                data = self.linked(buffer["uri"])
            if len(data) < size:
                raise buffer["byteLength"].refused(f"at most {len(data)}, its length")
            yield data[:size]

    def linked(self, uri: Field) -> bytes:
        """What a URI names: bytes in base 64, or a file in the folder of the model.

        Raises:
            DefinitionError: it names something else.
        """
        text = uri.text()
        if text[:5].lower() == "data:":
            head, _, data = text.partition(",")
            if not head.lower().endswith(";base64"):
                raise uri.refused("bytes in base 64", head[:60])
            try:
                return b64decode(data, validate=True)
            except (binascii.Error, ValueError):
                raise uri.refused("bytes in base 64", "others") from None
        name = unquote(text)
        parts = Path(name).parts
        if ":" in name or "\\" in name or "\0" in name or Path(name).is_absolute() or ".." in parts:
            raise uri.refused("the name of a file in the folder of the model")
        if self._is_alone:
            raise uri.refused("a file that is whole in itself")
        self.is_whole = False
        folder = self._path.parent
        return _read(folder / name, folder, f"{self._path}: {name}")

    def picture(self, uri: Field) -> bytes | None:
        """What the URI of a picture names; None where the folder of the model has no such file.

        Raises:
            DefinitionError: it is damaged, or the file was to be whole in itself.
        """
        if self._is_alone or uri.text()[:5].lower() == "data:":
            return self.linked(uri)
        try:
            return self.linked(uri)
        except DefinitionError:
            self.is_whole = False
            return None


def _read(path: Path, folder: Path, place: str) -> bytes:
    """The bytes of a file within a folder."""
    try:
        if not path.is_file():
            found = "none" if not path.exists() else "something else"
            raise DefinitionError(f"{place}: expected a file, found {found}")
        if not path.resolve().is_relative_to(folder.resolve()):
            raise DefinitionError(
                f"{place}: expected a file within the folder of the model, found one outside it"
            )
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise DefinitionError(f"{place}: expected at most {MAX_BYTES} bytes, found {size}")
        return path.read_bytes()
    except (OSError, ValueError) as error:  # a name that no file can have
        reason = getattr(error, "strerror", None) or error
        raise DefinitionError(f"{place}: expected a readable file, found none ({reason})") from None


def _chunks(path: Path, data: bytes) -> tuple[bytes, bytes]:
    """The JSON and the bytes of a binary file."""

    def wrong(what: str) -> DefinitionError:
        return DefinitionError(f"{path}: expected a whole binary glTF 2.0 file, found {what}")

    if len(data) < HEAD.size:
        raise wrong(f"{len(data)} bytes")
    _, version, length = HEAD.unpack_from(data)
    if version != 2:
        raise wrong(f"version {version}")
    if length != len(data):
        raise wrong(f"{len(data)} of {length} bytes")
    found: list[tuple[bytes, bytes]] = []
    at = HEAD.size
    while at < length and len(found) < 2:
        if at + CHUNK.size > length:
            raise wrong("a chunk that is cut off")
        size, kind = CHUNK.unpack_from(data, at)
        at += CHUNK.size
        if size > length - at:
            raise wrong(f"a chunk of {size} bytes where {length - at} are left")
        found.append((kind, data[at : at + size]))
        at += size
    if not found or found[0][0] != b"JSON":
        raise wrong("no JSON at its beginning")
    binary = found[1][1] if len(found) > 1 and found[1][0] == b"BIN\0" else b""
    return found[0][1], binary
